"""Optimal block sizes K*, windows of E, and which designs reach them."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import sympy as sp

from combinatorics.construction import Exists
from combinatorics.design_existence import existence
from combinatorics.hadamard import hadamard_existence
from solvers.epsilon import Epsilon, parse_epsilon
from solvers.estimation.constructors import truncated_scheme
from solvers.estimation.risk import Parameters, optimal_block_sizes, optimal_window, optimum
from verify.claims.claim import Claim, Exhaustive, Symbolic
from verify.claims.domain import Domain, listed
from verify.claims.proof import Identity, Statement, nonnegative
from verify.kernel.estimation import risk_lower_bound

__all__ = ["CLAIMS"]

_PARK = "Park, Nam, Lee 2023"


def _step_statements(slip: int = 0) -> tuple[Statement, ...]:
    """f(k+1) - f(k) has the sign of k(k+1)E^2 - (v-k)(v-k-1), for f(k) = (kE+v-k)^2/(k(v-k))."""
    E, v, k = sp.symbols("E v k", positive=True)

    def f(j: Any) -> Any:
        return (j * E + v - j) ** 2 / (j * (v - j))

    step = (f(k + 1) - f(k)) * k * (k + 1) * (v - k) * (v - k - 1)
    stated = v * (k * (k + 1 + slip) * E**2 - (v - k) * (v - k - 1))
    return (Identity("the step", step, stated, (v - k - 2, k - 1, E - 1)),)


def _scale(level: Fraction) -> tuple[int, int]:
    return level.numerator, level.denominator


def _brute(v: int, level: Fraction) -> tuple[int, ...]:
    """The k that minimise (kE + v - k)^2/(k(v-k)), by trying all."""
    p, q = _scale(level)
    best, found = Fraction(0), list[int]()
    for k in range(1, v):
        value = Fraction((k * p + (v - k) * q) ** 2, k * (v - k))
        if not found or value < best:
            best, found = value, [k]
        elif value == best:
            found.append(k)
    return tuple(found)


def _levels(v: int) -> list[Fraction]:
    """E at which K* is one size, and, where it is rational, at the borders between sizes."""
    found = [Fraction(n, 4) for n in (5, 6, 8, 11, 14, 20, 32, 80, 4 * v)]
    for k in range(1, v - 1):
        top, bottom = (v - k) * (v - k - 1), k * (k + 1)
        square = Fraction(top, bottom)
        a, b = (
            int(sp.integer_nthroot(square.numerator, 2)[0]),
            int(sp.integer_nthroot(square.denominator, 2)[0]),
        )
        if a * a == square.numerator and b * b == square.denominator and a > b:
            found.append(Fraction(a, b))
    return found


def _closed_form(v: int, *, rounded: bool = False) -> str:
    for level in _levels(v):
        brute = _brute(v, level)
        closed = optimal_block_sizes(v, Epsilon.from_exp(level))
        if rounded:
            closed = (max(1, round(v / (level + 1))),)
        if closed != brute:
            return f"E = {level}: {closed} by the closed form, {brute} by trial"
    return ""


def _neighbours(v: int, *, always_one: bool = False) -> str:
    """One size or two consecutive ones, each v/(E+1) rounded down or up."""
    for level in _levels(v):
        sizes = _brute(v, level)
        real = v / (level + 1)
        low, high = int(real), -int(-real // 1)
        if len(sizes) > (1 if always_one else 2) or sizes[-1] - sizes[0] > 1:
            return f"E = {level}: the optimal sizes are {sizes}"
        if any(k not in {max(1, low), max(1, high)} for k in sizes):
            return f"E = {level}: {sizes} is not v/(E+1) = {real} rounded"
    return ""


def _response(v: int, *, linear: bool = False) -> str:
    """Randomized response is optimal exactly when E^2 >= (v-1)(v-2)/2."""
    for level in _levels(v):
        optimal = 1 in _brute(v, level)
        stated = level >= v - 1 if linear else 2 * level**2 >= (v - 1) * (v - 2)
        if optimal != stated:
            return f"E = {level}: optimal {optimal}, stated {stated}"
    return ""


def _window_statements(slip: int = 0) -> tuple[Statement, ...]:
    """The window of PG(t-1, q) holds E = q - 1: two polynomial inequalities in q >= 2, w = q^(t-1).

    v - k = w and k = (w-1)/(q-1); put q = 2 + a and w = q + h, h >= 0.
    """
    a, h = sp.symbols("a h", nonnegative=True)
    q = 2 + a
    w = q + h
    E, k = q - 1, (w - 1) / (q - 1)
    low = k * (k + 1) * E**2 - w * (w - 1)
    high = w * (w + 1) - k * (k - 1) * (E + slip) ** 2
    return (
        nonnegative("left end", low, nonnegative=(a, h)),
        nonnegative(
            "right end",
            sp.cancel(high * (q - 1) ** (2 if slip else 0)),
            nonnegative=(a, h),
        ),
    )


def _windows(instance: Any, *, shifted: bool = False) -> str:
    """The window of each (v, k) equals the E at which trial finds k optimal."""
    v, k = instance
    window = optimal_window(v, k + shifted) if k + shifted < v else optimal_window(v, k)
    for level in _levels(v):
        if window.contains(level) != (k in _brute(v, level)):
            return f"E = {level}: the window says {window.contains(level)}"
    return ""


def _high_privacy(v: int, *, symmetric_only: bool = False) -> str:
    """A constructible block design on v points that is optimal for E near 1 with b <= 2v blocks."""
    near = Fraction(v * v + 1, v * v)
    sizes = optimal_block_sizes(v, Epsilon.from_exp(near))
    for k, copies in product(sizes, range(1, 3)):
        if b_of(v, k, symmetric_only=symmetric_only, limit=copies * v):
            return ""
    return f"no design with block size {sizes} and at most {2 * v} blocks is constructed"


def b_of(v: int, k: int, *, symmetric_only: bool, limit: int) -> int:
    """The number of blocks of a constructible 2-(v, k, lambda) design within the limit, or 0."""
    if k == 1:
        return v
    for lam in range(1, k + 1):
        if lam * v * (v - 1) % (k * (k - 1)) or lam * (v - 1) % (k - 1):
            continue
        b = lam * v * (v - 1) // (k * (k - 1))
        if b > limit or (symmetric_only and b != v):
            continue
        if k == 2 or isinstance(existence(v, k, lam), Exists):
            return b
    return 0


def _orders_known(size: int) -> list[int]:
    """The v up to a bound for which the Hadamard order used is one that is known."""

    def wanted(v: int) -> int:
        return 4 * ((v + 4) // 4) if v % 4 == 3 else 4 * ((v + 1) // 2)

    return [v for v in range(3, size + 1) if isinstance(hadamard_existence(wanted(v)), Exists)]


def _hadamard_statements(slip: int = 0) -> tuple[Statement, ...]:
    """Derived (k = (v-1)/2, b = 2v) and residual (k = v/2, b = 2v-2) of (4m-1, 2m-1, m-1)."""
    m = sp.Symbol("m", positive=True)
    v, k, lam = 4 * m - 1, 2 * m - 1, m - 1
    return (
        Identity("derived: k", lam, ((k - 1) + slip) / sp.Integer(2)),
        Identity("derived: b", v - 1, 2 * k),
        Identity("residual: k", k - lam, (v - k) / sp.Integer(2)),
        Identity("residual: b", v - 1, 2 * (v - k) - 2),
    )


@cache
def _truncated_ratio(triple: tuple[int, int, int]) -> tuple[Fraction, Fraction]:
    """Bounds on the ratio of the truncated (V, K, L) at v = 100, epsilon = 1 to the optimum."""
    level = parse_epsilon("1")
    b, r, lam = triple
    risks = [Parameters(100, b, r, lam).n_risk(e) for e in (level.exp_upper, level.exp_lower)]
    least = optimum(100, level)
    largest, _ = risk_lower_bound(100, level.exp_lower)
    return risks[0] / largest, risks[1] / least


_EXAMPLE = {
    (101, 25, 6): ("1.00338", "1.00340"),
    (109, 28, 7): ("1.0025", "1.0035"),
    (133, 33, 8): ("1.00950", "1.00952"),
    (341, 85, 21): ("1.02131", "1.02133"),
    (121, 40, 13): ("1.02606", "1.02608"),
    (103, 51, 25): ("1.26", "1.262"),
}


def _example(triple: tuple[int, int, int], *, as_good: bool = False) -> str:
    low, high = _truncated_ratio(triple)
    first, last = (Fraction(text) for text in _EXAMPLE[triple])
    if as_good:
        first, last = (Fraction(text) for text in _EXAMPLE[101, 25, 6])
    if not first <= low <= high <= last:
        return f"the ratio lies in {float(low):.8f}..{float(high):.8f}, not in {first}..{last}"
    return ""


def _example_domain() -> Domain:
    return listed(
        "the designs of the example, V <= {size}",
        lambda size: [t for t in _EXAMPLE if t[0] <= size],
    )


def _built_example(v: int, *, wrong: bool = False) -> str:
    """The truncated quartic-residue design is built and has the stated numbers and risk."""
    from combinatorics.difference_sets.registry import difference_set  # noqa: PLC0415

    scheme = truncated_scheme(difference_set(101, 25, 6), v, "1")
    p = scheme.parameters
    expected = (v, 101, 25, 7 if wrong else 6)
    return "" if (p.v, p.b, p.r, p.lambda_) == expected else f"{p} is not {expected}"


def _correction_statements(sign: int = 1) -> tuple[Statement, ...]:
    """The real minimiser of (xE + 1 - x)^2/(x (1-x)) is x = 1/(E+1): the excess is a square."""
    E, x = sp.symbols("E x", positive=True)
    rest = sp.Symbol("rest", positive=True)  # 1 - x
    excess = (x * E + rest) ** 2 - 4 * E * x * rest
    return (Identity("excess over 4E", excess, (x * E - sign * rest) ** 2),)


_ALPHABETS = listed("alphabets of 3..{size} symbols", lambda size: range(3, size + 1))

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "estimation.k-star",
        "K* = {k : (v-k)(v-k-1) <= k(k+1) E^2 and k(k-1) E^2 <= (v-k)(v-k+1)} minimises the risk",
        f"{_PARK}, Proposition III.7",
        "symbolic for the step; all v <= 200 at nine E and at every rational border",
        "v/(E+1) rounded to the nearest minimises it",
        (
            Symbolic(_step_statements, lambda: _step_statements(1)),
            Exhaustive(
                _ALPHABETS,
                _closed_form,
                lambda v: _closed_form(v, rounded=True),
                size=200,
                smallest=3,
                batch=8,
            ),
        ),
    ),
    Claim(
        "estimation.k-star-neighbours",
        "K* is one size or two consecutive ones, among v/(E+1) rounded down and up",
        f"{_PARK}, Proposition III.7",
        "all v <= 200 at nine E and at every rational border; the real minimiser symbolically",
        "K* is one size always",
        (
            Symbolic(_correction_statements, lambda: _correction_statements(-1)),
            Exhaustive(
                _ALPHABETS,
                _neighbours,
                lambda v: _neighbours(v, always_one=True),
                size=200,
                smallest=3,
                batch=8,
            ),
        ),
    ),
    Claim(
        "estimation.randomized-response",
        "randomized response is optimal exactly when E^2 >= (v-1)(v-2)/2",
        f"{_PARK}; derived from K*",
        "all v <= 100",
        "exactly when E >= v - 1",
        (
            Exhaustive(
                _ALPHABETS,
                _response,
                lambda v: _response(v, linear=True),
                size=100,
                smallest=3,
                batch=8,
            ),
        ),
    ),
    Claim(
        "estimation.windows",
        "a design with v points and block size k is optimal exactly on its window of E",
        f"{_PARK}; derived from K*",
        "all (v, k) with v <= 40",
        "the window of k + 1 does",
        (
            Exhaustive(
                listed(
                    "all v <= {size} and k < v",
                    lambda size: [(v, k) for v in range(3, size + 1) for k in range(1, v)],
                ),
                _windows,
                lambda instance: _windows(instance, shifted=True),
                size=40,
                smallest=3,
                batch=32,
            ),
        ),
    ),
    Claim(
        "estimation.projective-window",
        "the window of the projective geometry over GF(q) holds E = q - 1 in every dimension",
        f"{_PARK}; Feldman, Nelson, Nguyen, Talwar 2022",
        "symbolic for all q >= 2 and dimensions",
        "it holds E = q",
        (Symbolic(_window_statements, lambda: _window_statements(1)),),
    ),
    Claim(
        "estimation.hadamard-coverage",
        "at high privacy an exactly optimal block design with b <= 2v is constructed for every v",
        f"{_PARK}, section IV-A",
        "symbolic parameters; all v <= 150 whose Hadamard order is known",
        "with b = v",
        (
            Symbolic(_hadamard_statements, lambda: _hadamard_statements(1)),
            Exhaustive(
                listed("v <= {size} with a known Hadamard order", _orders_known),
                _high_privacy,
                lambda v: _high_privacy(v, symmetric_only=True),
                size=150,
                smallest=3,
                batch=8,
            ),
        ),
    ),
    Claim(
        "estimation.example-100",
        "at v = 100, epsilon = 1 the truncated designs have the ratios of the published example",
        f"{_PARK}, example: (101,25,6) at 6.66 bits against (341,85,21) at 8.41 bits",
        "six truncated designs, ratios enclosed in rationals",
        "all have the ratio of (101,25,6)",
        (
            Exhaustive(
                _example_domain(),
                _example,
                lambda t: _example(t, as_good=True),
                size=341,
                smallest=101,
            ),
            Exhaustive(
                listed("alphabets of 98..{size} symbols", lambda size: range(98, size + 1)),
                _built_example,
                lambda v: _built_example(v, wrong=True),
                size=100,
                smallest=98,
            ),
        ),
    ),
)
