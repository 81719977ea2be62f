"""The upper bound of a problem with its witness: closed forms, programs, knots for many symbols.

Up to ``LONGEST_WITHOUT_KNOTS`` likelihood ratios the witness has one multiplier for each; above, it
is one for a few knots, see ``solvers.testing.knots``.
"""

from dataclasses import dataclass
from fractions import Fraction

from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.closed_form import e_gamma_witness, no_information_witness, one_output_witness
from solvers.testing.dual_witness import MOST_SYMBOLS, find_upper_bound
from solvers.testing.knots import KnottedAlphabet, find_knots, finest_share
from solvers.testing.objective import Objective
from solvers.testing.only_partition import least_slack
from solvers.testing.partition_certified import enclose_partition_value
from solvers.testing.piecewise_linear_witness import (
    LARGEST_EXACT_PROGRAM,
    piecewise_linear_witness,
)
from verify.kernel.optimality import DualWitness, TestingProblem

__all__ = ["CLOSE", "LONGEST_WITHOUT_KNOTS", "ProvedBound", "UnprovedError", "prove_bound"]

CLOSE = Fraction(1, 10**31)
"""The share of the optimum that a bound may be above it."""
LONGEST_WITHOUT_KNOTS = 100
"""Most likelihood ratios whose witness has one multiplier for each."""
_MOST_KNOTS = 1600


class UnprovedError(RuntimeError):
    """A solver found a mechanism but no proof that the kernel accepts; a defect worth reporting."""


@dataclass(frozen=True, slots=True)
class ProvedBound:
    """A proved upper bound, on the way of knots or not.

    Args:
        problem: what ``witness`` is for.
        alphabet: its merged symbols.
        cuts: a best partition of them.
        witness: the dual witness, without knots.
        value: the bound.
        knots: where ``problem`` is one of knots.
    """

    problem: TestingProblem
    alphabet: OrderedAlphabet
    cuts: tuple[int, ...]
    witness: DualWitness
    value: Fraction
    knots: KnottedAlphabet | None = None

    @property
    def full_witness(self) -> DualWitness:
        """The witness for the original problem."""
        return self.knots.witness(self.witness) if self.knots else self.witness

    def is_only_partition(
        self, symbols: OrderedAlphabet, exp_epsilon: Fraction, lower: Fraction, bits: int
    ) -> bool | None:
        """True if the slack shows that no other partition reaches the bound; None if it does not.

        Args:
            symbols: those of the original problem.
            exp_epsilon: E.
            lower: what the partition reaches.
            bits: the precision.

        See ``solvers.testing.only_partition``.
        """
        if self.knots is None or not self.knots.is_tight:
            return None
        gap = 2 * (exp_epsilon - 1 + len(symbols)) * (self.value - lower)
        parts = self.problem, self.alphabet, exp_epsilon, self.cuts, self.witness, bits
        share = finest_share(symbols, self.knots)
        return gap < share * min(least_slack(*parts), self.value) or None


def prove_bound(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    goal: Objective,
    exp_epsilon: Fraction,
    cuts: tuple[int, ...],
    bits: int,
) -> ProvedBound:
    """A witness that the kernel can check, and the bound that it proves."""
    if len(alphabet) <= LONGEST_WITHOUT_KNOTS:
        short = _short_bound(problem, alphabet, goal, exp_epsilon, cuts, bits)
        return ProvedBound(problem, alphabet, cuts, *short)
    try:
        return _knotted_bound(problem, alphabet, goal, exp_epsilon, cuts, bits, _MOST_KNOTS)
    except UnprovedError:  # the numbers of that many are too long for the kernel
        return _knotted_bound(problem, alphabet, goal, exp_epsilon, cuts, bits, MOST_SYMBOLS)


def _knotted_bound(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    goal: Objective,
    exp_epsilon: Fraction,
    cuts: tuple[int, ...],
    bits: int,
    most: int,
) -> ProvedBound:
    """The same by way of about ``most`` knots."""
    knots = find_knots(alphabet, goal, exp_epsilon - 1, cuts, problem.outputs, most)
    if len(alphabet) <= min(len(knots.shares), MOST_SYMBOLS):
        found = _short_bound(problem, alphabet, goal, exp_epsilon, cuts, bits)
        return ProvedBound(problem, alphabet, cuts, *found)
    short, gap, c = knots.problem(problem), CLOSE, exp_epsilon - 1
    if not knots.is_tight:
        parts = ((alphabet, cuts), (knots.alphabet, knots.cuts))
        value, above = (enclose_partition_value(a, goal, c, b, bits=bits) for a, b in parts)
        gap = max(gap, (above.lower - value.upper) / (value.upper or 1))
    found = _short_bound(short, knots.alphabet, goal, exp_epsilon, knots.cuts, bits, gap)
    return ProvedBound(short, knots.alphabet, knots.cuts, *found, knots)


def _short_bound(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    goal: Objective,
    exp_epsilon: Fraction,
    cuts: tuple[int, ...],
    bits: int,
    gap: Fraction = CLOSE,
) -> tuple[DualWitness, Fraction]:
    gamma = goal.gamma
    if len(cuts) == 2:
        if problem.outputs == 1 and len(alphabet) > 1 and exp_epsilon > 1:
            return one_output_witness(problem, exp_epsilon, bits), Fraction(0)
        return no_information_witness(problem, goal.slope), Fraction(0)
    if gamma is not None:
        witness = e_gamma_witness(problem, gamma, exp_epsilon)
        return witness, sum(witness.multipliers, Fraction(0))
    if goal.is_piecewise_linear and len(alphabet) <= LARGEST_EXACT_PROGRAM:
        return piecewise_linear_witness(problem, alphabet, exp_epsilon, cuts)
    target = enclose_partition_value(alphabet, goal, exp_epsilon - 1, cuts, bits=bits).lower
    bound = find_upper_bound(problem, alphabet, goal, exp_epsilon, cuts, target, bits=bits, gap=gap)
    if bound is None:
        raise UnprovedError("no dual witness was found for the optimal partition")
    return bound.witness, bound.value
