"""The worst leakage of a channel over priors that put at least some mass on every input."""

from fractions import Fraction

from verify.kernel.channel import Channel
from verify.kernel.exact import Extended
from verify.kernel.ldp import largest_column_ratio

__all__ = ["worst_exp_leakage"]


def worst_exp_leakage(channel: Channel, c: Fraction) -> Extended:
    """The exponential of the worst pointwise maximal leakage over priors with mass >= c, *exact*.

    Args:
        channel: K with N inputs.
        c: the least mass of a prior, 0 <= c <= 1/N.

    Returns:
        max over outputs y that can occur of max K / (c sum K + (1 - Nc) min K); INFINITE only
        for c = 0 and a column with both a zero and a positive entry.

    Raises:
        InputError: if c is outside [0, 1/N].

    Reference: Grosse, Saeidian, Oechtering, Skoglund 2026 ((epsilon, c)-PML).
    """
    return largest_column_ratio(channel, c).exp_epsilon
