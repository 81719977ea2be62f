"""Optimal private testing from end to end: search, prove, let the kernel check, report."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from solvers.epsilon import MAX_NATS, Epsilon, parse_epsilon
from solvers.testing.alphabet import OrderedAlphabet, order_alphabet
from solvers.testing.baselines import baseline_values
from solvers.testing.closed_form import e_gamma_optimum
from solvers.testing.mass_spreading import partition_by_knots
from solvers.testing.mechanism import randomized_block_response
from solvers.testing.objective import Objective, objective
from solvers.testing.partition_certified import certify_partition, enclose_partition_value
from solvers.testing.proved_bound import CLOSE, UnprovedError, prove_bound
from solvers.testing.rational_divergence import is_rational
from solvers.testing.scaled_problem import scaled_problem
from verify.certify import level_object
from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.errors import LimitError
from verify.kernel.exact import Infinity, rational_text
from verify.kernel.interval import MAX_BITS, Interval
from verify.kernel.optimality import DualWitness, TestingProblem
from verify.kernel.verdict import Verdict

__all__ = [
    "LONGEST_CERTIFIED",
    "Optimum",
    "TestingSolution",
    "UnprovedError",
    "checked_solution",
    "find_optimum",
    "prove_optimum",
    "solve_f_divergence",
]

_BITS = 320
LONGEST_CERTIFIED = 1000
"""Most likelihood ratios whose partition is proved best among contiguous ones."""


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
    law0 = p0 if isinstance(p0, Distribution) else Distribution(p0, "p0")
    law1 = p1 if isinstance(p1, Distribution) else Distribution(p1, "p1")
    level = parse_epsilon(epsilon)
    goal = objective(divergence)
    if outputs is not None:
        outputs = min(outputs, len(law0))
    problem = TestingProblem(law0, law1, goal.divergence, outputs)
    alphabet = order_alphabet(law0, law1)
    found = find_optimum(problem, alphabet, goal, level)
    baselines = baseline_values(problem, alphabet, goal, level.exp_lower)
    return checked_solution(problem, alphabet, level, found, baselines)


def checked_solution(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    level: Epsilon,
    found: "Optimum",
    baselines: Mapping[str, Interval | Infinity],
) -> TestingSolution:
    """The solution that an optimum makes, once the kernel has accepted its certificate.

    Raises:
        UnprovedError: if it does not.
    """
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
        baselines=baselines,
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
    return prove_optimum(problem, alphabet, goal, level, partitions, is_unique)


def prove_optimum(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    goal: Objective,
    level: Epsilon,
    partitions: tuple[tuple[int, ...], ...],
    is_unique: bool | None,
    witness: DualWitness | None = None,
) -> Optimum:
    """The optimum of given partitions, with a witness of its optimality.

    Args:
        partitions: the optimal ones, as cuts.
        is_unique: whether there is only one.
        witness: taken if it proves the value as closely as is asked of any.

    Raises:
        UnprovedError: if no witness was found.
    """
    lower, bits = _reached(alphabet, goal, level.exp_lower, partitions[0])
    if witness is not None:
        upper = sum(witness.multipliers, Fraction(0))
        if problem.outputs is not None:
            share = problem.outputs / (level.exp_upper - 1 + problem.outputs)
            upper += witness.output_multiplier * share
        is_exact = is_rational(goal.divergence) and level.exp_lower == level.exp_upper
        if 0 <= upper - lower <= (0 if is_exact else CLOSE * lower):
            return Optimum(partitions, is_unique, lower, upper, witness, bits)
    bound = prove_bound(problem, alphabet, goal, level.exp_upper, partitions[0], bits)
    if is_unique is None:
        is_unique = bound.is_only_partition(alphabet, level.exp_upper, lower, bits)
    return Optimum(partitions, is_unique, lower, bound.value, bound.full_witness, bits)


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
    if k > LONGEST_CERTIFIED:
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
    c = exp_epsilon - 1
    bits = _BITS + 2 * abs(_binary_exponent(c))
    if bits > MAX_BITS:
        mend = f"over the limit of {MAX_NATS} nats; give a smaller one"
        if c < 1:
            mend = f"too small for the {MAX_BITS} bits that are worked with; give a larger one"
        raise LimitError(f"epsilon: e^epsilon - 1 is about 2^{_binary_exponent(c)}, {mend}")
    while True:
        value = enclose_partition_value(alphabet, goal, exp_epsilon - 1, cuts, bits=bits)
        small = value.upper.denominator.bit_length() - value.upper.numerator.bit_length()
        if bits >= _BITS + small or 2 * bits > MAX_BITS:
            if value.is_exact and _is_writable(value.lower):
                return value.lower, bits
            grid = 1 << (bits - 8)
            return max(Fraction(floor(value.lower * grid), grid), Fraction(0)), bits
        bits += small


def _binary_exponent(number: Fraction) -> int:
    return number.numerator.bit_length() - number.denominator.bit_length()


def _is_writable(number: Fraction) -> bool:
    try:
        rational_text(number)
    except LimitError:
        return False
    return True


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
