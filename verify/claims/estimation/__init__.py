"""Estimating a distribution by block designs: exact risk, optimal block sizes, optimality.

Reference: Park, Nam, Lee 2023 (arXiv 2305.01261); Ye, Barg 2018.
"""

from verify.claims.claim import Claim
from verify.claims.estimation import block_sizes, optimality, schemes

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (*schemes.CLAIMS, *block_sizes.CLAIMS, *optimality.CLAIMS)
