"""The kinds of certificate: for each, how its claim and witness are read and decided."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from verify.kernel import contraction, coupling, design, fields, incidence, ldp, optimality
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution, exact_sum
from verify.kernel.divergence import parse_divergence
from verify.kernel.errors import require, require_limit
from verify.kernel.estimation import canonical_risk, risk_lower_bound
from verify.kernel.exact import excerpt, parse_canonical, rational_text
from verify.kernel.fields import Claim, integer, list_of, read, require_form
from verify.kernel.interval import MAX_BITS
from verify.kernel.privacy_level import PrivacyLevel, read_level
from verify.kernel.verdict import Verdict, accepted, demand

__all__ = ["KINDS"]

MAX_INPUTS = 100_000
"""Largest number of inputs N in a claim on leakage."""
MAX_PRIOR_BITS = 1 << 11
"""Most bits of the denominators of the least masses of priors in one claim."""
MAX_POINTS = 1 << 13
"""Most points of a design for estimation: by Fisher's inequality more have too many cells."""
MAX_ORBIT_WORK = 1 << 25
"""Most images of points, and 16 more for each block, under the generators of a design."""

_RATIONALS = list_of(parse_canonical)
_PAIR = list_of(parse_canonical, 2, 2)
_COUNT = integer(1, incidence.MAX_CELLS)


_READERS: dict[str, fields.Reader] = {
    **dict.fromkeys(("level", "epsilon"), read_level),
    **dict.fromkeys(("rows", "shifts"), list_of(_RATIONALS)),
    **dict.fromkeys(("p0", "p1", "multipliers", "separators", "knots"), _RATIONALS),
    **dict.fromkeys(("object", "divergence", "accepts"), fields.text),
    **dict.fromkeys(("base_blocks", "generators", "outputs", "tail"), fields.anything),
    **dict.fromkeys(("released", "monotone"), fields.flag),
    **dict.fromkeys(("v", "k", "t", "b", "r", "order", "lambda"), _COUNT),
    **dict.fromkeys(("block_sizes", "optimal_block_sizes"), list_of(integer(0, MAX_POINTS))),
    "bits": integer(8, MAX_BITS),
    "sign": integer(-1, 1),
}
"""What stands at a key, unless a kind says otherwise; at all others, a canonical rational."""


def _read(value: object, where: str, keys: str, **readers: fields.Reader) -> list[Any]:
    """What stands at the keys of the object, by these readers or else the usual ones."""
    return read(value, where, keys, **{**_READERS, **readers})


def check_channel(claim: Claim, witness: Claim) -> Verdict:
    """The channel is private at the level; its ratio, contraction and leakages are as stated."""
    keys = "rows level exp_epsilon dobrushin_coefficient leakage"
    readers = {"exp_epsilon": fields.text, "leakage": list_of(_PAIR, 0, 32)}
    rows, level, exp_epsilon, coefficient, leakages = _read(claim, "claim", keys, **readers)
    read(witness, "witness", "")
    channel = Channel(rows)
    worst = ldp.largest_column_ratio(channel)
    ratio = rational_text(worst.exp_epsilon)
    demand(ratio == exp_epsilon, f"exp_epsilon is {ratio}, not as claimed", ratio=worst)
    exact = contraction.e_gamma_contraction(channel)
    demand(exact == coefficient, f"the Dobrushin coefficient is {excerpt(exact)}, not as claimed")
    require_limit(sum(c.denominator.bit_length() for c, _ in leakages), MAX_PRIOR_BITS, "c: bits")
    for i, (c, leakage) in enumerate(leakages):
        found = ldp.largest_column_ratio(channel, c).exp_epsilon
        demand(found == leakage, f"leakage[{i}] is not as claimed")
    stated = f"{level}-LDP: its largest column ratio is {ratio}"
    demand(level.allows(worst.exp_epsilon), f"the channel is not known to be {stated}", ratio=worst)
    return accepted(f"the channel is {stated}")


