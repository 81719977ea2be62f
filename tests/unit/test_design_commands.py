"""The commands ``construct`` and ``certify design``: output, files and exit codes."""

import json

import pytest
import typer
from typer.testing import CliRunner

from combinatorics.interchange import DevelopedDesign, parse_design
from combinatorics.symmetric.registry import symmetric_design
from verify.commands.certify_design import certify_design
from verify.commands.construct import (
    construct_design,
    construct_difference_set,
    construct_hadamard,
)
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.design import check_design
from verify.kernel.errors import InputError, LimitError

APP = typer.Typer()
APP.command("design")(construct_design)
APP.command("difference-set")(construct_difference_set)
APP.command("hadamard")(construct_hadamard)
APP.command("certify")(certify_design)


def run(*arguments, **how):
    return CliRunner().invoke(APP, [str(argument) for argument in arguments], **how)


def refusal(*arguments, **how):
    """The message of the error that the program turns into one line and exit code 2."""
    result = run(*arguments, **how)
    assert not result.stdout
    assert isinstance(result.exception, InputError), result.output
    message = str(result.exception)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("arguments", "code", "status"),
    [
        (("design", 7, 3, 1), 0, "constructed"),
        (("design", 9, 3, 1), 0, "constructed"),
        (("design", 43, 7, 1), 1, "impossible"),
        (("design", 8, 3, 1), 1, "impossible"),
        (("design", 157, 13, 1), 3, "unknown"),
        (("design", 71, 21, 6), 3, "unknown"),
        (("difference-set", 13, 4, 1), 0, "constructed"),
        (("difference-set", 43, 7, 1), 1, "impossible"),
        (("difference-set", 45, 12, 4), 1, "impossible"),
        (("difference-set", 25, 9, 3), 1, "impossible"),
        (("difference-set", 100, 45, 20), 3, "unknown"),
        (("hadamard", 92), 0, "constructed"),
        (("hadamard", 6), 1, "impossible"),
        (("hadamard", 668), 3, "unknown"),
        (("hadamard", 10**9, "--no-build"), 0, "constructible"),
        (("hadamard", 10**9 + 1), 1, "impossible"),
        (("design", 4 * 10**9 - 1, 2 * 10**9 - 1, 10**9 - 1, "--no-build"), 0, "constructible"),
    ],
)
def test_status_and_exit_code(arguments, code, status):
    result = run(*arguments, "--json")
    assert result.exit_code == code, result.output
    answer = json.loads(result.stdout)
    assert answer["status"] == status
    if code == 0:
        assert answer["construction"]
        assert answer["reference"]
    else:
        assert answer["construction"] is None
    plain = run(*arguments)
    assert plain.exit_code == code
    assert plain.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("design", "--", -7, 3, 1),
        ("design", "--", 7, -3, 1),
        ("design", 7, 3, 0),
        ("design", 7, 1, 1),
        ("design", 7, 7, 7),
        ("design", 2**2000, 3, 1),
        ("design", 7, 3, 1, "--format", "yaml"),
        ("design", 7, 3, 1, "--format", "csv", "--json"),
        ("design", 7, 3, 1, "--out", "/nonexistent/design.json"),
        ("design", 2**26 - 1, 2**25 - 1, 2**24 - 1),
        ("difference-set", 7, 6, 5),
        ("hadamard", "--", -4),
        ("hadamard", 0),
        ("hadamard", 10**9),
        ("hadamard", 8, "--format", "dtrs"),
        ("certify", "/nonexistent/design.json"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments):
    assert refusal(*arguments)


@pytest.mark.parametrize("arguments", [("design", "seven", 3, 1), ("design", 7, 3), ("hadamard",)])
def test_misuse_leaves_with_2(arguments):
    assert run(*arguments).exit_code == 2


def test_too_large_says_the_size_and_the_construction():
    message = refusal("hadamard", 10**9)
    assert "bytes" in message
    assert "it exists" in message
    message = refusal("design", 16383, 8191, 4095)
    assert "268402689 bytes" in message
    assert "it exists" in message


@pytest.mark.parametrize("arguments", [("design", 8191, 4095, 2047), ("hadamard", 8192)])
def test_too_large_for_the_kernel_is_refused_before_it_is_built(arguments):
    assert "counts of 2" in refusal(*arguments)


def test_what_is_published_is_said_in_words():
    table = run("design", 81, 16, 3).output
    assert "no construction in the literature is known to this program" in " ".join(table.split())
    assert "False" not in table
    assert json.loads(run("design", 81, 16, 3, "--json").output)["in_literature"] is False
    table = run("design", 71, 21, 6).output
    assert "yes, in the literature" in " ".join(table.split())
    assert "True" not in table


def test_quiet_prints_nothing():
    for arguments in (("design", 7, 3, 1), ("design", 43, 7, 1), ("hadamard", 668)):
        assert not run(*arguments, "--quiet").stdout


@pytest.mark.parametrize("suffix", ["json", "csv", "npy", "xml"])
def test_written_files_are_certified(tmp_path, suffix):
    path, certificate = tmp_path / f"design.{suffix}", tmp_path / "certificate.json"
    result = run("design", 45, 12, 3, "--out", path, "--certificate", certificate, "--json")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert (answer["v"], answer["b"], answer["r"], answer["lambda"]) == (45, 45, 12, 3)
    assert answer["file"] == str(path)
    checked = decode(certificate.read_bytes())
    assert check_certificate(checked).is_accepted
    assert len(checked.witness["base_blocks"]) == 1
    content = parse_design(path.read_bytes()).content
    design = content.design() if isinstance(content, DevelopedDesign) else content
    assert check_design(design, 12, 3).is_accepted
    again = run("certify", path, "--k", 12, "--lambda", 3, "--json")
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["verdict"] == "ACCEPTED"


