"""``exactdp certify estimation``: answers, keys, exit codes, pictures, bad input in one line."""

import doctest
import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from statistics import median

import pytest

from solvers.estimation.scheme_table import main, scheme_table
from verify.certify import check
from verify.cli import run

PAGE = Path(__file__).parents[2] / "docs" / "best-schemes.md"
SCHEME_KEYS = {"name", "v", "b", "r", "k", "lambda", "truncated_to", "bits", "n_risk", "ratio"}


def certify(*words: object) -> int:
    return run(["certify", "estimation", *map(str, words)])


def answer(capsys, *words: object) -> dict:
    assert certify(*words, "--json") == 0
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def test_one_hundred_symbols_at_epsilon_one(tmp_path, capsys) -> None:
    place = tmp_path / "scheme.json"
    content = answer(capsys, "--alphabet-size", 100, "--epsilon", 1, "--certificate", place)
    assert content["verdict"] == "ACCEPTED"
    assert content["alphabet_size"] == 100
    assert content["optimal_block_sizes"] == [27]
    assert f"{float(Fraction(content['optimum'])):.4f}" == "360.9435"
    assert content["certificate"] == str(place)
    assert check(place).is_accepted
    schemes = content["schemes"]
    assert all(set(scheme) >= SCHEME_KEYS for scheme in schemes)
    ratios = [Fraction(scheme["ratio"]) for scheme in schemes]
    assert ratios == sorted(ratios)
    assert all(
        Fraction(scheme["n_risk"]) == ratio * Fraction(content["optimum"])
        for scheme, ratio in zip(schemes, ratios, strict=True)
    )
    found = {(s["v"], s["k"], s["lambda"]): s for s in schemes}
    quartic = found[101, 25, 6]
    assert (quartic["b"], quartic["r"], quartic["truncated_to"]) == (101, 25, 100)
    assert f"{quartic['bits']:.3f}" == "6.658"
    assert f"{float(Fraction(quartic['ratio'])):.5f}" == "1.00339"
    assert quartic["pareto"]
    assert f"{float(Fraction(found[109, 28, 7]['ratio'])):.5f}" == "1.00312"


def test_pareto_optimal_schemes_trade_risk_for_bits(capsys) -> None:
    schemes = answer(capsys, "--alphabet-size", 90, "--epsilon", "0.7")["schemes"]
    pareto = [scheme for scheme in schemes if scheme["pareto"]]
    assert len(pareto) > 1
    assert [s["b"] for s in pareto] == sorted({s["b"] for s in pareto}, reverse=True)
    for scheme in schemes:
        beaten = any(
            other["b"] <= scheme["b"]
            and Fraction(other["n_risk"]) <= Fraction(scheme["n_risk"])
            and (other["b"], other["n_risk"]) != (scheme["b"], scheme["n_risk"])
            for other in schemes
        )
        assert not (beaten and scheme["pareto"])


def test_exactly_optimal_schemes_are_marked(capsys) -> None:
    content = answer(capsys, "--alphabet-size", 31, "--exp-epsilon", 4)
    best = content["schemes"][0]
    assert (best["v"], best["k"], best["truncated_to"]) == (31, 6, None)
    assert best["exactly_optimal"]
    assert best["ratio"] == "1"
    assert best["n_risk"] == content["optimum"] == "2401/93" or Fraction(
        best["n_risk"]
    ) == Fraction(content["optimum"])
    assert certify("--alphabet-size", 31, "--exp-epsilon", 4) == 0
    assert re.search(r"P=\s+Singer", capsys.readouterr().out)


def test_other_losses_are_enclosed(capsys) -> None:
    content = answer(capsys, "--alphabet-size", 100, "--epsilon", 1, "--loss", 1)
    low, high = (Fraction(content["optimum"][end]) for end in ("lower", "upper"))
    assert low < high < low + Fraction(1, 10**20)
    assert f"{float(low):.4f}" == "151.5862"
    quartic = next(s for s in content["schemes"] if s["v"] == 101)
    assert f"{float(Fraction(quartic['n_risk']['lower'])):.4f}" == "151.8426"
    squared = answer(capsys, "--alphabet-size", 100, "--epsilon", 1)["schemes"]
    share = Fraction(next(s for s in squared if s["v"] == 101)["ratio"])
    assert (
        Fraction(quartic["ratio"]["lower"]) ** 2
        <= share
        <= Fraction(quartic["ratio"]["upper"]) ** 2
    )
    assert certify("--alphabet-size", 100, "--epsilon", 1, "--loss", "3/2") == 0
    assert "n^(3/4) x risk" in capsys.readouterr().out


