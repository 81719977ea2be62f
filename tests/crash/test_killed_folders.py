"""Commands that write several files or whole folders, killed at each step.

A folder of certificates is the old or the new one, also where two names cannot be exchanged; a
certificate never loses those that its value rests on; of several files each is whole.
"""

import dataclasses
import errno
import functools
import json
import os
import re
import shutil
from pathlib import Path

import pytest

import solvers.testing
import verify.claims.page
import verify.output_folder
from tests.support.crash_points import KILL, at_every_step
from verify.canonical_form import encode
from verify.certify import certify_channel, write_certificates
from verify.cli import run
from verify.output_file import write_atomically

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork and signals")

ROWS = [["3/4", "1/4"], ["1/4", "3/4"]]
PAIRS = {
    "one.json": {"p0": ["1/2", "1/2"], "p1": ["1/4", "3/4"]},
    "two.json": {"p0": ["1/3", "2/3"], "p1": ["1/5", "4/5"]},
}


def perform(*words: str) -> None:
    """A command, or a function of this module that stands for one."""
    if callable(globals().get(words[0])):
        globals()[words[0]](*words[1:])
    elif code := run(list(words)):
        raise SystemExit(code)


def without_exchange(*words: str) -> None:
    """The same where the system cannot exchange two names."""
    verify.output_folder._exchange = lambda first, second: False
    perform(*words)


def replace_folder(*orders: str) -> None:
    certificates = [certify_channel(ROWS, int(order)).certificate for order in orders]
    named = {f"{i:04}.json": certificate for i, certificate in enumerate(certificates)}
    write_certificates(named, "out")


def _with_cover(p0, p1, level, divergence, outputs, search=solvers.testing.solve_testing):
    """In place of a search that takes seconds: a solution with further certificates."""
    others = [search(p1, p0, e, "tv", outputs).certificate for e in ("1", "2")]
    return dataclasses.replace(search(p0, p1, level, "tv", outputs), supporting=tuple(others))


def certify_with_cover(file: str) -> None:
    """The command whose certificate rests on others."""
    solvers.testing.solve_testing = _with_cover
    words = ("--divergence", "chernoff", "--exp-epsilon", "3", "--quiet")
    perform("certify", "testing", file, *words, "--certificate", "out.json")


def verify_without_figures(*words: str) -> None:
    """The command whose page would take seconds to draw."""
    page = getattr(verify.claims.page.page, "func", verify.claims.page.page)
    verify.claims.page.page = functools.partial(page, figures=False)
    perform("verify", *words, "--quiet")


