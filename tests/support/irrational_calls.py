"""The places in the source where an irrational number enters, found in the syntax trees.

Rationals that are ``rounded``, because they have become too long, count as such; so do powers whose
exponent is written as a number that is not whole.
"""

import ast

PACKAGES = ("verify", "solvers", "combinatorics")
KERNEL = "verify/kernel"
ENCLOSURES = {
    "enclose_exp", "enclose_log", "enclose_sqrt", "enclose_power", "enclose_exp_epsilon",
    "enclose_divergence", "parse_epsilon", "from_nats", "ball", "working_precision", "workprec",
    "rounded",
}  # fmt: skip
SIDES = {"exp_lower", "exp_upper"}
FLOAT_FUNCTIONS = {
    "exp", "log", "log2", "log10", "log1p", "expm1", "sqrt", "exp2", "lgamma", "gammaln", "erf",
    "erfc", "erfinv", "ndtri", "xlogy", "rel_entr", "logsumexp", "logaddexp", "gammainc",
    "gammaincc", "gammaincinv", "gammainccinv", "betainc", "betaincc", "betaincinv", "betainccinv",
    "btdtri", "bdtri", "bdtrik", "chdtri", "stdtrit", "pdtri", "pdtrik", "cbrt", "hypot",
    "sin", "cos", "tan", "atanh", "tanh",
}  # fmt: skip


def called_name(call):
    """The name that is called: the last one of a dotted name."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def is_root(node):
    """Whether it is a power with a constant exponent that is not whole, such as x**0.5."""
    if not isinstance(node, ast.BinOp | ast.AugAssign) or not isinstance(node.op, ast.Pow):
        return False
    exponent = node.right if isinstance(node, ast.BinOp) else node.value
    if any(isinstance(part, ast.Name | ast.Attribute | ast.Call) for part in ast.walk(exponent)):
        return False
    value = eval(compile(ast.Expression(exponent), "exponent", "eval"))
    return isinstance(value, float) and not value.is_integer()


def irrational_names(tree):
    """What in a tree gives irrational numbers, reads an epsilon or takes a side of e^epsilon."""
    calls = {called_name(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    roots = {"**" for node in ast.walk(tree) if is_root(node)}
    return calls & (ENCLOSURES | FLOAT_FUNCTIONS) | read & SIDES | roots


def functions_of(tree, scope=()):
    """(qualified name, names called) of every function; nested ones count as their host."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from functions_of(node, (*scope, node.name))
        elif isinstance(node, ast.FunctionDef):
            yield ".".join((*scope, node.name)), irrational_names(node)
        else:
            yield ".".join((*scope, "(module)")), irrational_names(node)


def irrational_calls(root):
    """{file: {function: names called}} over the three packages; the kernel counts as one file."""
    found = {}
    for path in sorted(path for package in PACKAGES for path in (root / package).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        file = path.relative_to(root).as_posix()
        place = found.setdefault(KERNEL if file.startswith(KERNEL) else file, {})
        for name, calls in functions_of(tree):
            if calls:
                place.setdefault(name, set()).update(calls)
    return {file: functions for file, functions in found.items() if functions}
