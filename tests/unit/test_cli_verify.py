"""``exactdp verify`` from the command line."""

import json

import pytest

from verify.cli import run

SMALL = ["leakage.threshold", "testing.merged-spr"]


def test_claims_are_listed(capsys):
    assert run(["verify", "--list", "--json"]) == 0
    claims = json.loads(capsys.readouterr().out)["claims"]
    assert len(claims) >= 60
    assert {"id", "statement", "source", "method"} <= set(claims[0])
    assert run(["verify", "leakage", "--list"]) == 0
    assert "leakage.threshold" in capsys.readouterr().out


def test_claims_are_checked_as_json(capsys):
    assert run(["verify", *SMALL, "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["seed"] == 0
    for row in output["claims"]:
        keys = {"id", "source", "method", "cases", "verdict", "counterexample", "seconds"}
        assert keys <= set(row)
        assert row["verdict"] == "ACCEPTED"
        assert row["counterexample"] is None
        assert row["cases"] > 0


def test_a_table_is_printed(capsys):
    assert run(["verify", *SMALL]) == 0
    assert "2 of 2 claims accepted" in capsys.readouterr().out
    assert run(["verify", *SMALL, "--quiet"]) == 0
    assert not capsys.readouterr().out


def test_the_self_test_refutes_every_mutant(capsys):
    assert run(["verify", *SMALL, "--self-test", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["claims"]
    assert all(row["verdict"] == "REJECTED" and row["counterexample"] for row in rows)


def test_a_surviving_mutant_fails_the_self_test(monkeypatch, capsys):
    from verify.claims import registry
    from verify.claims.claim import Claim, Exhaustive
    from verify.claims.domain import listed

    check = Exhaustive(listed("numbers", range), lambda i: "", lambda i: "", size=3)
    weak = Claim("testing.weak", "s", "source", "scope", "m", (check,))
    monkeypatch.setattr(registry, "_by_id", lambda: {"testing.weak": weak})
    assert run(["verify", "--self-test"]) == 1
    capsys.readouterr()


def test_a_false_claim_is_rejected(monkeypatch, capsys):
    from verify.claims import registry
    from verify.claims.claim import Claim, Exhaustive
    from verify.claims.domain import listed

    check = Exhaustive(
        listed("numbers", range), lambda i: "too large" if i > 1 else "", str, size=5
    )
    false = Claim("testing.false", "s", "source", "scope", "m", (check,))
    monkeypatch.setattr(registry, "_by_id", lambda: {"testing.false": false})
    assert run(["verify", "--json"]) == 1
    (row,) = json.loads(capsys.readouterr().out)["claims"]
    assert (row["verdict"], row["counterexample"]) == ("REJECTED", "2")


def test_lines_page_and_checkpoint_are_written(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("verify.claims.page._figures", lambda: ["<figure></figure>"])
    lines, page, store = tmp_path / "a.jsonl", tmp_path / "a.html", tmp_path / "a.sqlite"
    arguments = ["verify", *SMALL, "--lines", str(lines), "--html", str(page)]
    for _ in range(2):
        assert run([*arguments, "--checkpoint", str(store), "--quiet"]) == 0
        rows = [json.loads(line) for line in lines.read_text().splitlines()]
        assert sorted(row["id"] for row in rows) == sorted(SMALL)
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert "leakage.threshold" in text
    assert "http" not in text
    capsys.readouterr()


@pytest.mark.slow
def test_the_figures_are_drawn():
    from verify.claims.figures import FIGURES, as_svg

    for draw in FIGURES.values():
        assert as_svg(draw()).startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "there is none"),
        (["--jobs", "0"], "jobs"),
        (["--up-to", "0"], "up-to"),
        (["--html", "/nowhere/at/all.html"], "nowhere"),
    ],
)
def test_misuse_ends_in_one_line(arguments, message, capsys):
    assert run(["verify", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