def contents(folder: Path) -> dict[str, bytes]:
    """The files in a folder."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def visible(found: dict[str, bytes]) -> dict[str, bytes]:
    """Those that are under no temporary name."""
    return {name: content for name, content in found.items() if ".exactdp-" not in name}


def covers(found: dict[str, bytes]) -> dict[str, set[bytes]]:
    """The certificates in each folder beside the first one."""
    folders: dict[str, set[bytes]] = {}
    for name, content in visible(found).items():
        if ".cover/" in name:
            folders.setdefault(name.split("/")[0], set()).add(content)
    return folders


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def killed(template: Path, scratch: Path, words: list[str], failure: int = KILL):
    """The runs that were killed, or refused by the disk, and the one that was not."""
    words = [f"{__name__}:perform", *words]
    *stopped, whole = at_every_step(template, made(scratch), words, failure=failure)
    assert whole.code == 0, whole.errors
    return stopped, whole


@pytest.fixture
def finished(tmp_path, monkeypatch):
    """Runs a command to its end in a copy of a folder, and gives that copy."""

    def ran(folder: Path, words: list[str]) -> Path:
        copy = tmp_path / f"copy-{len(list(tmp_path.iterdir()))}"
        shutil.copytree(folder, copy)
        with monkeypatch.context() as patched:
            patched.chdir(copy)
            for owner, name in (
                (verify.output_folder, "_exchange"),
                (solvers.testing, "solve_testing"),
                (verify.claims.page, "page"),
            ):
                patched.setattr(owner, name, getattr(owner, name))  # put back afterwards
            perform(*words)
        return copy

    return ran


@pytest.fixture
def pairs(tmp_path):
    folder = made(tmp_path / "pairs")
    for name, pair in PAIRS.items():
        (folder / name).write_text(json.dumps(pair))
    return folder


def test_a_certificate_never_loses_its_cover(pairs, tmp_path, finished) -> None:
    """In each state the certificate is whole and all that its value rests on is in one folder."""
    words = ["certify_with_cover"]
    first = finished(pairs, [*words, "one.json"])
    stopped, whole = killed(first, tmp_path / "scratch", [*words, "two.json"])
    ends = [contents(end) for end in (first, whole.folder)]
    rests = {found["out.json"]: covers(found) for found in ends}
    assert [len(cover) for cover in rests.values()] == [1, 1]
    for one in stopped:
        found = contents(one.folder)
        (supporting,) = rests[found["out.json"]].values()
        assert supporting in covers(found).values(), one.step
        assert all(found[name] == ends[0][name] for name in PAIRS)
    assert {contents(one.folder)["out.json"] for one in stopped} == set(rests)
    for one in (stopped[len(stopped) // 2], stopped[-1]):
        assert contents(finished(one.folder, [*words, "two.json"])) == ends[1], one.step
        assert contents(finished(one.folder, [*words, "one.json"])) == ends[0], one.step


@pytest.mark.slow
def test_a_disk_that_refuses_keeps_the_certificate_and_its_cover(pairs, tmp_path, finished) -> None:
    """All is as it was, or all is new; a folder that cannot be removed may stay."""
    first = finished(pairs, ["certify_with_cover", "one.json"])
    words = ["certify_with_cover", "two.json"]
    stopped, whole = killed(first, tmp_path / "scratch", words, errno.ENOSPC)
    before, new = contents(first), contents(whole.folder)
    refused = [one for one in stopped if contents(one.folder)["out.json"] == before["out.json"]]
    assert len(refused) > 10
    for one in stopped:
        found = contents(one.folder)
        if one in refused:
            assert found == before, one.step
            assert "nothing was changed" in one.errors, one.step
        else:
            assert visible(found).items() >= new.items(), one.step
            assert set(found) <= {*before, *new} or one.step in {"unlink", "rmdir"}, one.step


def test_a_folder_is_never_lost_where_names_cannot_be_exchanged(tmp_path) -> None:
    """Another program that then writes in that place puts the old folder back, if there is none."""
    template = made(tmp_path / "template")
    one = certify_channel(ROWS, 3).certificate
    write_certificates({"0000.json": one, "0001.json": one, "0002.json": one}, template / "out")
    words = ["without_exchange", "replace_folder", "4", "5"]
    stopped, whole = killed(template, tmp_path / "scratch", words)
    before, new = contents(template), contents(whole.folder)
    assert (len(before), len(new)) == (3, 2)
    missing = 0
    for one in stopped:
        found = visible(contents(one.folder))
        missing += not found
        assert found in (before, new, {}), one.step
        write_atomically(one.folder / "another", b"x")
        found = contents(one.folder)
        assert found.pop("another") == b"x"
        assert found in (before, new), one.step
    assert missing == 1


CURVE = ["trace", "outputs", "two.json", "--exp-epsilon", "3", "--divergence", "tv", "--quiet"]
CURVE += ["--certificates", "out"]


@pytest.mark.parametrize("exchange", [True, False])
def test_the_certificates_of_a_curve(pairs, tmp_path, finished, exchange) -> None:
    one = certify_channel(ROWS, 3).certificate
    write_certificates({"0001.json": one, "0007.json": one}, pairs / "out")
    words = CURVE if exchange else ["without_exchange", *CURVE]
    stopped, whole = killed(pairs, tmp_path / "scratch", words)
    before, new = contents(pairs), contents(whole.folder)
    assert set(new) == {*PAIRS, "out/0001.json", "out/0002.json"}
    aside = []
    for one in stopped:
        found = visible(contents(one.folder))
        if set(found) == set(PAIRS):
            aside.append(one)
        else:
            assert found in (before, new), one.step
    assert len(aside) == (not exchange)
    for one in (stopped[len(stopped) // 2], stopped[-1], *aside):
        assert contents(finished(one.folder, words)) == new, one.step


EXPORT = ["check", "good.json", "better.json", "--export", "out", "--quiet"]
PAGE = ["verify_without_figures", "testing.merging-outputs", "--up-to", "2", "--html", "out/page"]
LINES = ["verify", "testing.two-sets-cover", "testing.merging-outputs", "--up-to", "2", "--quiet"]
LINES += ["--lines", "out/lines"]


def spelled(name: str, content: bytes) -> object:
    """The content without the seconds that were measured."""
    if name.endswith("lines"):
        assert content.endswith(b"}\n")
        content = re.sub(rb'"seconds": [0-9.e-]+', b"", content)
        return content.splitlines()
    return re.sub(rb"[0-9]+\.[0-9]+", b"", content) if name.endswith("page") else content


@pytest.mark.parametrize(
    ("words", "files", "old"),
    [
        (EXPORT, 2, True),
        pytest.param(EXPORT, 2, False, marks=pytest.mark.slow),
        (PAGE, 1, True),
        (LINES, 1, False),
    ],
)
def test_each_of_several_files_is_whole(tmp_path, finished, words, files, old) -> None:
    """Old or new; or, of lines that are written again with each claim, some of the first ones."""
    template = made(tmp_path / "template")
    made(template / "out")
    for name, level in (("good.json", 3), ("better.json", 4)):
        (template / name).write_bytes(encode(certify_channel(ROWS, level).certificate))
    inputs = contents(template)
    names = set(contents(finished(template, words))) - set(inputs)
    assert len(names) == files
    before = dict.fromkeys(names, b"old") if old else {}
    for name, content in before.items():
        (template / name).write_bytes(content)
    stopped, whole = killed(template, tmp_path / "scratch", words)
    new = {name: spelled(name, content) for name, content in contents(whole.folder).items()}
    seen = set()
    for one in stopped:
        found = visible(contents(one.folder))
        assert found.items() >= inputs.items(), one.step
        assert set(found) <= {*inputs, *names}, one.step
        for name in names:
            seen.add(state(name, found.get(name), before.get(name), new[name]))
    assert seen == ({"old", 1, 2} if words is LINES else {"old", "new"})
    for one in (stopped[len(stopped) // 2], stopped[-1]):
        found = contents(finished(one.folder, words))
        assert {name: spelled(name, content) for name, content in found.items()} == new, one.step


def state(name: str, content: bytes | None, before: bytes | None, new: object) -> object:
    """What a killed run has left of a file; with lines, how many of them."""
    if content == before:
        return "old"
    if not isinstance(new, list):
        return "new" if spelled(name, content) == new else "neither"
    some = spelled(name, content)
    return len(some) if some == new[: len(some)] else "neither"
