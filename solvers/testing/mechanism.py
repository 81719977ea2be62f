"""The mechanism of a partition: randomized response on the block of the input, as a channel."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain

from verify.kernel.channel import MAX_CELLS, Channel
from verify.kernel.errors import require, require_limit

__all__ = ["randomized_block_response"]


def randomized_block_response(
    blocks: Sequence[Sequence[int]], alphabet_size: int, exp_epsilon: Fraction
) -> Channel:
    """The channel that reports the block of the input by s-ary randomized response, *exact*.

    Args:
        blocks: s lists of symbols that together hold each of 0..alphabet_size-1 once.
        alphabet_size: the number of symbols.
        exp_epsilon: E, the likelihood of the true block against any other.

    Raises:
        InputError: if the blocks are not a partition into nonempty parts.
        LimitError: if the channel has more than ``MAX_CELLS`` entries.

    Reference: the mechanism of Sort, Partition, Randomize; its output laws are those of
    ``verify.kernel.optimality.response_laws``.
    """
    require_limit(alphabet_size * len(blocks), MAX_CELLS, "blocks: entries of their channel")
    is_partition = all(blocks) and sorted(chain(*blocks)) == list(range(alphabet_size))
    require(is_partition, f"blocks: are not a partition of the symbols 0..{alphabet_size - 1}")
    place = {symbol: j for j, block in enumerate(blocks) for symbol in block}
    other = 1 / (exp_epsilon + len(blocks) - 1)
    entries = [other] * len(blocks)
    likely = exp_epsilon * other
    return Channel([*entries[: place[x]], likely, *entries[place[x] + 1 :]] for x in sorted(place))