def check_contraction(claim: Claim, witness: Claim) -> Verdict:
    """The coefficients of E_gamma (Dobrushin's for gamma = 1) are as stated, for each gamma."""
    rows, pairs = _read(claim, "claim", "rows e_gamma", e_gamma=list_of(_PAIR, 1, 16))
    read(witness, "witness", "")
    channel = Channel(rows)
    rising = all(gamma < larger for (gamma, _), (larger, _) in pairwise(pairs))
    require_form(rising, "e_gamma: gamma must increase")
    for i, (gamma, coefficient) in enumerate(pairs):
        exact = contraction.e_gamma_contraction(channel, gamma, len(pairs))
        demand(exact == coefficient, f"e_gamma[{i}]: is {excerpt(exact)}, not as claimed")
    return accepted(f"the contraction coefficients are as stated at {len(pairs)} gamma")


def check_coupling(claim: Claim, witness: Claim) -> Verdict:
    """The whole output is (total * epsilon)-DP, with at most one acceptance at each level.

    A level lists the kinds of round that may be run until its acceptance.
    """
    keys, rounds = "epsilon total shared_rate levels tail", list_of(list_of(_read_round))
    epsilon, total, shared_rate, levels, tail = _read(claim, "claim", keys, levels=rounds)
    shared_shift, shifts = _read(witness, "witness", "shared_shift shifts")
    positive = shared_rate > 0 and epsilon.enclose_exp_epsilon(64).upper > 1
    require(positive, f"shared_rate: {shared_rate} * {epsilon} is not positive")
    paired = all(levels) and [*map(len, levels)] == [*map(len, shifts)]
    require_form(paired, "levels: each needs rounds, and the witness a shift for each")
    demand(shared_shift >= 1, f"the shift S -> S + {shared_shift} does not cover a rejection")
    costs = [shared_rate * shared_shift]
    monotone = {round_.monotone for level in levels for round_, *_ in level}
    for i, level in enumerate(levels):
        costs.append(Fraction(0))
        for j, ((round_, *box), shift) in enumerate(zip(level, shifts[i], strict=True)):
            covered = coupling.check_round(round_, shared_shift, shift)
            for found in (coupling.check_purification(*box), covered):
                demand(replace(found, reason=f"levels[{i}][{j}]: {found.reason}"))
            costs[-1] = max(costs[-1], coupling.acceptance_cost(round_, shift))
    if tail is not None:
        block, scale = read(tail, "tail", "block scale", block=integer(0, 16))
        demand(len(levels) == 2**block - 1, f"tail: not {2**block - 1} levels before it")
        monotone |= {False}
        costs.append(coupling.tail_cost(scale, block, shared_shift))
    demand(len(monotone) < 2, "monotone rounds stand beside others")
    shared, cost = costs[0], exact_sum(costs, "costs")
    demand(cost <= total, f"the coupling costs {excerpt(cost)} epsilon, not {total}", cost=cost)
    return accepted(f"the output is {total} * {epsilon}-DP", shared=shared, cost=cost)


def _read_round(value: object, where: str) -> tuple[Any, ...]:
    """The round, and the level, delta and crossover of its box."""
    keys = "rate sign accepts box delta crossover released monotone"
    content = _read(value, where, keys, box=fields.mapping)
    rate, sign, accepts, box, delta, crossover, released, monotone = content
    require_form(accepts in {"at-least", "at-most"}, f"{where}: accepts at-least or at-most")
    if "multiple" in box:
        [multiple] = read(box, f"{where}.box", "multiple")
        require_form(multiple > 0, f"{where}: the level {multiple} of the box is not positive")
        level = PrivacyLevel(exp_epsilon=Fraction(1))  # where no delta > 0 can be cleaned
    else:
        multiple, level = Fraction(0), read_level(box, f"{where}.box")
    bare = multiple and not crossover
    require_form(bare or not released, f"{where}: a released box needs a multiple and crossover 0")
    round_ = coupling.Round(rate, sign, accepts == "at-least", multiple * released, monotone)
    return round_, level, delta, crossover


