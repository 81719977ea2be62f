"""Kind ``estimation``: a private scheme of a balanced design, its risk, and a bound for all."""

from verify.kernel.design import check_pairwise_balanced
from verify.kernel.estimation import canonical_risk, risk_lower_bound
from verify.kernel.exact import parse_canonical
from verify.kernel.fields import Claim, read_index_lists, read_integer, read_object
from verify.kernel.incidence import MAX_CELLS, BlockDesign
from verify.kernel.kinds.design import developed_design
from verify.kernel.privacy_level import read_level
from verify.kernel.verdict import Status, Verdict, accepted, rejected

__all__ = ["check_estimation"]

MAX_POINTS = 1 << 13
"""Most points: by Fisher's inequality more have too many cells (``MAX_CELLS``)."""
BITS = 512
"""The precision at which e^epsilon is compared with the rational above it."""


def check_estimation(claim: Claim, witness: Claim) -> Verdict:
    """The channel of the design has worst risk n_risk/n; no unbiased scheme is below optimum/n."""
    least, rationals = {"b": 1, "r": 1, "lambda": 0}, ("exp_epsilon", "n_risk", "optimum")
    lists = ("block_sizes", "optimal_block_sizes")
    claim = read_object(claim, {"v", *least, *rationals, *lists, "level"}, "claim")
    v = read_integer(claim["v"], "v", 2, MAX_POINTS)
    b, r, lambda_ = (read_integer(claim[key], key, n, MAX_CELLS) for key, n in least.items())
    low, n_risk, optimum = (parse_canonical(claim[key], key) for key in rationals)
    sizes, best = read_index_lists([claim[key] for key in lists], "block sizes", v + 1)
    level = read_level(claim["level"])
    keys = {"points", "base_blocks", "generators", "exp_epsilon"}
    witness = read_object(witness, keys, "witness")
    points = read_integer(witness["points"], "points", v, MAX_POINTS)
    high = parse_canonical(witness["exp_epsilon"], "exp_epsilon")
    parts = {key: witness[key] for key in ("base_blocks", "generators")}
    kept = (1 << v) - 1  # of the points of the witness the first v are the symbols
    blocks = tuple(block & kept for block in developed_design(parts, points).blocks)
    if not (found := check_pairwise_balanced(BlockDesign(v, blocks), r, lambda_)).is_accepted:
        return found
    if len(blocks) != b or sorted({block.bit_count() for block in blocks}) != list(sizes):
        return rejected("the design has another number of blocks, or blocks of other sizes")
    if (status := level.allows(low)) is not Status.ACCEPTED:
        return Verdict(status, f"exp_epsilon is not known to be at most exp({level})")
    if level.enclose_exp_epsilon(BITS).upper > high:
        return rejected(f"witness: exp_epsilon is not at least e^epsilon at {BITS} bits")
    if canonical_risk(v, b, r, lambda_, low) != n_risk:
        return rejected("n_risk is not the worst risk of the canonical estimator")
    bound, minimisers = risk_lower_bound(v, high)
    if optimum > bound or {best} != {minimisers, risk_lower_bound(v, low)[1]}:
        return rejected("optimum is above what is proved, or optimal_block_sizes do not attain it")
    proved = f"a {level}-LDP scheme of {b} outputs has n_risk, no unbiased one is below optimum"
    return accepted(proved, is_optimal=len(sizes) == 1 and sizes[0] in best)
