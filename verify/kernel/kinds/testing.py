"""Kind ``testing``: a mechanism for telling two distributions apart, and that none is better."""

from fractions import Fraction

from verify.kernel.distribution import Distribution
from verify.kernel.divergence import parse_divergence
from verify.kernel.exact import parse_canonical
from verify.kernel.fields import (
    Claim,
    read_index_lists,
    read_integer,
    read_object,
    read_rationals,
    read_string,
    require_form,
)
from verify.kernel.interval import MAX_BITS
from verify.kernel.optimality import (
    DualWitness,
    TestingProblem,
    check_lower_bound,
    check_upper_bound,
    merged_problem,
    randomized_block_response,
)
from verify.kernel.privacy_level import PrivacyLevel, read_level
from verify.kernel.verdict import Status, Verdict, accepted, rejected, undecided

__all__ = ["check_testing"]


def check_testing(claim: Claim, witness: Claim) -> Verdict:
    """The best divergence of a private channel lies in [lower, upper], and the mechanism has it."""
    keys = {"p0", "p1", "level", "divergence", "outputs", "lower", "upper"}
    claim = read_object(claim, keys, "claim")
    p0 = Distribution(read_rationals(claim["p0"], "p0"), "p0")
    p1 = Distribution(read_rationals(claim["p1"], "p1"), "p1")
    name = read_string(claim["divergence"], "divergence")
    outputs = claim["outputs"]
    if outputs is not None:
        outputs = read_integer(outputs, "outputs", 1, len(p0))
    problem = TestingProblem(p0, p1, parse_divergence(name), outputs)
    spelled = problem.divergence.name
    require_form(spelled == name, f"divergence: must be spelled {spelled!r}")
    level = read_level(claim["level"])
    lower, upper = (parse_canonical(claim[key], key) for key in ("lower", "upper"))
    keys = {"exp_epsilon", "blocks", "multipliers", "output_multiplier", "separators", "bits"}
    keys |= {"knots"} & set(witness)
    witness = read_object(witness, keys, "witness")
    bits = read_integer(witness["bits"], "bits", 8, MAX_BITS)
    exp_epsilon = read_rationals(witness["exp_epsilon"], "exp_epsilon")
    dual = _read_dual(witness, len(p0))
    require_form(len(exp_epsilon) == 2, "witness: needs two exp_epsilon")
    blocks = read_index_lists(witness["blocks"], "blocks", len(p0))
    enclosed = _check_enclosure(level, *exp_epsilon)
    if not enclosed.is_accepted:
        return enclosed
    merged, outcomes = merged_problem(problem, blocks), [[j] for j in range(len(blocks))]
    mechanism = randomized_block_response(outcomes, len(blocks), exp_epsilon[0])
    for verdict in (
        check_lower_bound(merged, exp_epsilon[0], mechanism, lower, bits),
        check_upper_bound(problem, exp_epsilon[1], dual, upper, bits),
    ):
        if not verdict.is_accepted:
            return verdict
    limit = "" if outputs is None else f" with at most {outputs} outputs"
    return accepted(
        f"the best {name} of a {level}-LDP channel{limit} lies between lower and upper, "
        "and the mechanism reaches lower"
    )


def _read_dual(witness: Claim, alphabet_size: int) -> DualWitness:
    dual = DualWitness(
        read_rationals(witness["multipliers"], "multipliers"),
        parse_canonical(witness["output_multiplier"], "output_multiplier"),
        read_rationals(witness["separators"], "separators"),
        read_rationals(witness.get("knots", []), "knots"),
    )
    n_needed = len(dual.knots) or alphabet_size
    require_form(len(dual.multipliers) == n_needed, f"witness: needs {n_needed} multipliers")
    return dual


def _check_enclosure(level: PrivacyLevel, low: Fraction, high: Fraction) -> Verdict:
    """Whether 1 <= low <= E <= high, at whatever precision it takes."""
    found = {level.allows(low), level.is_at_most(high)}
    if low < 1 or Status.REJECTED in found:
        return rejected("witness: exp_epsilon does not enclose e^epsilon")
    if Status.UNDECIDED in found:
        return undecided("witness: exp_epsilon is not separated from e^epsilon")
    return accepted("the bounds enclose e^epsilon")
