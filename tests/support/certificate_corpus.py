"""Certificates of every command, made anew in a folder: run as a program by any interpreter.

``python -m tests.support.certificate_corpus FOLDER [all]`` writes them into the folder.
"""

import contextlib
import io
import json
import os
import sys
from pathlib import Path

__all__ = ["commands", "write_corpus"]

_NAMED = ["tv", "kl", "reverse-kl", "js", "chi2", "reverse-chi2", "hellinger", "lecam"]
_FAMILIES = ["e-gamma:3/2", "alpha:1/3", "renyi:2", "renyi:1/2"]
_SMALL = ["kl", "chi2", "e-gamma:3/2", "renyi:1/2", "chernoff"]


def _laws(k: int, factor: int) -> dict[str, list[str]]:
    """Two laws without symmetries; with factor 1 a symmetric pair, whose optima are many."""
    first = [(factor * (x + 1) ** 2) % 97 + 1 if factor > 1 else x + 1 for x in range(k)]
    second = [(factor * (x + 3)) % 89 + 1 for x in range(k)] if factor > 1 else first[::-1]
    return {
        f"p{side}": [f"{weight}/{sum(weights)}" for weight in weights]
        for side, weights in enumerate((first, second))
    }


def _inputs() -> dict[str, object]:
    step = {"epsilon_t": "1/10", "p_star": "1/2"}
    tuning = {"epsilon": "1", "beta": "1/10", "theta": "1", "gamma": "2", "steps": step}
    return {
        "channel.json": {"rows": [["3/4", "1/4"], ["1/4", "3/4"], ["1/2", "1/2"]]},
        "four.json": _laws(4, 1),
        "eight.json": _laws(8, 1),
        "nine.json": _laws(9, 41),
        "many.json": _laws(160, 31),
        "fano.json": {"v": 7, "blocks": [[i, (i + 1) % 7, (i + 3) % 7] for i in range(7)]},
        "tuning.json": {**tuning, "horizon": 3},
        "endless.json": {**tuning, "horizon": None},
    }


def commands(*, everything: bool) -> dict[str, str]:
    """The command line that makes each certificate, without the option that names its place."""
    made = {
        "channel": "certify channel channel.json --epsilon log(3) --c 1/10",
        "channel-rounded": "certify channel channel.json --epsilon 2 --rationalise 64",
        "thresholding": "certify thresholding tuning.json",
        "thresholding-endless": "certify thresholding endless.json",
        "leakage": "certify leakage --inputs 4 --c 1/10 --epsilon 1",
        "leakage-log": "certify leakage --inputs 3 --c 0 --epsilon log(2)",
        "estimation": "certify estimation --alphabet-size 7 --epsilon 1",
        "estimation-30": "certify estimation --alphabet-size 30 --epsilon 0.5",
        "design": "certify design fano.json --k 3 --lambda 1",
        "construct-design": "construct design 45 12 3",
        "construct-set": "construct difference-set 21 5 1",
        "construct-hadamard": "construct hadamard 28",
    }
    laws = ("four", "eight", "nine") if everything else ("eight",)
    for name in laws:
        for divergence in [*_NAMED, *_FAMILIES, "chernoff"] if everything else _SMALL:
            for rest in ("", " --outputs 3"):
                line = f"certify testing {name}.json --epsilon 1 --divergence {divergence}{rest}"
                made[f"testing-{name}-{divergence}{rest}".translate(_PLAIN)] = line
    for divergence in ("kl", "js", "chi2", "alpha:1/3") if everything else ("kl",):
        line = f"certify testing many.json --epsilon 2 --divergence {divergence}"
        made[f"testing-many-{divergence}".translate(_PLAIN)] = line
    return made


_PLAIN = str.maketrans({":": "-", "/": "-", " ": ""})


def write_corpus(folder: Path, *, everything: bool) -> None:
    """Write all certificates into a folder, which is made."""
    from verify.cli import run

    folder.mkdir()
    os.environ["XDG_DATA_HOME"] = str(folder / "none")  # no catalog of the user's own
    os.chdir(folder)
    for name, content in _inputs().items():
        Path(name).write_text(json.dumps(content))
    for name, line in commands(everything=everything).items():
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            code = run([*line.split(), "--certificate", f"{name}.cert"])
        if code:
            sys.exit(f"{line}: exit code {code}")


if __name__ == "__main__":
    write_corpus(Path(sys.argv[1]), everything="all" in sys.argv[2:])
