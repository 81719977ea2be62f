"""A testing problem in float64, in units in which nothing cancels and nothing underflows.

What tells P0 from P1 is the difference P0 - P1, so it is computed exactly and rounded once. Where
c |P0(B) - P1(B)| with c = E - 1 is below 2**-60 for all blocks B, their ratios are 1 + z with
|z| < 2**-60, and to float precision f(1 + z) = f''(1) z**2/2: the objective is replaced by that
square, differences and logarithms of ratios are held in units of 2**-e, and divergences in units of
4**-e. A small c is then raised to 2**-100 at the expense of the differences: floats see only their
product.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import frexp, inf, isnan

import numpy as np

from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.likelihood_order import OrderedMasses
from solvers.testing.objective import Floats, Objective, float_c
from solvers.testing.portable_functions import exp, expm1, log, log1p

__all__ = ["ScaledProblem", "float_masses", "scaled_problem"]

_SMALL = Fraction(1, 1 << 60)
_LEAST_C = Fraction(1, 1 << 100)
_LARGEST = 1e100


@dataclass(frozen=True)
class ScaledProblem:
    """One alphabet and objective in float64.

    Args:
        objective: in the units below.
        c: E - 1, or a number that plays its part.
        masses: the merged symbols, their ``difference`` in units of 2**-exponent (and of the
            true c over ``c``).
        exponent: e, 0 for the units of the problem.
        stretch: ``c`` over the true E - 1, which multipliers times E - 1 are to be multiplied by.
        log_range: the logarithm of E, in units of 2**-exponent, at most 1e100.
        resolution: the largest c |P0(B) - P1(B)| over initial blocks B, in the same units.
    """

    objective: Objective
    c: float
    masses: OrderedMasses
    exponent: int
    stretch: Fraction
    log_range: float
    resolution: float

    def value(self, exact: Fraction) -> float:
        """A divergence in the units of the problem as a float, at most 1e300."""
        return float(min(exact * Fraction(4) ** self.exponent, Fraction(10) ** 300))

    def logs(self, d: Floats, x: Floats, y: Floats) -> Floats:
        """The logarithms of x/y with d = x - y in the units of the problem, elementwise."""
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.exponent:
                return np.where(y > 0, d / y, _LARGEST)
            near = np.abs(d) < y / 2
            return np.where(near, log1p(np.where(near, d / y, 0.0)), log(x) - log(y))

    def ratios(self, logs: Floats) -> list[Fraction | None]:
        """Rationals with about these logarithms, in units of 2**-exponent; None for no number."""
        unit = 1 << self.exponent
        nats = np.ldexp(logs, -self.exponent)
        far, near = exp(nats), expm1(np.clip(nats, -1.0, 1.0))
        found: list[Fraction | None] = []
        for u, one, other in zip(logs.tolist(), near.tolist(), far.tolist(), strict=True):
            if abs(u) < unit:
                found.append(1 + (Fraction(u) / unit if self.exponent else Fraction(one)))
            else:
                found.append(None if isnan(u) else Fraction(other))
        return found

    @property
    def closeness(self) -> int:
        """About how many binary digits of the ratios of blocks agree with those of 1."""
        return self.exponent or max(0, 1 - frexp(self.resolution)[1])


def float_masses(alphabet: OrderedAlphabet, factor: Fraction | int = 1) -> OrderedMasses:
    """The merged symbols in float64, their difference times a factor."""
    pairs = list(zip(alphabet.p0, alphabet.p1, strict=True))
    columns = zip(*((float(a), float(b), float((a - b) * factor)) for a, b in pairs), strict=True)
    p0, p1, difference = (np.array(column) for column in columns)
    places = np.arange(len(pairs) + 1)
    return OrderedMasses(p0, p1, difference, places[:-1], places)


def scaled_problem(alphabet: OrderedAlphabet, goal: Objective, c: Fraction) -> ScaledProblem:
    """The problem in float64.

    Args:
        alphabet: the merged symbols.
        goal: the divergence; one with a corner at 1 keeps its units.
        c: E - 1 > 0.
    """
    prefixes = zip(*alphabet.prefix_sums(), strict=True)
    largest = c * max(abs(a - b) for a, b in prefixes)
    plain = float_c(c)
    if not 0 < largest < _SMALL or 1 in goal.divergence.kinks:
        reach = float(log1p(plain))
        return ScaledProblem(
            goal, plain, float_masses(alphabet), 0, Fraction(1), reach, float_c(largest)
        )
    exponent = largest.denominator.bit_length() - largest.numerator.bit_length()
    raised, unit = max(c, _LEAST_C), Fraction(1 << exponent)
    nats = c if c < _SMALL else Fraction(float(log1p(plain)))
    return ScaledProblem(
        _near_one(goal),
        float_c(raised),
        float_masses(alphabet, unit * c / raised),
        exponent,
        raised / c,
        float(min(nats * unit, Fraction(_LARGEST))),
        float(largest * unit),
    )


def _near_one(goal: Objective) -> Objective:
    """The objective with f(1 + z) = f''(1) z**2/2, in any unit of z."""
    one, step = np.ones(1), np.full(1, 2.0**-60)
    curvature = 2 * float(goal.score(step, one, one)[0]) * 2.0**120

    def score(d: Floats, x: Floats, y: Floats) -> Floats:
        with np.errstate(over="ignore"):  # of a symbol alone; blocks are of order 1
            return curvature / 2 * d * d / y

    def gradient(t: Floats) -> tuple[Floats, Floats]:
        steep = np.full_like(t, 1e300)  # a bound that prunes nothing
        return steep, steep

    def tangent(u: Floats) -> tuple[Floats, Floats]:
        return curvature * u, curvature / 2 * u * u

    return replace(goal, score=score, gradient=gradient, tangent=tangent, near=inf)