def _read_group(value: object, where: str) -> incidence.CyclicProduct | incidence.CayleyTable:
    """A group as the orders of its cyclic factors, or as its multiplication table."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        require_limit(len(value), incidence.MAX_TABLE_ORDER, f"{where}: elements")
        return incidence.CayleyTable(list_of(list_of(integer(0, len(value) - 1)))(value, where))
    return incidence.CyclicProduct(list_of(_COUNT)(value, where))


_DESIGNS = {"block design": "v k lambda t", "pairwise balanced design": "v r lambda"}
_DESIGNS |= {"Hadamard matrix": "order", "difference set": "group k lambda"}


def check_design(claim: Claim, witness: Claim) -> Verdict:
    """The witness is an object of the claimed type with the claimed parameters."""
    kind = fields.text(claim.get("object"), "object")
    require_form(kind in _DESIGNS, "object: must name a kind of design, as the format lists them")
    _, *parameters = _read(claim, "claim", "object " + _DESIGNS[kind], group=_read_group)
    if kind == "Hadamard matrix":
        [order], [rows] = parameters, _read(witness, "witness", "rows", rows=list_of(fields.text))
        signs = all(len(row) == order and set(row) <= {"+", "-"} for row in rows)
        require_form(signs, f"rows: each must be {order} characters + or -")
        bitsets = tuple(int(row[::-1].translate({43: "0", 45: "1"}), 2) for row in rows)
        return design.check_hadamard(incidence.HadamardMatrix(order, bitsets))
    if kind == "difference set":
        group, k, lambda_ = parameters
        in_group = list_of(integer(0, group.order - 1))
        [elements] = read(witness, "witness", "elements", elements=in_group)
        demand(len(elements) == k, f"the set has {len(elements)} elements, not {k}")
        return design.check_difference_set(incidence.DifferenceSet(group, elements), lambda_)
    v, *numbers = parameters
    developed = developed_design(v, *_read(witness, "witness", "base_blocks generators"))
    if kind == "block design":
        return design.check_design(developed, *numbers)
    return design.check_pairwise_balanced(developed, *numbers)


def developed_design(v: int, base_blocks: object, generators: object) -> incidence.BlockDesign:
    """The images of every base block under the maps generated; without maps the blocks alone.

    Raises:
        CertificateError: for a list that does not hold points, or a map without v images.
        InputError: for a block with a repeated point.
        LimitError: for more images than ``MAX_ORBIT_WORK``, or too many cells.
    """
    blocks: list[tuple[int, ...]] = []
    work, point = 0, integer(0, v - 1)
    maps = list_of(list_of(point, v, v))(generators, "generators")
    for base in list_of(list_of(point))(base_blocks, "base_blocks"):
        reached = [tuple(sorted(base))]
        known = set(reached)
        for block in reached:  # grows while it is read
            work += (len(block) + 16) * len(maps)
            require_limit(work, MAX_ORBIT_WORK, "generators: images of points")
            for images in maps:
                image = tuple(sorted(map(images.__getitem__, block)))
                if image not in known:
                    known.add(image)
                    reached.append(image)
        blocks += reached
        require_limit(v * len(blocks), incidence.MAX_CELLS, "cells")
    for i, block in enumerate(blocks):
        require(len({*block}) == len(block), f"block {i}: point is repeated")
    return incidence.BlockDesign(v, tuple(incidence.bitset(block, v) for block in blocks))


def check_estimation(claim: Claim, witness: Claim) -> Verdict:
    """The channel of the design has worst risk n_risk/n; no unbiased scheme is below optimum/n."""
    keys = "v b r lambda level exp_epsilon n_risk optimum block_sizes optimal_block_sizes"
    ranges = {"v": integer(2, MAX_POINTS), "lambda": integer(0, incidence.MAX_CELLS)}
    v, b, r, lambda_, level, low, risk, optimum, sizes, best = _read(claim, "claim", keys, **ranges)
    keys, counts = "points exp_epsilon base_blocks generators", integer(v, MAX_POINTS)
    points, high, *parts = _read(witness, "witness", keys, points=counts)
    symbols = (1 << v) - 1  # the first of the points
    blocks = tuple(block & symbols for block in developed_design(points, *parts).blocks)
    demand(design.check_pairwise_balanced(incidence.BlockDesign(v, blocks), r, lambda_))
    alike = len(blocks) == b and sorted({block.bit_count() for block in blocks}) == list(sizes)
    demand(alike, "the design has another number of blocks, or blocks of other sizes")
    demand(level.allows(low), f"exp_epsilon is not known to be at most exp({level})")
    demand(level.is_at_most(high), "witness: exp_epsilon is not known to be at least e^epsilon")
    demand(canonical_risk(v, b, r, lambda_, low) == risk, "n_risk is not the worst risk")
    bound, minimisers = risk_lower_bound(v, high)
    demand(optimum <= bound, "optimum is above what is proved")
    attained = best == minimisers == risk_lower_bound(v, low)[1]
    demand(attained, "optimal_block_sizes are not those of the bound, or not the same at both ends")
    proved = f"a {level}-LDP scheme of {b} outputs has n_risk, no unbiased one is below optimum"
    return accepted(proved, is_optimal=len(sizes) == 1 and sizes[0] in best)


def check_leakage(claim: Claim, witness: Claim) -> Verdict:
    """The supremum over channels lies in [lower, upper], and the witness channel reaches lower."""
    keys, inputs = "inputs c level lower upper", integer(2, MAX_INPUTS)
    n_inputs, c, level, lower, upper = _read(claim, "claim", keys, inputs=inputs)
    keys, two = "rows pair exp_leakage multipliers", list_of(integer(0, n_inputs - 1), 2, 2)
    rows, pair, high, multipliers = _read(witness, "witness", keys, pair=two)
    channel = Channel(rows)
    require_form(channel.n_inputs == n_inputs, f"witness: needs {n_inputs} rows")
    require_limit(c.denominator.bit_length(), MAX_PRIOR_BITS, "c: bits")
    private = level.allows(ldp.largest_column_ratio(channel, c).exp_epsilon)
    demand(private, f"the channel of the witness is not known to leak at most {level}")
    distance = contraction.e_gamma_contraction(Channel([rows[x] for x in pair]))
    demand(distance >= lower, "lower: the pair of rows of the witness is closer than that")
    demand(level.is_at_most(high), "witness: exp_leakage is not known to be at least e^epsilon")
    demand(contraction.check_dobrushin_bound(n_inputs, c, high, multipliers, upper))
    proved = f"the largest Dobrushin coefficient at leakage {level} over priors with masses >= {c}"
    return accepted(f"{proved} lies between lower and upper, and the channel reaches lower")


def check_testing(claim: Claim, witness: Claim) -> Verdict:
    """The best divergence of a private channel lies in [lower, upper], and the mechanism has it."""
    keys = "p0 p1 level divergence outputs lower upper"
    p0, p1, level, name, outputs, lower, upper = _read(claim, "claim", keys)
    p0, p1 = Distribution(p0, "p0"), Distribution(p1, "p1")
    if outputs is not None:
        outputs = integer(1, len(p0))(outputs, "outputs")
    problem = optimality.TestingProblem(p0, p1, parse_divergence(name), outputs)
    spelled = problem.divergence.name
    require_form(spelled == name, f"divergence: must be spelled {spelled!r}")
    keys = "exp_epsilon blocks bits multipliers output_multiplier separators knots"
    readers = {"exp_epsilon": _PAIR, "blocks": list_of(list_of(integer(0, len(p0) - 1)))}
    (low, high), blocks, bits, *dual = _read({"knots": [], **witness}, "witness", keys, **readers)
    n_needed = len(dual[3]) or len(p0)  # the knots
    require_form(len(dual[0]) == n_needed, f"witness: needs {n_needed} multipliers")
    for answer in (low >= 1, level.allows(low), level.is_at_most(high)):
        demand(answer, "witness: exp_epsilon is not known to enclose e^epsilon")
    demand(optimality.check_lower_bound(problem, low, blocks, lower, bits))
    demand(optimality.check_upper_bound(problem, high, optimality.DualWitness(*dual), upper, bits))
    limit = "" if outputs is None else f" with at most {outputs} outputs"
    proved = f"the best {name} of a {level}-LDP channel{limit} lies between lower and upper"
    return accepted(f"{proved}, and the mechanism reaches lower")


KINDS = {"channel": check_channel, "contraction": check_contraction, "coupling": check_coupling}
KINDS |= {"design": check_design, "estimation": check_estimation, "leakage": check_leakage}
KINDS |= {"testing": check_testing}
