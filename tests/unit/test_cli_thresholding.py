"""``exactdp certify thresholding``: keys, exit codes, certificates, and one line for bad input."""

import json
import sys
from fractions import Fraction

import pytest
import typer

from solvers.thresholding import Parameters, StepParameters, calibrate_step
from verify.certify import check
from verify.commands.certify_thresholding import certify_thresholding
from verify.kernel.errors import InputError

MECHANISM = {
    "epsilon": "1",
    "beta": "1/10",
    "theta": "1",
    "gamma": "2",
    "horizon": 50,
    "steps": [{"epsilon_t": "1/10", "delta_t": "1/1000", "p_star": "1/2"}],
}


@pytest.fixture
def write(tmp_path):
    def to_file(**changes):
        path = tmp_path / "mechanism.json"
        path.write_text(json.dumps({**MECHANISM, **changes}))
        return str(path)

    return to_file


def run(*arguments, **options):
    with pytest.raises(typer.Exit) as leaving:
        certify_thresholding(*arguments, **options)
    return leaving.value.exit_code


def test_json_has_every_key(write, tmp_path, capsys):
    out = tmp_path / "proof.json"
    assert run(write(), steps=3, certificate=out, json=True) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["verdict"] == "ACCEPTED"
    assert content["claim"] == "the sequence of outcomes is 1-DP"
    assert content["privacy_cost"] == {"shared": "1/3", "per_step": "2/3", "total": "1"}
    assert content["certificate"] == str(out)
    assert check(out).is_accepted
    parameters = Parameters.of(1, "1/10", 1, 2, 50)
    for t, step in enumerate(content["steps"], 1):
        made = calibrate_step(parameters, StepParameters.of("1/10", "1/2", "1/1000"), t)
        assert step["t"] == t
        assert step["direction"] == made.direction.value
        assert step["threshold"] == made.threshold
        assert Fraction(step["crossover"]) == made.crossover
        for key in ("lambda_t", "rejection_threshold", "log_rate", "expected_evaluations"):
            assert Fraction(step[key]["lower"]) <= Fraction(step[key]["upper"])
        assert Fraction(step["lambda_t"]["lower"]) == made.lambda_t().lower
    assert len(content["steps"]) == 3


def test_one_step_or_a_list_and_decimals(write, capsys):
    assert run(write(steps={"epsilon_t": 0.1, "p_star": 0.5}, horizon=None), json=True) == 0
    assert len(json.loads(capsys.readouterr().out)["steps"]) == 10
    two = [{"epsilon_t": "log(2)", "p_star": "1/2"}, {"epsilon_t": "1/50", "p_star": "999/1000"}]
    assert run(write(steps=two, epsilon="log(3)"), json=True, method="chernoff") == 0
    content = json.loads(capsys.readouterr().out)
    assert [step["direction"] for step in content["steps"]] == ["direct", "flipped"]
    assert content["steps"][0]["expected_evaluations"] == {"lower": "inf", "upper": "inf"}


def test_the_table(write, capsys):
    assert run(write()) == 0
    out = capsys.readouterr().out
    assert "1/3 + 2/3 = 1" in out
    assert "direct" in out
    assert run(write(), quiet=True) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"beta": "1"}, "beta: must lie in"),
        ({"gamma": "21/10"}, "gamma"),
        ({"theta": 0}, "theta"),
        ({"epsilon": "-1"}, "epsilon"),
        ({"epsilon": None}, "epsilon"),
        ({"horizon": "many"}, "horizon"),
        ({"horizon": 1.5}, "horizon"),
        ({"horizon": 0}, "horizon"),
        ({"steps": []}, "steps is empty"),
        ({"steps": [{"epsilon_t": 0, "p_star": "1/2"}]}, r"steps\[0\]: epsilon_t"),
        ({"steps": [{"epsilon_t": 1, "p_star": "1/2", "delta_t": 1}]}, "delta_t"),
        ({"steps": [{"epsilon_t": 1, "p_star": 2}]}, "p_star"),
        ({"steps": [{"epsilon_t": 1}]}, "p_star"),
        ({"steps": [{"epsilon_t": 1, "p_star": "1/2", "more": 1}]}, "more"),
        ({"steps": [{"epsilon_t": True, "p_star": "1/2"}]}, "epsilon_t"),
        ({"steps": [{"epsilon_t": 1, "p_star": "1/2"}] * 3, "horizon": 2}, "3 steps"),
        ({"more": 1}, "more"),
    ],
)
def test_bad_files_are_named_in_one_line(write, changes, message):
    with pytest.raises(InputError, match=message) as caught:
        certify_thresholding(write(**changes))
    assert "\n" not in str(caught.value)
    assert "mechanism.json" in str(caught.value)


def test_bad_options_are_named(write):
    with pytest.raises(InputError, match="--method"):
        certify_thresholding(write(), method="magic")
    with pytest.raises(InputError, match="--steps"):
        certify_thresholding(write(), steps=0)
    assert "certify_thresholding" in sys.modules["verify.commands.certify_thresholding"].__all__
