"""A probability distribution on a finite alphabet: a tuple of nonnegative rationals with sum 1."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from verify.kernel.errors import require, require_limit
from verify.kernel.exact import as_rational, excerpt

__all__ = ["Distribution", "common_denominator", "exact_sum", "over_common_denominator"]

MAX_ALPHABET = 200_000
"""Longest row of probabilities that the kernel works with."""
MAX_DENOMINATOR_BITS = 40_000
"""Longest common denominator of a row, in bits, that the kernel works with."""
MAX_TOTAL_BITS = 1 << 30
"""Most bits of all numbers of one list over their common denominator."""


def common_denominator(numbers: Iterable[Fraction], where: str) -> int:
    """The least common denominator of the numbers.

    Raises:
        LimitError: when it has more than ``MAX_DENOMINATOR_BITS`` bits.
    """
    common = 1
    for number in numbers:
        if common % number.denominator:  # no set of them: integers of one hash can be written down
            common = lcm(common, number.denominator)
            require_limit(common.bit_length(), MAX_DENOMINATOR_BITS, f"{where}: common denominator")
    return common


def over_common_denominator(numbers: Sequence[Fraction], where: str) -> tuple[list[int], int]:
    """The numerators of the numbers over their least common denominator, and that denominator.

    Raises:
        LimitError: when these have more than ``MAX_TOTAL_BITS`` bits, as far as the denominator
            tells.
    """
    common = common_denominator(numbers, where)
    require_limit(len(numbers) * common.bit_length(), MAX_TOTAL_BITS, f"{where}: bits in all")
    return [number.numerator * (common // number.denominator) for number in numbers], common


def exact_sum(numbers: Iterable[Fraction], where: str) -> Fraction:
    """The sum, by one addition of integers; LimitError as for a row of such numbers."""
    numerators, common = over_common_denominator(tuple(numbers), where)
    return Fraction(sum(numerators), common)


def require_row(entries: Iterable[object], where: str) -> tuple[Fraction, ...]:
    """The entries as exact probabilities that sum to exactly 1.

    Raises:
        InputError: for an empty row, a negative entry or another sum, naming the place.
        InexactNumberError: for a float or bool.
        LimitError: for a row longer than ``MAX_ALPHABET``.
    """
    row = tuple(entries)
    require_limit(len(row), MAX_ALPHABET, f"{where}: entries")
    require(row, f"{where}: is empty; it needs at least one probability")
    masses = tuple(as_rational(entry, f"{where}[{i}]") for i, entry in enumerate(row))
    least = masses.index(min(masses))
    require(masses[least] >= 0, f"{where}[{least}]: {excerpt(str(masses[least]))} is negative")
    numerators, common = over_common_denominator(masses, where)
    shown = excerpt(str(Fraction(sum(numerators), common))) if common < 10**60 else "another value"
    require(sum(numerators) == common, f"{where}: the probabilities sum to {shown}, not 1")
    return masses


@dataclass(frozen=True, slots=True, init=False)
class Distribution:
    """A distribution P on the symbols 0..k-1; valid once built.

    Args:
        masses: k probabilities, each an int, Fraction or exact text; they sum to exactly 1.
        name: the name of the distribution in error messages.

    Raises:
        InputError: for an empty, negative or unnormalised list, naming the place.
        InexactNumberError: for floats.

    >>> Distribution(("1/2", "0.5")).masses
    (Fraction(1, 2), Fraction(1, 2))
    """

    masses: tuple[Fraction, ...]
    name: str

    def __init__(self, masses: Iterable[object], name: str = "distribution") -> None:
        """Read the masses exactly and check that they are a distribution."""
        object.__setattr__(self, "masses", require_row(masses, name))
        object.__setattr__(self, "name", name)

    def __len__(self) -> int:
        """The size k of the alphabet."""
        return len(self.masses)
