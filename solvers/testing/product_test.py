"""The best test between n independent samples of M0 and of M1, exactly.

n samples matter only through their type, the number of times that each symbol occurs. A type with
counts n_y has probability multinomial(n; n_y) prod M_i(y)^(n_y), and all types with the same
likelihood ratio form one atom. Everything is an integer over the common denominators D0^n, D1^n.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import comb

from verify.kernel.distribution import Distribution, over_common_denominator
from verify.kernel.errors import InputError, LimitError

__all__ = ["ErrorPair", "ProductTest", "count_types"]

MAX_WORK = 1 << 29
"""Most bits in the numbers of all types together."""


@dataclass(frozen=True, slots=True)
class ErrorPair:
    """The two error probabilities of a test.

    Args:
        type_one: the probability of deciding for M1 when M0 holds.
        type_two: the probability of deciding for M0 when M1 holds.
    """

    type_one: Fraction
    type_two: Fraction


def _merged(m0: Distribution, m1: Distribution) -> tuple[list[Fraction], list[Fraction]]:
    """The two laws with symbols of equal likelihood ratio merged, which loses no information."""
    merged: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for a, b in zip(m0.masses, m1.masses, strict=True):
        if a + b:
            first, second = merged.get(a / (a + b), (Fraction(0), Fraction(0)))
            merged[a / (a + b)] = first + a, second + b
    return [a for a, _ in merged.values()], [b for _, b in merged.values()]


def count_types(n_symbols: int, n_samples: int) -> int:
    """The number of types of n samples on s symbols, C(n + s - 1, s - 1)."""
    return comb(n_samples + n_symbols - 1, n_symbols - 1)


class ProductTest:
    """n samples of one of two laws, and the tests that tell which.

    Raises:
        InputError: for laws on different alphabets or a negative n.
        LimitError: for more types than ``MAX_WORK`` allows.

    >>> test = ProductTest(Distribution(("3/4", "1/4")), Distribution(("1/4", "3/4")), 3)
    >>> test.bayes_error()
    Fraction(5, 32)
    """

    def __init__(self, m0: Distribution, m1: Distribution, n_samples: int) -> None:
        """Check the sizes; the atoms are computed when they are first needed."""
        if len(m0) != len(m1):
            raise InputError(f"the two distributions have {len(m0)} and {len(m1)} symbols")
        if n_samples < 0:
            raise InputError(f"n_samples: {n_samples} is negative")
        first, second = _merged(m0, m1)
        self._first, d0 = over_common_denominator(first, "m0")
        self._second, d1 = over_common_denominator(second, "m1")
        length = (d0.bit_length() + d1.bit_length()) * n_samples
        if count_types(len(first), n_samples) * max(length, 1) > MAX_WORK:
            raise LimitError(
                f"n_samples: {n_samples} samples are over the limit of {MAX_WORK} bits"
            )
        self.n_samples = n_samples
        self._bottom0, self._bottom1 = d0**n_samples, d1**n_samples

    @cached_property
    def _atoms(self) -> list[tuple[int, int]]:
        """The numerators of the two probabilities of each type."""
        n = self.n_samples
        powers = [
            ([a**i for i in range(n + 1)], [b**i for i in range(n + 1)])
            for a, b in zip(self._first, self._second, strict=True)
        ]
        return [atom for atom in _types(powers, n, 1, 1) if any(atom)]

    def bayes_error(self, prior0: Fraction = Fraction(1, 2)) -> Fraction:
        """The least probability of a wrong decision when M0 has this prior, *exact*.

        Raises:
            InputError: for a prior outside [0, 1].
        """
        if not 0 <= prior0 <= 1:
            raise InputError(f"prior0: {prior0} is not between 0 and 1")
        left, right = prior0 / self._bottom0, (1 - prior0) / self._bottom1
        bottom = left.denominator * right.denominator
        u, w = int(left * bottom), int(right * bottom)
        return Fraction(sum(min(u * a, w * b) for a, b in self._atoms), bottom)

    def neyman_pearson(self) -> tuple[ErrorPair, ...]:
        """The corners of the curve of best error pairs, from (0, 1) on, *exact*.

        Between two corners the best pairs lie on the line, by randomised tests.
        """
        slopes: dict[Fraction, tuple[int, int]] = {}
        for a, b in self._atoms:
            key = Fraction(b, a + b)
            first, second = slopes.get(key, (0, 0))
            slopes[key] = first + a, second + b
        ordered = [slopes[key] for key in sorted(slopes, reverse=True)]
        reached0 = accumulate((a for a, _ in ordered), initial=0)
        reached1 = accumulate((b for _, b in ordered), initial=0)
        corners = [
            ErrorPair(Fraction(a, self._bottom0), Fraction(self._bottom1 - b, self._bottom1))
            for a, b in zip(reached0, reached1, strict=True)
        ]
        return tuple(corners[1:] if len(corners) > 1 and not corners[1].type_one else corners)

    def type_two_error(self, type_one: Fraction) -> Fraction:
        """The least error of the second kind at an error of the first kind, *exact*.

        Raises:
            InputError: for a probability outside [0, 1].
        """
        if not 0 <= type_one <= 1:
            raise InputError(f"type_one: {type_one} is not between 0 and 1")
        corners = self.neyman_pearson()
        for before, after in pairwise(corners):
            if type_one <= after.type_one:
                width = after.type_one - before.type_one
                share = (type_one - before.type_one) / width if width else Fraction(1)
                return before.type_two + share * (after.type_two - before.type_two)
        return corners[-1].type_two


def _types(
    powers: Sequence[tuple[list[int], list[int]]], left: int, a: int, b: int
) -> Iterator[tuple[int, int]]:
    """(P0, P1) numerators of all types with ``left`` samples still to place."""
    first, second = powers[0]
    if len(powers) == 1:
        yield a * first[left], b * second[left]
        return
    for count in range(left + 1):
        ways = comb(left, count)
        yield from _types(
            powers[1:], left - count, a * ways * first[count], b * ways * second[count]
        )
