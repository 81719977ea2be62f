"""Privacy parameters at the ends of what is worked with."""

from fractions import Fraction

import pytest

from solvers import parse_epsilon
from solvers.epsilon import MAX_NATS
from solvers.thresholding import GeneralizedThresholding
from verify.cli import run
from verify.kernel.errors import LimitError


def test_the_largest_epsilon_is_rounded_and_a_larger_one_is_named():
    level = parse_epsilon(str(MAX_NATS))
    assert level.exp_lower < level.exp_upper < level.exp_lower + Fraction(1, 2**60)
    for text in (f"{MAX_NATS}.001", "9999", "10001"):
        with pytest.raises(LimitError, match=r"^epsilon: .* nats is over the limit of 1300"):
            parse_epsilon(text)
    assert parse_epsilon(f"log({10**1000})").exp_lower == 10**1000


def test_one_limit_in_one_wording(capsys, tmp_path):
    """Every command blames epsilon, whether the level is text in nats or e^epsilon itself."""
    place = tmp_path / "pair.csv"
    place.write_text("symbol,p0,p1\na,1/4,2/3\nb,3/4,1/3\n")
    testing = ["certify", "testing", str(place), "--divergence", "kl", "--quiet"]
    assert run([*testing, "--epsilon", str(MAX_NATS)]) == 0
    for words in (testing, ["certify", "leakage", "--inputs", "4", "--c", "1/10"]):
        assert run([*words, "--epsilon", str(MAX_NATS + 1)]) == 2
        assert (
            "--epsilon: '1301' nats is over the limit of 1300; give a s" in capsys.readouterr()[1]
        )
    for level in ("log(1e1500)", "1e-600"):
        assert run([*testing, "--epsilon", level]) == 2
        err = capsys.readouterr().err
        assert err.startswith("exactdp: epsilon: e^epsilon - 1 is about 2^")
        assert str(place) not in err


def test_a_table_shows_shares_beyond_the_largest_float(capsys, tmp_path):
    place = tmp_path / "pair.csv"
    place.write_text("symbol,p0,p1\na,1/4,2/3\nb,3/4,1/3\n")
    words = ["--divergence", "kl", "--epsilon", "1e-160"]
    assert run(["certify", "testing", str(place), *words]) == 0
    assert "e+32" in capsys.readouterr().out


def test_a_failure_probability_below_every_float_is_calibrated():
    beta = f"1/{10**400}"
    mechanism = GeneralizedThresholding(epsilon=1, beta=beta, theta=1, gamma=2, horizon=3)
    step = mechanism.calibrate(epsilon_t="1/10", p_star="1/2", t=1)
    assert step.threshold > 0
