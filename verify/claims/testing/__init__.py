"""Optimal private testing: Sort-Partition-Randomize (SPR) and what its proof rests on.

Reference: Ghazi 2026 (arXiv 2606.07443); Kairouz, Oh, Viswanath 2016 (the linear program).
"""

from verify.claims.claim import Claim
from verify.claims.testing import closed_forms, joint_range, mechanisms, optimality, thresholds

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (
    *mechanisms.CLAIMS,
    *joint_range.CLAIMS,
    *optimality.CLAIMS,
    *closed_forms.CLAIMS,
    *thresholds.CLAIMS,
)