def test_fewer_outputs_cost_risk(capsys) -> None:
    content = answer(capsys, "--alphabet-size", 100, "--epsilon", 1, "--max-outputs", 100)
    assert {scheme["b"] for scheme in content["schemes"]} == {100}
    assert content["schemes"][0]["k"] == 45


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_plots(ending, tmp_path, capsys) -> None:
    picture = tmp_path / f"schemes.{ending}"
    assert certify("--alphabet-size", 20, "--epsilon", 1, "--plot", picture, "--quiet") == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert str(picture) in err
    assert picture.stat().st_size > 2000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--alphabet-size", 7, "--epsilon", 0), "epsilon = 0: every report is independent"),
        (("--alphabet-size", 7, "--exp-epsilon", 1), "give epsilon > 0"),
        (("--alphabet-size", 1, "--epsilon", 1), "alphabet size: 1 is not an integer of at least"),
        (("--alphabet-size", -4, "--epsilon", 1), "alphabet size: -4"),
        (("--alphabet-size", 10**6, "--epsilon", 1), "over the limit of 8192"),
        (("--alphabet-size", "seven", "--epsilon", 1), "--alphabet-size"),
        (("--alphabet-size", 7), "give one of --epsilon"),
        (("--alphabet-size", 7, "--epsilon", -1), "negative"),
        (("--alphabet-size", 7, "--epsilon", 1, "--loss", 3), "--loss: '3' is not in 1..2"),
        (("--alphabet-size", 7, "--epsilon", 1, "--loss", "x"), "--loss: 'x' is not a number"),
        (("--alphabet-size", 7, "--epsilon", 1, "--max-outputs", 6), "less than the 7 symbols"),
        (("--alphabet-size", 7, "--epsilon", 1, "--limit", 0), "limit: 0"),
        (("--alphabet-size", 7, "--epsilon", 1, "--plot", "x.txt"), "is not a picture file"),
        (("--alphabet-size", 7, "--epsilon", 1, "--certificate", "/none/x"), "does not exist"),
        (("--epsilon", 1), "--alphabet-size"),
    ],
)
def test_bad_input_is_one_line(words, message, capsys) -> None:
    assert certify(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert err.startswith("exactdp: ")


def test_a_scheme_too_large_for_the_kernel_is_undecided(monkeypatch, capsys) -> None:
    import solvers.estimation.structure
    import verify.kernel.design

    monkeypatch.setattr(verify.kernel.design, "MAX_COUNTS", 10)
    assert certify("--alphabet-size", 30, "--epsilon", 1) == 3
    out, _ = capsys.readouterr()
    assert "UNDECIDED" in out
    assert solvers.estimation.structure.check_pairwise_balanced


def test_the_page_of_best_schemes(tmp_path) -> None:
    """The page in docs: complete, near the optimum, and what the command writes."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if re.match(r"\| \d+ \| \(", line)]
    assert [int(row.split("|")[1]) for row in rows] == list(range(2, 1001))
    cells = [[cell.strip() for cell in row.split("|")[2:-1]] for row in rows]
    for place in range(3):
        ratios = [1.0 if row[3 * place + 2] == "=" else float(row[3 * place + 2]) for row in cells]
        assert min(ratios) >= 1
        assert median(ratios) <= 1.01
    assert all(int(row[3 * i + 1]) <= 4 * (v + 2) for v, row in enumerate(cells) for i in range(4))
    main([str(tmp_path / "page.md"), "60"])
    written = (tmp_path / "page.md").read_text(encoding="utf-8").splitlines()
    made = [line for line in written if re.match(r"\| \d+ \| \(", line)]
    assert made == rows[: len(made)]
    assert len(made) == 59


@pytest.mark.slow
def test_the_whole_page_of_best_schemes() -> None:
    assert scheme_table() == PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [[], ["a", "2", "3"]])
def test_the_page_needs_a_file(words) -> None:
    with pytest.raises(SystemExit, match="usage"):
        main(words)


def test_the_page_about_estimation_is_true() -> None:
    results = doctest.testfile(str(PAGE.with_name("estimation.md")), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0


def test_the_users_own_catalog_is_considered(tmp_path, capsys, monkeypatch) -> None:
    from combinatorics.catalog import build_catalog, default_path

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    words = ("--alphabet-size", 13, "--epsilon", "log(3)")
    without = answer(capsys, *words)
    assert without["catalog"] is None
    default_path().parent.mkdir(parents=True, exist_ok=True)
    build_catalog(default_path(), 15)
    content = answer(capsys, *words)
    assert content["catalog"] == str(default_path())
    assert content["schemes"][0]["n_risk"] == without["schemes"][0]["n_risk"]


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    "words",
    [["certify", "estimation", "--alphabet-size", "9", "--epsilon"], ["catalog", "best", "9"]],
    ids=lambda words: " ".join(words[:2]),
)
def test_a_terminal_shows_that_work_is_going_on(words, tmp_path):
    plot = ["--plot", str(tmp_path / "p.svg")] if words[0] == "certify" else []
    for quiet in ([], ["--quiet"]):
        near, far = os.openpty()
        command = [sys.executable, "-m", "verify", *words, "1", *plot, *quiet]
        environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "TERM": "xterm"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=far, env=environment)
        os.close(far)
        said = b""
        with suppress(OSError):  # the terminal ends with the program
            while part := os.read(near, 1 << 16):
                said += part
        os.close(near)
        out, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        assert (b"comparing schemes and proving the best" in said) == (not quiet)
        assert (b"comparing more schemes" in said) == bool(plot and not quiet)
        assert b"comparing" not in out
