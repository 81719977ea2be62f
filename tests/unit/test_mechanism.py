"""The mechanism of a partition as a channel."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.testing.mechanism import randomized_block_response
from tests.support import oracle
from tests.support.instances import exp_epsilons
from verify.kernel.channel import MAX_CELLS
from verify.kernel.errors import InputError, LimitError


@given(st.integers(1, 6), exp_epsilons(), st.data())
def test_the_block_response_is_randomized_response_on_the_block(k, E, data):
    partition = data.draw(st.sampled_from(list(oracle.set_partitions(list(range(k))))))
    channel = randomized_block_response(partition, k, E)
    assert [list(row) for row in channel.rows] == oracle.response(partition, k, E)


@pytest.mark.parametrize("blocks", [[], [[]], [[0]], [[0, 1], [1]], [[0], [1], []], [[0, 1, 2]]])
def test_blocks_that_are_no_partition_are_refused(blocks):
    with pytest.raises(InputError, match=r"not a partition of the symbols 0\.\.1"):
        randomized_block_response(blocks, 2, 3)


def test_too_many_blocks_are_over_the_limit():
    k = 1 + int(MAX_CELLS**0.5)
    with pytest.raises(LimitError, match="blocks"):
        randomized_block_response([[x] for x in range(k)], k, 3)
