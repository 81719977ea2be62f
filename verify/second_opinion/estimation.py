"""Kind ``estimation``: the scheme of a balanced design, its risk, and the bound for all schemes.

**design** (QF_LIA): the incidences of the v symbols with the b blocks are variables; r blocks on
every symbol, lambda on every two, and the sizes of the blocks are counted.

**risk** (QF_NRA): E <= exp(epsilon) <= E+; and the risk is a variable defined from the channel by
D = rE + b - r, alpha D = rE, beta D = lambda E + r - lambda, v mean = v beta + alpha - beta (the
chance of a hit at the uniform law, where the error is largest) and
risk (alpha - beta)^2 = v mean (1 - mean). Clause: the risk is ``n_risk``.

**optimum** (QF_NRA): at E+, (v-1)^2 (kE + v-k)^2 >= optimum v k (v-k) (E-1)^2 for every k in
1..v-1; and the k of ``optimal_block_sizes`` minimise (kE + v-k)^2/(k (v-k)) for **every** E between
the two rationals (a choice), the others do not.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise

from verify.second_opinion.design import declare_blocks, developed_blocks, on_blocks
from verify.second_opinion.enclosure import enclose_level
from verify.second_opinion.script import Question, all_of, apply, real, total, whole
from verify.second_opinion.strict_reading import (
    CertificateFile,
    demand,
    integer,
    integer_lists,
    level,
    mapping,
    rational,
    require_reach,
)

__all__ = ["estimation_questions"]

MAX_TERMS = 600_000
"""Most terms of the counts of one question."""
MAX_SYMBOLS = 256
"""Largest v for which the bound is asked for every block size."""


def estimation_questions(certificate: CertificateFile, bits: int) -> list[Question]:
    """The questions ``design``, ``risk`` and ``optimum``, with enclosures of these bits."""
    integers = ("v", "b", "r", "lambda")
    numbers = ("exp_epsilon", "n_risk", "optimum")
    lists = ("block_sizes", "optimal_block_sizes")
    claim = mapping(certificate.claim, (*integers, *numbers, *lists, "level"), "claim")
    v = integer(claim["v"], "v", 2, 8192)
    b, r, lambda_ = (
        integer(claim[key], key, least) for key, least in (("b", 1), ("r", 1), ("lambda", 0))
    )
    low, n_risk, optimum = (rational(claim[key], key) for key in numbers)
    demand(low > 1 and r > lambda_, "the estimator divides by zero: E = 1 or r = lambda")
    sizes, best = integer_lists([claim[key] for key in lists], "block sizes", 8193)
    allowed = enclose_level(level(claim["level"]), bits)
    keys = ("points", "base_blocks", "generators", "exp_epsilon")
    witness = mapping(certificate.witness, keys, "witness")
    points = integer(witness["points"], "points", v, 8192)
    high = rational(witness["exp_epsilon"], "exp_epsilon")
    parts = {key: witness[key] for key in ("base_blocks", "generators")}
    symbols = frozenset(range(v))
    blocks = [block & symbols for block in developed_blocks(parts, points)]
    require_reach(v, MAX_SYMBOLS, "symbols")
    return [
        _design(v, (b, r, lambda_), blocks, sizes),
        _risk((v, b, r, lambda_), (low, high), allowed, n_risk),
        _optimum(v, (low, high), optimum, best),
    ]


def _design(
    v: int, counts: tuple[int, int, int], blocks: list[frozenset[int]], sizes: list[int]
) -> Question:
    b, r, lambda_ = counts
    require_reach(v * v * len(blocks) // 2, MAX_TERMS, "counts of two symbols on blocks")
    question = Question("design", "QF_LIA")
    incidence = declare_blocks(question, v, blocks)
    number = question.define("b", total("1" for _ in incidence) if incidence else "0", "Int")
    question.clause("b", apply("=", number, whole(b)))
    for name, t, expected in (("r", 1, r), ("lambda", 2, lambda_)):
        found = (on_blocks(incidence, points) for points in combinations(range(v), t))
        question.clause(name, all_of(apply("=", count, whole(expected)) for count in found))
    counted = [total((f"(ite {x} 1 0)" for x in block), "0") for block in incidence]
    question.clause("block-sizes", _claim_sizes(counted, sizes))
    return question


def _claim_sizes(counted: list[str], sizes: list[int]) -> str:
    """The list is ascending without repetition, and it is the set of the counted sizes."""
    ascending = all_of(apply("<", whole(a), whole(b)) for a, b in pairwise(sizes))
    listed = (_is_one_of(count, [whole(size) for size in sizes]) for count in counted)
    attained = (_is_one_of(whole(size), counted) for size in sizes)
    return all_of([ascending, *listed, *attained])


def _is_one_of(term: str, terms: list[str]) -> str:
    equal = [apply("=", term, other) for other in terms]
    return apply("or", "false", *equal)


def _risk(
    design: tuple[int, int, int, int],
    exponentials: tuple[Fraction, Fraction],
    allowed: tuple[Fraction, Fraction],
    n_risk: Fraction,
) -> Question:
    v, b, r, lambda_ = design
    question = Question("risk", "QF_NRA")
    true = question.enclose("exp-epsilon", allowed, "exp(epsilon)")
    low, high = (
        question.define(name, real(number))
        for name, number in zip(("E", "E-above"), exponentials, strict=True)
    )
    question.clause("exp-epsilon", apply("<=", low, true, high))
    scale = question.define("D", f"(+ (* {real(r)} {low}) {real(b - r)})")
    names = ("alpha", "beta", "mean", "risk")
    alpha, beta, mean, risk = (question.variable(name) for name in names)
    question.fact(f"(= (* {alpha} {scale}) (* {real(r)} {low}))")
    question.fact(f"(= (* {beta} {scale}) (+ (* {real(lambda_)} {low}) {real(r - lambda_)}))")
    gap = question.define("gap", f"(- {alpha} {beta})")
    question.fact(f"(= (* {real(v)} {mean}) (+ (* {real(v)} {beta}) {gap}))")
    question.fact(f"(= (* {risk} {gap} {gap}) (* {real(v)} {mean} (- 1.0 {mean})))")
    question.fact(f"(> {gap} 0.0)")
    question.clause("n-risk", apply("=", risk, real(n_risk)))
    return question


def _optimum(
    v: int, exponentials: tuple[Fraction, Fraction], optimum: Fraction, best: list[int]
) -> Question:
    low, high = exponentials
    question = Question("optimum", "QF_NRA")
    above = question.define("E-above", real(high))
    question.clause("exp-epsilon", apply("<", "1.0", above))
    squares = {k: _square(k, v, above) for k in range(1, v)}
    gain = f"(* {real(optimum * v)} (- {above} 1.0) (- {above} 1.0))"
    bounds = (
        f"(>= (* {real((v - 1) ** 2)} {square}) (* {real(k * (v - k))} {gain}))"
        for k, square in squares.items()
    )
    question.clause("optimum", all_of(bounds))
    between = question.choice("E")
    question.fact(apply("<=", real(low), between, real(max(low, high))))
    question.clause("optimal-block-sizes", _claim_minimisers(v, between, best))
    return question


def _square(k: int, v: int, exponential: str) -> str:
    side = f"(+ (* {real(k)} {exponential}) {real(v - k)})"
    return apply("*", side, side)


def _claim_minimisers(v: int, exponential: str, best: list[int]) -> str:
    """The sizes in ``best``, ascending, have the least (kE + v-k)^2/(k (v-k)), all others more."""
    if not best or min(best) < 1 or max(best) >= v or best != sorted(Counter(best)):
        return "false"
    first, *_ = best
    value = _square(first, v, exponential)
    compared = []
    for k in range(1, v):
        sides = (
            apply("*", real(first * (v - first)), _square(k, v, exponential)),
            apply("*", real(k * (v - k)), value),
        )
        compared.append(apply("=" if k in best else ">", *sides))
    return all_of(compared)
