"""Kind ``contraction``: the contraction coefficients of E_gamma of a channel, recomputed."""

from verify.kernel.channel import Channel
from verify.kernel.contraction import MAX_PAIR_ENTRIES, e_gamma_contraction
from verify.kernel.errors import require_limit
from verify.kernel.fields import Claim, read_object, read_pairs, read_rows, require_form
from verify.kernel.verdict import Verdict, accepted, rejected

__all__ = ["check_contraction"]

MAX_GAMMAS = 16
"""Most coefficients that one certificate states."""


def check_contraction(claim: Claim, witness: Claim) -> Verdict:
    """The coefficients of E_gamma (Dobrushin's for gamma = 1) are as stated, for each gamma."""
    claim = read_object(claim, {"rows", "e_gamma"}, "claim")
    read_object(witness, set(), "witness")
    channel = Channel(read_rows(claim["rows"], "rows"))
    pairs = read_pairs(claim["e_gamma"], "e_gamma", 1, MAX_GAMMAS)
    work = len(pairs) * channel.n_inputs**2 * channel.n_outputs
    require_limit(work, MAX_PAIR_ENTRIES, "rows: entries in pairs of rows")
    for i, (gamma, coefficient) in enumerate(pairs):
        require_form(not i or gamma > pairs[i - 1][0], f"e_gamma[{i}]: gamma must increase")
        if (exact := e_gamma_contraction(channel, gamma)) != coefficient:
            return rejected(f"e_gamma[{i}]: the coefficient is {exact}, not as claimed")
    return accepted(f"the contraction coefficients are as stated at {len(pairs)} gamma")
