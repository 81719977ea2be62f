"""Optimal private testing: Sort-Partition-Randomize (SPR) with proofs of optimality."""

from solvers.testing.every_objective import canonical_name, solve_testing
from solvers.testing.family_solution import FamilySolution, solve_family
from solvers.testing.one_parameter_family import (
    FamilyCell,
    FamilyPoint,
    OneParameterFamily,
    family_enclosure,
)
from solvers.testing.optimal_float import (
    FloatTestingSolution,
    certify_float,
    optimal_partition_float,
    solve_testing_float,
)
from solvers.testing.solve import TestingSolution, UnprovedError
from solvers.testing.weighted_hockey_stick import (
    Weight,
    bayes_advantage_family,
    polynomial_weight,
    weighted_hockey_stick_family,
)
from solvers.testing.zero_concentrated import zero_concentrated_family

__all__ = [
    "FamilyCell",
    "FamilyPoint",
    "FamilySolution",
    "FloatTestingSolution",
    "OneParameterFamily",
    "TestingSolution",
    "UnprovedError",
    "Weight",
    "bayes_advantage_family",
    "canonical_name",
    "certify_float",
    "family_enclosure",
    "optimal_partition_float",
    "polynomial_weight",
    "solve_family",
    "solve_testing",
    "solve_testing_float",
    "weighted_hockey_stick_family",
    "zero_concentrated_family",
]
