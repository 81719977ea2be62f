"""``exactdp certify leakage``: answers, keys, exit codes, and one line for everything else."""

import json
from fractions import Fraction

import pytest

from solvers.leakage import dobrushin_bound
from tests.support.leakage_oracle import dobrushin, worst_leakage
from verify.certify import check
from verify.cli import run


def certify(*words):
    return run(["certify", "leakage", *map(str, words)])


def answer(capsys, *words):
    code = certify(*words, "--json")
    return code, json.loads(capsys.readouterr().out)


def test_every_key_of_an_accepted_claim(tmp_path, capsys):
    out, plot = tmp_path / "c.json", tmp_path / "bound.svg"
    words = ["--inputs", 4, "--c", "1/10", "--epsilon", 1]
    code, content = answer(capsys, *words, "--certificate", out, "--plot", plot)
    assert code == 0
    assert content["verdict"] == "ACCEPTED"
    assert content["certificate"] == str(out)
    assert check(out).is_accepted
    assert plot.read_text().lstrip().startswith("<?xml")
    assert content["seconds"] >= 0
    bound = dobrushin_bound(4, "1/10", 1)
    ends = {"lower": str(bound.lower), "upper": str(bound.upper)}
    assert content["dobrushin_bound"] == ends
    assert content["contracts"] is True
    low, high = (Fraction(content["threshold_epsilon"][end]) for end in ("lower", "upper"))
    assert low < Fraction("1.60943791243410037461") < high + Fraction(1, 10**19)
    rows = [[Fraction(entry) for entry in row] for row in content["kernel"]]
    assert dobrushin(rows) == bound.lower
    assert worst_leakage(rows, Fraction(1, 10)) <= bound.epsilon.exp_lower


def test_what_follows_stands_beside_the_bound(capsys):
    words = ["--inputs", 4, "--c", "1/10", "--exp-epsilon", 3, "--samples", 10, "--samples", 99]
    _, content = answer(capsys, *words)
    assert content["dobrushin_bound"] == {"lower": "5/7", "upper": "5/7"}
    for constant in content["constants"]:
        numbers = {key: Fraction(constant[key]) for key in constant if key != "divergence"}
        assert numbers["smallest"] == min(numbers["by_exp_epsilon"], numbers["by_output_ratio"])
        assert numbers["attained"] <= numbers["smallest"]
    assert {row["n_samples"] for row in content["minimax"]} == {10, 99}
    for bounds in content["output_bounds"].values():
        values = [Fraction(bound["upper"]) for bound in bounds]
        assert values == sorted(values)
        assert {"binette-e", "binette-r", "binette-s"} < {bound["name"] for bound in bounds}


def test_the_uniform_prior_alone_has_a_bound_and_nothing_that_follows(capsys):
    code, content = answer(capsys, "--inputs", 5, "--c", "1/5", "--epsilon", "log(3)")
    assert code == 0
    assert content["contracts"] is False
    assert content["kernel"][-1] == ["1/2", "1/2"]
    assert content["constants"] == content["minimax"] == []
    assert content["output_bounds"] == {}


def test_ldp_and_perfect_privacy(capsys):
    code, content = answer(capsys, "--inputs", 2, "--c", 0, "--epsilon", 0)
    assert code == 0
    assert content["dobrushin_bound"] == {"lower": "0", "upper": "0"}
    assert content["exp_threshold"] == "inf"


def test_tables_name_the_verdict_and_the_bound(capsys):
    assert certify("--inputs", 4, "--c", "1/10", "--epsilon", 1) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "ACCEPTED" in out
    assert "0.65309844588" in out
    assert certify("--inputs", 4, "--c", "1/10", "--epsilon", 1, "--quiet") == 0
    assert capsys.readouterr().out == ""


def test_the_point_of_the_threshold(capsys):
    _, content = answer(capsys, "--inputs", 4, "--c", "1/8", "--epsilon", "ln(4)")
    assert content["contracts"] is False
    assert content["exp_threshold"] == "4"


@pytest.mark.parametrize(
    "words",
    [
        ["--inputs", 4, "--c", "1/3", "--epsilon", 1],
        ["--inputs", 4, "--c", "-1/3", "--epsilon", 1],
        ["--inputs", 1, "--c", "0", "--epsilon", 1],
        ["--inputs", 10**6, "--c", "0", "--epsilon", 1],
        ["--inputs", "four", "--c", "0", "--epsilon", 1],
        ["--inputs", 4, "--c", "a tenth", "--epsilon", 1],
        ["--inputs", 4, "--c", "1/10"],
        ["--inputs", 4, "--c", "1/10", "--epsilon", 1, "--exp-epsilon", 3],
        ["--inputs", 4, "--c", "1/10", "--epsilon", -1],
        ["--inputs", 4, "--epsilon", 1],
        ["--inputs", 4, "--c", "1/10", "--epsilon", 1, "--samples", -1],
        ["--inputs", 4, "--c", "1/10", "--epsilon", 1, "--plot", "bound.txt"],
        ["--inputs", 4, "--c", "1/10", "--epsilon", 1, "--certificate", "/nowhere/c.json"],
    ],
    ids=str,
)
def test_misuse_ends_in_one_line(words, capsys):
    assert certify(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("exactdp: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("level", ["1e-300", "1e-40", "1000", "log(1e300)"])
def test_levels_far_from_one_are_certified_like_any_other(level, capsys):
    assert certify("--inputs", 4, "--c", "1/10", "--epsilon", level, "--quiet") == 0


@pytest.mark.parametrize(
    "words",
    [
        ["--c", "1e-401", "--epsilon", 1],
        ["--c", "1e-3000", "--epsilon", 1],
        ["--c", "1/10", "--exp-epsilon", "1e3000"],
        ["--c", "1/10", "--epsilon", "log(1e3999)"],
    ],
    ids=str,
)
def test_numbers_too_long_to_print_are_refused_before_any_work(words, capsys):
    assert certify("--inputs", 4, *words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "digits; give a shorter number" in err
    assert err.count("\n") == 1


def test_the_longest_numbers_are_printed(capsys):
    words = ("--c", "1e-399", "--exp-epsilon", "1e999", "--json")
    assert certify("--inputs", 4, *words) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "ACCEPTED"


def test_the_ending_of_a_picture_may_be_in_capitals(tmp_path, capsys):
    place = tmp_path / "bound.PNG"
    words = ("--inputs", 4, "--c", "1/10", "--epsilon", 1, "--quiet", "--plot", place)
    assert certify(*words) == 0
    assert place.read_bytes().startswith(b"\x89PNG")
