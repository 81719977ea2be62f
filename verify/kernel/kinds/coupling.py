"""Kind ``coupling``: a thresholding mechanism is private, by shifts of its noises."""

from dataclasses import replace
from fractions import Fraction

from verify.kernel import coupling
from verify.kernel.errors import require
from verify.kernel.exact import parse_canonical
from verify.kernel.fields import (
    Claim,
    read_integer,
    read_list,
    read_object,
    read_rows,
    require_form,
)
from verify.kernel.privacy_level import PrivacyLevel, read_level
from verify.kernel.verdict import Verdict, accepted, rejected

__all__ = ["check_coupling"]


def check_coupling(claim: Claim, witness: Claim) -> Verdict:
    """The whole output is (total * epsilon)-DP, with at most one acceptance at each level.

    A level lists the kinds of round that may be run until its acceptance.
    """
    claim = read_object(claim, {"epsilon", "total", "shared_rate", "levels", "tail"}, "claim")
    witness = read_object(witness, {"shared_shift", "shifts"}, "witness")
    epsilon = read_level(claim["epsilon"])
    total, shared_rate = (parse_canonical(claim[key], key) for key in ("total", "shared_rate"))
    positive = shared_rate > 0 and epsilon.enclose_exp_epsilon(64).upper > 1
    require(positive, f"shared_rate: {shared_rate} * {epsilon} is not positive")
    shared_shift = parse_canonical(witness["shared_shift"], "shared_shift")
    levels = [read_list(level, "level") for level in read_list(claim["levels"], "levels")]
    shifts = read_rows(witness["shifts"], "shifts")
    paired = all(levels) and [*map(len, levels)] == [*map(len, shifts)]
    require_form(paired, "levels: each needs rounds, and the witness a shift for each")
    if shared_shift < 1:
        return rejected(f"the shift S -> S + {shared_shift} does not cover a rejection; needs 1")
    shared, costs = shared_rate * shared_shift, [Fraction(0)] * len(levels)
    monotone = set() if claim["tail"] is None else {False}
    for i, j in [(i, j) for i, level in enumerate(levels) for j in range(len(level))]:
        round_, purified = _read_round(levels[i][j], f"levels[{i}][{j}]")
        for verdict in (purified, coupling.check_round(round_, shared_shift, shifts[i][j])):
            if not verdict.is_accepted:
                return replace(verdict, reason=f"levels[{i}][{j}]: {verdict.reason}")
        costs[i] = max(costs[i], coupling.acceptance_cost(round_, shifts[i][j]))
        monotone.add(round_.monotone)
    if claim["tail"] is not None:
        tail = read_object(claim["tail"], {"block", "scale"}, "tail")
        block = read_integer(tail["block"], "tail.block", 0, 16)
        if len(levels) != 2**block - 1:
            return rejected(f"tail: starts at level {2**block}, after {len(levels)} levels")
        scale = parse_canonical(tail["scale"], "tail.scale")
        costs.append(coupling.tail_cost(scale, block, shared_shift))
    if len(monotone) > 1:
        return rejected("monotone rounds stand beside others")
    cost = sum(costs, shared)
    if cost > total:
        return rejected(f"the coupling costs {cost} epsilon, not {total}", shared=shared, cost=cost)
    return accepted(f"the output is {total} * {epsilon}-DP", shared=shared, cost=cost)


def _read_round(value: object, where: str) -> tuple[coupling.Round, Verdict]:
    """The round, and whether its box is pure once cleaned."""
    keys = {"rate", "sign", "accepts", "box", "delta", "crossover", "released", "monotone"}
    content = read_object(value, keys, where)
    accepts, released, monotone = (content[key] for key in ("accepts", "released", "monotone"))
    flags = accepts in ("at-least", "at-most") and {type(released), type(monotone)} == {bool}
    require_form(flags, f"{where}: accepts at-least or at-most; the flags are true or false")
    numbers = ("rate", "delta", "crossover")
    rate, delta, crossover = (parse_canonical(content[key], where) for key in numbers)
    sign = read_integer(content["sign"], where, -1, 1)
    box = read_object(content["box"], None, where)
    if "multiple" in box:
        multiple = parse_canonical(read_object(box, {"multiple"}, where)["multiple"], where)
        require_form(multiple > 0, f"{where}: the level {multiple} of the box is not positive")
        level = PrivacyLevel(exp_epsilon=Fraction(1))  # the box must be pure already
    else:
        multiple, level = None, read_level(box)
    bare = multiple is not None and crossover == 0
    require_form(bare or not released, f"{where}: a released box needs a multiple and crossover 0")
    charged = multiple if released else None
    round_ = coupling.Round(rate, sign, accepts == "at-least", charged, monotone is True)
    return round_, coupling.check_purification(level, delta, crossover)
