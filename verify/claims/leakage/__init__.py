"""Pointwise maximal leakage (PML) and contraction of channels.

Reference: Grosse, Saeidian, Oechtering, Skoglund 2026 (arXiv 2601.09498); Binette 2019.
"""

from verify.claims.claim import Claim
from verify.claims.leakage import bound, data_processing, leakage

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (*leakage.CLAIMS, *bound.CLAIMS, *data_processing.CLAIMS)
