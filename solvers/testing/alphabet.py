"""The alphabet in likelihood-ratio order, with ties merged and null symbols set aside."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from verify.kernel.distribution import Distribution

__all__ = ["OrderedAlphabet", "order_alphabet"]


@dataclass(frozen=True, slots=True)
class OrderedAlphabet:
    """The k' distinct likelihood ratios P0/P1 of a pair, from the least to the greatest.

    Args:
        p0: k' positive or zero masses of the merged symbols under P0.
        p1: the same under P1.
        members: for each merged symbol, the original symbols in it.
        null: the original symbols with no mass under either law.
    """

    p0: tuple[Fraction, ...]
    p1: tuple[Fraction, ...]
    members: tuple[tuple[int, ...], ...]
    null: tuple[int, ...]

    def __len__(self) -> int:
        """The number k' of distinct ratios."""
        return len(self.p0)

    @property
    def size(self) -> int:
        """The number k of original symbols."""
        return sum(map(len, self.members)) + len(self.null)

    def prefix_sums(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """P0 and P1 of the first j merged symbols, for j = 0..k'."""
        zero = Fraction(0)
        return tuple(accumulate(self.p0, initial=zero)), tuple(accumulate(self.p1, initial=zero))

    def blocks(self, cuts: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """The original symbols of each block; null symbols join the first.

        Args:
            cuts: 0 = c_0 < c_1 < ... < c_s = k', block j holding the merged symbols c_j..c_(j+1)-1.
        """
        blocks = [
            [symbol for merged in self.members[i:j] for symbol in merged] for i, j in pairwise(cuts)
        ]
        blocks[0] += self.null
        return tuple(map(tuple, blocks))


def order_alphabet(p0: Distribution, p1: Distribution) -> OrderedAlphabet:
    """The pair sorted by P0/P1 with equal ratios merged, *exact*.

    Merging is lossless: see ``verify.kernel.optimality``.
    """
    groups: dict[Fraction, list[int]] = {}
    null = []
    for symbol, (a, b) in enumerate(zip(p0.masses, p1.masses, strict=True)):
        if a + b:
            groups.setdefault(a / (a + b), []).append(symbol)
        else:
            null.append(symbol)
    members = tuple(tuple(groups[key]) for key in sorted(groups))
    zero = Fraction(0)
    mass0, mass1 = (
        tuple(sum((p.masses[symbol] for symbol in group), zero) for group in members)
        for p in (p0, p1)
    )
    return OrderedAlphabet(mass0, mass1, members, tuple(null))
