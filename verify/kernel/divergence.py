"""f-divergences through their perspective h(x, y) = y f(x/y), evaluated from the definition.

D_f(P||Q) = sum over symbols of h(P(x), Q(x)) with f convex and f(1) = 0. h is convex and
homogeneous of degree 1, so h(x, y) is the largest value of g . (x, y) over the subgradients
g = (f'(t), f(t) - t f'(t)) of h at the ratios t. Adding a (t - 1) to f changes no divergence; each
f below is written in the form that is shortest to evaluate. Natural logarithms throughout.

The power divergence of order A has f(t) = (t^A - 1 - A (t - 1)) / (A (A - 1)), so that D_f =
(sum P^A Q^(1-A) - 1) / (A (A - 1)); as A -> 1 it tends to kl, as A -> 0 to reverse-kl, which stand
at those orders. The Renyi divergence of order A > 0 is log(1 + A (A - 1) D_f) / (A - 1), an
increasing function of that D_f: a channel is best for one if and only if it is for the other.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError, LimitError, require, require_limit
from verify.kernel.exact import INFINITE, Infinity, as_rational, excerpt
from verify.kernel.interval import Interval, enclose_log, enclose_power, enclose_sqrt

__all__ = ["DIVERGENCE_NAMES", "Divergence", "Gradient", "enclose_divergence", "parse_divergence"]

MAX_SUM_BITS = 1 << 14
"""Longest denominator, in bits, of an exact sum; longer than any number in a certificate."""
Gradient = tuple[Interval, Interval]
"""An enclosure of a subgradient (g0, g1) of h."""
_ZERO, _ONE, _TWO = map(Interval.exactly, (0, 1, 2))


@dataclass(frozen=True, slots=True)
class Divergence:
    """One convex f, given by its perspective h.

    Args:
        name: the name as in ``parse_divergence``.
        perspective: (x, y, bits) with x, y >= 0, not both 0, to an enclosure of h(x, y) within
            2**-bits max(x, y) (times the sum of its weights, for a mixture), or INFINITE (possible
            only where x or y is 0).
        gradient: (t, bits) with t > 0 to an enclosure of the right subgradient of h at ratio t.
        kinks: the ratios where f has a corner.
        left_gradient: (t, bits) to the left subgradient at ratio t; needless without kinks.
        reported: the increasing function of D_f that bears the name, where that is not D_f; the
            value of an enclosure is INFINITE only if that of its lower end is.
    """

    name: str
    perspective: Callable[[Fraction, Fraction, int], Interval | Infinity]
    gradient: Callable[[Fraction, int], Gradient]
    kinks: tuple[Fraction, ...] = ()
    left_gradient: Callable[[Fraction, int], Gradient] | None = None
    reported: Callable[[Interval, int], Interval | Infinity] = lambda value, bits: value


def _exact_pair(first: Fraction | int, second: Fraction | int) -> Gradient:
    """The gradient with these rational entries."""
    return Interval.exactly(first), Interval.exactly(second)


def _e_gamma(gamma: Fraction, name: str) -> Divergence:
    """f(t) = (t - gamma)_+ - (1 - gamma)_+; total variation is gamma = 1."""
    offset = max(1 - gamma, Fraction(0))

    def perspective(x: Fraction, y: Fraction, bits: int) -> Interval:
        """(x - gamma y)_+ - (1 - gamma)_+ y."""
        return Interval.exactly(max(x - gamma * y, Fraction(0)) - offset * y)

    def gradient(t: Fraction, bits: int, *, left: bool = False) -> Gradient:
        """(1, -gamma - (1 - gamma)_+) above gamma, (0, -(1 - gamma)_+) below; at it, by side."""
        return above if t > gamma or (t == gamma and not left) else below

    below, above = _exact_pair(0, -offset), _exact_pair(1, -gamma - offset)
    return Divergence(name, perspective, gradient, (gamma,), partial(gradient, left=True))


def _kl(x: Fraction, y: Fraction, bits: int) -> Interval | Infinity:
    """The perspective x log(x/y) of f(t) = t log t."""
    if not x:
        return _ZERO
    return enclose_log(x / y, bits).scaled(x) if y else INFINITE


def _kl_gradient(t: Fraction, bits: int) -> Gradient:
    """The gradient (log t + 1, -t)."""
    return enclose_log(t, bits) + _ONE, Interval.exactly(-t)


def _reverse_gradient(t: Fraction, bits: int) -> Gradient:
    """The gradient (-1/t, 1 - log t) of the perspective y log(y/x) of f(t) = -log t."""
    return Interval.exactly(-1 / t), _ONE + enclose_log(1 / t, bits)


def _js(x: Fraction, y: Fraction, bits: int) -> Interval:
    """The mean of x log(2 x/(x + y)) and y log(2 y/(x + y))."""
    return sum((enclose_log(2 * p / (x + y), bits).scaled(p / 2) for p in (x, y) if p), _ZERO)


def _js_gradient(t: Fraction, bits: int) -> Gradient:
    """Half of log(2 t/(1 + t)) and of log(2/(1 + t))."""
    half, total = Fraction(1, 2), 1 + t
    return enclose_log(2 * t / total, bits).scaled(half), enclose_log(2 / total, bits).scaled(half)


def _lecam(x: Fraction, y: Fraction, bits: int) -> Interval:
    """(x - y)**2/(x + y)."""
    return Interval.exactly((x - y) ** 2 / (x + y))


def _lecam_gradient(t: Fraction, bits: int) -> Gradient:
    """(s (2 - s), -s (2 + s)) for s = (t - 1)/(t + 1)."""
    s = (t - 1) / (t + 1)
    return _exact_pair(s * (2 - s), -s * (2 + s))


def _hellinger(x: Fraction, y: Fraction, bits: int) -> Interval:
    """The perspective (sqrt x - sqrt y)**2 less the linear term x - y: 2 y - 2 sqrt(x y)."""
    larger = max(x, y)
    root = enclose_sqrt(4 * min(x, y) / larger, bits)
    return Interval.exactly(2 * y) + root.scaled(-larger)


def _hellinger_gradient(t: Fraction, bits: int) -> Gradient:
    """(-sqrt(1/t), 2 - sqrt t)."""
    return enclose_sqrt(1 / t, bits).scaled(-1), _TWO + enclose_sqrt(t, bits).scaled(-1)


def _power(order: Fraction, name: str, scale: Fraction) -> Divergence:
    """f(t) = scale (t^A - 1 - A (t - 1)) for an order A other than 0 and 1."""
    spare = (order.denominator**2).bit_length()  # |scale| <= denominator**2

    def perspective(x: Fraction, y: Fraction, bits: int) -> Interval | Infinity:
        """Scale (x^A y^(1-A) - y - A (x - y)), by its limit where x or y is 0."""
        power = _ZERO
        if x and y:
            power = enclose_power(x / y, order, bits + spare).scaled(y)
        elif (order < 0) if y else (order > 1):
            return INFINITE
        return (power + Interval.exactly(order * (y - x) - y)).scaled(scale)

    def gradient(t: Fraction, bits: int) -> Gradient:
        """(A scale (t^(A-1) - 1), (1 - A) scale (t^A - 1))."""
        g0, g1 = (enclose_power(t, a, bits + spare) + _ONE.scaled(-1) for a in (order - 1, order))
        return g0.scaled(scale * order), g1.scaled(scale * (1 - order))

    return Divergence(name, perspective, gradient)


_SINGLE = (
    _e_gamma(Fraction(1), "tv"),
    Divergence("kl", _kl, _kl_gradient),
    Divergence("reverse-kl", lambda x, y, bits: _kl(y, x, bits), _reverse_gradient),
    Divergence("js", _js, _js_gradient),
    _power(Fraction(2), "chi2", Fraction(1)),
    _power(Fraction(-1), "reverse-chi2", Fraction(1)),
    Divergence("hellinger", _hellinger, _hellinger_gradient),
    Divergence("lecam", _lecam, _lecam_gradient),
)
_NAMED = {divergence.name: divergence for divergence in _SINGLE}
DIVERGENCE_NAMES = (*_NAMED, "e-gamma:G", "alpha:A", "renyi:A")


def _alpha(order: Fraction, name: str) -> Divergence:
    """The power divergence."""
    if order in {0, 1}:
        return replace(_NAMED["kl" if order else "reverse-kl"], name=name)
    return _power(order, name, 1 / (order * (order - 1)))


def _renyi(order: Fraction, name: str) -> Divergence:
    """The power divergence, reported as a Renyi divergence."""

    def reported(value: Interval, bits: int) -> Interval | Infinity:
        """Encloses log(1 + A (A - 1) D_f)/(A - 1) for the D_f >= 0 in the interval."""
        ends = value.lower, value.upper
        low, high = (1 + order * (order - 1) * max(end, Fraction(0)) for end in ends)  # D_f >= 0
        if low <= 0:  # then order < 1, and this is the largest D_f there is
            return INFINITE
        if high <= 0:
            raise LimitError(f"divergence {name}: is not bounded at {bits} bits")
        first, last = (enclose_log(end, bits).scaled(1 / (order - 1)) for end in (low, high))
        return Interval(first.lower, last.upper)

    power = _alpha(order, name)
    return power if order == 1 else replace(power, reported=reported)


_FAMILIES = {"e-gamma": _e_gamma, "alpha": _alpha, "renyi": _renyi}


def _mixture(text: str) -> Divergence:
    """The sum of W f over the terms W*D of the text, to be sorted.

    A one-sided derivative of the sum is the weighted sum of those of the parts, a part without a
    corner having two equal ones; h is infinite where that of a part is, as none is -infinity.
    """
    terms = [term.rpartition("*") for term in text.split("+")]
    require_limit(len(terms), 16, "divergence: terms")
    parts = [(as_rational(w, "weight"), parse_divergence(name)) for w, _, name in terms]
    form = all(w > 0 and "renyi" not in d.name for w, d in parts)
    require(form, "divergence: a mixture has terms W*D joined by +, with W > 0 and no renyi")

    def perspective(x: Fraction, y: Fraction, bits: int) -> Interval | Infinity:
        """The weighted sum of the perspectives."""
        found = [(w, d.perspective(x, y, bits)) for w, d in parts]
        finite = [value.scaled(w) for w, value in found if not isinstance(value, Infinity)]
        return sum(finite, _ZERO) if len(finite) == len(found) else INFINITE

    def gradient(t: Fraction, bits: int, *, left: bool = False) -> Gradient:
        """The weighted sum of the right, or left, subgradients."""
        sides = [(w, ((left and d.left_gradient) or d.gradient)(t, bits)) for w, d in parts]
        g0, g1 = (sum((side[i].scaled(w) for w, side in sides), _ZERO) for i in (0, 1))
        return g0, g1

    name = "+".join(sorted(f"{w}*{d.name}" for w, d in parts))
    kinks = tuple(t for _, d in parts for t in d.kinks)
    return Divergence(name, perspective, gradient, kinks, partial(gradient, left=True))


def parse_divergence(name: str) -> Divergence:
    """The divergence called ``name``.

    ``tv`` sum (P-Q)_+; ``kl`` sum P log(P/Q); ``reverse-kl`` its mirror; ``js`` the mean of the two
    KLs to the midpoint; ``chi2`` sum (P-Q)^2/Q; ``reverse-chi2`` its mirror; ``hellinger``
    sum (sqrt P - sqrt Q)^2; ``lecam`` sum (P-Q)^2/(P+Q); ``e-gamma:G``
    sum (P - G Q)_+ - (1-G)_+ for a rational G > 0; ``alpha:A`` the power divergence
    (sum P^A Q^(1-A) - 1)/(A (A - 1)) of any rational order A, ``reverse-kl`` at 0 and ``kl`` at 1;
    ``renyi:A`` log(sum P^A Q^(1-A))/(A - 1) of a rational order A > 0, ``kl`` at 1; ``W*D+W*D`` the
    sum of up to 16 of these but Renyi divergences, each times its rational weight W > 0.

    Raises:
        InputError: for any other name.
    """
    if name in _NAMED:
        return _NAMED[name]
    if "*" in name:
        return _mixture(name)
    family, colon, text = name.partition(":")
    if colon and family in _FAMILIES:
        parameter = as_rational(text, f"divergence {family}")
        require(parameter > 0 or family == "alpha", f"divergence {family}: {text} is not > 0")
        return _FAMILIES[family](parameter, f"{family}:{parameter}")
    known = ", ".join(DIVERGENCE_NAMES)
    raise InputError(f"divergence: {excerpt(name)} is unknown; choose one of {known}")


def enclose_divergence(
    divergence: Divergence, p: Distribution, q: Distribution, bits: int
) -> Interval | Infinity:
    """Encloses D_f(P||Q), or what is ``reported`` for it; *exact* for a rational divergence.

    A sum over the symbols that is longer than ``MAX_SUM_BITS`` is rounded outwards.

    Returns:
        INFINITE where it is.

    Raises:
        InputError: if the alphabets differ in size.
        LimitError: if the precision does not show that a finite value is finite.
    """
    require(len(p) == len(q), f"the two distributions have {len(p)} and {len(q)} symbols")
    total = _ZERO
    for x, y in zip(p.masses, q.masses, strict=True):
        if x or y:
            term = divergence.perspective(x, y, bits)
            if isinstance(term, Infinity):
                return INFINITE
            if (total := total + term).lower.denominator >> MAX_SUM_BITS:
                total = total.rounded(bits)
    return divergence.reported(total, bits)
