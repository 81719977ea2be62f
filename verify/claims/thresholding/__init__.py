"""Generalised private testing: the thresholding mechanism (GTM), its privacy and its accuracy.

Reference: Chaturvedi, Henzinger et al. 2026 (arXiv 2605.21601), as reconstructed in the solvers.
"""

from verify.claims.claim import Claim
from verify.claims.thresholding import calibration, privacy

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (*calibration.CLAIMS, *privacy.CLAIMS)
