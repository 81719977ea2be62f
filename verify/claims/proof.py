"""Statements about rational functions, proved for all parameters by exact expansion.

An *identity* is proved when the numerator of left - right expands to the zero polynomial. An
*inequality* is proved by a certificate: a multiplier m and terms c_i f_i1 f_i2 ... with rational
c_i > 0 such that m times the expression expands to their sum, where m and every f are products of
expressions that the hypotheses say are nonnegative (m: positive). No numeric decision is taken.

A false statement is refuted at a rational point that satisfies the hypotheses; points are tried by
growing height, so the first one found is the smallest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import gcd
from typing import Any

import sympy as sp

__all__ = ["Identity", "Inequality", "Statement", "Term", "counterexample", "flaw", "nonnegative"]

Expression = Any
"""A sympy expression."""
Term = tuple[int | Fraction, tuple[Expression, ...]]
"""A positive coefficient and factors that are nonnegative by hypothesis."""
MAX_HEIGHT = 9
MAX_POINTS = 60_000


@dataclass(frozen=True, slots=True)
class Identity:
    """left = right as rational functions, wherever both are defined.

    Args:
        name: what it says.
        left: a rational function.
        right: another.
        nonnegative: hypotheses, used only to choose points when the identity is false.
    """

    name: str
    left: Expression
    right: Expression
    nonnegative: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Inequality:
    """expression >= 0 wherever the hypotheses hold.

    Args:
        name: what it says.
        expression: a rational function.
        nonnegative: expressions that are >= 0 by hypothesis.
        positive: expressions that are > 0 by hypothesis.
        terms: the certificate.
        multiplier: a product of positive expressions, given by its factors.
    """

    name: str
    expression: Expression
    terms: tuple[Term, ...]
    nonnegative: tuple[Expression, ...] = ()
    positive: tuple[Expression, ...] = ()
    multiplier: tuple[Expression, ...] = field(default=())


Statement = Identity | Inequality


def nonnegative(
    name: str,
    expression: Expression,
    *,
    nonnegative: Sequence[Expression] = (),
    positive: Sequence[Expression] = (),
    multiplier: Sequence[Expression] = (),
) -> Inequality:
    """The inequality whose certificate is the expansion in symbols that are >= 0 by hypothesis.

    Every coefficient of the expanded polynomial must be positive; ``flaw`` checks that.
    """
    symbols = [s for s in (*nonnegative, *positive) if isinstance(s, sp.Symbol)]
    cleared = sp.cancel(expression * sp.Mul(*multiplier))
    terms: list[Term] = []
    numerator, denominator = sp.fraction(cleared)
    if symbols and not denominator.free_symbols:
        polynomial = sp.Poly(numerator / denominator, *symbols)
        for powers, coefficient in polynomial.terms():
            factors = [s for s, power in zip(symbols, powers, strict=True) for _ in range(power)]
            if coefficient.is_Rational:
                terms.append((Fraction(int(coefficient.p), int(coefficient.q)), tuple(factors)))
    return Inequality(
        name, expression, tuple(terms), tuple(nonnegative), tuple(positive), tuple(multiplier)
    )


def _is_zero(expression: Expression) -> bool:
    """Whether a rational function is zero, by exact expansion of its numerator."""
    numerator, _ = sp.fraction(sp.together(expression))
    return bool(sp.expand(numerator) == 0)


def flaw(statement: Statement) -> str:
    """Why the statement is not proved; the empty text if it is."""
    if isinstance(statement, Identity):
        equal = _is_zero(statement.left - statement.right)
        return "" if equal else f"{statement.name}: the two sides differ"
    allowed = {*statement.nonnegative, *statement.positive}
    if not set(statement.multiplier) <= set(statement.positive):
        return f"{statement.name}: a factor of the multiplier is not positive by hypothesis"
    total: Expression = sp.Integer(0)
    for coefficient, factors in statement.terms:
        if coefficient <= 0:
            return f"{statement.name}: the certificate has the coefficient {coefficient}"
        if not set(factors) <= allowed:
            return f"{statement.name}: a factor is not nonnegative by hypothesis"
        rational = sp.Rational(Fraction(coefficient).numerator, Fraction(coefficient).denominator)
        total += rational * sp.Mul(*factors)
    cleared = statement.expression * sp.Mul(*statement.multiplier)
    return "" if _is_zero(cleared - total) else f"{statement.name}: the certificate does not add up"


def _values(height: int, *, whole: bool) -> list[Fraction]:
    """The rationals p/q with |p|, q <= height, or the integers, simplest first."""
    if whole:
        return [Fraction(n) for n in range(height + 1)]
    pairs = product(range(height + 1), range(1, height + 1))
    found = {Fraction(p, q) for p, q in pairs if gcd(p, q) == 1}
    return sorted(found, key=lambda x: (max(x.numerator, x.denominator), x))


def _points(symbols: Sequence[Any]) -> Iterator[dict[Any, Any]]:
    """Rational points of growing height; values are nonnegative."""
    seen: set[tuple[Fraction, ...]] = set()
    for height in range(1, MAX_HEIGHT + 1):
        for point in product(*(_values(height, whole=bool(s.is_integer)) for s in symbols)):
            if point in seen:
                continue
            seen.add(point)
            if len(seen) > MAX_POINTS:
                return
            numbers = [sp.Rational(x.numerator, x.denominator) for x in point]
            yield dict(zip(symbols, numbers, strict=True))


def _expressions(statement: Statement) -> tuple[Expression, tuple[Expression, ...]]:
    if isinstance(statement, Identity):
        return statement.left - statement.right, ()
    return statement.expression, statement.positive


def counterexample(statement: Statement) -> str:
    """A smallest point at which the statement is false; the empty text if none was found."""
    expression, positive = _expressions(statement)
    hypotheses = (*statement.nonnegative, *positive)
    free = set().union(*(sp.sympify(e).free_symbols for e in (expression, *hypotheses)))
    symbols = sorted(free, key=lambda s: str(s.name))
    for point in _points(symbols):
        if any(s.is_positive and not x for s, x in point.items()):
            continue
        if any(sp.sympify(e).xreplace(point) < 0 for e in statement.nonnegative):
            continue
        if any(sp.sympify(e).xreplace(point) <= 0 for e in positive):
            continue
        value = sp.sympify(expression).xreplace(point)
        if value.is_finite is False or value is sp.nan:
            continue
        fails = value != 0 if isinstance(statement, Identity) else value < 0
        if fails:
            where = ", ".join(f"{s} = {x}" for s, x in point.items())
            sign = "difference" if isinstance(statement, Identity) else "value"
            return f"{where}: {sign} {value}"
    return ""
