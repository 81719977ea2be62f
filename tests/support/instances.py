"""Random problems that stress a solver or checker: zeros, ties, nulls, extremes, mirrors."""

from fractions import Fraction

from hypothesis import strategies as st

E_VALUES = tuple(map(Fraction, ("1", "10001/10000", "11/10", "3/2", "2", "3", "5", "20", "1000")))


def normalised(weights):
    """The weights over their sum; the first weight counts as 1 if all are 0."""
    weights = list(weights)
    if not any(weights):
        weights[0] = 1
    total = Fraction(sum(weights))
    return tuple(Fraction(w) / total for w in weights)


def _plain(rng, k):
    return [rng.randint(1, 50) for _ in range(k)], [rng.randint(1, 50) for _ in range(k)]


def _sparse(rng, k):
    small = [0, 0, 1, 2, 3]
    return [rng.choice(small) for _ in range(k)], [rng.choice(small) for _ in range(k)]


def _tied(rng, k):
    pairs = [(rng.randint(0, 4), rng.randint(0, 4)) for _ in range(max(1, k // 2))]
    scales = [(rng.choice(pairs), rng.randint(1, 3)) for _ in range(k)]
    return [s * a for (a, _), s in scales], [s * b for (_, b), s in scales]


def _null(rng, k):
    a, b = _plain(rng, k)
    dead = [rng.random() < 0.4 for _ in range(k)]
    return [0 if d else x for d, x in zip(dead, a, strict=True)], [
        0 if d else x for d, x in zip(dead, b, strict=True)
    ]


def _extreme(rng, k):
    def mass():
        return Fraction(10) ** -rng.choice([0, 1, 5, 12, 25])

    return [mass() for _ in range(k)], [mass() for _ in range(k)]


def _disjoint(rng, k):
    side = [rng.random() < 0.5 for _ in range(k)]
    weights = [rng.randint(1, 9) for _ in range(k)]
    return [w if s else 0 for w, s in zip(weights, side, strict=True)], [
        0 if s else w for w, s in zip(weights, side, strict=True)
    ]


def _mirrored(rng, k):
    weights = [rng.randint(0, 9) for _ in range(k)]
    return weights, weights[::-1]


def _near(rng, k):
    weights = [rng.randint(1, 9) for _ in range(k)]
    return weights, [w + Fraction(rng.randint(-9, 9), 10**12) for w in weights]


def _equal(rng, k):
    weights = [rng.randint(0, 9) for _ in range(k)]
    return weights, weights


FAMILIES = {
    "plain": _plain,
    "sparse": _sparse,
    "tied": _tied,
    "null": _null,
    "extreme": _extreme,
    "disjoint": _disjoint,
    "mirrored": _mirrored,
    "near": _near,
    "equal": _equal,
}


def random_pair(rng, k, family=None):
    """Two distributions on k symbols from a family of ``FAMILIES`` (at random by default)."""
    family = family or rng.choice(list(FAMILIES))
    a, b = FAMILIES[family](rng, k)
    return normalised(a), normalised(b)


def random_channel(rng, n_inputs, n_outputs, E):
    """The rows of a channel whose columns have ratio at most E: a mixture of subset columns."""
    c = E - 1
    weights = [Fraction(rng.randint(1, 20)) for _ in range(n_outputs - 1)]
    columns = [[1 + c * Fraction(rng.randint(0, 8), 8) for _ in range(n_inputs)] for _ in weights]
    rows = [
        [w * column[x] for w, column in zip(weights, columns, strict=True)] for x in range(n_inputs)
    ]
    if n_outputs == 1:
        return [[Fraction(1)] for _ in range(n_inputs)]
    # the last column completes the rows: it must be positive with ratio at most E as well
    high, low = max(map(sum, rows)), min(map(sum, rows))
    total = high if E == 1 else max(high, (E * high - low) / (E - 1))
    total += Fraction(rng.randint(0, 3), 2) * high + (high if E == 1 else 0)
    return [[entry / total for entry in [*row, total - sum(row)]] for row in rows]


def random_staircase(rng, n_inputs, E, n_sets=6):
    """The rows of a channel whose columns take two values, E times one another, or are constant."""
    c = E - 1
    sets = [[rng.randint(0, 1) for _ in range(n_inputs)] for _ in range(n_sets)]
    sets += [[1 - i for i in inside] for inside in sets]
    weights = [Fraction(rng.randint(1, 9)) for _ in range(n_sets)] * 2
    bottom = sum(weights) * (2 + c) / 2
    return [
        [w * (1 + c * s[x]) / bottom for w, s in zip(weights, sets, strict=True)]
        for x in range(n_inputs)
    ]


@st.composite
def pairs(draw, max_size=7, min_size=1):
    """Two distributions on the same symbols."""
    k = draw(st.integers(min_size, max_size))
    return random_pair(draw(st.randoms(use_true_random=False)), k)


@st.composite
def distributions(draw, size=None, max_size=7):
    """One distribution, zeros welcome."""
    k = size or draw(st.integers(1, max_size))
    return normalised(draw(st.lists(st.integers(0, 9), min_size=k, max_size=k)))


@st.composite
def channels(draw, n_inputs=None, max_inputs=5, max_outputs=5):
    """The rows of any channel, zeros welcome."""
    n = n_inputs or draw(st.integers(1, max_inputs))
    m = draw(st.integers(1, max_outputs))
    return tuple(draw(distributions(size=m)) for _ in range(n))


def exp_epsilons(low=1):
    """E = exp(epsilon) >= low."""
    drawn = st.fractions(low, 50, max_denominator=20)
    return st.one_of(st.sampled_from([E for E in E_VALUES if low <= E]), drawn)
