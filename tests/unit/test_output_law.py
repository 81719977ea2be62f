"""The law of what a channel puts out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.output_law import output_law
from tests.support.instances import channels, distributions
from tests.support.oracle import through
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError


@given(channels(), st.data())
def test_the_output_law_is_the_mixture_of_the_rows(rows, data):
    prior = data.draw(distributions(size=len(rows)))
    law = output_law(Channel(rows), Distribution(prior))
    assert list(law.masses) == through(rows, prior)


def test_a_prior_of_another_size_is_refused():
    with pytest.raises(InputError, match="prior: has 1 masses, not one an input"):
        output_law(Channel(((1,), (1,))), Distribution((1,)))
