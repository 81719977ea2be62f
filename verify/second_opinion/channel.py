"""Kinds ``channel`` and ``contraction``: what a channel reveals, by quantifying over its entries.

Entries q_xy are variables fixed by equalities; high_y and low_y are the largest and the least entry
of a column, defined by their properties (at least all, equal to one).

- Largest ratio R: high_y <= R low_y in all columns, with equality and low_y > 0 in one.
- Private at E: R <= E, with E = exp(epsilon) a variable in its enclosure.
- Dobrushin coefficient: the total variation of every pair of rows is at most it, that of one pair
  equal to it; E_gamma likewise over ordered pairs.
- Leakage [c, L]: for **every** prior pi with masses >= c (a choice) and every output y that can
  occur, high_y <= L sum_x pi_x q_xy; and a prior with equality exists. The sum is linear in the
  prior and hence least at a vertex c + (1 - Nc) delta_x, so one of those has equality.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations

from verify.second_opinion.enclosure import enclose_level
from verify.second_opinion.script import Question, all_of, any_of, apply, real, total
from verify.second_opinion.strict_reading import (
    CertificateFile,
    demand,
    level,
    listing,
    mapping,
    rational,
    rationals,
    require_reach,
    stochastic_rows,
)

__all__ = [
    "channel_questions",
    "contraction_questions",
    "declare_channel",
    "declare_extremes",
    "total_variation",
]

MAX_TERMS = 60_000
"""Most entries in pairs of rows, or in priors, of one question."""

Entries = list[list[str]]
"""The variables of a channel."""


def declare_channel(question: Question, rows: Sequence[Sequence[Fraction]]) -> Entries:
    """The entries as variables fixed by equalities."""
    require_reach(len(rows) * len(rows[0]), MAX_TERMS, "entries of the channel")
    return [
        [question.define(f"q-{x}-{y}", real(entry)) for y, entry in enumerate(row)]
        for x, row in enumerate(rows)
    ]


def declare_extremes(question: Question, entries: Entries) -> list[tuple[str, str]]:
    """The largest and the least entry of each column, as variables with those properties."""
    extremes = []
    for y, column in enumerate(zip(*entries, strict=True)):
        high, low = (question.variable(f"{name}-{y}") for name in ("high", "low"))
        for bound, operator in ((high, ">="), (low, "<=")):
            question.fact(all_of(apply(operator, bound, entry) for entry in column))
            question.fact(any_of(apply("=", bound, entry) for entry in column))
        extremes.append((high, low))
    return extremes


def _excess(first: Sequence[str], second: Sequence[str], gamma: Fraction) -> str:
    """The sum of (P - gamma Q)_+ over the columns."""
    parts = [apply("-", p, apply("*", real(gamma), q)) for p, q in zip(first, second, strict=True)]
    return total(apply("ite", apply(">=", part, "0.0"), part, "0.0") for part in parts)


def total_variation(first: Sequence[str], second: Sequence[str]) -> str:
    """The total variation distance of two rows of variables."""
    return _excess(first, second, Fraction(1))


def _claim_largest(question: Question, name: str, values: Sequence[str], claimed: str) -> None:
    """The values are at most ``claimed``, and one is equal to it; without values it is 0."""
    most = all_of(apply("<=", value, claimed) for value in values)
    attained = any_of(apply("=", value, claimed) for value in values or ["0.0"])
    question.clause(name, apply("and", most, attained))


def channel_questions(certificate: CertificateFile, bits: int) -> list[Question]:
    """The one question of a channel certificate, irrational numbers enclosed with these bits."""
    keys = ("rows", "level", "exp_epsilon", "dobrushin_coefficient", "leakage")
    claim = mapping(certificate.claim, keys, "claim")
    mapping(certificate.witness, (), "witness")
    rows = stochastic_rows(claim["rows"], "rows")
    is_finite = claim["exp_epsilon"] != "inf"
    ratio = rational(claim["exp_epsilon"], "exp_epsilon") if is_finite else None
    contraction = rational(claim["dobrushin_coefficient"], "dobrushin_coefficient")
    leakages = _leakages(claim["leakage"], len(rows))
    allowed = enclose_level(level(claim["level"]), bits)
    n_pairs = len(rows) * (len(rows) - 1) // 2
    size = (n_pairs + len(leakages) * len(rows)) * len(rows[0])
    require_reach(size, MAX_TERMS, "entries in pairs of rows and in leakages")
    question = Question("channel", "QF_LRA")
    entries = declare_channel(question, rows)
    extremes = declare_extremes(question, entries)
    _claim_ratio(
        question, extremes, ratio, question.enclose("exp-epsilon", allowed, "exp(epsilon)")
    )
    distances = [
        question.define(f"tv-{x}-{z}", total_variation(entries[x], entries[z]))
        for x, z in combinations(range(len(rows)), 2)
    ]
    _claim_largest(question, "dobrushin-coefficient", distances, real(contraction))
    for i, (c, leakage) in enumerate(leakages):
        _claim_leakage(question, i, rows, extremes, c, leakage)
    return [question]


def _leakages(value: object, n_inputs: int) -> list[tuple[Fraction, Fraction]]:
    pairs = [rationals(pair, "leakage") for pair in listing(value, "leakage")]
    demand(all(len(pair) == 2 for pair in pairs), "leakage: is no list of pairs")
    demand(len(pairs) <= 32, "leakage: has more than 32 pairs")
    in_range = all(0 <= n_inputs * c <= 1 for c, _ in pairs)
    demand(in_range, "leakage: c is outside 0..1/N")
    return [(c, leakage) for c, leakage in pairs]


def _claim_ratio(
    question: Question, extremes: list[tuple[str, str]], ratio: Fraction | None, allowed: str
) -> None:
    if ratio is None:  # "inf": one entry of a column is 0, another is not; that is not private
        mixed = any_of(f"(and (> {high} 0.0) (= {low} 0.0))" for high, low in extremes)
        question.clause("exp-epsilon", mixed)
        question.clause("level", apply("not", mixed))
        return
    scaled = [(high, low, apply("*", real(ratio), low)) for high, low in extremes]
    most = all_of(apply("<=", high, product) for high, _, product in scaled)
    attained = any_of(f"(and (> {low} 0.0) (= {high} {product}))" for high, low, product in scaled)
    question.clause("exp-epsilon", apply("and", most, attained))
    question.clause("level", apply("<=", real(ratio), allowed))


def _claim_leakage(
    question: Question,
    index: int,
    rows: Sequence[Sequence[Fraction]],
    extremes: list[tuple[str, str]],
    c: Fraction,
    leakage: Fraction,
) -> None:
    prior = [question.choice(f"prior-{index}-{x}") for x in range(len(rows))]
    question.fact(apply("=", total(prior), "1.0"))
    question.fact(all_of(apply(">=", mass, real(c)) for mass in prior))
    rest = 1 - len(rows) * c
    most, attained = [], []
    for (high, _), column in zip(extremes, zip(*rows, strict=True), strict=True):
        law = zip(prior, column, strict=True)
        output = total(apply("*", real(leakage * entry), mass) for mass, entry in law)
        most.append(apply("<=", high, output))
        vertices = (leakage * (c * sum(column) + rest * entry) for entry in column)
        equal = any_of(apply("=", high, real(vertex)) for vertex in vertices)
        attained.append(apply("and", apply(">", high, "0.0"), equal))
    question.clause(f"leakage-{index}", apply("and", all_of(most), any_of(attained)))


def contraction_questions(certificate: CertificateFile, bits: int) -> list[Question]:
    """The one question of a contraction certificate; nothing in it is irrational."""
    claim = mapping(certificate.claim, ("rows", "e_gamma"), "claim")
    mapping(certificate.witness, (), "witness")
    rows = stochastic_rows(claim["rows"], "rows")
    pairs = [rationals(pair, "e_gamma") for pair in listing(claim["e_gamma"], "e_gamma")]
    demand(pairs and all(len(pair) == 2 for pair in pairs), "e_gamma: is no list of pairs")
    demand(len(pairs) <= 16, "e_gamma: has more than 16 pairs")
    gammas = [gamma for gamma, _ in pairs]
    demand(gammas[0] >= 1 and gammas == sorted(set(gammas)), "e_gamma: gamma does not rise from 1")
    require_reach(len(pairs) * len(rows) ** 2 * len(rows[0]), MAX_TERMS, "entries in pairs of rows")
    question = Question("contraction", "QF_LRA")
    entries = declare_channel(question, rows)
    for i, (gamma, value) in enumerate(pairs):
        distances = [
            question.define(f"excess-{i}-{x}-{z}", _excess(entries[x], entries[z], gamma))
            for x, z in permutations(range(len(rows)), 2)
        ]
        _claim_largest(question, f"e-gamma-{i}", distances, real(value))
    return [question]
