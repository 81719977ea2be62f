"""Stock solvers for SMT-LIB scripts: z3 or cvc5, in this process, each call within a time limit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec

__all__ = ["SOLVERS", "Answer", "MissingSolverError", "decide_script", "require_solver"]

SOLVERS = {"z3": "z3-solver", "cvc5": "cvc5"}
"""Name of a solver, which is that of its module, to its distribution."""


class MissingSolverError(RuntimeError):
    """The solver is not installed; the message has the command that mends it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver says of a script.

    Args:
        status: ``sat``, ``unsat`` or ``unknown``.
        values: with ``sat``, the value of each variable of sort Bool, Int or rational Real, as a
            term; those of an algebraic irrational value are left out.
    """

    status: str
    values: Mapping[str, str] = field(default_factory=dict)


def require_solver(name: str) -> None:
    """MissingSolverError unless the solver is known and installed."""
    if name not in SOLVERS:
        raise MissingSolverError(f"--solver: {name} is unknown; choose one of z3, cvc5")
    if find_spec(name) is None:
        raise MissingSolverError(
            f"the solver {name} is not installed; run: python -m pip install 'exactdp[smt]'"
        )


def decide_script(
    script: str, logic: str, sorts: Mapping[str, str], *, solver: str, timeout: float
) -> Answer:
    """The solver's answer to one script.

    Args:
        script: SMT-LIB 2 with one ``check-sat``.
        logic: its logic.
        sorts: its variables.
        solver: ``z3`` or ``cvc5``.
        timeout: in seconds; ``unknown`` when it runs out.

    Raises:
        MissingSolverError: if the solver is not installed.
    """
    require_solver(solver)
    decide: dict[str, Callable[[str, str, Mapping[str, str], int], Answer]]
    decide = {"z3": _decide_by_z3, "cvc5": _decide_by_cvc5}
    return decide[solver](script, logic, sorts, max(1, int(1000 * timeout)))


def _decide_by_z3(script: str, logic: str, sorts: Mapping[str, str], milliseconds: int) -> Answer:
    import z3

    context = z3.Context()
    solver = z3.SolverFor(logic, context)
    solver.set("timeout", milliseconds)
    solver.add(z3.parse_smt2_string(script, ctx=context))
    status = str(solver.check())
    if status != "sat":
        return Answer(status)
    model, found = solver.model(), {}
    makers = {"Real": z3.Real, "Int": z3.Int, "Bool": z3.Bool}
    for name, sort in sorts.items():
        value = model.eval(makers[sort](name, context), model_completion=True)
        if not z3.is_algebraic_value(value):
            found[name] = str(value.sexpr())
    return Answer(status, found)


def _decide_by_cvc5(script: str, logic: str, sorts: Mapping[str, str], milliseconds: int) -> Answer:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    solver.setOption("tlimit-per", str(milliseconds))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "question")
    symbols, status = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        status = str(command.invoke(solver, symbols)).strip() or status
    if status != "sat":
        return Answer("unsat" if status == "unsat" else "unknown")
    terms = {str(term): term for term in symbols.getDeclaredTerms()}
    values = {name: str(solver.getValue(terms[name])) for name in sorts}
    return Answer(status, {name: text for name, text in values.items() if "(_" not in text})
