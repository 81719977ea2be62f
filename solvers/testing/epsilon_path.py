"""The optimal partition as a function of epsilon, with the breakpoints isolated for certain.

How it is proved stands in ``solvers.testing.partition_tracer``. Partitions with the same value at
every epsilon (mirror images under a symmetric divergence) count as one. Every number here is proved
by ball arithmetic, given the Sort-Partition-Randomize theorem; no certificate file comes with it.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from solvers.backend import working_precision
from solvers.testing.alphabet import OrderedAlphabet, order_alphabet
from solvers.testing.baselines import binary_cuts
from solvers.testing.every_objective import canonical_name
from solvers.testing.objective import Objective, objective
from solvers.testing.partition_tracer import Cuts, PartitionTracer
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.interval import Interval

__all__ = ["Breakpoint", "EpsilonPath", "Segment", "epsilon_path"]

_BITS = 256


@dataclass(frozen=True, slots=True)
class Segment:
    """A range of E on which one partition is proved optimal.

    Args:
        start: the least E, *enclosed*; exact at the ends of the path.
        end: the largest E.
        blocks: the symbols of each block, in likelihood-ratio order; one block where no private
            mechanism tells the hypotheses apart.
        cuts: the same as cuts of the merged alphabet.
    """

    start: Interval
    end: Interval
    blocks: tuple[tuple[int, ...], ...]
    cuts: Cuts


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """A value of E where one optimal partition takes over from another.

    Args:
        exp_epsilon: encloses it; *exact* when it is one number.
        before: the partition that is optimal just below.
        after: the one just above.
    """

    exp_epsilon: Interval
    before: tuple[tuple[int, ...], ...]
    after: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class EpsilonPath:
    """The optimal partitions for all E in a range.

    Args:
        segments: in the order of E, without gaps but for ``unresolved``.
        unresolved: ranges of E so narrow that balls do not tell the partitions apart there.
        binary_until: the largest E up to which, from the start of the range on, the cut between
            P0 <= P1 and P0 > P1 is optimal; None if it is not optimal at the start.
        randomized_response_from: the least E from which on, up to the end of the range, randomized
            response on all distinct likelihood ratios is optimal; None if it is not at the end.
    """

    segments: tuple[Segment, ...]
    unresolved: tuple[Interval, ...]
    binary_until: Interval | None
    randomized_response_from: Interval | None

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """Where the optimal partition changes."""
        return tuple(
            Breakpoint(Interval(a.end.lower, b.start.upper), a.blocks, b.blocks)
            for a, b in pairwise(self.segments)
        )


def epsilon_path(
    p0: Distribution,
    p1: Distribution,
    divergence: str,
    exp_low: Fraction,
    exp_high: Fraction,
) -> EpsilonPath:
    """The optimal partitions for exp_low <= E <= exp_high, all changes between them isolated.

    Args:
        divergence: an f-divergence, ``renyi:A`` with A > 0 or ``lr:R``.
        exp_low: E at the start, > 1.
        exp_high: E at the end.

    Raises:
        InputError: for an empty range or an objective without a path.

    Cost: some hundred sweeps of O(k^2) ball operations for each factor of ten in E - 1.
    """
    if not 1 < exp_low < exp_high:
        raise InputError(f"exp_epsilon: {exp_low} to {exp_high} is no range above 1")
    name = canonical_name(divergence)
    family, _, parameter = name.partition(":")
    if name == "chernoff" or (family == "renyi" and parameter in {"0", "inf"}):
        raise InputError(f"divergence: the path of {name} is not available")
    alphabet = order_alphabet(p0, p1)
    goal = objective("tv" if family == "lr" else name)
    if goal.parts and goal.divergence.kinks:
        raise InputError(f"divergence: the path of {name} is not available, as it has corners")
    ends = exp_low, exp_high
    if goal.gamma is not None or len(alphabet) == 1:
        return _e_gamma_path((p0, p1), alphabet, goal, ends)
    tracer = PartitionTracer(alphabet, goal)
    with working_precision(_BITS):
        tracer.trace(exp_low - 1, exp_high - 1)
    return _assembled(alphabet, tracer, ends)


def _assembled(
    alphabet: OrderedAlphabet, tracer: PartitionTracer, ends: tuple[Fraction, Fraction]
) -> EpsilonPath:
    segments: list[Segment] = []
    for cuts, low, high in tracer.pieces:
        start, end = (Interval(1 + i.lower, 1 + i.upper) for i in (low, high))
        if segments and segments[-1].cuts == cuts:
            start = segments.pop().start
        segments.append(Segment(start, end, alphabet.blocks(cuts), cuts))
    k = len(alphabet)
    binary, full = tracer.key(binary_cuts(alphabet)), tracer.key(tuple(range(k + 1)))
    first, last = segments[0], segments[-1]
    unresolved = tuple(Interval(1 + a, 1 + b) for a, b in tracer.unresolved)
    touches_start = any(gap.lower == ends[0] for gap in unresolved)
    touches_end = any(gap.upper == ends[1] for gap in unresolved)
    return EpsilonPath(
        tuple(segments),
        unresolved,
        first.end if tracer.key(first.cuts) == binary and not touches_start else None,
        last.start if tracer.key(last.cuts) == full and not touches_end else None,
    )


def _e_gamma_path(
    laws: tuple[Distribution, Distribution],
    alphabet: OrderedAlphabet,
    goal: Objective,
    ends: tuple[Fraction, Fraction],
) -> EpsilonPath:
    """The path of e-gamma: nothing up to E = 1 + |G - 1|/E_G(P0||P1), then one binary cut."""
    gamma, k = goal.gamma or Fraction(1), len(alphabet)
    ratios = zip(alphabet.p0, alphabet.p1, strict=True)
    cut = sum(a <= gamma * b for a, b in ratios)
    cuts = (0, cut, k) if 0 < cut < k else (0, k)
    excess = sum(
        (max(a - gamma * b, Fraction(0)) for a, b in zip(*(p.masses for p in laws), strict=True)),
        Fraction(0),
    )
    divergence = excess - max(1 - gamma, Fraction(0))
    start, end = (Interval.exactly(e) for e in ends)
    threshold = 1 + abs(gamma - 1) / divergence if divergence > 0 else ends[1]
    middle = Interval.exactly(min(max(threshold, ends[0]), ends[1]))
    segments = []
    if middle.lower > ends[0] or divergence <= 0:
        segments.append(Segment(start, middle, alphabet.blocks((0, k)), (0, k)))
    if middle.lower < ends[1] and divergence > 0:
        segments.append(Segment(middle, end, alphabet.blocks(cuts), cuts))
    is_binary = segments[0].cuts == binary_cuts(alphabet)
    is_full = segments[-1].cuts == tuple(range(k + 1))
    return EpsilonPath(
        tuple(segments),
        (),
        segments[0].end if is_binary else None,
        segments[-1].start if is_full else None,
    )