def test_formats_on_standard_output():
    for form, start in (("gap", "LoadPackage"), ("sage", "D = "), ("csv", "0,"), ("json", "{")):
        result = run("design", 7, 3, 1, "--format", form)
        assert result.exit_code == 0
        assert result.stdout.startswith(start)
    assert run("hadamard", 4, "--out", "-").stdout.startswith("{")


FANO = {"v": 7, "blocks": [[x, (x + 1) % 7, (x + 3) % 7] for x in range(7)]}


@pytest.mark.parametrize(
    ("content", "options", "code", "kind"),
    [
        (FANO, (), 0, "block design"),
        (FANO, ("--t", 2, "--lambda", 1), 0, "block design"),
        (FANO, ("--t", 1), 0, "block design"),
        ({**FANO, "k": 3, "lambda": 1}, (), 0, "block design"),
        ({**FANO, "blocks": [*FANO["blocks"][:6], [0, 1, 2]]}, (), 1, "block design"),
        ({"v": 4, "blocks": [[0, 1], [2, 3]]}, (), 1, "block design"),
        ({"group": [7], "base_blocks": [[1, 2, 4]]}, (), 0, "difference set"),
        ({"group": [7], "base_blocks": [[1, 2, 3]]}, (), 1, "difference set"),
        ({"group": [7], "base_blocks": [[1, 2, 4]]}, ("--t", 2), 0, "block design"),
        ({"group": [13], "base_blocks": [[0, 1, 4], [0, 2, 7]]}, (), 0, "block design"),
        ({"group": [4], "base_blocks": [[0, 2], [0, 1]]}, (), 1, "block design"),
        ({"hadamard": ["++", "+-"]}, (), 0, "Hadamard matrix"),
        ({"hadamard": ["+++", "+-+", "++-"]}, (), 1, "Hadamard matrix"),
        (
            {"v": 3, "blocks": [[0, 1, 2], [0], [1], [2]]},
            (),
            0,
            "pairwise balanced design",
        ),
        ({"v": 3, "blocks": [[0, 1, 2], [0], [1]]}, (), 1, "pairwise balanced design"),
    ],
)
def test_certify(tmp_path, content, options, code, kind):
    certificate = tmp_path / "certificate.json"
    text = json.dumps(content)
    result = run("certify", "-", "--json", "--certificate", certificate, *options, input=text)
    assert result.exit_code == code, result.output
    answer = json.loads(result.stdout)
    assert answer["kind"] == kind
    assert answer["verdict"] == ("REJECTED" if code else "ACCEPTED")
    assert (answer["violation"] is None) == (code == 0)
    assert certificate.exists() == (code == 0)
    if code:
        assert answer["certificate"] is None
        assert "count" in answer["violation"]
    else:
        assert check_certificate(decode(certificate.read_bytes())).is_accepted
    plain = run("certify", "-", *options, input=text)
    assert answer["verdict"] in plain.stdout


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ({**FANO, "k": 3, "lambda": 2}, ()),
        (FANO, ("--k", 3, "--lambda", 2)),
        (FANO, ("--t", 6)),
        (FANO, ("--t", 4)),
        ({**FANO, "lambda": 1}, ("--lambda", 2)),
        ({"hadamard": ["++", "+-"]}, ("--k", 1)),
        ({"v": 3, "blocks": []}, ()),
        ({"v": 3, "blocks": [[0], [1, 2]]}, ()),
        ({"v": 3, "blocks": [[0, 1, 2], [0], [1], [2]]}, ("--t", 2)),
        ({"v": 3, "blocks": [[0], [1], [2]]}, ()),
    ],
)
def test_certify_refuses_what_can_be_no_design(content, options):
    message = refusal("certify", "-", *options, input=json.dumps(content))
    assert message.startswith("standard input: ")


def test_the_claim_names_the_parameters(tmp_path):
    path = tmp_path / "d.json"
    run("design", 16, 6, 2, "--out", path)
    answer = json.loads(run("certify", path, "--json").stdout)
    assert [answer[key] for key in ("v", "b", "r", "k", "lambda")] == [16, 16, 6, 6, 2]
    assert symmetric_design(16, 6, 2).v == 16


def test_difference_sets_too_large_to_be_developed(tmp_path):
    # 9507 translates of 98 points each are over the limit of cells, 98 x 98 quotients are not.
    place, certificate = tmp_path / "set.json", tmp_path / "set.cert"
    result = run(
        *("difference-set", 9507, 98, 1), "--out", place, "--certificate", certificate, "--quiet"
    )
    assert result.exit_code == 0, result.output
    assert check_certificate(decode(certificate.read_bytes())).is_accepted
    content = parse_design(place.read_bytes()).content
    assert len(content.difference_set.elements) == 98
    assert run("certify", place).exit_code == 0
    with pytest.raises(LimitError, match="points times developed blocks"):
        content.design()
    assert "9507 points" in refusal("difference-set", 9507, 98, 1, "--format", "gap")


@pytest.mark.slow
def test_chen_difference_set_is_certified(tmp_path):
    certificate = tmp_path / "set.cert"
    result = run("difference-set", 17408, 6592, 2496, "--certificate", certificate, "--json")
    assert json.loads(result.stdout)["construction"] == "Chen, q = 4, d = 2"
    claim = decode(certificate.read_bytes()).claim  # the kernel has accepted it
    assert claim == {
        "object": "difference set",
        "group": [2] * 10 + [17],
        "k": 6592,
        "lambda": 2496,
    }


def test_difference_sets_too_large_for_the_kernel_are_refused_with_their_size():
    message = refusal("difference-set", 87040, 21888, 5504)
    assert "479084544 pairs" in message
    assert "Davis-Jedwab, d = 3" in message
