"""Local differential privacy: Q is epsilon-LDP when Q(y|x) <= E Q(y|x') for all y, x, x'.

E = exp(epsilon). The least such E is the largest ratio of two entries of one column.
"""

from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.channel import Channel
from verify.kernel.errors import require
from verify.kernel.exact import INFINITE, Extended, rational_text
from verify.kernel.verdict import Verdict, accepted, rejected

__all__ = ["ColumnRatio", "check_ldp", "largest_column_ratio"]


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


def largest_column_ratio(channel: Channel) -> ColumnRatio:
    """The least E for which the channel is log(E)-LDP, *exact*, and the first place that needs it.

    >>> largest_column_ratio(Channel((("3/4", "1/4"), ("1/4", "3/4")))).exp_epsilon
    Fraction(3, 1)
    """
    worst, place = Fraction(1), (0, 0, 0)
    for output, column in enumerate(channel.columns()):
        high, low = max(column), min(column)
        if high > worst * low:
            place = output, column.index(high), column.index(low)
            if not low:
                return ColumnRatio(INFINITE, *place)
            worst = high / low
    return ColumnRatio(worst, *place)


def check_ldp(channel: Channel, exp_epsilon: Fraction) -> Verdict:
    """Whether the channel is log(exp_epsilon)-LDP; the witness is in the details either way.

    Raises:
        InputError: if exp_epsilon < 1.
        LimitError: if the largest column ratio has more than ``MAX_DIGITS`` digits.
    """
    require(exp_epsilon >= 1, "exp_epsilon: is less than 1, so epsilon is negative")
    worst = largest_column_ratio(channel)
    ratio = rational_text(worst.exp_epsilon)
    if isinstance(worst.exp_epsilon, Fraction) and worst.exp_epsilon <= exp_epsilon:
        return accepted(f"the largest column ratio is {ratio}", ratio=worst)
    place = f"output {worst.output}, input {worst.likelier_input} against {worst.less_likely_input}"
    return rejected(f"the column ratio is {ratio} at {place}", ratio=worst)
