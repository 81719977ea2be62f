"""The output ratio R of a channel K: how far two output laws differ when the inputs avoid corners.

For laws P, Q of the input with masses >= c the ratios PK(y)/QK(y) lie in [1/R, R] with
R = max over y of (c sum K + (1 - Nc) max K)/(c sum K + (1 - Nc) min K).
Writing P = c + (1 - Nc) P', the channel K' = c sum K + (1 - Nc) K maps P' to PK and is log(R)-LDP,
so whatever holds for LDP channels holds for K' with the laws P', Q' and R in place of e^epsilon.

Over all channels with worst exp(leakage) E the largest R has a closed form: with s = sum K/max K
and r = min K/max K of a column, R = 1 + (1 - Nc)(1 - r)/d for d = c s + (1 - Nc) r, subject to
d >= 1/E and 1 + (N - 1) r <= s <= N - 1 + r. R falls with s and with r. For (N - 1) c E <= 1 the
best is d = 1/E with s = N - 1 + r; else r = 0 with d = max(1/E, c).
"""

from fractions import Fraction

from verify.kernel.channel import Channel
from verify.kernel.errors import InputError
from verify.kernel.exact import INFINITE, Extended

__all__ = ["interior_law", "kernel_output_ratio", "largest_output_ratio"]


def kernel_output_ratio(channel: Channel, c: Fraction) -> Extended:
    """The output ratio R of one channel over priors with masses >= c, *exact*.

    Args:
        channel: K with N inputs.
        c: the least mass of a prior, in [0, 1/N].

    Returns:
        R >= 1; the largest column ratio for c = 0, INFINITE only there.

    Raises:
        InputError: if c is outside [0, 1/N].

    >>> kernel_output_ratio(Channel((("1", "0"), ("0", "1"))), Fraction(1, 4))
    Fraction(3, 1)
    """
    n = channel.n_inputs
    if not 0 <= n * c <= 1:
        raise InputError(f"c: {c} is outside [0, 1/{n}] for {n} inputs")
    worst = Fraction(1)
    for column in channel.columns():
        high, low, shared = max(column), min(column), c * sum(column)
        least = shared + (1 - n * c) * low
        if high and not least:
            return INFINITE
        if high:
            worst = max(worst, (shared + (1 - n * c) * high) / least)
    return worst


def largest_output_ratio(n_inputs: int, c: Fraction, exp_leakage: Fraction) -> Fraction:
    """The largest R of a column with N entries and worst exp(leakage) E over c, *exact*; <= E.

    >>> largest_output_ratio(4, Fraction(1, 10), Fraction(3))
    Fraction(19, 7)
    """
    rest, others = 1 - n_inputs * c, (n_inputs - 1) * c
    if others * exp_leakage >= 1:
        return 1 + rest / max(1 / exp_leakage, c)
    least = (1 / exp_leakage - others) / (1 - others)
    return 1 + rest * (1 - least) * exp_leakage


def interior_law(masses: tuple[Fraction, ...], c: Fraction) -> tuple[Fraction, ...]:
    """P' with P = c + (1 - Nc) P', *exact*.

    Raises:
        InputError: if a mass is below c or Nc = 1, where the uniform law is alone.
    """
    rest = 1 - len(masses) * c
    if rest <= 0 or min(masses) < c:
        raise InputError(f"prior: needs masses >= {c} and {c} below 1/{len(masses)}")
    return tuple((mass - c) / rest for mass in masses)
