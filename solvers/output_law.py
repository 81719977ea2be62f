"""The law of what a channel puts out."""

from operator import mul

from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution, exact_sum
from verify.kernel.errors import require

__all__ = ["output_law"]


def output_law(channel: Channel, prior: Distribution) -> Distribution:
    """The distribution of Y when X has the given prior, *exact*.

    Raises:
        InputError: if the prior is not over the N inputs.

    >>> output_law(Channel([["3/4", "1/4"], ["1/4", "3/4"]]), Distribution(["1/2", "1/2"])).masses
    (Fraction(1, 2), Fraction(1, 2))
    """
    require(len(prior) == channel.n_inputs, f"prior: has {len(prior)} masses, not one an input")
    terms = (map(mul, prior.masses, column) for column in channel.columns())
    return Distribution(tuple(exact_sum(products, "output") for products in terms))
