"""Optimal private testing: Sort-Partition-Randomize (SPR) with proofs of optimality."""

from solvers.testing.solve import TestingSolution, UnprovedError, solve_testing

__all__ = ["TestingSolution", "UnprovedError", "solve_testing"]
