"""Decimal numerals of integers of any length; ``str`` stops at 4300 digits."""

from verify.second_opinion.strict_reading import require_reach

__all__ = ["spell_integer"]

MAX_BITS = 200_000
"""Longest integer that is spelled."""
_CHUNK_DIGITS = 4_000
_CHUNK = 10**_CHUNK_DIGITS


def spell_integer(number: int) -> str:
    """The decimal digits of an integer >= 0.

    Raises:
        OutOfReachError: for more than ``MAX_BITS`` bits.

    >>> spell_integer(10**5000) == "1" + "0" * 5000
    True
    """
    require_reach(number.bit_length(), MAX_BITS, "bits of a number")
    chunks = []
    while number >= _CHUNK:
        number, rest = divmod(number, _CHUNK)
        chunks.append(str(rest).zfill(_CHUNK_DIGITS))
    return "".join([str(number), *reversed(chunks)])
