"""Designs, difference sets and Hadamard matrices: the theorems that the constructions rest on."""

from verify.claims.claim import Claim
from verify.claims.combinatorics import designs, difference_sets, hadamard

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (*designs.CLAIMS, *difference_sets.CLAIMS, *hadamard.CLAIMS)
