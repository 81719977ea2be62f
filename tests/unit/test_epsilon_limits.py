"""Privacy parameters at the ends of what is worked with."""

from fractions import Fraction

import pytest

from solvers import parse_epsilon
from solvers.epsilon import MAX_NATS
from solvers.thresholding import GeneralizedThresholding
from verify.kernel.errors import LimitError


def test_the_largest_epsilon_is_rounded_and_a_larger_one_is_named():
    level = parse_epsilon(str(MAX_NATS))
    assert level.exp_lower < level.exp_upper < level.exp_lower + Fraction(1, 2**60)
    for text in (f"{MAX_NATS}.001", "9999", "10001"):
        with pytest.raises(LimitError, match=r"^epsilon: .* nats is over the limit of 1900"):
            parse_epsilon(text)
    assert parse_epsilon(f"log({10**1000})").exp_lower == 10**1000


def test_a_failure_probability_below_every_float_is_calibrated():
    beta = f"1/{10**400}"
    mechanism = GeneralizedThresholding(epsilon=1, beta=beta, theta=1, gamma=2, horizon=3)
    step = mechanism.calibrate(epsilon_t="1/10", p_star="1/2", t=1)
    assert step.threshold > 0
