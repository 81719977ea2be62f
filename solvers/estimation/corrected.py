"""Exact risk of the estimator whose coordinates are moved alike to sum to 1.

Letters as in ``risk``; k_y is the size of block y, m = alpha - beta. The sum of the canonical
estimates is that of the sizes of the reported blocks, scaled; moving it to 1 takes off Var(k_Y)/v
of the risk: n risk = (sum mu_x (1 - mu_x) - Var(k_Y)/v)/m^2. The mean of k_Y does not depend on the
law P, and the mean of k_Y^2 is linear in P with coefficients w_x.
"""

from fractions import Fraction

import numpy as np

from combinatorics.incidence_matrix import incidence_matrix
from solvers.estimation.risk import Parameters
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign

__all__ = ["corrected_n_risk", "worst_corrected_prior"]


def _square_sizes(
    design: BlockDesign, parameters: Parameters, exp_epsilon: Fraction
) -> list[Fraction]:
    """w_x, the mean of k_Y^2 when the symbol is x."""
    sizes = np.array([block.bit_count() for block in design.blocks], dtype=np.int64)
    squares = sizes * sizes
    on_point = incidence_matrix(design).astype(np.int64) @ squares
    total = parameters.r * exp_epsilon + parameters.b - parameters.r
    everywhere, c = int(squares.sum()), exp_epsilon - 1
    return [(everywhere + c * int(s)) / total for s in on_point]


def corrected_n_risk(
    design: BlockDesign, parameters: Parameters, exp_epsilon: Fraction, prior: Distribution
) -> Fraction:
    """The risk of the estimator with sum 1 at a law, times n, *exact* for every n.

    Raises:
        InputError: for E = 1 or a law on another number of symbols.
    """
    canonical = parameters.n_risk(exp_epsilon, prior)
    alpha, beta = parameters.hit_probabilities(exp_epsilon)
    weights = _square_sizes(design, parameters, exp_epsilon)
    square = sum((p * w for p, w in zip(prior.masses, weights, strict=True)), Fraction(0))
    mean = parameters.v * beta + alpha - beta
    return canonical - (square - mean**2) / (parameters.v * (alpha - beta) ** 2)


def worst_corrected_prior(
    design: BlockDesign, parameters: Parameters, exp_epsilon: Fraction
) -> Distribution:
    """The law at which the estimator with sum 1 has its largest risk, *exact*.

    As a function of P the risk is a constant minus sum P_x^2 + t_x P_x, t_x = w_x/(v m^2): the
    maximiser is the point of the simplex nearest to -t/2.

    Raises:
        InputError: for E = 1.
    """
    if exp_epsilon <= 1:
        raise InputError("epsilon = 0: the reports carry no information")
    alpha, beta = parameters.hit_probabilities(exp_epsilon)
    scale = 2 * parameters.v * (alpha - beta) ** 2
    targets = [-w / scale for w in _square_sizes(design, parameters, exp_epsilon)]
    total, threshold = Fraction(0), Fraction(0)
    for count, target in enumerate(sorted(targets, reverse=True), 1):
        total += target
        if target <= (total - 1) / count:
            break
        threshold = (total - 1) / count
    return Distribution(tuple(max(target - threshold, Fraction(0)) for target in targets))
