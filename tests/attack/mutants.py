"""Mutation testing of the kernel: `python -m tests.attack.mutants` (needs mutmut).

Every small change of the kernel that mutmut knows is made, one at a time, and the kernel's tests
are run; a change that no test notices survives. The run takes place in a copy of the project.
Survivors that change the wording of a message alone are counted and not listed; every other one
must have its reason in `survivors.json`, keyed by function and changed line. With
`--write docs/trust.md` the figures replace those on the page. The exit code is 1 if a survivor has
no reason.
"""

import argparse
import ast
import copy
import difflib
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
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
DESELECTED = (
    "tests/unit/kernel/test_structure.py",
    # These solve problems for seconds, and check little of the kernel that others do not.
    "tests/unit/kernel/test_power_divergence.py::test_a_renyi_certificate_proves_no_more_than_its_bound",
    "tests/corpus/test_corpus.py::test_every_kind_is_in_every_folder",
    "tests/corpus/test_corpus.py::test_a_file_that_stands_keeps_its_bytes",
    "tests/corpus/test_corpus.py::test_the_corpus_is_large_and_complete",
    "tests/attack/test_kernel_slice.py::test_the_answers_of_a_slice[testing]",
    "tests/unit/kernel/test_certificate.py::test_checks_of_hostile_size_end",
)
SURVIVED = {0, 5, 33}
"""The exit codes of tests that noticed nothing, or were none."""


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


def statuses(folder):
    """{mutant: exit code of its tests, None before they ran}, and {variant: (code, its lines)}.

    mutmut writes every variant of a function beside the original: both are read from there.
    """
    codes, functions = {}, {}
    for meta in sorted((folder / "mutants" / "verify" / "kernel").glob("*.py.meta")):
        codes |= json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
        source = meta.with_suffix("").read_text(encoding="utf-8")
        lines, module = source.splitlines(), f"verify.kernel.{meta.name.partition('.')[0]}."
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and "__mutmut_" in node.name:
                text = [line.strip() for line in lines[node.lineno - 1 : node.end_lineno]]
                text[0] = text[0].replace(node.name, node.name.partition("__mutmut_")[0])
                functions[module + node.name] = (node, text)
    return codes, functions


def change(functions, name):
    """(removed, added) lines of a mutant, and whether it changes the wording of messages alone."""
    original = re.sub(r"[0-9]+$", "orig", name)
    (old, before), (new, after) = functions[original], functions[name]
    lines = [line for line in difflib.ndiff(before, after) if line[:1] in "+-"]
    removed = " ".join(line[2:] for line in lines if line[0] == "-")
    added = " ".join(line[2:] for line in lines if line[0] == "+")
    return removed, added, is_wording(old, new)


MESSAGES = {
    **dict.fromkeys(("rejected", "accepted", "undecided", "excerpt"), 0),
    **dict.fromkeys(("InputError", "LimitError", "CertificateError", "InexactNumberError"), 0),
    **dict.fromkeys(("require", "require_form", "demand", "Verdict", "as_rational", "_parse"), 1),
    **dict.fromkeys(("exact_sum", "require_row", "common_denominator", "reader", "mapping"), 1),
    **dict.fromkeys(("over_common_denominator", "parse_canonical", "_read", "read"), 1),
    **dict.fromkeys(("Distribution", "read_level", "_read_round", "_read_group", "text"), 1),
    **dict.fromkeys(("require_limit", "require_subset", "_require_bitsets"), 2),
    "_within_limit": 1,
    "require_integer": 3,
}
"""Which argument of a function is the text of a message, or the name of a place in one."""
TEXTS = {"reason", "mend", "proved", "found", "shown", "bounds", "limit", "known", "where"}
"""Variables that hold a part of a message and nothing else."""
SILENT = ast.Constant("...")


class Unworded(ast.NodeTransformer):
    """The code with every message and name of a place left out."""

    def visit_Call(self, node):
        """A call: its message, and what else a reader of a value is told of its place."""
        self.generic_visit(node)
        called = node.func.attr if isinstance(node.func, ast.Attribute) else None
        called = node.func.id if isinstance(node.func, ast.Name) else called
        place = MESSAGES.get(called, 1 if isinstance(node.func, ast.Call) else None)
        if place is not None and place < len(node.args):
            node.args[place] = SILENT
        return node

    def visit_Assign(self, node):
        """A part of a message."""
        self.generic_visit(node)
        [target], is_text = node.targets, isinstance(node.value, ast.JoinedStr | ast.Constant)
        if is_text and isinstance(target, ast.Name) and target.id in TEXTS:
            node.value = SILENT
        return node


