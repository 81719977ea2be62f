"""The best partition, proved best among contiguous partitions by balls.

With v the value of a given partition, every edge (a block in its layer) that lies on no partition
with sum of mu(B) - v at least v (E - 1) is excluded: the balls of the best sums before and after
it decide. If the balls show a better partition, that takes the place of the given one first. What
is left are the partitions whose values the precision does not tell apart; when it is one alone,
that is the unique optimum. Values that stay together are compared exactly where the divergence is
rational, and reported as tied otherwise.

With limits on the number of blocks, the best sums of mu alone are kept for each number of blocks:
one such program decides all limits.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise

from solvers.backend import arb, ball, working_precision
from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.exact_ties import are_tied
from solvers.testing.objective import Objective
from solvers.testing.rational_divergence import is_rational
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import enclose_divergence
from verify.kernel.exact import Infinity
from verify.kernel.interval import MAX_BITS, Interval

__all__ = [
    "CertifiedPartitions",
    "certify_partition",
    "certify_partitions_by_limit",
    "enclose_partition_value",
]

Cuts = tuple[int, ...]
_PRECISIONS = (128, 256, 512, 1024, 2048)
_MOST_TIES = 64


@dataclass(frozen=True, slots=True)
class CertifiedPartitions:
    """The optimal contiguous partitions of a problem.

    Args:
        cuts: the optimal partitions; more than one when they are tied.
        value: encloses the optimum.
        is_resolved: whether every partition listed is proved optimal and none is missing; False
            when 2048 bits do not tell the listed ones apart and no exact comparison is at hand, or
            more than 64 are tied.
    """

    cuts: tuple[Cuts, ...]
    value: Interval
    is_resolved: bool


class _Scores:
    """Balls of the scores mu(i, j), computed once each at the working precision."""

    def __init__(self, alphabet: OrderedAlphabet, objective: Objective, c: Fraction) -> None:
        self._u, self._w = (
            [ball(c * mass) for mass in prefix] for prefix in alphabet.prefix_sums()
        )
        self._h = objective.ball_score
        self.c = ball(c)
        self.size = len(alphabet)

    def __call__(self, i: int, j: int) -> arb:
        return self._h(1 + self._u[j] - self._u[i], 1 + self._w[j] - self._w[i])

    def table(self) -> dict[tuple[int, int], arb]:
        """The scores of all blocks."""
        k = self.size
        return {(i, j): self(i, j) for i in range(k) for j in range(i + 1, k + 1)}

    def value(self, cuts: Sequence[int]) -> arb:
        total = sum((self(i, j) for i, j in pairwise(cuts)), arb(0))
        return total / (self.c + len(cuts) - 1)


def enclose_partition_value(
    alphabet: OrderedAlphabet, objective: Objective, c: Fraction, cuts: Cuts, *, bits: int
) -> Interval:
    """Encloses the divergence of the mechanism with these cuts; *exact* for a rational one."""
    value = enclose_divergence(objective.divergence, *_output_laws(alphabet, c, cuts), bits)
    if isinstance(value, Infinity):
        raise ArithmeticError("a private channel has a finite divergence")  # noqa: TRY004
    return value


def _output_laws(
    alphabet: OrderedAlphabet, c: Fraction, cuts: Cuts
) -> tuple[Distribution, Distribution]:
    total = c + len(cuts) - 1
    law0, law1 = (
        Distribution(tuple((1 + c * (prefix[j] - prefix[i])) / total for i, j in pairwise(cuts)))
        for prefix in alphabet.prefix_sums()
    )
    return law0, law1


def certify_partition(
    alphabet: OrderedAlphabet, objective: Objective, c: Fraction, cuts: Cuts, outputs: int | None
) -> CertifiedPartitions:
    """All optimal partitions, given one that is optimal or close to it.

    Args:
        cuts: a partition with at most ``outputs`` blocks.
        outputs: the largest number of blocks, or None.

    Cost: O(k^2) ball operations at each precision tried, O(L k^2) with a limit.
    """
    if outputs is not None:
        return certify_partitions_by_limit(alphabet, objective, c, {outputs: cuts})[outputs]

    def search(bits: int, start: Cuts) -> tuple[Cuts, Iterator[Cuts]]:
        found = _Sums(_Scores(alphabet, objective, c), start)
        return found.cuts, found.survivors()

    return _decided(alphabet, objective, c, cuts, search)


def certify_partitions_by_limit(
    alphabet: OrderedAlphabet, objective: Objective, c: Fraction, cuts: Mapping[int, Cuts]
) -> dict[int, CertifiedPartitions]:
    """All optimal partitions for each limit on the number of blocks, in one run.

    Args:
        cuts: for each limit a partition that fits and is optimal or close to it.

    Cost: O(L k^2) ball operations at each precision tried, for all limits up to L together.
    """
    known: dict[int, _LayeredSums] = {}

    def search(bits: int, start: Cuts, limit: int) -> tuple[Cuts, Iterator[Cuts]]:
        if bits not in known:
            known[bits] = _LayeredSums(_Scores(alphabet, objective, c), max(cuts))
        better = known[bits].improved(start, limit)
        return better, known[bits].survivors(better, limit)

    return {
        limit: _decided(alphabet, objective, c, start, partial(search, limit=limit))
        for limit, start in cuts.items()
    }


def _decided(
    alphabet: OrderedAlphabet,
    objective: Objective,
    c: Fraction,
    cuts: Cuts,
    search: Callable[[int, Cuts], tuple[Cuts, Iterator[Cuts]]],
) -> CertifiedPartitions:
    """The best of the partitions that survive, at the precision that tells them apart.

    Args:
        cuts: where to start.
        search: (bits, partition) to one that is no worse and those not proved worse than it.
    """
    exact, lost = is_rational(objective.divergence), _lost_bits(alphabet, c)
    for precision in _PRECISIONS:
        bits = min(precision + lost, MAX_BITS)
        with working_precision(bits):
            cuts, survivors = search(bits, cuts)
            candidates = list(islice(survivors, _MOST_TIES + 1))
        complete = len(candidates) <= _MOST_TIES
        tied = complete and _are_all_tied(alphabet, objective, c, candidates)
        if tied or (exact and complete):
            break
    values = [
        enclose_partition_value(alphabet, objective, c, found, bits=bits) for found in candidates
    ]
    lower = max(value.lower for value in values)
    best = [p for p in zip(candidates, values, strict=True) if p[1].upper >= lower]
    return CertifiedPartitions(
        tuple(found for found, _ in best),
        Interval(lower, max(value.upper for _, value in best)),
        is_resolved=complete and (exact or tied or len(best) == 1),
    )


def _are_all_tied(
    alphabet: OrderedAlphabet, objective: Objective, c: Fraction, found: Sequence[Cuts]
) -> bool:
    return all(are_tied(objective, alphabet, c, found[0], other) for other in found[1:])


def _lost_bits(alphabet: OrderedAlphabet, c: Fraction) -> int:
    """How many bits large E, close laws or small E cost: those of (E - 1)**2 and of a divergence.

    Divergences are of the order of the square of (E - 1) (P0(B) - P1(B)).
    """
    apart = c * max(abs(a - b) for a, b in zip(*alphabet.prefix_sums(), strict=True))
    small = apart.denominator.bit_length() - apart.numerator.bit_length()
    large = c.numerator.bit_length() - c.denominator.bit_length()
    return 2 * max(small, 0) + 2 * max(large, 0)


class _Sums:
    """Balls of the best sums of mu(B) - v from each place to the end, in any number of blocks.

    Here v is the value of a partition ``cuts``, improved as far as the balls tell.
    """

    def __init__(self, scores: _Scores, cuts: Cuts) -> None:
        self._scores, self.cuts = scores, cuts
        self._mu = scores.table()
        while True:
            self._value = scores.value(self.cuts)
            self._target = self._value * scores.c
            self._rest = self._best_sums()
            if not self._rest[0] > self._target:
                break
            better = self._best_path()
            if not scores.value(better) > self._value:
                break
            self.cuts = better

    def _best_sums(self) -> dict[int, arb]:
        k, mu = self._scores.size, self._mu
        rest = {k: arb(0)}
        for i in range(k - 1, -1, -1):
            rest[i] = _largest([mu[i, j] + rest[j] for j in range(i + 1, k + 1)]) - self._value
        return rest

    def _best_path(self) -> Cuts:
        path, k = [0], self._scores.size
        while path[-1] < k:
            path.append(_best_end(self._mu, path[-1], self._rest, k))
        return tuple(path)

    def survivors(self) -> Iterator[Cuts]:
        """The partitions, of any size, that the balls do not prove worse than ``cuts``.

        The optimum is among them: its sum of mu(B) - v is at least v (E - 1).
        """
        k = self._scores.size
        waiting: list[tuple[Cuts, arb]] = [((0,), arb(0))]
        while waiting:
            path, total = waiting.pop()
            i = path[-1]
            if i == k:
                yield path
                continue
            for j in range(k, i, -1):
                reached = total + self._mu[i, j] - self._value
                if not reached + self._rest[j] < self._target:
                    waiting.append(((*path, j), reached))


class _LayeredSums:
    """Balls of the best sums of mu from each place to the end, by the exact number of blocks.

    They serve every limit: a partition into s blocks has the value (sum of mu)/(E - 1 + s).
    """

    def __init__(self, scores: _Scores, most: int) -> None:
        k = scores.size
        self._scores = scores
        self._mu = scores.table()
        self._rest = [{k: arb(0)}]
        for s in range(1, most + 1):
            last = self._rest[-1]
            self._rest.append(
                {
                    i: _largest(
                        [self._mu[i, j] + last[j] for j in range(i + 1, k + 1) if j in last]
                    )
                    for i in range(k - s, -1, -1)
                }
            )

    def improved(self, cuts: Cuts, limit: int) -> Cuts:
        """The partition, or a better one into at most ``limit`` blocks if the balls show one."""
        scores, k = self._scores, self._scores.size
        values = {s: self._rest[s][0] / (scores.c + s) for s in range(1, min(limit, k) + 1)}
        left, path = max(values, key=lambda s: values[s].mid()), [0]
        while path[-1] < k:
            left -= 1
            path.append(_best_end(self._mu, path[-1], self._rest[left], k))
        return tuple(path) if scores.value(path) > scores.value(cuts) else cuts

    def survivors(self, cuts: Cuts, limit: int) -> Iterator[Cuts]:
        """The partitions into at most ``limit`` blocks not proved worse than ``cuts``."""
        scores, k = self._scores, self._scores.size
        value = scores.value(cuts)
        for s in range(1, min(limit, k) + 1):
            target = value * (scores.c + s)
            waiting: list[tuple[Cuts, arb]] = [((0,), arb(0))]
            while waiting:
                path, total = waiting.pop()
                left = s + 1 - len(path)
                if not left:
                    yield path
                    continue
                rest, i = self._rest[left - 1], path[-1]
                for j in range(k, i, -1):
                    if j in rest:
                        reached = total + self._mu[i, j]
                        if not reached + rest[j] < target:
                            waiting.append(((*path, j), reached))


def _best_end(
    mu: Mapping[tuple[int, int], arb], first: int, rest: Mapping[int, arb], k: int
) -> int:
    """Where the block from ``first`` ends that begins the best sum, by the middles of the balls."""
    ends = [j for j in range(first + 1, k + 1) if j in rest]
    return max(ends, key=lambda j: (mu[first, j] + rest[j]).mid())  # exact, so ordered


def _largest(balls: Sequence[arb]) -> arb:
    best = balls[0]
    for other in balls[1:]:
        best = best.max(other)
    return best
