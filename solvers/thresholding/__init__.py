"""Generalised private testing: the thresholding mechanism (GTM), calibrated, run and audited."""

from solvers.thresholding.audit import AuditResult, audit_privacy
from solvers.thresholding.black_box import CountingBlackBox
from solvers.thresholding.calibration import (
    CalibratedStep,
    CalibrationMethod,
    Calibrator,
    calibrate_step,
)
from solvers.thresholding.certificate import (
    PrivacyCost,
    coupling_certificate,
    mechanism_certificate,
    steps_certificate,
)
from solvers.thresholding.errors import (
    BlackBoxError,
    CostlyStepError,
    MechanismStateError,
    ParameterError,
)
from solvers.thresholding.ex_post import ExPostStep, calibrate_ex_post, ex_post_certificate
from solvers.thresholding.lower_bounds import (
    basic_lower_bound,
    compare,
    exponents,
    midpoint_lower_bound,
)
from solvers.thresholding.mechanism import GeneralizedThresholding, State, StepOutcome
from solvers.thresholding.noise_split import best_theta
from solvers.thresholding.parameters import Parameters, StepParameters
from solvers.thresholding.purification import BinarySymmetricChannel, minimal_crossover, purify
from solvers.thresholding.rounds import CountingRound, Direction
from solvers.thresholding.stopping_law import StoppingLaw, stopping_law

__all__ = [
    "AuditResult",
    "BinarySymmetricChannel",
    "BlackBoxError",
    "CalibratedStep",
    "CalibrationMethod",
    "Calibrator",
    "CostlyStepError",
    "CountingBlackBox",
    "CountingRound",
    "Direction",
    "ExPostStep",
    "GeneralizedThresholding",
    "MechanismStateError",
    "ParameterError",
    "Parameters",
    "PrivacyCost",
    "State",
    "StepOutcome",
    "StepParameters",
    "StoppingLaw",
    "audit_privacy",
    "basic_lower_bound",
    "best_theta",
    "calibrate_ex_post",
    "calibrate_step",
    "compare",
    "coupling_certificate",
    "ex_post_certificate",
    "exponents",
    "mechanism_certificate",
    "midpoint_lower_bound",
    "minimal_crossover",
    "purify",
    "steps_certificate",
    "stopping_law",
]
