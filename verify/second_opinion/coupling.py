"""Kind ``coupling``: shifts of exponential noises, with the neighbour's effect as a real choice.

Two neighbouring data sets change the probability p that a round counts by ln(p') - ln(p) = d eps_t,
with d a **choice** in [-1, 1] (in [0, 1] for a monotone round, when a record is added). A count
grows with p exp(sign (Y - S) eps_t), so with S -> S + a:

- a rejection stays as likely for every d if a >= 1 (in both signs);
- an acceptance stays as likely with Y -> Y + b if b >= a - d (sign 1), b >= a + d (sign -1). The
  witness grants ``shift`` for the worst d, so b = shift - 1 - d, shift - 1 + d, or shift - d for a
  monotone round, is enough for the others; the clause ``shifts`` claims that for all d.

An acceptance costs rate b, and a published sample of a pure box of m epsilon, drawn given +1, costs
m (1 + d) (sign 1), m for d >= 0 and else 2m (sign -1), m d (monotone: its law can only grow). The
cost of a level is a variable, equal to the largest value at the ends of the pieces on which this is
linear; the clause ``costs`` claims that no kind of round costs more for any d, and ``total`` that
shared_rate a and the costs of all levels are at most ``total``. For monotone rounds the same in the
reverse direction, where S stays, Y moves by d and the sample costs m (1 - d). A tail adds T with
T (k + 1) = (a + 1) scale: in block i the 2^i levels cost (a + 1) scale/((i + 1) (i + 2)) together,
and these sum up to it from i = k on.

**purification** (QF_NRA) asks for each distinct box whether p <= E p' + delta, and the same for the
exchanged laws and the complements, leaves some p, p' in [0, 1] with a cleaned probability
crossover + (1 - 2 crossover) p above E times that of p'.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.second_opinion.enclosure import Bounds, enclose_level
from verify.second_opinion.script import Question, all_of, any_of, apply, real, total
from verify.second_opinion.strict_reading import (
    CertificateFile,
    MalformedError,
    demand,
    integer,
    level,
    listing,
    mapping,
    rational,
    rationals,
    require_reach,
)

__all__ = ["coupling_questions"]

MAX_ROUNDS = 10_000
"""Most kinds of round."""


@dataclass(frozen=True, slots=True)
class _Round:
    rate: Fraction
    sign: int
    at_least: bool
    released: Fraction | None
    monotone: bool
    box: tuple[Bounds, Fraction, Fraction]
    """Enclosure of E, delta and crossover of the black box."""
    shift: Fraction


def coupling_questions(certificate: CertificateFile, bits: int) -> list[Question]:
    """The questions ``shifts`` and ``purification``, with enclosures of these bits."""
    keys = ("epsilon", "total", "shared_rate", "levels", "tail")
    claim = mapping(certificate.claim, keys, "claim")
    witness = mapping(certificate.witness, ("shared_shift", "shifts"), "witness")
    epsilon = level(claim["epsilon"], "epsilon")
    demand(epsilon.nats != 0 and epsilon.exp_epsilon != 1, "epsilon: is 0")
    bound, shared_rate = (rational(claim[key], key) for key in ("total", "shared_rate"))
    demand(shared_rate > 0, "shared_rate: is not positive")
    shared_shift = rational(witness["shared_shift"], "shared_shift")
    levels = [listing(rounds, "levels") for rounds in listing(claim["levels"], "levels")]
    shifts = [rationals(row, "shifts") for row in listing(witness["shifts"], "shifts")]
    paired = all(levels) and list(map(len, levels)) == list(map(len, shifts))
    demand(paired, "levels: one is empty, or has not a shift for each kind of round")
    require_reach(sum(map(len, levels)), MAX_ROUNDS, "kinds of round")
    read = [
        [_round(kind, shift, bits) for kind, shift in zip(kinds, row, strict=True)]
        for kinds, row in zip(levels, shifts, strict=True)
    ]
    tail = _tail(claim["tail"])
    question = Question("shifts", "QF_LRA")
    shift = question.define("shared-shift", real(shared_shift))
    question.clause("shared-shift", apply(">=", shift, "1.0"))
    _claim_uniform(question, read, tail)
    _claim_total(question, (shared_rate, bound), read, tail)
    boxes = dict.fromkeys(kind.box for kinds in read for kind in kinds)
    return [question, *(_purification(i, box) for i, box in enumerate(boxes))]


def _tail(value: object) -> tuple[int, Fraction] | None:
    if value is None:
        return None
    content = mapping(value, ("block", "scale"), "tail")
    scale = rational(content["scale"], "tail.scale")
    demand(scale >= 0, "tail: the scale is negative")
    return integer(content["block"], "tail.block", 0, 16), scale


def _round(value: object, shift: Fraction, bits: int) -> _Round:
    keys = ("rate", "sign", "accepts", "box", "delta", "crossover", "released", "monotone")
    content = mapping(value, keys, "round")
    rate, delta, crossover = (rational(content[key], key) for key in ("rate", "delta", "crossover"))
    sign = integer(content["sign"], "sign", -1, 1)
    demand(rate > 0 and sign, "round: the rate is not positive, or the sign is 0")
    demand(0 <= delta < 1 and 0 <= 2 * crossover <= 1, "round: delta or crossover out of range")
    accepts, released, monotone = (content[key] for key in ("accepts", "released", "monotone"))
    if not isinstance(released, bool) or not isinstance(monotone, bool):
        raise MalformedError("round: released and monotone are true or false")
    demand(accepts in ("at-least", "at-most"), "round: accepts at-least or at-most")
    multiple, exponential = _box(mapping(content["box"], None, "box"), bits)
    demand(not released or (multiple and not crossover), "round: released needs a multiple")
    charged = multiple if released else None
    box = (exponential, delta, crossover)
    return _Round(rate, sign, accepts == "at-least", charged, monotone, box, shift)


def _box(content: Mapping[str, object], bits: int) -> tuple[Fraction | None, Bounds]:
    """The multiple, for a pure box; and E of the (E, delta)-private bit that is to be made pure.

    A pure box has no delta to clean: that is the same as asking for E = 1.
    """
    if "multiple" not in content:
        return None, enclose_level(level(content, "box"), bits)
    multiple = rational(mapping(content, ("multiple",), "box")["multiple"], "multiple")
    demand(multiple > 0, "box: the multiple is not positive")
    return multiple, (Fraction(1), Fraction(1))


def _claim_uniform(
    question: Question, levels: list[list[_Round]], tail: tuple[int, Fraction] | None
) -> None:
    """Acceptances grow with Y - S, and rounds are monotone all or none, none before a tail."""
    flags, directions = [], []
    for i, kinds in enumerate(levels):
        for j, kind in enumerate(kinds):
            names = (f"positive-{i}-{j}", f"at-least-{i}-{j}", f"monotone-{i}-{j}")
            values = (kind.sign == 1, kind.at_least, kind.monotone)
            positive, at_least, monotone = (
                question.define(name, "true" if value else "false", "Bool")
                for name, value in zip(names, values, strict=True)
            )
            directions.append(f"(and (= {positive} {at_least}) (=> {monotone} {at_least}))")
            flags.append(monotone)
    question.clause("directions", all_of(directions))
    none = all_of(apply("not", flag) for flag in flags)
    question.clause("monotone", none if tail else any_of([all_of(flags), none]))
    if tail:
        question.clause("tail", f"(= {len(levels)}.0 {real(2 ** tail[0] - 1)})")


def _claim_total(
    question: Question,
    rates: tuple[Fraction, Fraction],
    levels: list[list[_Round]],
    tail: tuple[int, Fraction] | None,
) -> None:
    """Every shift is enough whatever the neighbour does, and no course of events costs more."""
    shared_rate, bound = rates
    shifts: list[str] = []
    costs: list[str] = []
    forward, backward = [apply("*", real(shared_rate), "shared-shift")], []
    for i, kinds in enumerate(levels):
        moves = [question.choice(f"d-{i}-{j}") for j in range(len(kinds))]
        for kind, d in zip(kinds, moves, strict=True):
            question.fact(apply("<=", "0.0" if kind.monotone else "(- 1.0)", d, "1.0"))
            needed = apply("+" if kind.sign < 0 else "-", "shared-shift", d)
            shifts.append(apply(">=", _moved(kind, d), needed))
        pairs = list(zip(kinds, moves, strict=True))
        ends = [_paid(kind, d, sample) for kind in kinds for d, sample in _ends(kind)]
        paid = [_paid(kind, d, _sample(kind, d)) for kind, d in pairs]
        forward.append(_largest(question, f"cost-{i}", ends))
        costs += (apply("<=", cost, forward[-1]) for cost in paid)
        if all(kind.monotone for kind in kinds):
            ends = [_reverse(kind, d) for kind in kinds for d in ("0.0", "1.0")]
            backward.append(_largest(question, f"reverse-cost-{i}", ends))
            costs += (apply("<=", _reverse(*pair), backward[-1]) for pair in pairs)
    if tail:
        block, scale = tail
        forward.append(question.variable("tail-cost"))
        product = f"(* {real(scale)} (+ shared-shift 1.0))"
        question.fact(f"(= (* {real(block + 1)} tail-cost) {product})")
    question.clause("shifts", all_of(shifts))
    question.clause("costs", all_of(costs))
    question.clause("total", apply("<=", total(forward), real(bound)))
    question.clause("reverse-total", apply("<=", total(backward), real(bound)))


def _largest(question: Question, name: str, values: list[str]) -> str:
    """A variable that is at least all the values and equal to one of them."""
    variable = question.variable(name)
    question.fact(all_of(apply(">=", variable, value) for value in values))
    question.fact(any_of(apply("=", variable, value) for value in values))
    return variable


def _moved(kind: _Round, d: str) -> str:
    """How far Y moves for this d."""
    spare = kind.shift if kind.monotone else kind.shift - 1
    return apply("-" if kind.sign > 0 else "+", real(spare), d)


def _paid(kind: _Round, d: str, sample: str) -> str:
    """What an acceptance costs for this d, with what is paid for its sample."""
    return f"(+ (* {real(kind.rate)} {_moved(kind, d)}) {sample})"


def _sample(kind: _Round, d: str) -> str:
    """What a published sample costs for this d."""
    once = real(kind.released or 0)
    if kind.monotone:
        return apply("*", once, d)
    if kind.sign > 0:
        return f"(* {once} (+ 1.0 {d}))"
    return f"(ite (>= {d} 0.0) {once} (* 2.0 {once}))"


def _ends(kind: _Round) -> list[tuple[str, str]]:
    """The ends of the pieces on which the cost is linear in d, with the cost of the sample there.

    For sign -1 it jumps at 0, and is largest in the limit from below.
    """
    first = "0.0" if kind.monotone else "(- 1.0)"
    ends = [(d, _sample(kind, d)) for d in (first, "0.0", "1.0")]
    return [*ends, ("0.0", _sample(kind, "(- 1.0)"))] if kind.sign < 0 else ends


def _reverse(kind: _Round, d: str) -> str:
    """What an acceptance of a monotone round costs when a record is taken away."""
    return f"(+ (* {real(kind.rate)} {d}) (* {real(kind.released or 0)} (- 1.0 {d})))"


def _purification(index: int, box: tuple[Bounds, Fraction, Fraction]) -> Question:
    bounds, delta, crossover = box
    exact = bounds[0] == bounds[1]
    question = Question(f"purification-{index}", "QF_LRA" if exact else "QF_NRA")
    first, second = question.choice("p", delta), question.choice("p-other", Fraction(0))
    enclosed = "exp of the level of the black box"
    exponential = real(bounds[0]) if exact else question.enclose("E", bounds, enclosed)
    kept, flipped = real(1 - 2 * crossover), real(crossover)
    private, pure = [], []
    for p, other in ((first, second), (second, first)):
        question.fact(apply("<=", "0.0", p, "1.0"))
        for here, there in ((p, other), (f"(- 1.0 {p})", f"(- 1.0 {other})")):
            private.append(f"(<= {here} (+ (* {exponential} {there}) {real(delta)}))")
            cleaned = [f"(+ {flipped} (* {kept} {term}))" for term in (here, there)]
            pure.append(f"(<= {cleaned[0]} (* {exponential} {cleaned[1]}))")
    question.clause("pure", apply("=>", all_of(private), all_of(pure)))
    return question
