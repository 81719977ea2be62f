"""Mixtures of divergences with positive weights, and convex f that are piecewise linear.

f = sum of w_i f_i with w_i > 0 is convex, and D_f = sum of w_i D_(f_i): its perspective and its
subgradients are the weighted sums of those of the parts. Its name is that of the kernel,
``W*D+W*D``. A piecewise linear convex f with f(1) = 0 is, up to a multiple of t - 1, the mixture of
e-gamma:t_i over its corners t_i, weighted by the change of slope there.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from solvers.testing.every_objective import solve_testing
from solvers.testing.solve import TestingSolution
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import parse_divergence
from verify.kernel.errors import InputError
from verify.kernel.exact import as_rational, excerpt

__all__ = ["mixture_name", "piecewise_linear_parts", "solve_mixture"]

Part = tuple[object, str]
"""A positive weight and the name of a divergence."""


def mixture_name(parts: Iterable[Part]) -> str:
    """The name of the weighted sum of f-divergences, as ``parse_divergence`` reads it.

    Args:
        parts: up to 16 pairs of a positive rational weight and a name of ``parse_divergence`` that
            is not a Renyi divergence.

    Raises:
        InputError: for no parts or too many, a weight <= 0 or a name that is not that of one
            f-divergence.

    >>> mixture_name([(2, "tv"), ("1/2", "alpha:0.5")])
    '1/2*alpha:1/2+2*tv'
    """
    terms = []
    for weight, name in parts:
        if not isinstance(name, str) or "*" in name:
            raise InputError(f"a part of a mixture: {excerpt(name)} is not one f-divergence")
        terms.append(f"{as_rational(weight, 'weight')}*{parse_divergence(name).name}")
    if not terms:
        raise InputError("a mixture needs at least one part")
    return parse_divergence("+".join(sorted(terms))).name


def piecewise_linear_parts(points: Iterable[tuple[object, object]]) -> tuple[Part, ...]:
    """The parts of the piecewise linear f through the points, continued beyond the outer ones.

    Args:
        points: (t, f(t)) with increasing rationals t > 0.

    Returns:
        (change of slope, ``e-gamma:t``) for each inner point where the slope changes. The mixture
        differs from f by a linear function that vanishes at 1 plus the constant f(1), which must
        be 0.

    Raises:
        InputError: if f is not convex, has no corner, or f(1) is not 0.

    >>> piecewise_linear_parts([("1/2", "1/2"), (1, 0), (2, 1)])
    ((Fraction(2, 1), 'e-gamma:1'),)
    """
    exact = [(as_rational(t, "point"), as_rational(value, "value")) for t, value in points]
    if len(exact) < 3 or exact[0][0] < 0 or any(a >= b for (a, _), (b, _) in pairwise(exact)):
        raise InputError("points: need at least three with increasing t >= 0")
    slopes = [(g - f) / (b - a) for (a, f), (b, g) in pairwise(exact)]
    _require_zero_at_one(exact, slopes)
    parts = []
    for (t, _), (before, after) in zip(exact[1:-1], pairwise(slopes), strict=True):
        if after < before:
            raise InputError(f"points: the slope falls at {t}, so f is not convex")
        if after > before:
            parts.append((after - before, f"e-gamma:{t}"))
    if not parts:
        raise InputError("points: the function is linear, so its divergence is 0")
    return tuple(parts)


def _require_zero_at_one(
    points: Sequence[tuple[Fraction, Fraction]], slopes: Sequence[Fraction]
) -> None:
    place = sum(t <= 1 for t, _ in points[1:-1])
    t, value = points[place]
    at_one = value + (1 - t) * slopes[place]
    if at_one:
        raise InputError(f"points: f(1) is {at_one}, not 0")


def solve_mixture(
    p0: Distribution | Iterable[object],
    p1: Distribution | Iterable[object],
    epsilon: object,
    parts: Iterable[Part],
    outputs: int | None = None,
) -> TestingSolution:
    """The best epsilon-LDP channel for a mixture of f-divergences, *exact* if they are rational.

    Args:
        p0: k exact probabilities, or a Distribution.
        p1: the same under the other hypothesis.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads.
        parts: positive weights and names, or ``piecewise_linear_parts(...)``.
        outputs: the largest number of outputs, or None.

    Returns:
        The solution of ``solve_testing`` for ``mixture_name(parts)``, with its certificate.

    Raises:
        InputError: for laws, weights or names out of range.
        UnprovedError: if the kernel does not accept a proof.

    >>> solution = solve_mixture(["3/4", "1/4"], ["1/4", "3/4"], "log(3)", [(1, "tv"), (2, "chi2")])
    >>> solution.value_lower == solution.value_upper
    True
    """
    return solve_testing(p0, p1, epsilon, mixture_name(parts), outputs)
