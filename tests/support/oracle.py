"""Independent answers for optimal private testing; shares no code with the project.

Divergences are summed from their definitions, in fractions where they are rational and otherwise
in mpmath at ``DIGITS`` digits. Optima come from the linear program over all subsets (rational
divergences), from all partitions of the alphabet or from all contiguous ones.
"""

from fractions import Fraction
from functools import cache

import mpmath

from tests.support.simplex import maximise

DIGITS = 90
RATIONAL = ("tv", "chi2", "reverse-chi2", "lecam", "e-gamma:5/4", "e-gamma:1/2", "e-gamma:3")
TRANSCENDENTAL = ("kl", "reverse-kl", "js", "hellinger")
EVERY = RATIONAL + TRANSCENDENTAL
INFINITE = mpmath.mpf("inf")


def to_mpf(x):
    """A fraction as a float of the present working precision."""
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x)


def to_fraction(x):
    """The exact dyadic rational that an mpmath float is."""
    value = Fraction(int(x.man)) * Fraction(2) ** int(x.exp)
    return -value if x < 0 else value


def _term_rational(name, p, q):
    if name == "tv":
        return abs(p - q) / 2
    if name == "chi2":
        return (p - q) ** 2 / q if q else INFINITE
    if name == "reverse-chi2":
        return (p - q) ** 2 / p if p else INFINITE
    if name == "lecam":
        return (p - q) ** 2 / (p + q)
    gamma = Fraction(name.partition(":")[2])
    return max(p - gamma * q, Fraction(0))


def _relative_entropy(p, q):
    if not p:
        return mpmath.mpf(0)
    return to_mpf(p) * mpmath.log(to_mpf(p) / to_mpf(q)) if q else INFINITE


def _term(name, p, q):
    if name in ("kl", "reverse-kl"):
        return _relative_entropy(p, q) if name == "kl" else _relative_entropy(q, p)
    if name == "js":
        middle = (p + q) / 2
        return (_relative_entropy(p, middle) + _relative_entropy(q, middle)) / 2
    return (mpmath.sqrt(to_mpf(p)) - mpmath.sqrt(to_mpf(q))) ** 2


def parts_of(name):
    """(weight, name) of the terms of a mixture; of a single divergence, itself with weight 1."""
    if "*" not in name:
        return [(Fraction(1), name)]
    terms = (term.split("*") for term in name.split("+"))
    return [(Fraction(weight), part) for weight, part in terms]


def weighted_sum(name, value):
    """The sum of ``value`` over the parts of a mixture; a Fraction if all are."""
    found = [(weight, value(part)) for weight, part in parts_of(name)]
    if all(isinstance(term, Fraction) for _, term in found):
        return sum((weight * term for weight, term in found), Fraction(0))
    with mpmath.workdps(DIGITS):
        return mpmath.fsum(to_mpf(weight) * to_mpf(term) for weight, term in found)


def is_rational(name):
    """Whether the divergence is a rational function of rational masses."""
    if "*" in name:
        return all(is_rational(part) for _, part in parts_of(name))
    return name not in TRANSCENDENTAL and name.partition(":")[0] not in {"alpha", "renyi"}


def _power_term(name, p, q):
    """q f(p/q) for p, q > 0 with f(t) = (t^A - 1 - A (t - 1))/(A (A - 1))."""
    a = to_mpf(Fraction(name.partition(":")[2]))
    p, q = to_mpf(p), to_mpf(q)
    if a == 1:
        return p * mpmath.log(p / q) - p + q
    if a == 0:
        return q * mpmath.log(q / p) - q + p
    return (q * (p / q) ** a - q - a * (p - q)) / (a * (a - 1))


def reported(name, value):
    """The Renyi divergence whose power divergence is ``value``; other values as they are."""
    if not name.startswith("renyi") or name == "renyi:1":
        return value
    with mpmath.workdps(DIGITS):
        a = to_mpf(Fraction(name.partition(":")[2]))
        return mpmath.log(1 + a * (a - 1) * value) / (a - 1)


def divergence(name, p, q):
    """D(P||Q): a Fraction, an mpf of ``DIGITS`` digits, or infinity.

    Power and Renyi divergences for laws without zeros only.
    """
    if "*" in name:
        return weighted_sum(name, lambda part: divergence(part, p, q))
    if name.partition(":")[0] in {"alpha", "renyi"}:
        with mpmath.workdps(DIGITS):
            terms = (_power_term(name, x, y) for x, y in zip(p, q, strict=True))
            return reported(name, mpmath.fsum(terms))
    pairs = [(x, y) for x, y in zip(p, q, strict=True) if x or y]
    if not is_rational(name):
        with mpmath.workdps(DIGITS):
            return mpmath.fsum(_term(name, x, y) for x, y in pairs)
    terms = [_term_rational(name, x, y) for x, y in pairs]
    if any(term is INFINITE for term in terms):
        return INFINITE
    total = sum(terms, Fraction(0))
    if name.startswith("e-gamma"):
        total -= max(1 - Fraction(name.partition(":")[2]), Fraction(0))
    return total


