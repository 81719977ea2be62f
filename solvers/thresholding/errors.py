"""What can go wrong when a thresholding mechanism is run."""

from verify.kernel.errors import InputError, LimitError

__all__ = ["BlackBoxError", "CostlyStepError", "MechanismStateError", "ParameterError"]


class ParameterError(InputError):
    """A parameter of the mechanism is outside its range; the message names it and its value."""


class CostlyStepError(LimitError):
    """A step would need more evaluations than the guard allows; said before any data is used."""


class MechanismStateError(RuntimeError):
    """A mechanism that has stopped, failed or was closed is asked to go on."""


class BlackBoxError(RuntimeError):
    """A black box raised or returned something that is no outcome; its budget is spent."""
