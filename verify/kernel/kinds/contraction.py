"""Kind ``contraction``: the contraction coefficients of E_gamma of a channel, recomputed."""

from verify.kernel.channel import Channel
from verify.kernel.contraction import MAX_PAIR_ENTRIES, e_gamma_contraction
from verify.kernel.errors import CertificateError, LimitError
from verify.kernel.fields import Claim, read_object, read_rows
from verify.kernel.verdict import Verdict, accepted, rejected

__all__ = ["check_contraction"]

MAX_GAMMAS = 16
"""Most coefficients that one certificate states."""


def check_contraction(claim: Claim, witness: Claim) -> Verdict:
    """The coefficients of E_gamma (Dobrushin's for gamma = 1) are as stated, for each gamma."""
    claim = read_object(claim, {"rows", "e_gamma"}, "claim")
    read_object(witness, set(), "witness")
    channel = Channel(read_rows(claim["rows"], "rows"))
    pairs = read_rows(claim["e_gamma"], "e_gamma")
    if not 1 <= len(pairs) <= MAX_GAMMAS:
        raise CertificateError(f"e_gamma: needs 1..{MAX_GAMMAS} pairs")
    if len(pairs) * channel.n_inputs**2 * channel.n_outputs > MAX_PAIR_ENTRIES:
        raise LimitError(f"rows: over the limit of {MAX_PAIR_ENTRIES} entries in pairs of rows")
    for i, pair in enumerate(pairs):
        if len(pair) != 2:
            raise CertificateError(f"e_gamma[{i}]: must be a pair of gamma and coefficient")
        if i and pair[0] <= pairs[i - 1][0]:
            raise CertificateError(f"e_gamma[{i}]: gamma must increase")
        exact = e_gamma_contraction(channel, pair[0])
        if exact != pair[1]:
            return rejected(f"e_gamma[{i}]: the coefficient is {exact}, not as claimed")
    return accepted(f"the contraction coefficients are as stated at {len(pairs)} gamma")
