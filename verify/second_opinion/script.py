"""Questions in SMT-LIB 2: facts about named numbers, the clauses of a claim, and its negation.

A question holds variables, *facts* (what is so: definitions by the entries of the certificate, and
rational enclosures of irrational numbers) and *clauses* (what the certificate asserts). Two scripts
come from it:

- the **negation**: the facts and not all clauses. ``unsat``: the facts imply every clause.
- the **affirmation**: the facts and all clauses. ``unsat``: the facts refute the claim.

A *choice* is a variable that a clause is about for all its values (a prior, a set of symbols): the
facts hold its range only. The affirmation may fix it at the value that broke a clause.

Terms are text. Numbers are exact: integers, and quotients of integers.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain

from verify.second_opinion.numerals import spell_integer

__all__ = ["Question", "all_of", "any_of", "apply", "real", "total", "whole"]


def real(number: Fraction | int) -> str:
    """The literal of a rational in sort Real."""
    number = Fraction(number)
    size, q = (spell_integer(part) for part in (abs(number.numerator), number.denominator))
    term = f"{size}.0" if q == "1" else f"(/ {size}.0 {q}.0)"
    return f"(- {term})" if number < 0 else term


def whole(number: int) -> str:
    """The literal of an integer in sort Int."""
    return f"(- {-number})" if number < 0 else str(number)


def apply(operator: str, *terms: str) -> str:
    """The operator applied to the terms."""
    return f"({operator} {' '.join(terms)})"


def _joined(operator: str, terms: Iterable[str], empty: str) -> str:
    parts = list(terms)
    return apply(operator, *parts) if len(parts) > 1 else parts[0] if parts else empty


def total(terms: Iterable[str], zero: str = "0.0") -> str:
    """The sum of the terms."""
    return _joined("+", terms, zero)


def all_of(terms: Iterable[str]) -> str:
    """The conjunction of the terms."""
    return _joined("and", terms, "true")


def any_of(terms: Iterable[str]) -> str:
    """The disjunction of the terms."""
    return _joined("or", terms, "false")


class Question:
    """Facts and clauses under construction.

    Args:
        name: what is asked, in a word; part of the name of an exported file.
        logic: the SMT-LIB logic.
        one_sided: the clauses are stronger than the claim, so that they can prove but not refute.
    """

    __slots__ = (
        "_facts",
        "_remarks",
        "choices",
        "clauses",
        "enclosed",
        "logic",
        "name",
        "one_sided",
        "sorts",
    )

    def __init__(self, name: str, logic: str, *, one_sided: bool = False) -> None:
        self.name = name
        self.logic = logic
        self.one_sided = one_sided
        self.enclosed = False
        self.sorts: dict[str, str] = {}
        self.choices: dict[str, Fraction | None] = {}
        self.clauses: list[str] = []
        self._facts: list[str] = []
        self._remarks: dict[str, str] = {}

    def variable(self, name: str, sort: str = "Real") -> str:
        """Declare a variable; its name is its term."""
        self.sorts[name] = sort
        return name

    def choice(self, name: str, worst: Fraction | None = None) -> str:
        """Declare a real variable for all of whose values the clauses are claimed.

        Args:
            name: its name.
            worst: the value at which to look for a refutation; by default that of a model.
        """
        self.choices[name] = worst
        return self.variable(name)

    def fact(self, term: str) -> None:
        """Assert what is so."""
        self._facts.append(term)

    def define(self, name: str, term: str, sort: str = "Real") -> str:
        """Declare a variable with this value."""
        self.fact(apply("=", self.variable(name, sort), term))
        return name

    def enclose(self, name: str, bounds: tuple[Fraction, Fraction], what: str) -> str:
        """Declare a variable for a number that is known to lie between two rationals.

        Args:
            name: its name.
            bounds: the rationals.
            what: the number in words, for the reader of the script.
        """
        lower, upper = bounds
        self._remarks[name] = f"; {name} is {what}"
        if lower == upper:
            return self.define(name, real(lower))
        self.enclosed = True
        self.fact(apply("<=", real(lower), self.variable(name), real(upper)))
        return name

    def clause(self, name: str, term: str) -> None:
        """Claim the term, under a name of its own."""
        label = f"clause-{name}"
        self.clauses.append(self.define(label, term, "Bool"))

    def negation(self) -> str:
        """The script whose ``unsat`` proves every clause."""
        head = f"; {self.name}: unsat means that the facts imply every clause of the claim"
        return self._script(head, [apply("not", all_of(self.clauses))])

    def affirmation(self, values: Mapping[str, str] | None = None) -> str:
        """The script whose ``unsat`` refutes a clause, with choices fixed at these values."""
        chosen = {name: term for name, term in (values or {}).items() if name in self.choices}
        worst = {name: real(value) for name, value in self.choices.items() if value is not None}
        fixed = (apply("=", name, term) for name, term in {**chosen, **worst}.items())
        head = f"; {self.name}: unsat means that the facts refute a clause of the claim"
        return self._script(head, [*fixed, all_of(self.clauses)])

    def _script(self, head: str, goal: list[str]) -> str:
        declared = (f"(declare-const {name} {sort})" for name, sort in self.sorts.items())
        asserted = (apply("assert", term) for term in chain(self._facts, goal))
        logic = f"(set-logic {self.logic})"
        lines = [head, *self._remarks.values(), logic, *declared, *asserted, "(check-sat)"]
        return "\n".join(lines) + "\n"
