"""Kind ``leakage``: the largest Dobrushin coefficient of the channels with a given leakage."""

from verify.kernel.channel import Channel
from verify.kernel.contraction import check_dobrushin_bound, dobrushin_coefficient
from verify.kernel.exact import parse_canonical
from verify.kernel.fields import (
    Claim,
    read_indices,
    read_integer,
    read_object,
    read_rationals,
    read_rows,
    require_form,
)
from verify.kernel.leakage import worst_exp_leakage
from verify.kernel.privacy_level import read_level
from verify.kernel.verdict import Status, Verdict, accepted, rejected

__all__ = ["check_leakage"]

MAX_INPUTS = 100_000
"""Largest number of inputs N that the check works with."""


def check_leakage(claim: Claim, witness: Claim) -> Verdict:
    """The supremum over channels lies in [lower, upper], and the witness channel reaches lower."""
    claim = read_object(claim, {"inputs", "c", "level", "lower", "upper"}, "claim")
    n_inputs = read_integer(claim["inputs"], "inputs", 2, MAX_INPUTS)
    c, lower, upper = (parse_canonical(claim[key], key) for key in ("c", "lower", "upper"))
    level = read_level(claim["level"])
    witness = read_object(witness, {"rows", "pair", "exp_leakage", "multipliers"}, "witness")
    channel = Channel(read_rows(witness["rows"], "rows"))
    pair = read_indices(witness["pair"], "pair", n_inputs)
    fits = channel.n_inputs == n_inputs and len(pair) == 2
    require_form(fits, f"witness: needs {n_inputs} rows and a pair of them")
    if (status := level.allows(worst_exp_leakage(channel, c))) is not Status.ACCEPTED:
        return Verdict(status, f"the channel of the witness is not known to leak at most {level}")
    if dobrushin_coefficient(Channel(tuple(channel.rows[x] for x in pair))) < lower:
        return rejected("lower: the pair of rows of the witness is closer than that")
    high = parse_canonical(witness["exp_leakage"], "exp_leakage")
    if (status := level.is_at_most(high)) is not Status.ACCEPTED:
        return Verdict(status, "witness: exp_leakage is not known to be at least e^epsilon")
    multipliers = read_rationals(witness["multipliers"], "multipliers")
    if not (bound := check_dobrushin_bound(n_inputs, c, high, multipliers, upper)).is_accepted:
        return bound
    proved = f"the largest Dobrushin coefficient at leakage {level} over priors with masses >= {c}"
    return accepted(f"{proved} lies between lower and upper, and the channel reaches lower")
