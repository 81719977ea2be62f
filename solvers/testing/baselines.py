"""The mechanisms that an optimum is set beside: binary, k-ary randomized response, none at all."""

from collections.abc import Mapping
from fractions import Fraction

from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.objective import Objective
from solvers.testing.partition_certified import enclose_partition_value
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import enclose_divergence
from verify.kernel.exact import Infinity
from verify.kernel.interval import Interval
from verify.kernel.optimality import TestingProblem

__all__ = ["baseline_values", "binary_cuts"]


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
