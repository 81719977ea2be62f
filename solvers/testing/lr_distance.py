"""The l_R distance of the output laws, (sum_y |M0(y) - M1(y)|^R)^(1/R), 1 <= R <= infinity.

**Theorem.** Its optimum is 2^(1/R) times that of total variation, reached by the same binary
mechanism. Proof: the positive parts of M0 - M1 sum to TV, and so do the negative ones. A sum of
R-th powers of nonnegative numbers is at most the R-th power of their sum, so the R-th power of the
distance is at most 2 TV^R (R = infinity: the distance is at most TV); two outputs reach equality.
So the certificate of total variation proves the optimum of every l_R.

Reference: Ghazi 2026 (l_R); the proof is given above.
"""

from dataclasses import replace
from fractions import Fraction

from solvers.epsilon import Epsilon
from solvers.testing.alphabet import order_alphabet
from solvers.testing.baselines import binary_cuts
from solvers.testing.renyi import renamed, rounded_out, through_randomized_response
from solvers.testing.solve import TestingSolution, solve_f_divergence
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.exact import as_rational
from verify.kernel.interval import Interval, enclose_power

__all__ = ["enclose_lr_distance", "parse_lr_order", "solve_lr_distance"]

_BITS = 320


def parse_lr_order(text: str) -> Fraction | None:
    """R, or None for infinity.

    Raises:
        InputError: unless the text is ``inf`` or a rational R >= 1.
    """
    if text == "inf":
        return None
    order = as_rational(text, "divergence lr")
    if order < 1:
        raise InputError(f"divergence: lr needs R >= 1 or inf, not {text}")
    return order


def enclose_lr_distance(
    p0: Distribution, p1: Distribution, order: Fraction | None, bits: int
) -> Interval:
    """Encloses the l_R distance of two laws; *exact* for R = 1 and infinity."""
    steps = [abs(a - b) for a, b in zip(p0.masses, p1.masses, strict=True)]
    largest = max(steps)
    if order is None or not largest:
        return Interval.exactly(largest)
    total = Interval.exactly(0)
    for step in steps:
        if step:
            total += enclose_power(step / largest, order, bits)
    if order == 1:
        return total.scaled(largest)
    low, high = (enclose_power(end, 1 / order, bits) for end in (total.lower, total.upper))
    return Interval(low.lower, high.upper).scaled(largest)


def solve_lr_distance(
    p0: Distribution,
    p1: Distribution,
    epsilon: Epsilon,
    order: Fraction | None,
    outputs: int | None,
) -> TestingSolution:
    """The best channel for the l_R distance.

    Args:
        order: R >= 1, or None for infinity.

    Returns:
        A solution whose certificate is that of total variation.
    """
    proof = solve_f_divergence(p0, p1, epsilon, "tv", outputs)
    factor = Interval.exactly(1)
    if order is not None:
        factor = enclose_power(Fraction(2), 1 / order, _BITS)
    low, high = factor.scaled(proof.value_lower), factor.scaled(proof.value_upper)
    value = rounded_out(Interval(low.lower, high.upper), _BITS)
    binary = order_alphabet(p0, p1)
    blocks = binary.blocks(binary_cuts(binary)), tuple((x,) for x in range(len(p0)))
    laws = [through_randomized_response(p0, p1, b, epsilon.exp_lower) for b in blocks] + [(p0, p1)]
    names = ("binary", "randomized_response", "non_private")
    name = f"lr:{'inf' if order is None else order}"
    reason = f"the best {name} is 2^(1/R) times the best tv, by a certificate of tv"
    return replace(
        proof,
        verdict=replace(proof.verdict, reason=reason),
        problem=replace(proof.problem, divergence=renamed(proof.problem.divergence, name)),
        value_lower=value.lower,
        value_upper=value.upper,
        is_unique=None,
        baselines={
            key: enclose_lr_distance(*pair, order, 128)
            for key, pair in zip(names, laws, strict=True)
        },
    )