def score(name, u, w):
    """w f(u/w) for u, w > 0, with the f of the definition; of the power divergence for Renyi."""
    if "*" in name:
        return weighted_sum(name, lambda part: score(part, u, w))
    if name.partition(":")[0] in {"alpha", "renyi"}:
        with mpmath.workdps(DIGITS):
            return _power_term(name, u, w)
    if not is_rational(name):
        with mpmath.workdps(DIGITS):
            extra = {"kl": w - u, "reverse-kl": u - w}.get(name, 0)
            return _term(name, u, w) + to_mpf(extra)
    if name == "tv":
        return abs(u - w) / 2
    value = _term_rational(name, u, w)
    if name.startswith("e-gamma"):
        value -= max(1 - Fraction(name.partition(":")[2]), Fraction(0)) * w
    return value


def through(channel, p):
    """The law of the output of a channel given by its rows."""
    return [
        sum((x * row[y] for x, row in zip(p, channel, strict=True)), Fraction(0))
        for y in range(len(channel[0]))
    ]


def response(blocks, size, E):
    """The rows of randomized response over the blocks of a partition."""
    bottom = E + len(blocks) - 1
    return [
        [(E if x in block else Fraction(1)) / bottom for block in map(set, blocks)]
        for x in range(size)
    ]


def value_of(blocks, p, q, E, name):
    """The divergence that randomized response over the blocks leaves."""
    rows = response(blocks, len(p), E)
    return divergence(name, through(rows, p), through(rows, q))


def set_partitions(items):
    """Every partition of a list into nonempty blocks."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for partition in set_partitions(rest):
        yield [[first], *partition]
        for i, block in enumerate(partition):
            yield [*partition[:i], [first, *block], *partition[i + 1 :]]


def likelihood_order(p, q):
    """The symbols with mass by increasing P/Q."""
    massive = [x for x in range(len(p)) if p[x] or q[x]]
    return sorted(massive, key=lambda x: p[x] / (p[x] + q[x]))


def contiguous_partitions(order):
    """Every way to cut a list into contiguous blocks."""
    if not order:
        yield []
        return
    for cut in range(1, len(order) + 1):
        for rest in contiguous_partitions(order[cut:]):
            yield [order[:cut], *rest]


def _best(partitions, p, q, E, name, outputs):
    masses = cache(lambda block: (sum(p[x] for x in block), sum(q[x] for x in block)))

    @cache
    def block_score(block):
        a, b = masses(block)
        return score(name, 1 + (E - 1) * a, 1 + (E - 1) * b)

    with mpmath.workdps(DIGITS):
        best = max(
            sum(block_score(tuple(block)) for block in blocks) / _scale(name, E + len(blocks) - 1)
            for blocks in partitions
            if outputs is None or len(blocks) <= outputs
        )
        return reported(name, best)


def _scale(name, number):
    return number if is_rational(name) else to_mpf(Fraction(number))


def best_contiguous(p, q, E, name, outputs=None):
    """The best value over contiguous partitions in likelihood-ratio order."""
    return _best(contiguous_partitions(likelihood_order(p, q)), p, q, E, name, outputs)


def best_partition(p, q, E, name, outputs=None):
    """The best value over ALL partitions of the symbols with mass."""
    return _best(set_partitions(likelihood_order(p, q)), p, q, E, name, outputs)


def staircase_optimum(p, q, E, name, outputs=None):
    """The optimum of the linear program over all subsets, exact, for a rational divergence.

    Columns: for each subset S the vector E on S and 1 off S with gain w f(u/w), and a constant
    column without gain. With ``outputs`` = n one more row, (E - 1 + n) W + n R <= n, holds for
    every channel with n outputs (W the weight of the subsets, R of the constant).
    """
    if E == 1:
        return Fraction(0)
    k, c = len(p), E - 1
    columns, gains = [], []
    for mask in range(1 << k):
        inside = [mask >> x & 1 for x in range(k)]
        a = sum((p[x] for x in range(k) if inside[x]), Fraction(0))
        b = sum((q[x] for x in range(k) if inside[x]), Fraction(0))
        columns.append([1 + c * i for i in inside])
        gains.append(score(name, 1 + c * a, 1 + c * b))
    columns.append([Fraction(1)] * k)
    gains.append(Fraction(0))
    basis, right_side = [1 << x for x in range(k)], [Fraction(1)] * k
    if outputs is not None:
        n = Fraction(min(outputs, k))
        for column in columns[:-1]:
            column.append(c + n)
        columns[-1].append(n)
        columns.append([Fraction(0)] * k + [Fraction(1)])
        gains.append(Fraction(0))
        right_side.append(n)
        # feasible from the start: all weight on the constant, or k-ary randomized response
        basis.append(len(columns) - (2 if n < k else 1))
    return maximise(gains, columns, right_side, basis)[0]
