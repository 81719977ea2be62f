"""Local differential privacy: Q is epsilon-LDP when Q(y|x) <= E Q(y|x') for all y, x, x'.

E = exp(epsilon). The least such E is the largest ratio of two entries of one column.

More generally, output y of a channel with N inputs leaks log max_x Q(y|x)/P_Y(y) under the prior P
(pointwise maximal leakage). Over the priors with every mass at least c the probability P_Y(y) is
linear with vertices c + (1 - Nc) delta_x, so its least value is c sum_x Q(y|x) + (1 - Nc) min_x
Q(y|x). For c = 0 that is min_x Q(y|x), and the worst leakage is the least epsilon of LDP.
"""

from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.channel import Channel
from verify.kernel.distribution import over_common_denominator
from verify.kernel.errors import require
from verify.kernel.exact import INFINITE, Extended

__all__ = ["ColumnRatio", "largest_column_ratio"]


@dataclass(frozen=True, slots=True)
class ColumnRatio:
    """The largest ratio E = Q(y|x)/Q(y|x') of a channel, with a place (y, x, x') that attains it.

    Args:
        exp_epsilon: the exact ratio, or INFINITE when Q(y|x) > 0 = Q(y|x').
        output: y.
        likelier_input: x.
        less_likely_input: x'.
    """

    exp_epsilon: Extended
    output: int
    likelier_input: int
    less_likely_input: int


def largest_column_ratio(channel: Channel, c: Fraction = Fraction(0)) -> ColumnRatio:
    """The largest max_x Q(y|x)/P_Y(y) over outputs y that can occur and priors with masses >= c.

    *Exact*, with the first place that attains it: y, a likeliest input and a least likely one. For
    c = 0 it is the least E for which the channel is log(E)-LDP.

    Raises:
        InputError: if c is outside [0, 1/N].
        LimitError: if a column has too long a common denominator.

    >>> largest_column_ratio(Channel((("3/4", "1/4"), ("1/4", "3/4")))).exp_epsilon
    Fraction(3, 1)
    """
    n, p, q = channel.n_inputs, c.numerator, c.denominator
    require(0 <= c * n <= 1, f"c: {c} is outside [0, 1/{n}] for {n} inputs")
    worst, place = Fraction(1), (0, 0, 0)
    for output, entries in enumerate(channel.columns()):
        column, _ = over_common_denominator(entries, "column")  # a ratio needs no denominator
        high, low = max(column), min(column)
        least = p * sum(column) + (q - n * p) * low  # times 1/q, the least probability
        if high * q * worst.denominator > worst.numerator * least:
            place = output, column.index(high), column.index(low)
            if not least:
                return ColumnRatio(INFINITE, *place)
            worst = Fraction(high * q, least)
    return ColumnRatio(worst, *place)
