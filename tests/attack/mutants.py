"""Mutation testing of the kernel: `python -m tests.attack.mutants` (needs mutmut).

Every small change of the kernel that mutmut knows is made, one at a time, and the kernel's tests
are run; a change that no test notices survives. The run takes place in a copy of the project.
Survivors that change the wording of a message alone are counted and not listed; every other one
must have its reason in `survivors.json`, keyed by function and changed line. With
`--write docs/trust.md` the figures replace those on the page. The exit code is 1 if a survivor has
no reason.
"""

import argparse
import difflib
import io
import json
import re
import shutil
import subprocess
import sys
import tokenize
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tests.attack.table import with_region

ROOT = Path(__file__).parent.parent.parent
REASONS = Path(__file__).parent / "survivors.json"
PARTS = ("verify", "solvers", "combinatorics", "tests", "docs", "examples")
FILES = ("pyproject.toml", "README.md", "Makefile")
TESTS = (
    "tests/unit/kernel", "tests/corpus", "tests/unit/test_incidence_kernel.py",
    "tests/unit/test_design_certificate.py", "tests/attack/test_kernel_slice.py",
)  # fmt: skip
DESELECTED = ("tests/unit/kernel/test_structure.py",)
SURVIVED, KILLED = ("survived", "no tests"), ("killed", "timeout", "suspicious", "segfault")


def configuration(only):
    """The section of pyproject.toml that mutmut reads."""
    files = [f"verify/kernel/{name}" for name in only] or ["verify/kernel/*"]
    deselected = [word for test in DESELECTED for word in ("--deselect", test)]
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-x", *deselected]
    settings = {
        "source_paths": ["verify"],
        "only_mutate": files,
        "also_copy": [*(part for part in PARTS if part != "verify"), *FILES],
        "pytest_add_cli_args_test_selection": [*TESTS],
        "pytest_add_cli_args": options,
    }
    return "\n[tool.mutmut]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in settings.items())


def prepare(folder, only):
    """A copy of the project with the configuration in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, folder / part, ignore=ignore, dirs_exist_ok=True)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(configuration(only))


def mutmut(folder, *arguments, **options):
    """Run mutmut of this environment in the copy."""
    command = str(Path(sys.executable).with_name("mutmut"))
    return subprocess.run([command, *arguments], cwd=folder, check=False, **options)


def results(folder):
    """{name of a mutant: status} of all mutants."""
    listed = mutmut(folder, "results", "--all", "true", capture_output=True, text=True).stdout
    found = re.findall(r"^\s*(verify\.kernel\.\S+): (.+)$", listed, re.MULTILINE)
    return dict(found)


def change(folder, name):
    """(removed, added) lines of a mutant."""
    shown = mutmut(folder, "show", name, capture_output=True, text=True).stdout
    lines = [
        line for line in shown.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    removed = " ".join(line[1:].strip() for line in lines if line[0] == "-")
    added = " ".join(line[1:].strip() for line in lines if line[0] == "+")
    return removed, added


def tokens(source):
    """The tokens of a piece of a line, as far as they can be read."""
    found: list[str] = []
    with suppress(tokenize.TokenError, IndentationError):
        found.extend(t.string for t in tokenize.generate_tokens(io.StringIO(source).readline))
    return [token for token in found if token.strip()]


MESSAGE = re.compile(r"""^[rfb]*["'].*["']$""", re.DOTALL)
MESSENGERS = re.compile(
    r"\b(require|require_form|require_limit|require_integer|require_subset|rejected|accepted|"
    r"undecided|InputError|LimitError|CertificateError|InexactNumberError|Verdict)\("
)


def is_wording(removed, added):
    """Whether only a message changes: a string (or what replaces it) in the call that shows it."""
    if not MESSENGERS.search(removed) and not re.match(
        r"^(reason|mend|proved|place|where)\b", removed
    ):
        return False
    before, after = tokens(removed), tokens(added)
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    changes = [block for block in matcher.get_opcodes() if block[0] != "equal"]
    texts = [token for _, low, high, _, _ in changes for token in before[low:high]]
    news = [token for _, _, _, low, high in changes for token in after[low:high]]
    return bool(texts) and all(MESSAGE.match(t) or t == "," for t in texts) and all(
        MESSAGE.match(t) or t in ("None", ",") for t in news
    )  # fmt: skip


def key_of(name, removed, added):
    """What a reason is filed under: the function, and the change."""
    function = re.sub(r"__mutmut_\d+$", "", name).removeprefix("verify.kernel.")
    return f"{function}: {removed} -> {added}"


def figures(folder):
    """(counts by outcome, {key: name} of survivors other than wording)."""
    counts, survivors = Counter(), {}
    for name, status in results(folder).items():
        if status not in SURVIVED:
            counts["killed" if status in KILLED else status] += 1
            continue
        removed, added = change(folder, name)
        if is_wording(removed, added):
            counts["wording of a message"] += 1
        else:
            survivors[key_of(name, removed, added)] = name
    return counts, survivors


def report(counts, survivors, reasons):
    """The figures as text, with the survivors that have no reason."""
    explained = [key for key in survivors if key in reasons]
    total, wording = sum(counts.values()) + len(survivors), counts["wording of a message"]
    cells = [total, counts["killed"], wording, len(explained), len(survivors) - len(explained)]
    lines = [
        "| mutants | killed | wording of a message | explained | unexplained |",
        "|---:|---:|---:|---:|---:|",
        f"| {' | '.join(map(str, cells))} |",
    ]
    others = {key: n for key, n in counts.items() if key not in ("killed", "wording of a message")}
    if others:
        lines += ["", "Not run: " + ", ".join(f"{n} {key}" for key, n in others.items()) + "."]
    return "\n".join(lines)


def main(arguments=None):
    """Run, or read the results of a run; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack.mutants", description=__doc__)
    parser.add_argument("only", nargs="*", help="files of the kernel, such as ldp.py")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--results", action="store_true", help="of the last run in the folder")
    parser.add_argument("--write", type=Path, help="the page whose figures are replaced")
    options = parser.parse_args(arguments)
    if shutil.which(str(Path(sys.executable).with_name("mutmut"))) is None:
        print("mutmut is not installed: pip install 'exactdp[mutation]'", file=sys.stderr)
        return 2
    if not options.results:
        prepare(options.folder, options.only)
        mutmut(options.folder, "run", "--max-children", str(options.processes))
    counts, survivors = figures(options.folder)
    reasons = json.loads(REASONS.read_text(encoding="utf-8"))
    text = report(counts, survivors, reasons)
    print(text)
    for key, name in sorted(survivors.items()):
        if key not in reasons:
            print(f"{name}\n  {key}")
    if options.write:
        page = options.write.read_text(encoding="utf-8")
        options.write.write_text(with_region(page, "mutants", text), encoding="utf-8")
    return 0 if counts and all(key in reasons for key in survivors) else 1


if __name__ == "__main__":
    sys.exit(main())
