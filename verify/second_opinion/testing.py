"""Kind ``testing``: the value of a mechanism, and that no channel has more.

**numbers** (QF_NRA): 1 <= E- <= exp(epsilon) <= E+; the randomized response on the blocks, with
entries ``truth`` and ``lie`` as variables, has rows of sum 1, column ratios at most E- and at most
``outputs`` outputs; the sum of h over its output laws (variables) is at least ``lower``; and
0 <= L + t n/(c + n) <= ``upper``, turned into a Renyi divergence where one is claimed.

**sets** (QF_LRA): Z >= h(X, Y) for **all** sets of symbols, see `set_cover`: the memberships are
choices in [0, 1], and the violations are the cones between neighbouring rays in which the chord
exceeds Z, and the ratios outside all cones. If a set violates its constraint, the question is that
set's alone, with h at its masses as a variable (QF_NRA).

Symbols of equal ratio P0/P1 count as one with the sum of their multipliers: a channel for one can
do what a channel for several does, by the mixture of their rows, and the reverse. So do symbols
with no mass, whose multipliers add up to 0.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise

from verify.second_opinion.enclosure import Bounds, enclose_level
from verify.second_opinion.mixture import AnyDivergence, read_divergence
from verify.second_opinion.script import Question, all_of, any_of, apply, real, total, whole
from verify.second_opinion.set_cover import Cone, SetProblem, Weighted
from verify.second_opinion.strict_reading import (
    CertificateFile,
    Level,
    OutOfReachError,
    TooWideError,
    demand,
    integer,
    integer_lists,
    level,
    mapping,
    probabilities,
    rational,
    rationals,
    require_reach,
)

__all__ = ["SPARE_BITS", "TestingCertificate", "read_testing", "sets_question", "testing_questions"]

MAX_SYMBOLS = 20_000
"""Most symbols, before those of equal ratio are merged."""
MAX_DIRECT = 100
"""Most cones times symbols for which the memberships are left to the solver."""
MAX_BARE = 12
"""Most symbols for which a witness without separators is judged."""
SPARE_BITS = 64
"""Bits by which enclosures are finer than the certificate asks of its checker."""


@dataclass(frozen=True, slots=True)
class TestingCertificate:
    """The claim and the witness, read; names as in ``verify/FORMAT.md``."""

    laws: tuple[list[Fraction], list[Fraction]]
    level: Level
    divergence: AnyDivergence
    outputs: int | None
    lower: Fraction
    upper: Fraction
    exp_epsilon: Bounds
    blocks: list[list[int]]
    multipliers: list[Fraction]
    output_multiplier: Fraction
    knots: list[Fraction]
    has_separators: bool
    bits: int

    @property
    def has_good_knots(self) -> bool:
        """Whether there are no knots, or rationals that rise from 0 to 1."""
        knots = self.knots
        rising = all(s < u for s, u in pairwise(knots))
        return not knots or (knots[0] == 0 and knots[-1] == 1 and rising)

    def weighted(self) -> list[Weighted]:
        """The symbols of different ratios, or the knots, with their masses and multipliers.

        Those without mass come last, as one with its sum of multipliers, and for knots one by one.
        """
        if self.knots:
            return self._weighted_knots()
        merged: dict[Fraction | None, Weighted] = {}
        for a, b, lam in zip(*self.laws, self.multipliers, strict=True):
            share = a / (a + b) if a + b else None
            x, y, z = merged.get(share, (Fraction(0),) * 3)
            merged[share] = (x + a, y + b, z + lam)
        return list(merged.values())

    def _weighted_knots(self) -> list[Weighted]:
        masses = [[Fraction(0), Fraction(0)] for _ in self.knots]
        for a, b in zip(*self.laws, strict=True):
            if not a + b:
                continue
            share = a / (a + b)
            right = max(bisect_left(self.knots, share), 1)
            s, u = self.knots[right - 1], self.knots[right]
            beta = (a - s * (a + b)) / (u - s)
            for i, part, knot in ((right - 1, a + b - beta, s), (right, beta, u)):
                masses[i][0] += part * knot
                masses[i][1] += part * (1 - knot)
        return [(a, b, lam) for (a, b), lam in zip(masses, self.multipliers, strict=True)]


def read_testing(certificate: CertificateFile) -> TestingCertificate:
    """The certificate, or MalformedError."""
    keys = ("p0", "p1", "level", "divergence", "outputs", "lower", "upper")
    claim = mapping(certificate.claim, keys, "claim")
    required = {"exp_epsilon", "blocks", "multipliers", "output_multiplier", "separators", "bits"}
    required |= {"knots"} & set(certificate.witness)
    witness = mapping(certificate.witness, required, "witness")
    p0, p1 = probabilities(claim["p0"], "p0"), probabilities(claim["p1"], "p1")
    k = len(p0)
    demand(len(p1) == k, "p0 and p1 have different lengths")
    outputs = None if claim["outputs"] is None else integer(claim["outputs"], "outputs", 1, k)
    exponentials = rationals(witness["exp_epsilon"], "exp_epsilon")
    demand(len(exponentials) == 2, "exp_epsilon: is no pair")
    blocks = integer_lists(witness["blocks"], "blocks", k)
    is_partition = all(blocks) and sorted(chain(*blocks)) == list(range(k))
    demand(is_partition, "blocks: are no partition of the symbols")
    knots = rationals(witness.get("knots", []), "knots")
    multipliers = rationals(witness["multipliers"], "multipliers")
    demand(len(multipliers) == (len(knots) or k), "multipliers: are not one a symbol or knot")
    low, high = exponentials
    return TestingCertificate(
        laws=(p0, p1),
        level=level(claim["level"]),
        divergence=read_divergence(claim["divergence"]),
        outputs=outputs,
        lower=rational(claim["lower"], "lower"),
        upper=rational(claim["upper"], "upper"),
        exp_epsilon=(low, high),
        blocks=blocks,
        multipliers=multipliers,
        output_multiplier=rational(witness["output_multiplier"], "output_multiplier"),
        knots=knots,
        has_separators=bool(rationals(witness["separators"], "separators")),
        bits=integer(witness["bits"], "bits", 8, 4096),
    )


def testing_questions(certificate: CertificateFile, bits: int) -> Iterator[Question]:
    """The questions ``numbers``, then ``sets`` or ``set``.

    Enclosures have these bits, or some more than those of the certificate.
    """
    read = read_testing(certificate)
    bits = max(bits, read.bits + SPARE_BITS)
    require_reach(max(len(read.laws[0]), len(read.knots)), MAX_SYMBOLS, "symbols")
    question = Question("numbers", "QF_NRA")
    allowed = enclose_level(read.level, bits)
    true = question.enclose("exp-epsilon", allowed, "exp(epsilon)")
    low, high = (
        question.define(name, real(number))
        for name, number in zip(("E", "E-above"), read.exp_epsilon, strict=True)
    )
    question.clause("exp-epsilon", f"(<= 1.0 {low} {true} {high})")
    weighted = read.weighted() if read.has_good_knots else []
    empty = [apply("=", real(lam), "0.0") for a, b, lam in weighted if not a + b]
    question.clause("knots", "true" if read.has_good_knots else "false")
    question.clause("no-mass", all_of(empty))
    if read.exp_epsilon[0] >= 1:  # a clause has failed otherwise
        _claim_mechanism(question, read, low, bits)
    _claim_upper(question, read, bits)
    yield question
    if read.exp_epsilon[1] < 1:
        return  # refuted by then
    c, offset = read.exp_epsilon[1] - 1, sum(read.multipliers, read.output_multiplier)
    symbols = [weights for weights in weighted if weights[0] + weights[1]]
    problem = SetProblem(symbols, c, offset, read.divergence, bits)
    yield sets_question(problem, _hints(read, symbols), read.has_separators)


def _claim_mechanism(question: Question, read: TestingCertificate, e: str, bits: int) -> None:
    """Randomized response on the blocks is private, fits, and reaches ``lower``."""
    s, exp_epsilon = len(read.blocks), read.exp_epsilon[0]
    truth, lie = question.variable("truth"), question.variable("lie")
    question.fact(f"(= (* {lie} (+ {e} {real(s - 1)})) 1.0)")
    question.fact(f"(= {truth} (* {e} {lie}))")
    question.clause("rows", f"(= (+ {truth} (* {real(s - 1)} {lie})) 1.0)")
    question.clause("private", f"(and (<= 0.0 {lie}) (<= {lie} {truth} (* {e} {lie})))")
    if read.outputs is not None:
        outputs = question.define("outputs", real(read.outputs))
        question.clause("outputs", f"(<= {s}.0 {outputs})")
    values: list[str] = []
    low = high = Fraction(0)
    for j, block in enumerate(read.blocks):
        terms, at = [], []
        for name, law in zip(("p0", "p1"), read.laws, strict=True):
            mass = total(real(law[x]) for x in block)
            chance = f"(+ {lie} (* (- {truth} {lie}) {mass}))"
            terms.append(question.define(f"{name}-output-{j}", chance))
            part = sum((law[x] for x in block), Fraction(0))
            at.append((1 + (exp_epsilon - 1) * part) / (exp_epsilon + s - 1))
        point = (at[0], at[1])
        variables = (terms[0], terms[1])
        values.append(read.divergence.define(question, f"h-{j}", variables, point, bits))
        ends = read.divergence.enclose(*point, bits)
        low, high = low + ends[0], high + ends[1]
    value = question.define("value", total(values))
    if read.divergence.is_renyi:
        reported = read.divergence.report((low, high), bits)
        if reported is None:
            raise TooWideError("the value of the mechanism is not known to be finite")
        value = question.enclose("renyi-value", reported, "log(1 + A (A - 1) value)/(A - 1)")
    question.clause("lower", apply(">=", value, real(read.lower)))


def _claim_upper(question: Question, read: TestingCertificate, bits: int) -> None:
    """The multipliers add up to at most ``upper``, and their signs are right."""
    t, n = read.output_multiplier, read.outputs
    multiplier = question.define("t", real(t))
    sign = "=" if n is None else ">="
    question.clause("output-multiplier", apply(sign, multiplier, "0.0"))
    terms = [real(lam) for lam in read.multipliers]
    bound = sum(read.multipliers, Fraction(0))
    if n is not None and read.exp_epsilon[1] >= 1:
        question.fact(f"(= (* {question.variable('extra')} (+ E-above {real(n - 1)})) (* {n}.0 t))")
        terms.append("extra")
        bound += t * n / (read.exp_epsilon[1] - 1 + n)
    value = question.define("bound", total(terms))
    question.clause("bound", apply(">=", value, "0.0"))
    if read.divergence.is_renyi:
        reported = read.divergence.report((bound, bound), bits)
        if reported is None:  # log of a number <= 0: no bound at all
            question.clause("upper", "false")
            return
        value = question.enclose("renyi-bound", reported, "log(1 + A (A - 1) bound)/(A - 1)")
    question.clause("upper", apply("<=", value, real(read.upper)))


def _hints(read: TestingCertificate, symbols: Sequence[Weighted]) -> list[frozenset[int]]:
    """The blocks of the mechanism, as sets of merged symbols: at an optimum they are tight."""
    if read.knots:
        return []
    place = {a / (a + b): i for i, (a, b, _) in enumerate(symbols)}
    hints = []
    for block in read.blocks:
        pairs = [(read.laws[0][x], read.laws[1][x]) for x in block]
        hints.append(frozenset(place[a / (a + b)] for a, b in pairs if a + b))
    return hints


def sets_question(
    problem: SetProblem, hints: Sequence[frozenset[int]], has_separators: bool
) -> Question:
    """The question about all sets, or about the one that violates its constraint.

    Args:
        problem: the constraints.
        hints: sets to begin with.
        has_separators: whether the witness has any.

    Raises:
        TooWideError: if the precision settles neither.
        OutOfReachError: if the sets are too many, or the witness is bare.
    """
    cover = problem.cover(hints)
    if cover.violator is not None:
        return _one_set(problem, cover.violator)
    if len(problem.symbols) > MAX_BARE and not has_separators and not problem.divergence.is_linear:
        raise OutOfReachError(
            "sets: the witness has no separators, so that its own checker may be unable to follow"
            " it; the constraints of all sets hold"
        )
    question = Question("sets", "QF_LRA", one_sided=True)
    _claim_chords(question, problem, cover.cones)
    if len(cover.cones) * len(problem.symbols) <= MAX_DIRECT:
        _claim_all_members(question, problem, cover.cones)
    else:
        _claim_by_gains(question, problem, cover.cones)
    return question


def _claim_chords(question: Question, problem: SetProblem, cones: Sequence[Cone]) -> None:
    """The cones reach from 1/E to E, and the chord of each is at least h(u, 1) and h(v, 1)."""
    rays = [cone.rays[0] for cone in cones] + [cone.rays[1] for cone in cones[-1:]]
    heights = [
        question.enclose(f"h-ray-{j}", problem.bounds(ray), f"h(u, 1) on ray {j}")
        for j, ray in enumerate(rays)
    ]
    exp_epsilon = real(1 + problem.c)
    covered = apply("=", exp_epsilon, "1.0")
    if rays:
        first, last = real(rays[0]), real(rays[-1])
        covered = f"(and (<= (* {first} {exp_epsilon}) 1.0) (<= {exp_epsilon} {last}))"
    question.clause("range", covered)
    chords = [
        f"(<= {height} (+ (* {real(cone.slopes[0])} {real(ray)}) {real(cone.slopes[1])}))"
        for j, cone in enumerate(cones)
        for ray, height in zip(cone.rays, heights[j : j + 2], strict=True)
    ]
    question.clause("chords", all_of(chords))


def _claim_all_members(question: Question, problem: SetProblem, cones: Sequence[Cone]) -> None:
    """No memberships in [0, 1] have a chord above Z in its cone, or lie in no cone."""
    members = [question.choice(f"in-{i}") for i in range(len(problem.symbols))]
    for member in members:
        question.fact(apply("<=", "0.0", member, "1.0"))
    x, y, z = _declare_point(question, problem, members)
    outside = [apply("or", apply("<", x, y), apply(">", x, y), apply(">", "0.0", z))]
    if cones:
        first, last = cones[0].rays[0], cones[-1].rays[1]
        outside = [f"(< {x} (* {real(first)} {y}))", f"(> {x} (* {real(last)} {y}))"]
    above = (
        f"(and (<= (* {real(cone.rays[0])} {y}) {x}) (<= {x} (* {real(cone.rays[1])} {y}))"
        f" (> (+ (* {real(cone.slopes[0])} {x}) (* {real(cone.slopes[1])} {y})) {z}))"
        for cone in cones
    )
    question.clause("sets", apply("not", any_of([*outside, *above])))


def _claim_by_gains(question: Question, problem: SetProblem, cones: Sequence[Cone]) -> None:
    """Each chord is at most Z for all memberships, also beyond its cone.

    Chord - Z is linear in them, so the largest value has each symbol of positive gain, no other.
    """
    c, offset = real(problem.c), real(problem.offset)
    for j, cone in enumerate(cones):
        slope_x, slope_y = (
            question.define(f"slope-{name}-{j}", real(slope))
            for name, slope in zip("xy", cone.slopes, strict=True)
        )
        gains = []
        for a, b, lam in problem.symbols:
            masses = f"(* {real(a)} {slope_x}) (* {real(b)} {slope_y})"
            gain = f"(+ {masses} {real(-lam)})"
            gains.append(f"(ite (> {gain} 0.0) {gain} 0.0)")
        largest = f"(- (+ {slope_x} {slope_y} (* {c} {total(gains)})) {offset})"
        question.clause(f"cone-{j}", f"(<= {largest} 0.0)")


def _declare_point(
    question: Question, problem: SetProblem, members: list[str]
) -> tuple[str, str, str]:
    """X, Y and Z as linear functions of the memberships."""
    names = []
    starts = (("X", Fraction(1)), ("Y", Fraction(1)), ("Z", problem.offset))
    for j, (name, start) in enumerate(starts):
        weights = (problem.c * weights[j] for weights in problem.symbols)
        parts = (
            apply("*", real(weight), member)
            for weight, member in zip(weights, members, strict=True)
        )
        names.append(question.define(name, total([real(start), *parts])))
    return names[0], names[1], names[2]


def _one_set(problem: SetProblem, violator: frozenset[int]) -> Question:
    question = Question("set", "QF_NRA")
    members = [
        question.define(f"in-{i}", "1.0" if i in violator else "0.0")
        for i in range(len(problem.symbols))
    ]
    x, y, z = _declare_point(question, problem, members)
    at = problem.point(violator)[:2]
    value = problem.divergence.define(question, "h", (x, y), at, problem.bits)
    question.clause(f"set-of-{whole(len(violator))}", apply("<=", value, z))
    return question
