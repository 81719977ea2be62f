"""Differentially private optimisation under continual observation, from batch algorithms."""

from solvers.thresholding.continual.baselines import (
    StreamResult,
    doubling,
    every_step,
    non_private,
    run_ladder,
)
from solvers.thresholding.continual.budget import (
    BoundedBudget,
    UnboundedBudget,
    bounded_budget,
    unbounded_budget,
)
from solvers.thresholding.continual.guarantee import Guarantee, utility_box, utility_ladder
from solvers.thresholding.continual.ladder import Comparison, Held, Ladder
from solvers.thresholding.continual.objective import (
    Objective,
    coverage,
    densest_subgraph,
    facility_location,
    max_cut,
)
from solvers.thresholding.continual.peeling import PeelingResult, peel_privately
from solvers.thresholding.continual.threshold_box import (
    DistanceScores,
    ThresholdBox,
    UtilityScores,
)

__all__ = [
    "BoundedBudget",
    "Comparison",
    "DistanceScores",
    "Guarantee",
    "Held",
    "Ladder",
    "Objective",
    "PeelingResult",
    "StreamResult",
    "ThresholdBox",
    "UnboundedBudget",
    "UtilityScores",
    "bounded_budget",
    "coverage",
    "densest_subgraph",
    "doubling",
    "every_step",
    "facility_location",
    "max_cut",
    "non_private",
    "peel_privately",
    "run_ladder",
    "unbounded_budget",
    "utility_box",
    "utility_ladder",
]
