"""The largest divergence of two laws with given total variation and given extreme ratios.

For dP/dQ in [m, M] with m < 1 < M and TV(P, Q) = d the largest D_f(P||Q) is
d (f(m)/(1 - m) + f(M)/(M - 1)): f lies below its chords on [m, 1] and [1, M]. It is reached by the
law on three symbols with ratios m, 1, M. TV itself is at most (1 - m)(M - 1)/(M - m).

Here m = 1/R and M = R throughout, the case of channels; R is called the ratio.
- ``renyi:A`` is a monotone function of sum P^A Q^(1-A).
- ``chernoff``, max over s of -log sum P^s Q^(1-s): the bracket of f(t) = -t^s is
  (R + 1 - R^s - R^(1-s))/(R - 1), largest at s = 1/2, where it is half of that of ``hellinger``.
- ``lr:A``, the l_A distance: at most 2^(1/A) d, as the positive and the negative parts of P - Q
  sum to d each; the ratio plays no part, and R is not the name of the order here.

Reference: Binette 2019 (Theorem 1).
"""

from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.distribution import Distribution
from verify.kernel.divergence import Divergence, enclose_divergence, parse_divergence
from verify.kernel.errors import InputError
from verify.kernel.exact import INFINITE, Infinity, as_rational, excerpt
from verify.kernel.interval import Interval, enclose_exp, enclose_log

__all__ = [
    "Measure",
    "binette_constant",
    "enclose_f_divergence",
    "extremal_pair",
    "from_f_divergence",
    "largest_divergence",
    "largest_total_variation",
    "parse_measure",
]

_ORDERED = {"renyi", "lr"}


@dataclass(frozen=True, slots=True)
class Measure:
    """How far apart two laws are: an f-divergence, or a monotone function of some.

    Args:
        family: ``f`` for a divergence of the kernel, or ``renyi``, ``chernoff``, ``lr``.
        name: the canonical name.
        order: A of ``renyi:A`` or ``lr:A``; 1/2 for ``chernoff``.
        divergence: the kernel's divergence when the family is ``f``.
    """

    family: str
    name: str
    order: Fraction = Fraction(1, 2)
    divergence: Divergence | None = None

    @property
    def is_operator_convex(self) -> bool:
        """Whether f is operator convex, so that its contraction coefficient is that of chi2."""
        if self.family == "renyi":
            return self.order <= 2
        if self.name.startswith("alpha:"):
            return -1 <= Fraction(self.name.removeprefix("alpha:")) <= 2
        if "*" in self.name:  # a mixture is if its parts are
            parts = (term.split("*")[1] for term in self.name.split("+"))
            return all(parse_measure(part).is_operator_convex for part in parts)
        return self.divergence is not None and not self.divergence.kinks


def parse_measure(name: str) -> Measure:
    """The measure called ``name``: any of the kernel, renyi:A, chernoff or lr:A.

    ``renyi:A`` is log(sum P^A Q^(1-A))/(A - 1), a function of sum P^A Q^(1-A) - 1 for A > 1 and of
    its negative for 0 < A < 1; ``lr:A``, A >= 1, is (sum |P - Q|^A)^(1/A).

    Raises:
        InputError: for any other name or an order out of range.
    """
    family, colon, parameter = name.partition(":")
    if name == "chernoff":
        return Measure("chernoff", name)
    if family not in _ORDERED or not colon:
        divergence = parse_divergence(name)
        return Measure("f", divergence.name, divergence=divergence)
    order = as_rational(parameter, f"divergence {family}")
    if family == "lr" and order < 1:
        raise InputError(f"divergence: lr needs an order >= 1, not {excerpt(parameter)}")
    if family != "lr" and (order <= 0 or order == 1):
        raise InputError(f"divergence: {family} needs an order > 0 other than 1, not {order}")
    return Measure(family, f"{family}:{order}", order)


def _exp(exponent: Interval, bits: int) -> Interval:
    return Interval(
        enclose_exp(exponent.lower, bits).lower, enclose_exp(exponent.upper, bits).upper
    )


def _log(argument: Interval, bits: int) -> Interval:
    return Interval(
        enclose_log(argument.lower, bits).lower, enclose_log(argument.upper, bits).upper
    )


def _power(t: Fraction, exponent: Fraction, bits: int) -> Interval:
    """Encloses t**exponent for t > 0, *exact* for an integer exponent."""
    if exponent.denominator == 1:
        return Interval.exactly(t**exponent.numerator)
    return _exp(enclose_log(t, bits + 16).scaled(exponent), bits + 16)


