"""The nearest exact channel: rows of whole multiples of 1/D that sum to exactly 1.

Each row is divided by its sum, then rounded by largest remainders: every entry down to a multiple
of 1/D, and the multiples that are missing go to the largest remainders. Among all rows of
multiples of 1/D with sum 1 none is nearer to the row divided by its sum, in any l_r norm.
"""

from collections.abc import Sequence
from fractions import Fraction

from verify.intake.distributions import normalised
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import MAX_DIGITS

__all__ = ["MAX_SUM_ERROR", "largest_remainder", "rationalised_rows"]

MAX_SUM_ERROR = Fraction(1, 1000)
"""A row whose sum is further from 1 is not taken for a rounded distribution."""


def largest_remainder(row: Sequence[Fraction], denominator: int) -> tuple[Fraction, ...]:
    """The nearest row of multiples of 1/denominator with sum 1, *exact*; zeros stay zeros.

    Args:
        row: numbers >= 0 with sum exactly 1.
        denominator: D >= 1.

    >>> [str(x) for x in largest_remainder((Fraction(1, 3),) * 3, 10)]
    ['2/5', '3/10', '3/10']
    """
    parts = [number.numerator * denominator // number.denominator for number in row]
    missing = denominator - sum(parts)
    by_remainder = sorted(range(len(row)), key=lambda i: parts[i] - row[i] * denominator)
    for i in by_remainder[:missing]:
        parts[i] += 1
    return tuple(Fraction(part, denominator) for part in parts)


def rationalised_rows(
    rows: Sequence[Sequence[Fraction]], denominator: int, places: Sequence[str]
) -> tuple[tuple[Fraction, ...], ...]:
    """The rows, each the nearest with the given denominator to the row divided by its sum.

    Args:
        rows: rows of numbers >= 0.
        denominator: D >= 1.
        places: the name of each row in messages.

    Raises:
        InputError: for a denominator < 1, or a row whose sum is not near 1.
        LimitError: for a denominator of more than ``MAX_DIGITS`` digits.
    """
    if denominator < 1:
        raise InputError(f"--rationalise: {denominator} is not positive; give a denominator >= 1")
    if denominator >= 10**MAX_DIGITS:
        raise LimitError(f"--rationalise: over the limit of {MAX_DIGITS} digits; give fewer")
    result = []
    for place, row in zip(places, rows, strict=True):
        scaled = normalised(row, place)
        total = sum(row, Fraction(0))
        if abs(total - 1) > MAX_SUM_ERROR:
            shown = f"{float(total):.6g}" if total < 10**300 else "a huge number"
            raise InputError(
                f"{place} sums to {shown}, too far from 1 to be a rounded distribution; correct it"
            )
        result.append(largest_remainder(scaled, denominator))
    return tuple(result)
