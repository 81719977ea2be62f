"""Optimal private testing from end to end: search, prove, let the kernel check, report."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from solvers.epsilon import Epsilon, parse_epsilon
from solvers.testing.alphabet import OrderedAlphabet, order_alphabet
from solvers.testing.baselines import baseline_values
from solvers.testing.closed_form import (
    e_gamma_optimum,
    e_gamma_witness,
    no_information_witness,
    one_output_witness,
)
from solvers.testing.dual_witness import MOST_SYMBOLS, find_upper_bound
from solvers.testing.knots import KnottedAlphabet, find_knots, finest_share
from solvers.testing.mass_spreading import partition_by_knots
from solvers.testing.objective import Objective, objective
from solvers.testing.only_partition import least_slack
from solvers.testing.partition_certified import certify_partition, enclose_partition_value
from solvers.testing.piecewise_linear_witness import (
    LARGEST_EXACT_PROGRAM,
    piecewise_linear_witness,
)
from solvers.testing.scaled_problem import scaled_problem
from verify.certify import level_object
from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.errors import LimitError
from verify.kernel.exact import Infinity, rational_text
from verify.kernel.interval import MAX_BITS, Interval
from verify.kernel.optimality import DualWitness, TestingProblem, randomized_block_response
from verify.kernel.verdict import Verdict

__all__ = ["Optimum", "TestingSolution", "UnprovedError", "find_optimum", "solve_f_divergence"]

_BITS = 320
_GAP = Fraction(1, 10**31)
_KNOTS_ABOVE = 100
_MOST_KNOTS = 1600
_UNIQUE_UP_TO = 1000


class UnprovedError(RuntimeError):
    """A solver found a mechanism but no proof that the kernel accepts; a defect worth reporting."""


@dataclass(frozen=True, slots=True)
class TestingSolution:
    """The optimal mechanism of a testing problem, with the kernel's verdict on its certificate.

    Args:
        problem: the two laws, the divergence and the limit on outputs.
        epsilon: the privacy parameter.
        value_lower: the divergence that ``mechanism`` is proved to reach.
        value_upper: a bound that no private channel (within the limit on outputs) exceeds.
        blocks: the symbols of each output, in likelihood-ratio order.
        tied_blocks: all optimal partitions found, ``blocks`` first.
        is_unique: whether ``blocks`` is proved the only optimal contiguous partition; None when
            that could not be decided. Above 1,000 likelihood ratios it is read off the dual
            witness, which shows no ties and nothing where a gap is left.
        baselines: enclosures of what the usual mechanisms reach.
        certificate: what the kernel has accepted.
        verdict: the kernel's answer.
        supporting: further certificates that the value rests on, all accepted by the kernel.
    """

    problem: TestingProblem
    epsilon: Epsilon
    value_lower: Fraction
    value_upper: Fraction
    blocks: tuple[tuple[int, ...], ...]
    tied_blocks: tuple[tuple[tuple[int, ...], ...], ...]
    is_unique: bool | None
    baselines: Mapping[str, Interval | Infinity]
    certificate: Certificate
    verdict: Verdict
    supporting: tuple[Certificate, ...] = ()

    @property
    def exp_epsilon(self) -> Fraction:
        """E, the rational that the mechanism uses: exp(epsilon) or just below it."""
        return self.epsilon.exp_lower

    @property
    def mechanism(self) -> Channel:
        """The channel, exactly samplable, (log exp_epsilon)-LDP.

        Raises:
            LimitError: if it has more than ``MAX_CELLS`` entries.
        """
        return randomized_block_response(self.blocks, len(self.problem.p0), self.exp_epsilon)

    @property
    def relative_gap(self) -> Fraction:
        """(upper - lower)/upper, 0 when both are 0."""
        gap = self.value_upper - self.value_lower
        return gap / self.value_upper if gap else Fraction(0)

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        from verify.report import facts_html, testing_facts  # noqa: PLC0415 - only notebooks pay

        return facts_html(testing_facts(self))

    def __repr__(self) -> str:
        """The optimum, the partition and the verdict, in one line."""
        blocks = " | ".join(",".join(map(str, block)) for block in self.blocks)
        shown = blocks if len(blocks) <= 60 else f"{blocks[:57]}..."
        return (
            f"TestingSolution({self.problem.divergence.name} = {float(self.value_lower):.12g}, "
            f"{len(self.blocks)} blocks {shown}, relative gap {float(self.relative_gap):.1e}, "
            f"{self.verdict.status.value})"
        )


def solve_f_divergence(
    p0: Distribution | Iterable[object],
    p1: Distribution | Iterable[object],
    epsilon: object,
    divergence: str,
    outputs: int | None = None,
) -> TestingSolution:
    """The best epsilon-LDP channel for one f-divergence, with a certificate of optimality.

    Args:
        p0: k probabilities (int, Fraction, exact text) that sum to 1, or a Distribution.
        p1: the same under the other hypothesis.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads.
        divergence: a name of ``verify.kernel.divergence.parse_divergence`` but a Renyi divergence,
            for which see ``solvers.testing.renyi``.
        outputs: the largest number of outputs, or None.

    Returns:
        A solution whose certificate the kernel has accepted; value_lower <= optimum <= value_upper.

    Raises:
        InputError: for distributions, names or numbers out of range.
        InexactNumberError: for floats.
        UnprovedError: if no proof was found; never a wrong answer.

    Reference: Ghazi 2026 (Sort, Partition, Randomize); optimality by weak duality, see
    ``verify.kernel.optimality``.

    >>> solution = solve_f_divergence(["3/4", "1/4"], ["1/4", "3/4"], "log(3)", "tv")
    >>> solution.value_lower, solution.value_upper, solution.blocks
    (Fraction(1, 4), Fraction(1, 4), ((1,), (0,)))
    """
    law0 = p0 if isinstance(p0, Distribution) else Distribution.of(p0, "p0")
    law1 = p1 if isinstance(p1, Distribution) else Distribution.of(p1, "p1")
    level = parse_epsilon(epsilon)
    goal = objective(divergence)
    if outputs is not None:
        outputs = min(outputs, len(law0))
    problem = TestingProblem(law0, law1, goal.divergence, outputs)
    alphabet = order_alphabet(law0, law1)
    found = find_optimum(problem, alphabet, goal, level)
    blocks = tuple(alphabet.blocks(cuts) for cuts in found.partitions)
    certificate = _certificate(problem, level, blocks[0], found)
    verdict = check_certificate(certificate)
    if not verdict.is_accepted:
        raise UnprovedError(f"the kernel did not accept the proof: {verdict.reason}")
    return TestingSolution(
        problem=problem,
        epsilon=level,
        value_lower=found.lower,
        value_upper=found.upper,
        blocks=blocks[0],
        tied_blocks=blocks,
        is_unique=found.is_unique,
        baselines=baseline_values(problem, alphabet, goal, level.exp_lower),
        certificate=certificate,
        verdict=verdict,
    )


@dataclass(frozen=True, slots=True)
class Optimum:
    """What the search found, before the kernel has seen it.

    Args:
        partitions: the optimal partitions, as cuts of the merged alphabet.
        is_unique: whether there is only one; None when undecided.
        lower: what randomized response over the first partition reaches.
        upper: what ``witness`` proves.
        witness: the dual witness.
        bits: the precision of the kernel's check.
    """

    partitions: tuple[tuple[int, ...], ...]
    is_unique: bool | None
    lower: Fraction
    upper: Fraction
    witness: DualWitness
    bits: int


def find_optimum(
    problem: TestingProblem, alphabet: OrderedAlphabet, goal: Objective, level: Epsilon
) -> Optimum:
    """The best partition and a witness of its optimality.

    Raises:
        UnprovedError: if no witness was found.
    """
    partitions, is_unique = _partitions(problem, alphabet, goal, level.exp_lower)
    lower, bits = _reached(alphabet, goal, level.exp_lower, partitions[0])
    bound = _upper_bound(problem, alphabet, goal, level.exp_upper, partitions[0], bits)
    if is_unique is None and bound.knots is not None and bound.knots.is_tight:
        gap = 2 * (level.exp_upper - 1 + len(alphabet)) * (bound.value - lower)
        share = finest_share(alphabet, bound.knots)
        is_unique = gap < share * min(bound.least_slack(level.exp_upper, bits), bound.value) or None
    return Optimum(partitions, is_unique, lower, bound.value, bound.full_witness, bits)


@dataclass(frozen=True, slots=True)
class _Bound:
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

    def least_slack(self, exp_epsilon: Fraction, bits: int) -> Fraction:
        """See ``solvers.testing.only_partition``."""
        return least_slack(self.problem, self.alphabet, exp_epsilon, self.cuts, self.witness, bits)


def _partitions(
    problem: TestingProblem, alphabet: OrderedAlphabet, goal: Objective, exp_epsilon: Fraction
) -> tuple[tuple[tuple[int, ...], ...], bool | None]:
    """The optimal partitions, as cuts, and whether the first is the only one."""
    k, c = len(alphabet), exp_epsilon - 1
    whole = ((0, k),)
    if k == 1 or problem.outputs == 1:
        return whole, True
    if not c or _is_uninformative(problem, goal, exp_epsilon):
        return whole, False
    scaled, outputs = scaled_problem(alphabet, goal, c), problem.outputs
    cuts, _ = partition_by_knots(scaled.masses, scaled.objective, scaled.c)
    if outputs is not None and len(cuts) - 1 > outputs:
        cuts, _ = partition_by_knots(scaled.masses, scaled.objective, scaled.c, outputs)
    else:
        outputs = None  # the optimum without a limit fits
    if k > _UNIQUE_UP_TO:
        return (cuts,), None
    found = certify_partition(alphabet, goal, c, cuts, outputs)
    fitting = tuple(
        cuts for cuts in found.cuts if problem.outputs is None or len(cuts) <= problem.outputs + 1
    )
    if not fitting:
        return certify_partition(alphabet, goal, c, cuts, problem.outputs).cuts, None
    return fitting, (len(fitting) == 1) if found.is_resolved else None


def _is_uninformative(problem: TestingProblem, goal: Objective, exp_epsilon: Fraction) -> bool:
    if goal.parts:
        return all(_is_uninformative(problem, part, exp_epsilon) for _, part in goal.parts)
    gamma = goal.gamma
    return gamma is not None and not e_gamma_optimum(problem.p0, problem.p1, gamma, exp_epsilon)


def _reached(
    alphabet: OrderedAlphabet, goal: Objective, exp_epsilon: Fraction, cuts: tuple[int, ...]
) -> tuple[Fraction, int]:
    """A lower bound on what the mechanism reaches, and the bits that suit its size."""
    bits = _BITS + 2 * exp_epsilon.numerator.bit_length()
    while True:
        value = enclose_partition_value(alphabet, goal, exp_epsilon - 1, cuts, bits=bits)
        if value.is_exact and _is_writable(value.lower):
            return value.lower, bits
        small = value.upper.denominator.bit_length() - value.upper.numerator.bit_length()
        if bits >= _BITS + small or 2 * bits > MAX_BITS:
            grid = 1 << (bits - 8)
            return max(Fraction(floor(value.lower * grid), grid), Fraction(0)), bits
        bits += small


def _is_writable(number: Fraction) -> bool:
    try:
        rational_text(number)
    except LimitError:
        return False
    return True


def _upper_bound(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    goal: Objective,
    exp_epsilon: Fraction,
    cuts: tuple[int, ...],
    bits: int,
) -> _Bound:
    """A witness that the kernel can check, and the bound that it proves."""
    if len(alphabet) <= _KNOTS_ABOVE:
        short = _short_bound(problem, alphabet, goal, exp_epsilon, cuts, bits)
        return _Bound(problem, alphabet, cuts, *short)
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
) -> _Bound:
    """The same by way of about ``most`` knots."""
    knots = find_knots(alphabet, goal, exp_epsilon - 1, cuts, problem.outputs, most)
    short, gap, c = knots.problem(problem), _GAP, exp_epsilon - 1
    if not knots.is_tight:
        parts = ((alphabet, cuts), (knots.alphabet, knots.cuts))
        value, above = (enclose_partition_value(a, goal, c, b, bits=bits) for a, b in parts)
        gap = max(gap, (above.lower - value.upper) / (value.upper or 1))
    found = _short_bound(short, knots.alphabet, goal, exp_epsilon, knots.cuts, bits, gap)
    return _Bound(short, knots.alphabet, knots.cuts, *found, knots)


def _short_bound(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    goal: Objective,
    exp_epsilon: Fraction,
    cuts: tuple[int, ...],
    bits: int,
    gap: Fraction = _GAP,
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


def _certificate(
    problem: TestingProblem, level: Epsilon, blocks: tuple[tuple[int, ...], ...], found: Optimum
) -> Certificate:
    claim = {
        "p0": list(map(rational_text, problem.p0.masses)),
        "p1": list(map(rational_text, problem.p1.masses)),
        "level": level_object(level.level),
        "divergence": problem.divergence.name,
        "outputs": problem.outputs,
        "lower": rational_text(found.lower),
        "upper": rational_text(found.upper),
    }
    content = {
        "exp_epsilon": [rational_text(level.exp_lower), rational_text(level.exp_upper)],
        "blocks": [list(block) for block in blocks],
        "multipliers": list(map(rational_text, found.witness.multipliers)),
        "output_multiplier": rational_text(found.witness.output_multiplier),
        "separators": list(map(rational_text, found.witness.separators)),
        "bits": found.bits,
    }
    if found.witness.knots:
        content["knots"] = list(map(rational_text, found.witness.knots))
    return Certificate("testing", claim, content, {"solver": "solvers.testing.solve_testing"})