def _convex(measure: Measure, t: Fraction, bits: int) -> Interval:
    """Encloses f(t) at t > 0 for the f-divergence that the measure is a function of."""
    if measure.divergence is not None:
        value = measure.divergence.perspective(t, Fraction(1), bits)
        if not isinstance(value, Interval):
            raise InputError(f"divergence: {measure.name} is infinite at the ratio {t}")
        return value
    sign = 1 if measure.order > 1 else -1
    return (_power(t, measure.order, bits) + Interval.exactly(-1)).scaled(sign)


def binette_constant(measure: Measure, ratio: Fraction, bits: int = 128) -> Interval:
    """Encloses f(m)/(1 - m) + f(M)/(M - 1) for m = 1/R and M = R > 1.

    For ``renyi`` and ``chernoff`` it is that of the f-divergence beneath, for ``lr`` 2^(1/A).

    Raises:
        InputError: if the ratio is not above 1.

    Reference: Binette 2019 (Theorem 1).

    >>> binette_constant(parse_measure("chi2"), Fraction(3)).lower
    Fraction(8, 3)
    """
    if ratio <= 1:
        raise InputError(f"ratio: {ratio} is not above 1")
    if measure.family == "lr":
        return _power(Fraction(2), 1 / measure.order, bits)
    low, high = (_convex(measure, t, bits) for t in (1 / ratio, ratio))
    return low.scaled(ratio / (ratio - 1)) + high.scaled(1 / (ratio - 1))


def largest_total_variation(ratio: Fraction) -> Fraction:
    """(R - 1)/(R + 1), the largest TV of two laws with ratios in [1/R, R], *exact*."""
    return (ratio - 1) / (ratio + 1)


def from_f_divergence(measure: Measure, value: Interval, bits: int) -> Interval:
    """The measure as the increasing function that it is of its f-divergence."""
    if measure.family == "chernoff":
        return _log(Interval.exactly(1) + value.scaled(-1), bits).scaled(-1)
    if measure.family == "renyi":
        sign = 1 if measure.order > 1 else -1
        inside = _log(Interval.exactly(1) + value.scaled(sign), bits)
        return inside.scaled(1 / (measure.order - 1))
    return value


def largest_divergence(
    measure: Measure, total_variation: Fraction, ratio: Fraction, bits: int = 128
) -> Interval:
    """Encloses the largest measure of two laws with TV <= d and ratios in [1/R, R].

    Args:
        measure: from ``parse_measure``.
        total_variation: d; more than ``largest_total_variation`` counts as that.
        ratio: R >= 1.
        bits: precision of the enclosure.

    Returns:
        An *enclosure* of the supremum, which ``extremal_pair`` reaches.

    Reference: Binette 2019 (Theorem 1).
    """
    if ratio == 1 or not total_variation:
        return Interval.exactly(0)
    distance = min(total_variation, largest_total_variation(ratio))
    value = binette_constant(measure, ratio, bits).scaled(distance)
    return from_f_divergence(measure, value, bits)


def extremal_pair(total_variation: Fraction, ratio: Fraction) -> tuple[Distribution, Distribution]:
    """The laws P, Q on three symbols with ratios 1/R, 1, R and this TV: they reach the largest.

    Raises:
        InputError: if R <= 1 or the TV is above ``largest_total_variation``.

    >>> p, q = extremal_pair(Fraction(1, 4), Fraction(3))
    >>> [str(mass) for mass in p.masses], [str(mass) for mass in q.masses]
    (['1/8', '1/2', '3/8'], ['3/8', '1/2', '1/8'])
    """
    if ratio <= 1 or not 0 <= total_variation <= largest_total_variation(ratio):
        raise InputError(f"no two laws have ratios within {ratio} and TV {total_variation}")
    more, less = (total_variation * x / (ratio - 1) for x in (ratio, Fraction(1)))
    middle = 1 - more - less
    return Distribution((less, middle, more)), Distribution((more, middle, less))


def enclose_f_divergence(
    measure: Measure, p: Distribution, q: Distribution, bits: int = 128
) -> Interval | Infinity:
    """Encloses the f-divergence beneath the measure between two laws; INFINITE where it is.

    Raises:
        InputError: for ``chernoff`` and ``lr``, which are functions of no single f-divergence.
    """
    if measure.divergence is not None:
        return enclose_divergence(measure.divergence, p, q, bits)
    if measure.family in {"chernoff", "lr"}:
        raise InputError(f"divergence: {measure.name} is no function of one f-divergence")
    total = Interval.exactly(0)
    for x, y in zip(p.masses, q.masses, strict=True):
        if x and y:
            total += _power(x / y, measure.order, bits).scaled(y)
        elif x and measure.order > 1:
            return INFINITE
    difference = total + Interval.exactly(-1)
    return difference if measure.order > 1 else difference.scaled(-1)
