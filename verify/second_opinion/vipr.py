"""Proofs of linear programming bounds as VIPR files: a program, a solution, and a derivation.

A file of the format version 1.0 states a linear program (maximise), the range that its optimum is
claimed to lie in, a solution that reaches the lower end, and the upper end as a combination of the
rows: multipliers >= 0 of the rows ``<=``, <= 0 of the rows ``>=``, any of the rows ``=``, whose sum
is the objective on the left and at most the upper end on the right. Nothing is integer.

Reference: Cheung, Gleixner and Steffy 2017 (Verifying integer programming results).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.second_opinion.numerals import spell_integer

__all__ = ["BoundProof", "Row", "vipr_text"]

Linear = Mapping[int, Fraction]
"""The coefficients of variables, by their indices."""


@dataclass(frozen=True, slots=True)
class Row:
    """One constraint.

    Args:
        name: without spaces.
        sense: ``L`` (at most), ``G`` (at least) or ``E`` (equal).
        side: the right side.
        terms: the left side.
        multiplier: its multiplier in the derivation.
    """

    name: str
    sense: str
    side: Fraction
    terms: Linear
    multiplier: Fraction


@dataclass(frozen=True, slots=True)
class BoundProof:
    """A program with what proves its range.

    Args:
        variables: their names.
        objective: what is maximised.
        bounds: the rows that bound one variable; they come first in the file.
        rows: the others.
        lower: the lower end, or None where no solution is given.
        upper: the upper end.
        solution: the values of the variables that are not 0.
    """

    variables: Sequence[str]
    objective: Linear
    bounds: Sequence[Row]
    rows: Sequence[Row]
    lower: Fraction | None
    upper: Fraction
    solution: Linear


def _number(value: Fraction) -> str:
    sign = "-" if value < 0 else ""
    over = "" if value.denominator == 1 else f"/{spell_integer(value.denominator)}"
    return f"{sign}{spell_integer(abs(value.numerator))}{over}"


def _sparse(terms: Linear) -> str:
    nonzero = [(index, value) for index, value in sorted(terms.items()) if value]
    return " ".join([str(len(nonzero)), *(f"{i} {_number(value)}" for i, value in nonzero)])


def _lines(proof: BoundProof) -> Iterable[str]:
    yield "VER 1.0"
    yield f"VAR {len(proof.variables)}"
    yield from proof.variables
    yield "INT 0"
    yield "OBJ max"
    yield _sparse(proof.objective)
    constraints = [*proof.bounds, *proof.rows]
    yield f"CON {len(constraints)} {len(proof.bounds)}"
    for row in constraints:
        yield f"{row.name} {row.sense} {_number(row.side)} {_sparse(row.terms)}"
    lower = "-inf" if proof.lower is None else _number(proof.lower)
    yield f"RTP range {lower} {_number(proof.upper)}"
    yield f"SOL {0 if proof.lower is None else 1}"
    if proof.lower is not None:
        yield f"mechanism {_sparse(proof.solution)}"
    yield "DER 1"
    multipliers = _sparse({index: row.multiplier for index, row in enumerate(constraints)})
    yield f"bound L {_number(proof.upper)} OBJ {{ lin {multipliers} }} -1"


def vipr_text(proof: BoundProof) -> str:
    """The VIPR file of the proof."""
    return "\n".join(_lines(proof)) + "\n"
