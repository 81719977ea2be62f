"""Pointwise maximal leakage (PML) of a channel K over the priors with every mass at least c.

The leakage of output y under prior P is log max_x K(y|x)/P_Y(y). Over the simplex of priors
P(x) >= c the mass P_Y(y) is linear with vertices c + (1 - Nc) delta_x, so the least P_Y(y) is
c sum_x K(y|x) + (1 - Nc) min_x K(y|x), and the worst leakage is the largest of the ratios.
"""

from fractions import Fraction

from verify.kernel.channel import Channel
from verify.kernel.errors import require
from verify.kernel.exact import INFINITE, Extended

__all__ = ["worst_exp_leakage"]


def worst_exp_leakage(channel: Channel, c: Fraction) -> Extended:
    """The exponential of the worst pointwise maximal leakage over priors with mass >= c, *exact*.

    Args:
        channel: K with N inputs.
        c: the least mass of a prior, 0 <= c <= 1/N.

    Returns:
        max over outputs y that can occur of max K / (c sum K + (1 - Nc) min K); INFINITE only for
        c = 0 and a column with both a zero and a positive entry.

    Raises:
        InputError: if c is outside [0, 1/N].

    Reference: Grosse, Saeidian, Oechtering, Skoglund 2026 ((epsilon, c)-PML).
    """
    n = channel.n_inputs
    require(0 <= c * n <= 1, f"c: {c} is outside [0, 1/{n}] for {n} inputs")
    worst = Fraction(1)
    for column in channel.columns():
        high = max(column)
        least = c * sum(column) + (1 - n * c) * min(column)
        if high > worst * least:
            if not least:
                return INFINITE
            worst = high / least
    return worst
