"""The best split theta of the noise for a horizon, by a one-dimensional search."""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from scipy.optimize import minimize_scalar

from solvers.thresholding.calibration import CalibrationMethod, Calibrator
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.parameters import Parameters, StepParameters

__all__ = ["best_theta"]

_LOWEST, _HIGHEST = 1e-3, 1e3
_DENOMINATOR = 1000


def best_theta(parameters: Parameters, steps: Sequence[StepParameters]) -> Fraction:
    """The split theta that needs the fewest evaluations over these steps, nearly.

    Minimises the sum over the steps of the bound that the number of evaluations of each step keeps
    with high probability; theta of ``parameters`` is ignored. For one step whose evaluations grow
    with Lambda_t this is near sqrt(2 ln(4/beta) / ln(4/beta_t)).

    Args:
        parameters: of the run.
        steps: the first steps, or a sample of them.

    Raises:
        ParameterError: for no steps.

    Cost: some 30 calibrations of the steps.
    """
    if not steps:
        raise ParameterError("steps: at least one is needed to choose theta")

    def log_cost(log_theta: float) -> float:
        made = replace(parameters, theta=_rounded(math.exp(log_theta)))
        calibrator = Calibrator(made, CalibrationMethod.CHERNOFF)
        bounds = (calibrator(step, t).evaluation_bound().upper for t, step in enumerate(steps, 1))
        return _log(sum(bounds, Fraction(0)))

    bracket = (math.log(_LOWEST), math.log(_HIGHEST))
    found = minimize_scalar(log_cost, bounds=bracket, method="bounded", options={"xatol": 1e-3})
    return _rounded(math.exp(float(found.x)))


def _rounded(theta: float) -> Fraction:
    return max(Fraction(theta).limit_denominator(_DENOMINATOR), Fraction(1, _DENOMINATOR))


def _log(number: Fraction) -> float:
    return math.log(number.numerator) - math.log(number.denominator)
