"""Random channels and laws, and leakage and contraction from their definitions.

Lists of fractions throughout; shares no code with the project.
"""

from fractions import Fraction
from itertools import combinations, permutations

from hypothesis import strategies as st

ZERO = Fraction(0)


def normalised(weights):
    total = sum(weights)
    return tuple(Fraction(w, total) for w in weights) if total else (Fraction(1), *weights[1:])


@st.composite
def channels(draw, min_inputs=2, max_inputs=5, max_outputs=4, least=0):
    """Rows of a channel with zeros and ties; entries are at least ``least`` in weight."""
    n = draw(st.integers(min_inputs, max_inputs))
    m = draw(st.integers(1, max_outputs))
    weights = st.lists(st.integers(least, 12), min_size=m, max_size=m)
    return tuple(normalised(draw(weights)) for _ in range(n))


@st.composite
def shares(draw):
    """A rational in [0, 1] with a small denominator, ends included."""
    denominator = draw(st.integers(1, 24))
    return Fraction(draw(st.integers(0, denominator)), denominator)


def laws(n):
    return st.lists(st.integers(0, 9), min_size=n, max_size=n).map(normalised)


def interior(law, c):
    """The law c + (1 - Nc) law, whose masses are at least c."""
    return tuple(c + (1 - len(law) * c) * mass for mass in law)


def through(law, rows):
    """The law of the output."""
    return tuple(
        sum((p * q for p, q in zip(law, column, strict=True)), ZERO)
        for column in zip(*rows, strict=False)
    )


def leakages(law, rows):
    """max_x K(y|x)/P_Y(y) over inputs with mass, for the outputs that occur."""
    out = through(law, rows)
    return {
        y: max(k for k, p in zip(column, law, strict=True) if p) / out[y]
        for y, column in enumerate(zip(*rows, strict=True))
        if out[y]
    }


def worst_leakage(rows, c):
    """The largest leakage over the vertices of the simplex of priors, None if there is no bound."""
    n, worst = len(rows), Fraction(1)
    for x in range(n):
        vertex = interior(tuple(Fraction(int(i == x)) for i in range(n)), c)
        out = through(vertex, rows)
        for column, mass in zip(zip(*rows, strict=True), out, strict=False):
            if max(column) and not mass:
                return None
            if mass:
                worst = max(worst, max(column) / mass)
    return worst


def largest_event_difference(rows):
    """max over pairs of rows and sets A of outputs of K(A|x) - K(A|x'): Dobrushin by events."""
    m, largest = len(rows[0]), ZERO
    for mask in range(1 << m):
        chances = [sum((row[y] for y in range(m) if mask >> y & 1), ZERO) for row in rows]
        largest = max(largest, max(chances) - min(chances))
    return largest


def e_gamma(p, q, gamma):
    return sum((max(x - gamma * y, ZERO) for x, y in zip(p, q, strict=True)), ZERO)


def largest_e_gamma(rows, gamma):
    return max((e_gamma(p, q, gamma) for p, q in permutations(rows, 2)), default=ZERO)


def total_variation(p, q):
    return e_gamma(p, q, 1)


def chi2(p, q):
    """None where it is infinite."""
    if any(x and not y for x, y in zip(p, q, strict=True)):
        return None
    return sum(((x - y) ** 2 / y for x, y in zip(p, q, strict=True) if y), ZERO)


def dobrushin(rows):
    return max((total_variation(p, q) for p, q in combinations(rows, 2)), default=ZERO)
