"""Mixtures of divergences with positive weights, and convex f that are piecewise linear.

f = sum of w_i f_i with w_i > 0 is convex, and D_f = sum of w_i D_(f_i): its perspective and its
subgradients are the weighted sums of those of the parts, as the kernel defines them. A piecewise
linear convex f with f(1) = 0 is, up to a multiple of t - 1, the mixture of e-gamma:t_i over its
corners t_i, weighted by the change of slope there.

The bounds are checked by the kernel's own functions. There is no certificate file: the names of
mixtures are not part of the format.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from solvers.backend import arb, ball
from solvers.epsilon import Epsilon, parse_epsilon
from solvers.testing.alphabet import order_alphabet
from solvers.testing.mechanism import randomized_block_response
from solvers.testing.objective import Floats, Objective, objective
from solvers.testing.solve import UnprovedError, find_optimum
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import Divergence, Gradient
from verify.kernel.errors import InputError
from verify.kernel.exact import INFINITE, Infinity, as_rational
from verify.kernel.interval import Interval
from verify.kernel.optimality import (
    DualWitness,
    TestingProblem,
    check_lower_bound,
    check_upper_bound,
)
from verify.kernel.verdict import Verdict

__all__ = ["MixtureSolution", "mixture_objective", "piecewise_linear_parts", "solve_mixture"]

Part = tuple[object, str]
"""A positive weight and the name of a divergence."""


@dataclass(frozen=True, slots=True)
class MixtureSolution:
    """The optimal mechanism of a testing problem for a mixture, with the kernel's verdicts.

    Args:
        problem: the two laws, the mixture and the limit on outputs.
        epsilon: the privacy parameter.
        value_lower: what ``mechanism`` reaches.
        value_upper: what no private channel exceeds.
        blocks: the symbols of each output, in likelihood-ratio order.
        mechanism: the channel.
        witness: the multipliers that prove ``value_upper``.
        verdict: the kernel's answer to the upper bound; that to the lower one is ACCEPTED too.
        tied_blocks: all optimal partitions found, ``blocks`` first.
        is_unique: whether ``blocks`` is proved the only optimal one; None where undecided.
    """

    problem: TestingProblem
    epsilon: Epsilon
    value_lower: Fraction
    value_upper: Fraction
    blocks: tuple[tuple[int, ...], ...]
    mechanism: Channel
    witness: DualWitness
    verdict: Verdict
    tied_blocks: tuple[tuple[tuple[int, ...], ...], ...]
    is_unique: bool | None


def _sum_divergence(parts: Sequence[tuple[Fraction, Divergence]]) -> Divergence:
    kinks = tuple(sorted({kink for _, part in parts for kink in part.kinks}))

    def perspective(x: Fraction, y: Fraction, bits: int) -> Interval | Infinity:
        total = Interval.exactly(0)
        for weight, part in parts:
            term = part.perspective(x, y, bits)
            if isinstance(term, Infinity):
                return INFINITE
            total += term.scaled(weight)
        return total

    def summed(gradients: Iterable[tuple[Fraction, Gradient]]) -> Gradient:
        first = second = Interval.exactly(0)
        for weight, (g0, g1) in gradients:
            first, second = first + g0.scaled(weight), second + g1.scaled(weight)
        return first, second

    def gradient(t: Fraction, bits: int) -> Gradient:
        return summed((weight, part.gradient(t, bits)) for weight, part in parts)

    def left_gradient(t: Fraction, bits: int) -> Gradient:
        return summed(
            (
                weight,
                part.left_gradient(t, bits)
                if part.left_gradient is not None and t in part.kinks
                else part.gradient(t, bits),
            )
            for weight, part in parts
        )

    return Divergence(
        "mixture:" + "+".join(f"{weight}*{part.name}" for weight, part in parts),
        perspective,
        gradient,
        is_exact=all(part.is_exact for _, part in parts),
        kinks=kinks,
        left_gradient=left_gradient if kinks else None,
    )


def mixture_objective(parts: Iterable[Part]) -> Objective:
    """The weighted sum of f-divergences for solvers.

    Args:
        parts: pairs of a positive rational weight and a name of ``parse_divergence`` that is not a
            Renyi divergence.

    Raises:
        InputError: for no parts, a weight <= 0 or a name that is not that of an f-divergence.
    """
    listed = [(as_rational(weight, "weight"), objective(name)) for weight, name in parts]
    if not listed:
        raise InputError("a mixture needs at least one part")
    for weight, part in listed:
        if weight <= 0:
            raise InputError(f"weight of {part.divergence.name}: {weight} is not positive")
        if part.divergence.name.startswith("renyi:"):
            raise InputError(f"{part.divergence.name} is no f-divergence; mix alpha:A instead")
    floats = [(float(weight), part) for weight, part in listed]

    def score(d: Floats, x: Floats, y: Floats) -> Floats:
        total: Floats = np.zeros_like(x)
        for weight, part in floats:
            total = total + weight * part.score(d, x, y)
        return total

    def gradient(t: Floats) -> tuple[Floats, Floats]:
        pairs = [(weight, part.gradient(t)) for weight, part in floats]
        first: Floats = sum((w * g[0] for w, g in pairs), np.zeros_like(t))
        second: Floats = sum((w * g[1] for w, g in pairs), np.zeros_like(t))
        return first, second

    def tangent(u: Floats) -> tuple[Floats, Floats]:
        pairs = [(weight, part.slope_and_drop(u)) for weight, part in floats]
        slope: Floats = sum((w * t[0] for w, t in pairs), np.zeros_like(u))
        drop: Floats = sum((w * t[1] for w, t in pairs), np.zeros_like(u))
        return slope, drop

    def ball_score(x: arb, y: arb) -> arb:
        return sum((ball(weight) * part.ball_score(x, y) for weight, part in listed), arb(0))

    return Objective(
        _sum_divergence([(weight, part.divergence) for weight, part in listed]),
        score,
        gradient,
        ball_score,
        sum((weight * part.slope for weight, part in listed), Fraction(0)),
        tuple(listed),
        tangent,
    )


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
) -> MixtureSolution:
    """The best epsilon-LDP channel for a mixture of f-divergences, *exact* if they are rational.

    Args:
        p0: k exact probabilities, or a Distribution.
        p1: the same under the other hypothesis.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads.
        parts: positive weights and names, or ``piecewise_linear_parts(...)``.
        outputs: the largest number of outputs, or None.

    Raises:
        InputError: for laws, weights or names out of range.
        UnprovedError: if the kernel does not accept a proof.

    >>> solution = solve_mixture(["3/4", "1/4"], ["1/4", "3/4"], "log(3)", [(1, "tv"), (2, "chi2")])
    >>> solution.value_lower == solution.value_upper
    True
    """
    law0 = p0 if isinstance(p0, Distribution) else Distribution(p0, "p0")
    law1 = p1 if isinstance(p1, Distribution) else Distribution(p1, "p1")
    level, goal = parse_epsilon(epsilon), mixture_objective(parts)
    limit = None if outputs is None else min(outputs, len(law0))
    problem = TestingProblem(law0, law1, goal.divergence, limit)
    alphabet = order_alphabet(law0, law1)
    found = find_optimum(problem, alphabet, goal, level)
    blocks = alphabet.blocks(found.partitions[0])
    verdicts = (
        check_lower_bound(problem, level.exp_lower, blocks, found.lower, found.bits),
        check_upper_bound(problem, level.exp_upper, found.witness, found.upper, found.bits),
    )
    for verdict in verdicts:
        if not verdict.is_accepted:
            raise UnprovedError(f"the kernel did not accept the proof: {verdict.reason}")
    return MixtureSolution(
        problem=problem,
        epsilon=level,
        value_lower=found.lower,
        value_upper=found.upper,
        blocks=blocks,
        mechanism=randomized_block_response(blocks, len(law0), level.exp_lower),
        witness=found.witness,
        verdict=verdicts[1],
        tied_blocks=tuple(map(alphabet.blocks, found.partitions)),
        is_unique=found.is_unique,
    )