def is_wording(before, after):
    """Whether two functions differ in the text of messages alone, names of places included."""
    texts = (ast.unparse(Unworded().visit(copy.deepcopy(node))) for node in (before, after))
    first, second = (text.partition("(")[2] for text in texts)  # without the name of the mutant
    return first == second


def key_of(name, removed, added):
    """What a reason is filed under: the function, and the change."""
    function = re.sub(r"__mutmut_\d+$", "", name).removeprefix("verify.kernel.")
    return f"{function}: {removed} -> {added}"


def figures(folders):
    """(counts by outcome, {key: names} of survivors other than wording) of runs in some folders."""
    counts, survivors = Counter(), {}
    for folder in folders:
        codes, functions = statuses(folder)
        for name, code in codes.items():
            if code not in SURVIVED:
                counts["killed" if code is not None else "not run"] += 1
                continue
            removed, added, wording = change(functions, name)
            if wording:
                counts["wording of a message"] += 1
            else:
                survivors.setdefault(key_of(name, removed, added), []).append(name)
    return counts, survivors


def stale(folders, reasons, survivors):
    """The reasons for changes that are noticed now, or no longer made, in files that were run."""
    codes = {name: code for folder in folders for name, code in statuses(folder)[0].items()}
    whole = {name.split(".")[2] for name in codes}
    whole -= {name.split(".")[2] for name, code in codes.items() if code is None}
    return [key for key in reasons if key.partition(".")[0] in whole and key not in survivors]


def report(counts, survivors, reasons):
    """The figures as text."""
    explained, others = (
        sum(len(names) for key, names in survivors.items() if (key in reasons) is known)
        for known in (True, False)
    )
    wording, killed = counts["wording of a message"], counts["killed"]
    cells = [sum(counts.values()) + explained + others, killed, wording, explained, others]
    lines = [
        "| mutants | killed | wording of a message | explained | unexplained |",
        "|---:|---:|---:|---:|---:|",
        f"| {' | '.join(map(str, cells))} |",
    ]
    if counts["not run"]:
        lines += ["", f"Not run: {counts['not run']}."]
    return "\n".join(lines)


def rerun_survivors(folder, processes):
    """Bring the copy's tests up to date and give the survivors another chance to be noticed."""
    codes, _ = statuses(folder)
    survivors = [name for name, code in codes.items() if code in SURVIVED or code is None]
    for place in (folder, folder / "mutants"):
        shutil.copytree(ROOT / "tests", place / "tests", dirs_exist_ok=True)
    if survivors:
        mutmut(folder, "run", "--max-children", str(processes), *survivors)


def arguments_of(arguments):
    """The options of the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack.mutants", description=__doc__)
    parser.add_argument("only", nargs="*", help="files of the kernel, such as ldp.py")
    parser.add_argument("--folder", type=Path, action="append", help="of the run; build/mutants")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--results", action="store_true", help="of the last runs in the folders")
    parser.add_argument("--survivors", action="store_true", help="run those of the last runs again")
    parser.add_argument("--write", type=Path, help="the page whose figures are replaced")
    return parser.parse_args(arguments)


def main(arguments=None):
    """Run, or read the results of a run; the exit code."""
    options = arguments_of(arguments)
    folders = options.folder or [ROOT / "build" / "mutants"]
    if shutil.which(str(Path(sys.executable).with_name("mutmut"))) is None:
        print("mutmut is not installed: pip install 'exactdp[mutation]'", file=sys.stderr)
        return 2
    for folder in folders:
        if options.survivors:
            rerun_survivors(folder, options.processes)
        elif not options.results:
            prepare(folder, options.only)
            mutmut(folder, "run", "--max-children", str(options.processes))
    counts, survivors = figures(folders)
    reasons = json.loads(REASONS.read_text(encoding="utf-8"))
    text = report(counts, survivors, reasons)
    print(text)
    for key, names in sorted(survivors.items()):
        if key not in reasons:
            print(f"{' '.join(names)}\n  {key}")
    for key in stale(folders, reasons, survivors):
        print(f"no longer survives: {key}")
    if options.write:
        page = options.write.read_text(encoding="utf-8")
        options.write.write_text(with_region(page, "mutants", text), encoding="utf-8")
    is_complete = counts["killed"] and not counts["not run"]
    return 0 if is_complete and all(key in reasons for key in survivors) else 1


if __name__ == "__main__":
    sys.exit(main())
