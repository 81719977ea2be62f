"""Kind ``leakage``: the largest Dobrushin coefficient at a leakage, as two questions.

**channel**: the channel of the witness, entries as variables, leaks at most epsilon: with E a
variable in its enclosure, high_y <= E (c sum_x q_xy + (1 - Nc) low_y) for all columns (the right
side is E times the least mass of the output over all priors); the pair of rows has total variation
at least ``lower``; E is at most the rational E+ of the witness.

**bound**: no channel has more than ``upper``. The total variation of two rows is a_x - a_z for the
sum a of the columns where it is positive. Summing the conditions of the columns in a, and of those
not in a, gives with M, m, S the largest entry, the least and the sum of a:
M <= E+ (c S + (1 - Nc) m) and 1 - m <= E+ (c (N - S) + (1 - Nc) (1 - M)). The clause says for
**all** M, m, S with these rows (and 0 <= m <= M <= 1, M + (N-1) m <= S <= m + (N-1) M) that
M - m <= ``upper``; it does not use the multipliers of the witness. A second clause holds these to
the inequalities of the format.
"""

from dataclasses import dataclass
from fractions import Fraction

from verify.second_opinion.channel import declare_channel, declare_extremes, total_variation
from verify.second_opinion.enclosure import enclose_level
from verify.second_opinion.script import Question, all_of, apply, real, total
from verify.second_opinion.strict_reading import (
    CertificateFile,
    Level,
    demand,
    integer,
    level,
    listing,
    mapping,
    rational,
    rationals,
    stochastic_rows,
)

__all__ = ["LeakageCertificate", "leakage_questions", "read_leakage"]


@dataclass(frozen=True, slots=True)
class LeakageCertificate:
    """The claim and the witness, read; names as in ``verify/FORMAT.md``."""

    inputs: int
    c: Fraction
    level: Level
    lower: Fraction
    upper: Fraction
    rows: list[list[Fraction]]
    pair: list[int]
    exp_leakage: Fraction
    multipliers: list[Fraction]


def read_leakage(certificate: CertificateFile) -> LeakageCertificate:
    """The certificate, or MalformedError."""
    claim = mapping(certificate.claim, ("inputs", "c", "level", "lower", "upper"), "claim")
    keys = ("rows", "pair", "exp_leakage", "multipliers")
    witness = mapping(certificate.witness, keys, "witness")
    n = integer(claim["inputs"], "inputs", 2, 100_000)
    c, lower, upper = (rational(claim[key], key) for key in ("c", "lower", "upper"))
    demand(0 <= n * c <= 1, "c: is outside 0..1/N")
    rows = stochastic_rows(witness["rows"], "rows")
    pair = [integer(x, "pair", 0, n - 1) for x in listing(witness["pair"], "pair")]
    demand(len(rows) == n and len(pair) == 2, "witness: needs N rows and a pair of them")
    high = rational(witness["exp_leakage"], "exp_leakage")
    multipliers = rationals(witness["multipliers"], "multipliers")
    allowed = level(claim["level"])
    return LeakageCertificate(n, c, allowed, lower, upper, rows, pair, high, multipliers)


def leakage_questions(certificate: CertificateFile, bits: int) -> list[Question]:
    """The questions ``channel`` and ``bound``, exp(epsilon) enclosed with these bits."""
    read = read_leakage(certificate)
    n, c = read.inputs, read.c
    question = Question("channel", "QF_NRA")
    allowed = enclose_level(read.level, bits)
    exponential = question.enclose("exp-epsilon", allowed, "exp(epsilon)")
    entries = declare_channel(question, read.rows)
    columns, rest = zip(*entries, strict=True), real(1 - n * c)
    masses = []
    for y, ((most, least), column) in enumerate(
        zip(declare_extremes(question, entries), columns, strict=True)
    ):
        smallest = f"(+ (* {real(c)} {total(column)}) (* {rest} {least}))"
        mass = question.define(f"least-mass-{y}", smallest)
        masses.append(apply("<=", most, apply("*", exponential, mass)))
    question.clause("leakage", all_of(masses))
    distance = total_variation(*(entries[x] for x in read.pair))
    question.clause("lower", apply(">=", distance, real(read.lower)))
    question.clause("exp-leakage", apply("<=", exponential, real(read.exp_leakage)))
    return [question, _bound(read)]


def _bound(read: LeakageCertificate) -> Question:
    n, c, exp_leakage, upper = read.inputs, read.c, read.exp_leakage, read.upper
    question = Question("bound", "QF_LRA")
    most, least, mass = (question.choice(name) for name in ("largest", "least", "sum"))
    others = real(n - 1)
    question.fact(f"(<= 0.0 {least} {most} 1.0)")
    question.fact(f"(<= (+ {most} (* {others} {least})) {mass} (+ {least} (* {others} {most})))")
    one, rest = real(exp_leakage * c), real(exp_leakage * (1 - n * c))
    inside = f"(<= {most} (+ (* {one} {mass}) (* {rest} {least})))"
    outside = f"(+ (* {one} (- {real(n)} {mass})) (* {rest} (- 1.0 {most})))"
    leaks_less = apply("and", inside, f"(<= (- 1.0 {least}) {outside})")
    question.clause("upper", f"(=> {leaks_less} (<= (- {most} {least}) {real(upper)}))")
    if len(read.multipliers) != 3:
        question.clause("multipliers", "false")
        return question
    u1, u2, u3 = (question.define(f"u-{i}", real(u)) for i, u in enumerate(read.multipliers, 1))
    feasible = (
        f"(<= 0.0 {u1})",
        f"(<= 0.0 {u2})",
        f"(<= 0.0 {u3})",
        f"(>= (+ {u1} (* {rest} {u2}) {u3}) 1.0)",
        f"(<= (+ (* {rest} {u1}) {u2}) 1.0)",
        f"(<= (* {real(c)} (- {u1} {u2})) 0.0)",
        f"(<= (+ (* {real(exp_leakage - 1)} {u2}) {u3}) {real(upper)})",
    )
    question.clause("multipliers", all_of(feasible))
    return question
