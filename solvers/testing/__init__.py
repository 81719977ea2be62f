"""Optimal private testing: Sort-Partition-Randomize (SPR) with proofs of optimality."""

from solvers.testing.every_objective import canonical_name, solve_testing
from solvers.testing.optimal_float import (
    FloatTestingSolution,
    certify_float,
    optimal_partition_float,
    solve_testing_float,
)
from solvers.testing.solve import TestingSolution, UnprovedError

__all__ = [
    "FloatTestingSolution",
    "TestingSolution",
    "UnprovedError",
    "canonical_name",
    "certify_float",
    "optimal_partition_float",
    "solve_testing",
    "solve_testing_float",
]
