"""Arguments of ``solve_testing`` that are refused, and sizes of epsilon that are not."""

from fractions import Fraction

import pytest

from solvers import testing
from verify.kernel.errors import InputError

PAIR = (["1/8", "1/8", "1/4", "1/3", "1/6"], ["1/2", "1/10", "1/10", "1/5", "1/10"])


@pytest.mark.parametrize("divergence", [None, 5, b"kl", "nearness"])
def test_a_divergence_that_is_no_name_is_refused(divergence):
    with pytest.raises(InputError, match="divergence"):
        testing.solve_testing(*PAIR, "1", divergence)


@pytest.mark.parametrize("outputs", [2.0, True, 0, -1, "2"])
def test_outputs_that_are_no_positive_integer_are_refused(outputs):
    with pytest.raises(InputError, match="outputs"):
        testing.solve_testing(*PAIR, "1", "kl", outputs)


@pytest.mark.parametrize("outputs", [None, 2, 3])
@pytest.mark.parametrize("divergence", ["kl", "reverse-chi2", "hellinger", "js"])
@pytest.mark.parametrize("epsilon", ["1e-30", "1/1000000", "30", "60"])
def test_very_small_and_very_large_epsilon(epsilon, divergence, outputs):
    solution = testing.solve_testing(*PAIR, epsilon, divergence, outputs)
    assert solution.verdict.is_accepted
    assert solution.relative_gap <= Fraction(1, 10**30)


def test_an_epsilon_beyond_the_float_search_is_left_open_not_answered_wrongly():
    with pytest.raises(testing.UnprovedError):
        testing.solve_testing(*PAIR, "1e-300", "kl")
