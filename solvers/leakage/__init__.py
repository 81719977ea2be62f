"""Pointwise maximal leakage (PML), contraction and what they imply for inference.

Everything is exact or an enclosure; only ``dobrushin_coefficient_float`` works in floats.
"""

from solvers.leakage.binette import (
    binette_constant,
    extremal_pair,
    largest_divergence,
    parse_measure,
)
from solvers.leakage.chi2_contraction import Chi2Contraction, chi2_contraction
from solvers.leakage.contraction import (
    BirkhoffCoefficient,
    RowPair,
    birkhoff_coefficient,
    contraction_certificate,
    dobrushin_coefficient,
    farthest_rows,
)
from solvers.leakage.conversion import (
    Conversion,
    conversion_table,
    exp_ldp_of_leakage,
    exp_leakage_of_ldp,
)
from solvers.leakage.data_processing import (
    OutputBound,
    Setting,
    TvConstants,
    kernel_setting,
    leakage_setting,
    output_bounds,
    tv_constants,
)
from solvers.leakage.dobrushin import (
    DobrushinBound,
    attaining_kernel,
    dobrushin_at_leakage,
    dobrushin_bound,
    dobrushin_certificate,
)
from solvers.leakage.dobrushin_float import FloatCoefficient, dobrushin_coefficient_float
from solvers.leakage.minimax import (
    LeCamBound,
    enclose_inflation_factor,
    le_cam_bound,
    non_private_setting,
    samples_needed,
)
from solvers.leakage.output_ratio import kernel_output_ratio, largest_output_ratio
from solvers.leakage.pointwise import (
    PointwiseLeakage,
    exp_maximal_leakage,
    pointwise_maximal_leakage,
)
from solvers.leakage.profile import BestBound, LeakageProfile, leakage_profile
from solvers.leakage.solution import LeakageSolution, solve_leakage
from solvers.leakage.standard_problems import MinimaxRow, minimax_table, standard_problems
from solvers.leakage.supremum import largest_coefficient_by_linear_program
from solvers.leakage.worst_leakage import worst_exp_leakage
from verify.kernel.contraction import e_gamma_contraction

__all__ = [
    "BestBound",
    "BirkhoffCoefficient",
    "Chi2Contraction",
    "Conversion",
    "DobrushinBound",
    "FloatCoefficient",
    "LeCamBound",
    "LeakageProfile",
    "LeakageSolution",
    "MinimaxRow",
    "OutputBound",
    "PointwiseLeakage",
    "RowPair",
    "Setting",
    "TvConstants",
    "attaining_kernel",
    "binette_constant",
    "birkhoff_coefficient",
    "chi2_contraction",
    "contraction_certificate",
    "conversion_table",
    "dobrushin_at_leakage",
    "dobrushin_bound",
    "dobrushin_certificate",
    "dobrushin_coefficient",
    "dobrushin_coefficient_float",
    "e_gamma_contraction",
    "enclose_inflation_factor",
    "exp_ldp_of_leakage",
    "exp_leakage_of_ldp",
    "exp_maximal_leakage",
    "extremal_pair",
    "farthest_rows",
    "kernel_output_ratio",
    "kernel_setting",
    "largest_coefficient_by_linear_program",
    "largest_divergence",
    "largest_output_ratio",
    "le_cam_bound",
    "leakage_profile",
    "leakage_setting",
    "minimax_table",
    "non_private_setting",
    "output_bounds",
    "parse_measure",
    "pointwise_maximal_leakage",
    "samples_needed",
    "solve_leakage",
    "standard_problems",
    "tv_constants",
    "worst_exp_leakage",
]
