"""The certificate of kind ``coupling``: why the whole output of a mechanism is private."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from solvers.thresholding.calibration import CalibratedStep
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.parameters import Parameters, StepParameters
from solvers.thresholding.purification import minimal_crossover
from solvers.thresholding.rounds import Direction
from verify.kernel.certificate import Certificate
from verify.kernel.exact import rational_text
from verify.kernel.privacy_level import PrivacyLevel

__all__ = [
    "PrivacyCost",
    "RoundKind",
    "coupling_certificate",
    "level_object",
    "mechanism_certificate",
    "steps_certificate",
]


def level_object(level: PrivacyLevel) -> dict[str, str]:
    """The level as the object that certificates hold."""
    if level.exp_epsilon is not None:
        return {"exp_epsilon": rational_text(level.exp_epsilon)}
    return {"nats": rational_text(level.nats or Fraction(0))}


@dataclass(frozen=True, slots=True)
class PrivacyCost:
    """What the coupling costs, as *exact* multiples of epsilon.

    Args:
        shared: the shift of the shared noise; pays for never stopping.
        per_step: the shift of the accepting step's noise.
    """

    shared: Fraction
    per_step: Fraction

    @property
    def total(self) -> Fraction:
        """The sum of both."""
        return self.shared + self.per_step

    @classmethod
    def of(cls, parameters: Parameters) -> "PrivacyCost":
        """The cost for the rates epsilon_0 and epsilon_1: S -> S + 1 and Y_t -> Y_t + 2."""
        return cls(parameters.shared_rate.multiple, 2 * parameters.step_rate.multiple)


@dataclass(frozen=True, slots=True)
class RoundKind:
    """What the coupling needs to know of a round; rates are multiples of epsilon.

    Args:
        direction: which outcome is counted.
        rate: of the round's own noise.
        box: level of the black box, or its multiple of epsilon when it is pure.
        delta: delta_t.
        crossover: phi_t.
        released: whether an accepted sample of the box is published.
        monotone: whether more data can only raise every accepted outcome's probability.
    """

    direction: Direction
    rate: Fraction
    box: PrivacyLevel | Fraction
    delta: Fraction = Fraction(0)
    crossover: Fraction = Fraction(0)
    released: bool = False
    monotone: bool = False

    @classmethod
    def of(cls, step: CalibratedStep) -> "RoundKind":
        """The kind of a calibrated step."""
        rate = step.parameters.step_rate.multiple
        level = step.step.epsilon.level
        return cls(step.direction, rate, level, step.step.delta, step.crossover)

    def as_object(self) -> dict[str, object]:
        """The object that certificates hold."""
        direct = self.direction is Direction.DIRECT
        box = self.box
        return {
            "rate": rational_text(self.rate),
            "sign": self.direction.sign,
            "accepts": "at-least" if direct else "at-most",
            "box": {"multiple": rational_text(box)}
            if isinstance(box, Fraction)
            else level_object(box),
            "delta": rational_text(self.delta),
            "crossover": rational_text(self.crossover),
            "released": self.released,
            "monotone": self.monotone,
        }


def coupling_certificate(
    epsilon: PrivacyLevel,
    shared_rate: Fraction,
    levels: Sequence[Sequence[RoundKind]],
    *,
    total: Fraction = Fraction(1),
    tail: tuple[int, Fraction] | None = None,
) -> Certificate:
    """The claim that the whole output is (total * epsilon)-DP, with the shifts that prove it.

    Args:
        epsilon: the unit of all rates.
        shared_rate: rate of the shared noise.
        levels: at each level, the kinds of round that may run until its one acceptance.
        total: the claimed cost.
        tail: (block, scale) of infinitely many further levels, as the kernel defines them.
    """
    claim: dict[str, object] = {
        "epsilon": level_object(epsilon),
        "total": rational_text(total),
        "shared_rate": rational_text(shared_rate),
        "levels": [[kind.as_object() for kind in kinds] for kinds in levels],
        "tail": None if tail is None else {"block": tail[0], "scale": rational_text(tail[1])},
    }
    shifts = [["1" if kind.monotone else "2" for kind in kinds] for kinds in levels]
    return Certificate("coupling", claim, {"shared_shift": "1", "shifts": shifts})


def mechanism_certificate(parameters: Parameters, steps: Iterable[StepParameters]) -> Certificate:
    """The claim for all runs whose steps have these parameters, in either direction.

    Raises:
        ParameterError: for no steps.
    """
    rate = parameters.step_rate.multiple
    kinds = [
        RoundKind(
            direction, rate, one.epsilon.level, one.delta, minimal_crossover(one.epsilon, one.delta)
        )
        for one in dict.fromkeys(steps)
        for direction in Direction
    ]
    if not kinds:
        raise ParameterError("steps: at least one is needed for a certificate")
    return coupling_certificate(parameters.level, parameters.shared_rate.multiple, [kinds])


def steps_certificate(parameters: Parameters, steps: Iterable[CalibratedStep]) -> Certificate:
    """The claim that a run whose steps are all of these kinds is epsilon-DP.

    Raises:
        ParameterError: for no steps.
    """
    kinds = list(dict.fromkeys(RoundKind.of(step) for step in steps))
    if not kinds:
        raise ParameterError("steps: at least one is needed for a certificate")
    return coupling_certificate(parameters.level, parameters.shared_rate.multiple, [kinds])
