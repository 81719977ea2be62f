"""The best partition, proved best among contiguous partitions by balls.

With v the value of a given partition, every edge (a block in its layer) that lies on no partition
with sum of mu(B) - v at least v (E - 1) is excluded: the balls of the best sums before and after
it decide. What is left are the partitions whose values the precision does not tell apart; when it
is the given one alone, that is the unique optimum. Values that stay together are compared exactly
where the divergence is rational, and reported as tied otherwise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise

from solvers.backend import arb, ball, working_precision
from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.exact_ties import are_tied
from solvers.testing.objective import Objective
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import enclose_divergence
from verify.kernel.exact import Infinity
from verify.kernel.interval import MAX_BITS, Interval

__all__ = ["CertifiedPartitions", "certify_partition", "enclose_partition_value"]

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
        cuts: a partition with at most ``outputs`` blocks, to start from.
        outputs: the largest number of blocks, or None.

    Cost: O(k^2) ball operations at each precision tried, O(L k^2) with a limit.
    """
    exact, lost = objective.divergence.is_exact, _lost_bits(alphabet, c)
    for precision in _PRECISIONS:
        bits = min(precision + lost, MAX_BITS)
        with working_precision(bits):
            search = _Search(_Scores(alphabet, objective, c), cuts, outputs)
            cuts = search.cuts
            candidates = list(islice(search.survivors(), _MOST_TIES + 1))
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


class _Search:
    """A partition improved as far as the balls tell, and those not proved worse."""

    def __init__(self, scores: _Scores, cuts: Cuts, outputs: int | None) -> None:
        self._scores = scores
        k = scores.size
        self._mu = {j: [scores(i, j) for i in range(j)] for j in range(1, k + 1)}
        self._most = k if outputs is None else min(outputs, k)
        self.cuts = cuts
        while True:
            self._value = scores.value(self.cuts)
            self._target = self._value * scores.c
            self._after = self._best_after(outputs is not None)
            if not self._after[-1][0] > self._target:
                break
            better = self._best_path()
            if not scores.value(better) > self._value:
                break
            self.cuts = better

    def _best_after(self, is_limited: bool) -> list[dict[int, arb]]:
        """Balls of the best sum from each place to the end: entry r with at most r + 1 blocks.

        Without a limit there is one entry, for any number of blocks.
        """
        k, mu, value = self._scores.size, self._mu, self._value
        if not is_limited:
            rest = {k: arb(0)}
            for i in range(k - 1, -1, -1):
                rest[i] = _largest([mu[j][i] + rest[j] for j in range(i + 1, k + 1)]) - value
            return [rest]
        layers = [{k: arb(0)}]
        for _ in range(self._most):
            last, rest = layers[-1], {k: arb(0)}
            for i in range(k - 1, -1, -1):
                sums = [mu[j][i] + last[j] for j in range(i + 1, k + 1) if j in last]
                rest[i] = _largest(sums) - value
            layers.append(rest)
        return layers[1:]

    def _rest(self, left: int) -> dict[int, arb]:
        """The best sums when ``left`` blocks may follow."""
        if left:
            return self._after[min(left, len(self._after)) - 1]
        return {self._scores.size: arb(0)}

    def _best_path(self) -> Cuts:
        path, left, k = [0], self._most, self._scores.size
        while path[-1] < k:
            i, rest = path[-1], self._rest(left - 1)
            ends = [j for j in range(i + 1, k + 1) if j in rest]
            sums = {j: (self._mu[j][i] + rest[j]).mid() for j in ends}  # exact, so ordered
            path.append(max(ends, key=sums.__getitem__))
            left -= 1
        return tuple(path)

    def survivors(self) -> Iterator[Cuts]:
        """The partitions that the balls do not prove worse than ``cuts``.

        The optimum is among them: its sum of mu(B) - v is at least v (E - 1).
        """
        k = self._scores.size
        waiting: list[tuple[Cuts, int, arb]] = [((0,), self._most, arb(0))]
        while waiting:
            path, left, total = waiting.pop()
            i = path[-1]
            if i == k:
                yield path
                continue
            rest = self._rest(left - 1)
            for j in range(k, i, -1):
                if j in rest:
                    reached = total + self._mu[j][i] - self._value
                    if not reached + rest[j] < self._target:
                        waiting.append(((*path, j), left - 1, reached))


def _largest(balls: Sequence[arb]) -> arb:
    best = balls[0]
    for other in balls[1:]:
        best = best.max(other)
    return best
