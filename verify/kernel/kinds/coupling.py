"""Kind ``coupling``: a thresholding mechanism is private, by shifts of its noises."""

from fractions import Fraction

from verify.kernel import coupling
from verify.kernel.errors import CertificateError, InputError
from verify.kernel.exact import parse_canonical
from verify.kernel.fields import Claim, read_integer, read_list, read_object, read_rows
from verify.kernel.privacy_level import PrivacyLevel, read_level
from verify.kernel.verdict import Verdict, accepted, rejected

__all__ = ["check_coupling"]


def check_coupling(claim: Claim, witness: Claim) -> Verdict:
    """The whole output is (total * epsilon)-DP, with at most one acceptance at each level.

    A level lists the kinds of round that may be run until its acceptance.
    """
    claim = read_object(claim, {"epsilon", "total", "shared_rate", "levels", "tail"}, "claim")
    witness = read_object(witness, {"shared_shift", "shifts"}, "witness")
    epsilon, total = read_level(claim["epsilon"]), parse_canonical(claim["total"], "total")
    shared_rate = parse_canonical(claim["shared_rate"], "shared_rate")
    if shared_rate <= 0 or epsilon.enclose_exp_epsilon(64).upper == 1:
        raise InputError(f"shared_rate: {shared_rate} * {epsilon} is not positive")
    shared_shift = parse_canonical(witness["shared_shift"], "shared_shift")
    levels, shifts = read_list(claim["levels"], "levels"), read_rows(witness["shifts"], "shifts")
    if len(levels) != len(shifts):
        raise CertificateError("levels: need as many as lists of shifts")
    if shared_shift < 1:
        return rejected(f"the shift S -> S + {shared_shift} does not cover a rejection; needs 1")
    shared = cost = shared_rate * shared_shift
    monotone = {False} if claim["tail"] is not None else set()
    for i, (level, moves) in enumerate(zip(levels, shifts, strict=True)):
        costs = _read_costs(level, moves, shared_shift, f"levels[{i}]", monotone)
        if isinstance(costs, Verdict):
            return costs
        cost += max(costs)
    if claim["tail"] is not None:
        tail = read_object(claim["tail"], {"block", "scale"}, "tail")
        block = read_integer(tail["block"], "tail.block", 0, 16)
        if len(levels) != 2**block - 1:
            return rejected(f"tail: starts at level {2**block}, after {len(levels)} levels")
        scale = parse_canonical(tail["scale"], "tail.scale")
        cost += coupling.tail_cost(scale, block, shared_shift)
    if len(monotone) > 1:
        return rejected("monotone rounds stand beside others")
    if cost > total:
        return rejected(f"the coupling costs {cost} epsilon, not {total}", shared=shared, cost=cost)
    return accepted(f"the output is {total} * {epsilon}-DP", shared=shared, cost=cost)


def _read_costs(
    level: object, moves: tuple[Fraction, ...], shared_shift: Fraction, where: str, flags: set[bool]
) -> list[Fraction] | Verdict:
    """What an acceptance costs in each kind of round, or why one is not covered."""
    rounds, costs = read_list(level, where), []
    if not rounds or len(rounds) != len(moves):
        raise CertificateError(f"{where}: needs rounds, and a shift for each")
    for j, (value, shift) in enumerate(zip(rounds, moves, strict=True)):
        round_, purified = _read_round(value, f"{where}[{j}]")
        for verdict in (purified, coupling.check_round(round_, shared_shift, shift)):
            if not verdict.is_accepted:
                return Verdict(verdict.status, f"{where}[{j}]: {verdict.reason}", verdict.details)
        costs.append(coupling.acceptance_cost(round_, shift))
        flags.add(round_.monotone)
    return costs


def _read_round(value: object, where: str) -> tuple[coupling.Round, Verdict]:
    keys = {"rate", "sign", "accepts", "box", "delta", "crossover", "released", "monotone"}
    content = read_object(value, keys, where)
    accepts, released, monotone = (content[key] for key in ("accepts", "released", "monotone"))
    if accepts not in ("at-least", "at-most") or {type(released), type(monotone)} != {bool}:
        raise CertificateError(f"{where}: accepts at-least or at-most; the flags are true or false")
    delta, crossover = (parse_canonical(content[key], where) for key in ("delta", "crossover"))
    box, multiple = read_object(content["box"], None, where), None
    level = PrivacyLevel(exp_epsilon=Fraction(1))  # as a multiple of epsilon: a pure box only
    if "multiple" in box:
        multiple = parse_canonical(read_object(box, {"multiple"}, where)["multiple"], where)
        if multiple <= 0:
            raise CertificateError(f"{where}: the level {multiple} of the box is not positive")
    else:
        level = read_level(box)
    purified = coupling.check_purification(level, delta, crossover)
    if released and (multiple is None or crossover != 0):
        raise CertificateError(f"{where}: a released box is pure, uncleaned, a multiple of epsilon")
    sign = read_integer(content["sign"], where, -1, 1)
    rate = parse_canonical(content["rate"], where)
    charged = multiple if released else None
    return coupling.Round(rate, sign, accepts == "at-least", charged, monotone is True), purified
