"""Optimal private testing: Sort-Partition-Randomize (SPR) with proofs of optimality."""

from solvers.testing.every_objective import canonical_name, solve_testing
from solvers.testing.solve import TestingSolution, UnprovedError

__all__ = ["TestingSolution", "UnprovedError", "canonical_name", "solve_testing"]
