"""The mechanisms that an optimum is set beside: binary, k-ary randomized response, none at all."""

from collections.abc import Mapping
from fractions import Fraction

from solvers.backend import arb, ball, ball_bounds, working_precision
from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.objective import Objective
from solvers.testing.partition_certified import enclose_partition_value
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import enclose_divergence
from verify.kernel.exact import Infinity
from verify.kernel.interval import Interval
from verify.kernel.optimality import TestingProblem

__all__ = ["baseline_values", "binary_cuts"]

_BALLS_ABOVE = 1000


def binary_cuts(alphabet: OrderedAlphabet) -> tuple[int, ...]:
    """The cut of the binary mechanism: the symbols with P0 <= P1 against the others."""
    pairs = zip(alphabet.p0, alphabet.p1, strict=True)
    cut = sum(a <= b for a, b in pairs)
    k = len(alphabet)
    return (0, k) if cut in {0, k} else (0, cut, k)


def baseline_values(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    objective: Objective,
    exp_epsilon: Fraction,
    *,
    bits: int = 128,
) -> Mapping[str, Interval | Infinity]:
    """Enclosures of the divergence that each baseline reaches.

    Returns:
        ``binary``: randomized response on the bit P0(x) > P1(x); ``randomized_response``: k-ary
        randomized response on the whole alphabet; ``non_private``: the divergence of the inputs.
    """
    c = exp_epsilon - 1
    if len(problem.p0) > _BALLS_ABOVE:
        return _ball_values(problem, alphabet, objective, c, bits)
    binary = enclose_partition_value(alphabet, objective, c, binary_cuts(alphabet), bits=bits)
    total = c + len(problem.p0)
    law0, law1 = (
        Distribution(tuple((1 + c * mass) / total for mass in p.masses))
        for p in (problem.p0, problem.p1)
    )
    return {
        "binary": binary,
        "randomized_response": enclose_divergence(problem.divergence, law0, law1, bits),
        "non_private": enclose_divergence(problem.divergence, problem.p0, problem.p1, bits),
    }


def _ball_values(
    problem: TestingProblem, alphabet: OrderedAlphabet, objective: Objective, c: Fraction, bits: int
) -> Mapping[str, Interval | Infinity]:
    """The same for a long alphabet, in balls."""
    binary = enclose_partition_value(alphabet, objective, c, binary_cuts(alphabet), bits=bits)
    pairs = list(zip(problem.p0.masses, problem.p1.masses, strict=True))
    divergence, bare = objective.divergence, Interval.exactly(0)
    with working_precision(bits + c.numerator.bit_length()):
        slope, response, total = ball(objective.slope), arb(0), arb(0)
        for a, b in pairs:
            x, y = ball(a), ball(b)
            response += objective.ball_score(1 + ball(c) * x, 1 + ball(c) * y)
            if a and b:
                total += objective.ball_score(x, y) + slope * (x - y)
        response /= ball(c) + len(pairs)
        randomized, both = Interval(*ball_bounds(response)), Interval(*ball_bounds(total))
    for a, b in pairs:
        if (a or b) and not (a and b):
            term = divergence.perspective(a, b, bits)
            if isinstance(term, Infinity):
                return {"binary": binary, "randomized_response": randomized, "non_private": term}
            bare += term
    return {"binary": binary, "randomized_response": randomized, "non_private": bare + both}
