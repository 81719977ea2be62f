"""Rates of exponential noises and privacy levels in nats, exact as a multiple of a level."""

from dataclasses import dataclass
from fractions import Fraction

from solvers.backend import arb, ball
from verify.kernel.errors import InputError
from verify.kernel.privacy_level import PrivacyLevel

__all__ = ["Rate", "nats_ball"]


def nats_ball(level: PrivacyLevel) -> arb:
    """Encloses the level in nats at the working precision."""
    if level.nats is not None:
        return ball(level.nats)
    return ball(level.exp_epsilon or Fraction(1)).log()


@dataclass(frozen=True, slots=True)
class Rate:
    """The positive real number multiple * level, level in nats.

    Raises:
        InputError: unless the product is positive.
    """

    multiple: Fraction
    level: PrivacyLevel

    def __post_init__(self) -> None:
        """Refuse a rate that is not positive."""
        if self.multiple <= 0 or self.level.nats == 0 or self.level.exp_epsilon == 1:
            raise InputError(f"a rate must be positive, not {self.multiple} * {self.level}")

    @classmethod
    def of_nats(cls, nats: Fraction) -> "Rate":
        """The rational rate."""
        return cls(Fraction(1), PrivacyLevel(nats=nats))

    def ball(self) -> arb:
        """Encloses the rate at the working precision."""
        return nats_ball(self.level) * ball(self.multiple)

    def ratio_ball(self, other: "Rate") -> arb:
        """Encloses the quotient self / other; without error from the level when it is shared."""
        if self.level == other.level:
            return ball(self.multiple / other.multiple)
        return self.ball() / other.ball()

    def __float__(self) -> float:
        """The nearest float, for displays and searches only."""
        return float(self.ball())

    def __str__(self) -> str:
        """The product as text."""
        return str(self.level) if self.multiple == 1 else f"{self.multiple}*{self.level}"
