"""The parameter sets that the claims run over, from small to larger ones."""

from itertools import product
from typing import TYPE_CHECKING, Any

from solvers.thresholding import CalibratedStep, CalibrationMethod, Calibrator
from solvers.thresholding.parameters import Parameters, StepParameters
from verify.claims.domain import Domain, listed

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["calibrated", "parameters_of", "settings"]

_EPSILONS = ("1", "log(3)", "2")
_BETAS = ("1/10", "1/100")
_THETAS = ("1", "1/3")
_GAMMAS = ("2", "3/2")
_STEPS = (
    ("1/10", "1/2", "0"),
    ("1/5", "9/10", "0"),
    ("1/10", "99/100", "1/1000"),
    ("1/4", "1/20", "1/100"),
)


def _instances(size: int) -> list[Any]:
    grid = list(product(_STEPS, _GAMMAS, _THETAS, _BETAS, _EPSILONS))
    stride = [grid[(7 * i) % len(grid)] for i in range(len(grid))]  # 7 is prime to the length
    return stride[:size]


def settings(text: str = "{size} parameter sets") -> Domain:
    """The first parameter sets of a fixed order that mixes all values."""
    return listed(text, _instances)


def parameters_of(instance: Any) -> tuple[Parameters, StepParameters]:
    """The parameters of the run and of the step."""
    (epsilon_t, p_star, delta), gamma, theta, beta, epsilon = instance
    run = Parameters.of(epsilon, beta, theta, gamma)
    return run, StepParameters.of(epsilon_t, p_star, delta)


def calibrated(
    instance: Any, rounds: int, method: CalibrationMethod = CalibrationMethod.CHERNOFF
) -> list[CalibratedStep]:
    """The first steps of the run."""
    run, step = parameters_of(instance)
    calibrate: Callable[[StepParameters, int], CalibratedStep] = Calibrator(run, method)
    return [calibrate(step, t) for t in range(1, rounds + 1)]
