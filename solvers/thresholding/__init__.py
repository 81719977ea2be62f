"""Generalised private testing: the thresholding mechanism (GTM), calibrated, run and audited."""

from solvers.thresholding.audit import AuditResult, audit_privacy
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
from solvers.thresholding.mechanism import (
    CountingBlackBox,
    GeneralizedThresholding,
    State,
    StepOutcome,
)
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
    "calibrate_step",
    "coupling_certificate",
    "mechanism_certificate",
    "minimal_crossover",
    "purify",
    "steps_certificate",
    "stopping_law",
]
