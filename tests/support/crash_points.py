"""A command line stopped at each of its steps to the disk: killed there, or refused by the disk.

``at_every_step`` runs the command again and again in copies of one folder. In the n-th copy its
n-th step - opening, locking, half of a write, the rest, syncing, renaming, removing, a statement of
SQL - does not come to pass: the process is killed with SIGKILL, or the step fails with an error
number. The last copy is that of a run that nothing has stopped.

One process loads the program and forks for each run, so that a run costs milliseconds.
"""

import contextlib
import ctypes
import errno
import importlib
import io
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["KILL", "Stopped", "at_every_step"]

KILL = 0
"""Stands for SIGKILL where an error number is asked for."""
_ROOT = Path(__file__).parents[2]
_MOST_STEPS = 2000


@dataclass(frozen=True)
class Stopped:
    """One run.

    Args:
        folder: where it ran, as it left it.
        code: its exit code; negative for a signal.
        errors: its standard error.
        step: the name of the step that failed, or None if none did.
    """

    folder: Path
    code: int
    errors: str
    step: str | None


def at_every_step(template, scratch, words, *, failure=KILL, most_bytes=None) -> list[Stopped]:
    """The runs of ``exactdp words``, or of ``module:function`` with texts, in copies of a folder.

    Args:
        template: the folder to begin with, each time.
        scratch: an empty folder for the copies.
        words: the command line.
        failure: ``KILL`` or an error number.
        most_bytes: with this, one run only, in which no file may grow longer.
    """
    plan = {"template": str(template), "scratch": str(scratch), "words": words}
    plan |= {"failure": failure, "most_bytes": most_bytes}
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-m", __name__, json.dumps(plan)],
        cwd=_ROOT,
        env=os.environ | {"PYTHONPATH": str(_ROOT), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    runs = [json.loads(line) for line in (Path(scratch) / "runs").read_text().splitlines()]
    return [Stopped(Path(r["folder"]), r["code"], r["errors"], r["step"]) for r in runs]


class _Steps:
    """Counts steps, and stops at one of them."""

    def __init__(self, last: int, failure: int, report: int) -> None:
        self.count, self.last, self.failure, self.report = 0, last, failure, report

    def __call__(self, name: str) -> None:
        self.count += 1
        if self.count != self.last:
            return
        os.write(self.report, name.encode())
        if self.failure == KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        raise OSError(self.failure, os.strerror(self.failure))


def _install(step: _Steps) -> None:
    """Put the steps in the way of all that changes files."""
    for module, names in (
        (os, ("fsync", "rename", "replace", "link", "unlink", "rmdir", "mkdir")),
        (importlib.import_module("fcntl"), ("flock",)),
    ):
        for name in names:
            setattr(module, name, _before(step, name, getattr(module, name)))
    os.open = _opening(step, os.open)

    class Slow(io.FileIO):
        def write(self, content) -> int:
            step("write")
            half = super().write(bytes(content)[: len(content) // 2])
            step("rest of write")
            return half + super().write(bytes(content)[half:])

    os.fdopen = lambda descriptor, *_: io.BufferedWriter(Slow(descriptor, "wb"))
    connect = sqlite3.connect

    class Connection(sqlite3.Connection):
        def execute(self, *words):
            if step.failure == KILL:
                step("SQL")
            return super().execute(*words)

    sqlite3.connect = lambda *words, **options: connect(*words, factory=Connection, **options)
    library = ctypes.CDLL

    class Library:
        def __init__(self, *words) -> None:
            self._library = library(*words)

        def __getattr__(self, name):
            return _before(step, name, getattr(self._library, name))

    ctypes.CDLL = Library


def _before(step, name, function):
    def stepped(*words, **options):
        step(name)
        return function(*words, **options)

    return stepped


def _opening(step, opened):
    def stepped(path, flags, *words, **options):
        if flags & os.O_CREAT:
            step("open")
        return opened(path, flags, *words, **options)

    return stepped


def _run(words) -> int:
    if ":" in words[0]:
        module, name = words[0].split(":")
        getattr(importlib.import_module(module), name)(*words[1:])
        return 0
    from verify.cli import run

    return run(words)


def _forked(plan, last: int) -> dict[str, object]:
    """One run in a process of its own, stopped at its ``last`` step."""
    folder = Path(plan["scratch"]) / f"{last:04}"
    shutil.copytree(plan["template"], folder)
    (step, stopped), (errors, said) = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.chdir(folder)
        os.dup2(said, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if plan["most_bytes"] is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (plan["most_bytes"],) * 2)
        else:
            _install(_Steps(last, plan["failure"], stopped))
        code = 70
        with contextlib.suppress(BaseException):
            code = _run(plan["words"])
        sys.stderr.flush()
        os._exit(code)
    os.close(stopped)
    os.close(said)
    run = {"folder": str(folder), "errors": _all_of(errors), "step": _all_of(step) or None}
    return run | {"code": os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}


def _all_of(descriptor: int) -> str:
    with open(descriptor) as file:
        return file.read()


def _main(plan) -> None:
    warm = Path(plan["scratch"]) / "warm"
    shutil.copytree(plan["template"], warm)
    os.chdir(warm)
    with contextlib.redirect_stdout(io.StringIO()):
        _run(plan["words"])
    os.chdir(_ROOT)
    shutil.rmtree(warm)
    with (Path(plan["scratch"]) / "runs").open("w") as runs:
        for last in range(1, _MOST_STEPS):
            run = _forked(plan, last)
            runs.write(json.dumps(run) + "\n")
            if run["step"] is None:
                return
    sys.exit(f"{errno.errorcode[errno.ELOOP]}: more than {_MOST_STEPS} steps")


if __name__ == "__main__":
    _main(json.loads(sys.argv[1]))
