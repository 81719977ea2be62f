"""Whether a partition is the only optimal one, read off the slack of a dual witness.

Let (l, t) satisfy all constraints of ``verify.kernel.optimality`` with the bound u, and let a
channel reach v <= u. The proof of the bound shows more: sum of w_S slack(S) + R u <= u - v, with
w_S the weights of the level sets S of its columns and R the weight of its constant part. Randomized
response over s blocks of a partition has the level sets {blocks}, of weight 1/(c + s) each, so a
partition that reaches v has blocks of slack at most (c + s) (u - v). If every set but the blocks
B_j of one partition has more, there is no other. A channel that is private at a slightly smaller E
has slightly smaller weights; a factor 2 makes up for that.

With knots a block holds a share of each knot. All shares are 0 or at least q, and all but 1 at most
1 - q, where q is the smallest share that a symbol has of a knot. Level sets at heights up to q and
beyond 1 - q have weight q/(c + s) at least. If slack and u are more than (c + s) (u - v)/q, the
knots that a block touches are some B_j, the largest share is 1, and the knots with share 1 are the
same B_j: the partition of the knots is the given one, and symbols are in the block of their knots.

All sets have slack: mu(S) = g.(1 + cP(S)) for the subgradient g at the ratio T of S, so that
slack(S) = s(A(T), T) + c sum over S and A(T) apart of |g.p_x - l_x| with s(A, T) = L + c l(A) + t -
g.(1 + cP(A)) >= slack(A). Either A(T) is no B_j, and is in the family that the kernel checks. Or it
has the masses of B_j and T is not within given bounds around the ratio of B_j: then s(A, T) is at
least what it is at those bounds, because g.(1 + cP(B_j)) falls on both sides of the ratio. Or T is
within the bounds, and where g.p_x - l_x keeps its sign and distance from 0 there, the sum counts.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from solvers.testing.alphabet import OrderedAlphabet
from verify.kernel.exact import Infinity
from verify.kernel.optimality import DualWitness, TestingProblem, dual_symbols
from verify.kernel.sweep import Triple, candidate_sets

__all__ = ["least_slack"]

_ZERO = Fraction(0)
_SHARE = Fraction(1, 1 << 12)  # of the way to a separator: no symbol enters or leaves so near


def least_slack(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    exp_epsilon: Fraction,
    cuts: Sequence[int],
    witness: DualWitness,
    bits: int,
) -> Fraction:
    """A lower bound on the slack of all sets but the blocks of a partition; 0 if none is proved.

    Args:
        problem: one without corners of f.
        alphabet: its merged symbols.
        exp_epsilon: E.
        cuts: the partition.
        witness: for the problem, without knots.
        bits: the precision.

    Cost: that of the kernel's check, and O(s k) products.
    """
    if problem.divergence.kinks:
        return _ZERO
    groups = sorted(dual_symbols(problem, witness), key=lambda x: x[0] / (x[0] + x[1] or 1))
    symbols = [symbol for symbol in groups if symbol[0] + symbol[1]]
    if len(symbols) != len(alphabet):
        return _ZERO
    check = _Slack(problem, exp_epsilon, symbols, cuts, witness, bits)
    least: Fraction | None = None
    for slack in check.all():
        if slack <= 0:
            return _ZERO
        least = slack if least is None else min(least, slack)
    return least or _ZERO


class _Slack:
    def __init__(
        self,
        problem: TestingProblem,
        exp_epsilon: Fraction,
        symbols: Sequence[Triple],
        cuts: Sequence[int],
        witness: DualWitness,
        bits: int,
    ) -> None:
        self._f, self._e, self._c, self._bits = (
            problem.divergence,
            exp_epsilon,
            exp_epsilon - 1,
            bits,
        )
        self._symbols, self._cuts, self._separators = symbols, cuts, witness.separators
        self._base = sum(witness.multipliers, witness.output_multiplier)
        self._blocks = [_sums(symbols[i:j]) for i, j in pairwise(cuts)]

    def all(self) -> Iterator[Fraction]:
        """Lower bounds that together hold for every set but the blocks."""
        yield from self._of_family()
        for place, block in enumerate(self._blocks):
            yield from self._around(place, block)

    def _of_family(self) -> Iterator[Fraction]:
        sets = candidate_sets(self._f, self._e, list(self._symbols), self._separators, self._bits)
        if sets is None:
            yield _ZERO
            return
        for a, b, lam in set(sets).difference(self._blocks):
            mu = self._f.perspective(1 + self._c * a, 1 + self._c * b, self._bits)
            yield _ZERO if isinstance(mu, Infinity) else self._base + self._c * lam - mu.upper

    def _around(self, place: int, block: Triple) -> Iterator[Fraction]:
        """What is left between two bounds around the ratio of a block, and beyond them."""
        x, y = 1 + self._c * block[0], 1 + self._c * block[1]
        inside = range(self._cuts[place], self._cuts[place + 1])
        bounds = self._bounds(x / y)
        for t in bounds:
            g0, g1 = self._f.gradient(t, self._bits)
            yield self._base + self._c * block[2] - (g0.upper * x + g1.upper * y)
            for i, (a, b, lam) in enumerate(self._symbols):
                if i in inside:
                    yield self._c * (g0.lower * a + g1.lower * b - lam)
                elif bounds[0] * b < a < bounds[1] * b:
                    yield _ZERO  # g.p_x has its peak in between
                else:
                    yield self._c * (lam - g0.upper * a - g1.upper * b)

    def _bounds(self, ratio: Fraction) -> tuple[Fraction, Fraction]:
        ends = [1 / self._e, *self._separators, self._e]
        place = bisect_left(ends, ratio, 1, len(ends) - 1)
        low, high = ends[place - 1], ends[place]
        return ratio - _SHARE * (ratio - low), ratio + _SHARE * (high - ratio)


def _sums(symbols: Sequence[Triple]) -> Triple:
    a, b, lam = (sum(part, _ZERO) for part in zip(*symbols, strict=True))
    return a, b, lam
