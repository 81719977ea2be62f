"""Parameters of the generalised thresholding mechanism (GTM).

Letters: epsilon total privacy; beta failure probability; theta splits the noise, shared rate
epsilon_0 = theta epsilon / (2 + theta) and rate epsilon_1 = epsilon / (2 + theta) of each step, so
that epsilon_0 + 2 epsilon_1 = epsilon; gamma in (1, 2] the resolution of the counting test. Step t
has an (epsilon_t, delta_t)-DP black box and accepts when its success probability reaches p_star.
"""

from dataclasses import dataclass
from fractions import Fraction

from solvers.backend import arb, ball
from solvers.epsilon import Epsilon, parse_epsilon
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.rates import Rate
from verify.kernel.exact import as_rational
from verify.kernel.privacy_level import PrivacyLevel

__all__ = ["Parameters", "StepParameters"]


def positive_epsilon(value: object, name: str) -> Epsilon:
    """The privacy parameter, refused unless it is > 0."""
    epsilon = parse_epsilon(value)
    if epsilon.exp_upper == 1:
        raise ParameterError(f"{name}: must be positive, not {epsilon}")
    return epsilon


def _inside(value: object, name: str, low: Fraction | int, high: Fraction | int) -> Fraction:
    number = as_rational(value, name)
    if not low < number < high:
        raise ParameterError(f"{name}: must lie in ({low}, {high}), not {number}")
    return number


@dataclass(frozen=True, slots=True)
class StepParameters:
    """What step t is about: an (epsilon, delta)-DP black box and its target probability.

    Args:
        epsilon: epsilon_t > 0; the same scale is used in the exponent of the rate.
        delta: delta_t in [0, 1).
        p_star: the target p* in (0, 1).

    Raises:
        ParameterError: for a number outside its range.
    """

    epsilon: Epsilon
    delta: Fraction
    p_star: Fraction

    def __post_init__(self) -> None:
        """Refuse a number outside its range."""
        positive_epsilon(self.epsilon, "epsilon_t")
        if not 0 <= self.delta < 1:
            raise ParameterError(f"delta_t: must lie in [0, 1), not {self.delta}")
        _inside(self.p_star, "p_star", 0, 1)

    @classmethod
    def of(cls, epsilon_t: object, p_star: object, delta_t: object = 0) -> "StepParameters":
        """The same from exact numbers or text.

        Raises:
            ParameterError: for a number outside its range.
            InexactNumberError: for floats.
        """
        epsilon = positive_epsilon(epsilon_t, "epsilon_t")
        return cls(epsilon, as_rational(delta_t, "delta_t"), as_rational(p_star, "p_star"))

    @property
    def scale(self) -> Rate:
        """epsilon_t as the scale of the exponent."""
        return Rate(Fraction(1), self.epsilon.level)


@dataclass(frozen=True, slots=True)
class Parameters:
    """What holds for the whole run.

    Args:
        epsilon: the privacy of the whole output, > 0.
        beta: failure probability in (0, 1).
        theta: split of the noise, > 0.
        gamma: resolution in (1, 2].
        horizon: number of steps at most, or None for an endless run.

    Raises:
        ParameterError: for a number outside its range.
    """

    epsilon: Epsilon
    beta: Fraction
    theta: Fraction
    gamma: Fraction
    horizon: int | None = None

    def __post_init__(self) -> None:
        """Refuse a number outside its range."""
        positive_epsilon(self.epsilon, "epsilon")
        _inside(self.beta, "beta", 0, 1)
        if self.theta <= 0:
            raise ParameterError(f"theta: must be positive, not {self.theta}")
        if not 1 < self.gamma <= 2:
            raise ParameterError(f"gamma: must lie in (1, 2], not {self.gamma}")
        if self.horizon is not None and (
            isinstance(self.horizon, bool) or not isinstance(self.horizon, int) or self.horizon < 1
        ):
            raise ParameterError(f"horizon: must be an integer >= 1 or None, not {self.horizon!r}")

    @classmethod
    def of(
        cls,
        epsilon: object,
        beta: object,
        theta: object = 1,
        gamma: object = 2,
        horizon: int | None = None,
    ) -> "Parameters":
        """The same from exact numbers or text.

        Raises:
            ParameterError: for a number outside its range.
            InexactNumberError: for floats.
        """
        return cls(
            positive_epsilon(epsilon, "epsilon"),
            as_rational(beta, "beta"),
            as_rational(theta, "theta"),
            as_rational(gamma, "gamma"),
            horizon,
        )

    @property
    def level(self) -> PrivacyLevel:
        """The exact meaning of epsilon."""
        return self.epsilon.level

    def gamma_ball(self) -> arb:
        """Encloses gamma at the working precision."""
        return ball(self.gamma)

    @property
    def shared_rate(self) -> Rate:
        """epsilon_0 = theta epsilon / (2 + theta)."""
        return Rate(self.theta / (2 + self.theta), self.level)

    @property
    def step_rate(self) -> Rate:
        """epsilon_1 = epsilon / (2 + theta)."""
        return Rate(1 / (2 + self.theta), self.level)
