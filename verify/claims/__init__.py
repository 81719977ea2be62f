"""Every theorem of the sources as a check: symbolic, exhaustive or on drawn instances.

``claim`` says what a claim is, ``domain`` and ``exhaustive`` enumerate and count, ``proof`` proves
identities and inequalities, ``registry`` finds the claims; each topic has its own module.
"""

from verify.claims.claim import Claim, Exhaustive, Method, Randomised, Symbolic
from verify.claims.exhaustive import check_claims
from verify.claims.outcome import CheckResult, ClaimResult
from verify.claims.registry import all_claims, select_claims

__all__ = [
    "CheckResult",
    "Claim",
    "ClaimResult",
    "Exhaustive",
    "Method",
    "Randomised",
    "Symbolic",
    "all_claims",
    "check_claims",
    "select_claims",
]
