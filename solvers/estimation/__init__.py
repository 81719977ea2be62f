"""Private estimation of a distribution: schemes from block designs, exact risk, the best scheme."""

from solvers.estimation.aggregate import Aggregate
from solvers.estimation.certificate import scheme_certificate
from solvers.estimation.constructors import (
    block_design_scheme,
    hadamard_response,
    projective_geometry_response,
    randomized_response,
    subset_selection,
    truncated_scheme,
)
from solvers.estimation.random_words import CryptographicWords, SeededWords, Words
from solvers.estimation.ranking import SchemeRanking, best_schemes
from solvers.estimation.risk import (
    OptimalWindow,
    Parameters,
    enclose_loss,
    optimal_block_sizes,
    optimal_window,
    optimum,
)
from solvers.estimation.scheme import Scheme
from solvers.estimation.simplex import project_onto_simplex, with_sum_one
from solvers.estimation.structure import Structure

__all__ = [
    "Aggregate",
    "CryptographicWords",
    "OptimalWindow",
    "Parameters",
    "Scheme",
    "SchemeRanking",
    "SeededWords",
    "Structure",
    "Words",
    "best_schemes",
    "block_design_scheme",
    "enclose_loss",
    "hadamard_response",
    "optimal_block_sizes",
    "optimal_window",
    "optimum",
    "project_onto_simplex",
    "projective_geometry_response",
    "randomized_response",
    "scheme_certificate",
    "subset_selection",
    "truncated_scheme",
    "with_sum_one",
]
