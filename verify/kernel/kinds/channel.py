"""Kind ``channel``: what a channel reveals, recomputed from its matrix."""

from verify.kernel.channel import Channel
from verify.kernel.contraction import dobrushin_coefficient
from verify.kernel.exact import parse_canonical, rational_text
from verify.kernel.fields import Claim, read_object, read_pairs, read_rows, read_string
from verify.kernel.ldp import largest_column_ratio
from verify.kernel.leakage import worst_exp_leakage
from verify.kernel.privacy_level import read_level
from verify.kernel.verdict import Status, Verdict, accepted, rejected

__all__ = ["check_channel"]

MAX_LEAKAGES = 32
"""Most values of c in one certificate."""


def check_channel(claim: Claim, witness: Claim) -> Verdict:
    """The channel is private at the level; its ratio, contraction and leakages are as stated."""
    keys = {"rows", "level", "exp_epsilon", "dobrushin_coefficient", "leakage"}
    claim = read_object(claim, keys, "claim")
    read_object(witness, set(), "witness")
    channel, level = Channel(read_rows(claim["rows"], "rows")), read_level(claim["level"])
    worst = largest_column_ratio(channel)
    ratio = rational_text(worst.exp_epsilon)
    if ratio != read_string(claim["exp_epsilon"], "exp_epsilon"):
        return rejected(f"exp_epsilon is {ratio}, not as claimed", ratio=worst)
    contraction = parse_canonical(claim["dobrushin_coefficient"], "dobrushin_coefficient")
    if contraction != dobrushin_coefficient(channel):
        return rejected("the Dobrushin coefficient is not as claimed")
    for i, (c, leakage) in enumerate(read_pairs(claim["leakage"], "leakage", 0, MAX_LEAKAGES)):
        if worst_exp_leakage(channel, c) != leakage:
            return rejected(f"leakage[{i}] is not as claimed")
    reason = f"its largest column ratio is {ratio}"
    if (status := level.allows(worst.exp_epsilon)) is not Status.ACCEPTED:
        reason = f"the channel is not known to be {level}-LDP: {reason}"
        return Verdict(status, reason, {"ratio": worst})
    return accepted(f"the channel is {level}-LDP: {reason}")
