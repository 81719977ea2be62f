"""Every command that writes a file, killed at each step, and refused by the disk at each step.

What it leaves is the old file or the whole new one; the same command then runs to its end, and no
temporary file outlives it.
"""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest

from tests.support.crash_points import KILL, at_every_step
from verify.canonical_form import encode
from verify.certify import certify_channel, write_certificates
from verify.cli import run
from verify.kernel.errors import InputError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork and signals")

ROWS = [["3/4", "1/4"], ["1/4", "3/4"]]
OLD = b'{"format": "exactdp-certificate"}'.ljust(64)
"""May be replaced by a certificate, for its word, and by a signature, for its length."""
CHANNEL = "certify channel channel.json --exp-epsilon 3 --certificate out.json"
FAST = {
    "certificate": (CHANNEL, "out.json"),
    "design and certificate": (
        "construct design 7 3 1 --out design.csv --certificate out.json",
        "out.json design.csv",
    ),
    "export": ("catalog export --db catalog.sqlite --out out.json", "out.json"),
    "catalog show": (
        "catalog show 7 3 1 --db catalog.sqlite --out out.npy --certificate out.json",
        "out.npy out.json",
    ),
    "signature": ("sign good.json --private-key key.pem", "good.json.sig"),
}
SLOW = {
    "testing": (
        "certify testing laws.json --epsilon 1 --divergence kl --certificate out.json --plot o.png",
        "out.json o.png",
    ),
    "estimation": (
        "certify estimation --alphabet-size 7 --epsilon 1 --plot out.png --certificate out.json",
        "out.json out.png",
    ),
    "leakage": (
        "certify leakage --inputs 3 --c 1/10 --epsilon 1 --certificate out.json --plot out.png",
        "out.json out.png",
    ),
    "thresholding": ("certify thresholding tuning.json --certificate out.json", "out.json"),
    "design": ("certify design fano.json --certificate out.json", "out.json"),
    "page": ("catalog export --db catalog.sqlite --out out.html", "out.html"),
    "trace epsilon": (
        "trace epsilon laws.json --divergence tv --to 2 --csv out.csv --plot out.png",
        "out.csv out.png",
    ),
    "joint range": (
        "trace joint-range laws.json --epsilon 1 --csv out.csv --plot out.png",
        "out.csv out.png",
    ),
    "outputs": (
        "trace outputs laws.json --epsilon 1 --divergence tv --csv out.csv --plot out.png",
        "out.csv out.png",
    ),
    "samples": (
        "trace samples laws.json --epsilon 1 --divergence kl --error 1/20 --csv out.csv",
        "out.csv",
    ),
    "scheme table": ("tests.crash.test_killed_writers:write_scheme_table out.md", "out.md"),
}


def write_scheme_table(path: str) -> None:
    from solvers.estimation.scheme_table import main

    main([path, "12"])


def numbered(certificates):
    return {f"{i:04}.json": certificate for i, certificate in enumerate(certificates)}


def write_cover(orders: str) -> None:
    """Two certificates more or less into one folder, as a Chernoff information needs them."""
    made = [certify_channel(ROWS, int(order)).certificate for order in orders.split(",")]
    write_certificates(numbered(made), "out.cover")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A folder with everything that the commands read, and old outputs."""
    folder = tmp_path_factory.mktemp("inputs")
    content = {
        "channel.json": {"rows": ROWS},
        "laws.json": {"p0": ["1/2", "3/10", "1/5"], "p1": ["1/5", "3/10", "1/2"]},
        "fano.json": {"v": 7, "blocks": [[i, (i + 1) % 7, (i + 3) % 7] for i in range(7)]},
        "tuning.json": {
            "epsilon": "1",
            "beta": "1/10",
            "theta": "1",
            "gamma": "2",
            "horizon": 3,
            "steps": {"epsilon_t": "1/10", "p_star": "1/2"},
        },
    }
    for name, value in content.items():
        (folder / name).write_text(json.dumps(value))
    (folder / "good.json").write_bytes(encode(certify_channel(ROWS, 3).certificate))
    assert (
        run(["catalog", "build", "--max-v", "7", "--db", str(folder / "catalog.sqlite"), "--quiet"])
        == 0
    )
    key = str(folder / "key.pem")
    assert run(["keygen", key, "--quiet"]) == 0
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """The files in a folder, but those that SQLite keeps beside an open database."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in paths
        if not path.name.endswith(("-shm", "-wal"))
    }


def start(inputs: Path, folder: Path, outputs: list[str]) -> Path:
    shutil.copytree(inputs, folder)
    for name in outputs:
        (folder / name).write_bytes(OLD)
    return folder


def judge(inputs, tmp_path, command, files, failure) -> int:
    """Stop the command at every step; the number of steps."""
    words, outputs = command.split(), files.split()
    template = start(inputs, tmp_path / "template", outputs)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    *stopped, whole = at_every_step(template, scratch, words, failure=failure)
    assert (whole.code, whole.step) == (0, None), whole.errors
    new = {name: (whole.folder / name).read_bytes() for name in outputs}
    assert OLD not in new.values()
    before, names = contents(template), set(contents(whole.folder))
    for one in stopped:
        found = contents(one.folder)
        for name in outputs:
            assert found.pop(name) in (OLD, new[name]), (one.step, name)
        left = {name for name in found if name not in before}
        assert all(name.startswith(".exactdp-") for name in left), (one.step, left)
        assert all(found[name] == before[name] for name in found if name in before)
        if failure == KILL:
            assert one.code == -9
        else:
            refused(one, outputs, left)
    if failure == KILL:
        resumed(stopped, words, tmp_path, {**before, **new}, names)
    return len(stopped)


