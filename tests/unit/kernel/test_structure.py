"""The kernel stays small and simple: judged from its syntax trees."""

import ast
import sys
from pathlib import Path

import pytest

import verify.kernel

ROOT = Path(verify.kernel.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
TREES = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_bytes()) for path in FILES}
MAX_CODE_LINES = 1200
MAX_FUNCTION_LINES = 40
ALLOWED = {
    "bisect",
    "collections",
    "collections.abc",
    "dataclasses",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "itertools",
    "json",
    "math",
    "numbers",
    "operator",
    "re",
    "typing",
}
FORBIDDEN_NAMES = {
    "__builtins__",
    "__import__",
    "breakpoint",
    "compile",
    "complex",
    "delattr",
    "eval",
    "exec",
    "exit",
    "float",
    "getattr",
    "globals",
    "input",
    "locals",
    "open",
    "print",
    "quit",
    "random",
    "round",
    "setattr",
    "vars",
}
EXACT_MATH = {"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"}


def code_lines(source):
    """Lines that hold code: not blank, comment or docstring; imports and ``__all__`` count."""
    strings = set()
    for node in ast.walk(ast.parse(source)):
        value = getattr(node, "value", None)
        text = isinstance(node, ast.Expr) and isinstance(value, ast.Constant)
        if text and isinstance(value.value, str):
            strings.update(range(node.lineno, node.end_lineno + 1))
    lines = enumerate(source.decode().splitlines(), 1)
    used = {i for i, line in lines if line.strip() and not line.strip().startswith("#")}
    return used - strings


def nodes(kind):
    return [
        (name, node)
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, kind)
    ]


def test_there_is_a_kernel():
    assert {"certificate.py", "optimality.py", "interval.py", "kinds.py"} <= set(TREES)


def test_the_kernel_is_at_most_1200_code_lines():
    sizes = {
        path.relative_to(ROOT).as_posix(): len(code_lines(path.read_bytes())) for path in FILES
    }
    assert sum(sizes.values()) <= MAX_CODE_LINES, sizes


def test_counting_code_lines():
    source = (
        b'"""Doc.\n\nLong."""\n\nX = 1  # why\n"""About X."""\n\n\n'
        b'def f():\n    """Doc."""\n    # no\n    return (\n        X\n    )\n'
        b'import math\n__all__ = ["X"]\n'
    )
    assert code_lines(source) == {5, 9, 12, 13, 14, 15, 16}


def test_imports_come_from_the_allow_list():
    for name, node in nodes((ast.Import, ast.ImportFrom)):
        modules = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative import"
            assert "*" not in modules, f"{name}: star import"
            if node.module == "math":
                assert set(modules) <= EXACT_MATH, f"{name}: {modules}"
            modules = [node.module]
        for module in modules:
            ours = module == "verify.kernel" or module.startswith("verify.kernel.")
            assert ours or module in ALLOWED, f"{name}:{node.lineno}: imports {module}"
            assert module != "math" or isinstance(node, ast.ImportFrom), (
                f"{name}: import math whole"
            )


def test_the_allow_list_is_the_standard_library():
    assert {module.partition(".")[0] for module in ALLOWED} <= sys.stdlib_module_names


def test_no_float_or_complex_literal():
    for name, node in nodes(ast.Constant):
        assert not isinstance(node.value, float | complex), f"{name}:{node.lineno}: {node.value}"


def test_no_assert():
    assert not [f"{name}:{node.lineno}" for name, node in nodes(ast.Assert)]


def test_no_input_output_evaluation_or_reflection():
    for name, node in nodes(ast.Name):
        assert node.id not in FORBIDDEN_NAMES, f"{name}:{node.lineno}: {node.id}"
    for name, node in nodes(ast.Attribute):
        allowed = name == "certificate.py" or node.attr not in {"load", "loads", "dump", "dumps"}
        assert allowed, f"{name}:{node.lineno}: {node.attr}"
        assert node.attr not in {
            "sqrt",
            "log",
            "exp",
            "read_text",
            "write_text",
            "as_integer_ratio",
        }


def test_no_global_state_and_no_bare_except():
    assert not nodes((ast.Global, ast.Nonlocal, ast.AsyncFunctionDef, ast.Await))
    for name, node in nodes(ast.ExceptHandler):
        assert node.type is not None, f"{name}:{node.lineno}: bare except"
        caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        broad = {getattr(kind, "id", "") for kind in caught} & {"Exception", "BaseException"}
        assert not broad, f"{name}:{node.lineno}: catches everything"


def test_true_division_acts_on_no_two_integer_literals():
    for name, node in nodes(ast.BinOp):
        if isinstance(node.op, ast.Div):
            both = [isinstance(side, ast.Constant) for side in (node.left, node.right)]
            assert not all(both), f"{name}:{node.lineno}: a float comes out"


def test_functions_and_files_are_short():
    for name, node in nodes(ast.FunctionDef):
        body = node.end_lineno - node.body[bool(ast.get_docstring(node))].lineno + 1
        assert body <= MAX_FUNCTION_LINES, f"{name}: {node.name} has {body} lines"
    for path in FILES:
        assert len(path.read_text().splitlines()) <= 400, path.name


def test_every_module_says_what_it_is_and_names_its_exports():
    for name, tree in TREES.items():
        assert ast.get_docstring(tree), name
        exported = [
            ast.literal_eval(s.value)
            for s in tree.body
            if isinstance(s, ast.Assign) and getattr(s.targets[0], "id", "") == "__all__"
        ]
        if name != "__init__.py":
            defined = {getattr(s, "name", None) for s in tree.body} | {
                getattr(t, "id", None)
                for s in tree.body
                for t in getattr(s, "targets", [getattr(s, "target", None)])
            }
            imported = {
                alias.asname or alias.name
                for s in tree.body
                if isinstance(s, ast.ImportFrom)
                for alias in s.names
            }
            assert exported, f"{name}: no __all__"
            assert set(exported[0]) <= defined | imported, name


def test_every_function_says_what_holds_after_it():
    for name, node in nodes((ast.FunctionDef, ast.ClassDef)):
        assert ast.get_docstring(node), f"{name}:{node.lineno}: {node.name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_sources_are_ascii(path):
    assert path.read_bytes().isascii()
