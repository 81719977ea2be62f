"""Contraction of a channel: the Dobrushin coefficient, max over x, x' of TV(Q(.|x), Q(.|x'))."""

from fractions import Fraction
from itertools import combinations
from operator import sub

from verify.kernel.channel import Channel
from verify.kernel.distribution import common_denominator

__all__ = ["dobrushin_coefficient"]


def dobrushin_coefficient(channel: Channel) -> Fraction:
    """The largest total variation distance between two rows, *exact*; 0 for one input.

    Reference: Dobrushin 1956.
    Cost: O(N^2 m) integer operations over the common denominator.

    >>> dobrushin_coefficient(Channel((("3/4", "1/4"), ("1/4", "3/4"))))
    Fraction(1, 2)
    """
    common = common_denominator((entry for row in channel.rows for entry in row), "rows")
    rows = [[e.numerator * (common // e.denominator) for e in row] for row in channel.rows]
    twice = max((sum(map(abs, map(sub, a, b))) for a, b in combinations(rows, 2)), default=0)
    return Fraction(twice, 2 * common)