def refused(one, outputs, left) -> None:
    """A disk that says no: one line that names the file, or no harm done."""
    assert one.code in (0, 2), (one.step, one.errors)
    assert not left, one.step
    if one.code == 2:
        assert one.errors.count("\n") == 1, one.errors
        assert any(Path(name).name in one.errors for name in outputs), one.errors
        assert "nothing was changed" in one.errors


def resumed(stopped, words, tmp_path, expected, names) -> None:
    """Run the command to its end in folders that a stopped one has left."""
    for place in {len(stopped) // 2, len(stopped) - 3}:  # half of a file written; all of one
        one, scratch = stopped[place], _made(tmp_path / f"again-{place}")
        (done,) = at_every_step(one.folder, scratch, words, most_bytes=1 << 30)
        assert done.code == 0, done.errors
        found = contents(done.folder)
        assert set(found) == names, one.step
        assert all(found[name] == expected[name] for name in expected), one.step


@pytest.mark.parametrize("name", ["certificate"])
def test_killed_at_every_step(inputs, tmp_path, name) -> None:
    assert judge(inputs, tmp_path, *FAST[name], KILL) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FAST, *SLOW])
def test_every_command_killed_at_every_step(inputs, tmp_path, name) -> None:
    command, files = (FAST | SLOW)[name]
    assert judge(inputs, tmp_path, command, files, KILL) >= 6 * len(files.split())


@pytest.mark.parametrize("name", ["design and certificate"])
def test_refused_at_every_step(inputs, tmp_path, name) -> None:
    judge(inputs, tmp_path, *FAST[name], errno.ENOSPC)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FAST, "testing", "trace epsilon"])
def test_more_commands_refused_at_every_step(inputs, tmp_path, name) -> None:
    judge(inputs, tmp_path, *(FAST | SLOW)[name], errno.ENOSPC)


@pytest.mark.slow
@pytest.mark.parametrize("error", [errno.EIO, errno.EROFS, errno.EDQUOT])
def test_refused_for_other_reasons(inputs, tmp_path, error) -> None:
    judge(inputs, tmp_path, *FAST["certificate"], error)


@pytest.mark.parametrize("failure", [KILL, errno.ENOSPC])
@pytest.mark.parametrize("old", [None, "3,4,5"])
def test_a_folder_of_certificates_is_the_old_or_the_new_one(tmp_path, old, failure) -> None:
    """A cover of a Chernoff information: never a mix of two, never a part of one."""
    template, scratch = tmp_path / "template", tmp_path / "scratch"
    template.mkdir()
    scratch.mkdir()
    if old is not None:
        made = [certify_channel(ROWS, int(order)).certificate for order in old.split(",")]
        write_certificates(numbered(made), template / "out.cover")
    words = [f"{__name__}:write_cover", "6,7"]
    *stopped, whole = at_every_step(template, scratch, words, failure=failure)
    assert whole.code == 0, whole.errors
    before, new = contents(template), contents(whole.folder)
    assert sorted(new) == ["out.cover/0000.json", "out.cover/0001.json"]
    for one in stopped:
        found = contents(one.folder)
        cover = {name: text for name, text in found.items() if not name.startswith(".")}
        assert cover in (before, new), one.step
        assert failure == KILL or one.step in {"unlink", "rmdir"} or cover == found, one.step
    (done,) = at_every_step(
        stopped[-1].folder, _made(tmp_path / "again"), words, most_bytes=1 << 30
    )
    assert contents(done.folder) == new


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_a_folder_with_other_files_is_not_replaced(tmp_path) -> None:
    made = [certify_channel(ROWS, 3).certificate]
    (tmp_path / "out.cover").mkdir()
    (tmp_path / "out.cover" / "mine.txt").write_text("kept")
    with pytest.raises(InputError, match=r"mine\.txt, which is no certificate"):
        write_certificates(numbered(made), tmp_path / "out.cover")
    with pytest.raises(InputError, match="is a file"):
        write_certificates(numbered(made), tmp_path / "out.cover" / "mine.txt")
    assert (tmp_path / "out.cover" / "mine.txt").read_text() == "kept"
    false = certify_channel(ROWS, 2).certificate
    with pytest.raises(InputError, match=r"0001\.json is not accepted"):
        write_certificates(numbered([*made, false]), tmp_path / "other.cover")
    assert not (tmp_path / "other.cover").exists()


def test_keys_killed_at_every_step(tmp_path) -> None:
    """A key is whole and private, or not there; it is never replaced by the next run."""
    template, scratch = _made(tmp_path / "template"), _made(tmp_path / "scratch")
    *stopped, whole = at_every_step(template, scratch, ["keygen", "key.pem"])
    assert whole.code == 0, whole.errors
    for one in stopped:
        for path in one.folder.iterdir():
            mode = path.stat().st_mode & 0o777
            text = path.read_bytes()
            if path.name == "key.pem":
                assert text.endswith(b"-----END PRIVATE KEY-----\n")
            assert mode == 0o600 or b"PRIVATE" not in text
            assert path.name.startswith(".exactdp-") or text.endswith(b"-----\n")
