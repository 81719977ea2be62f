"""Contraction of a channel: the Dobrushin coefficient, max over x, x' of TV(Q(.|x), Q(.|x'))."""

from fractions import Fraction
from itertools import combinations
from operator import sub

from verify.kernel.channel import Channel
from verify.kernel.distribution import over_common_denominator
from verify.kernel.errors import LimitError

__all__ = ["MAX_PAIR_ENTRIES", "dobrushin_coefficient"]

MAX_PAIR_ENTRIES = 500_000_000
"""Most entries that the comparison of all pairs of rows reads."""


def dobrushin_coefficient(channel: Channel) -> Fraction:
    """The largest total variation distance between two rows, *exact*; 0 for one input.

    Raises:
        LimitError: for more than ``MAX_PAIR_ENTRIES`` entries in all pairs of rows.

    Reference: Dobrushin 1956.
    Cost: O(N^2 m) integer operations over the common denominator.

    >>> dobrushin_coefficient(Channel((("3/4", "1/4"), ("1/4", "3/4"))))
    Fraction(1, 2)
    """
    n, m = channel.n_inputs, channel.n_outputs
    if n * (n - 1) // 2 * m > MAX_PAIR_ENTRIES:
        raise LimitError(f"rows: over the limit of {MAX_PAIR_ENTRIES} entries in pairs of rows")
    entries, common = over_common_denominator([e for row in channel.rows for e in row], "rows")
    rows = [entries[x * m : (x + 1) * m] for x in range(n)]
    twice = max((sum(map(abs, map(sub, a, b))) for a, b in combinations(rows, 2)), default=0)
    return Fraction(twice, 2 * common)
