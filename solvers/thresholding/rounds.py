"""One round of generalised private testing: a Poisson count of outcomes against a threshold.

N ~ Po(rho exp(scale s (Y - S))) evaluations with S ~ Exp(shared), Y ~ Exp(own); s = 1 counts the
outcomes +1 and accepts for counts >= threshold (direct), s = -1 counts the outcomes -1 and accepts
for counts <= threshold (flipped). By thinning the count is Poisson with mean rho q exp(...), where
q is the probability of the counted outcome.
"""

import math
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from solvers.backend import arb, ball
from solvers.thresholding.rates import Rate

__all__ = ["CountingRound", "Direction"]


class Direction(Enum):
    """DIRECT: accept when +1 is frequent. FLIPPED: accept when -1 is rare."""

    DIRECT = "direct"
    FLIPPED = "flipped"

    @property
    def sign(self) -> int:
        """s: the sign of Y - S in the exponent, and the outcome that is counted."""
        return 1 if self is Direction.DIRECT else -1


@dataclass(frozen=True, slots=True)
class CountingRound:
    """A round; every number is public.

    Args:
        direction: which outcome is counted.
        threshold: accept for counts >= it (direct) or <= it (flipped).
        rate: rho > 0.
        scale: factor of the noise in the exponent; the privacy level of the black box.
        shared: rate of S.
        own: rate of Y.
    """

    direction: Direction
    threshold: int
    rate: Fraction
    scale: Rate
    shared: Rate
    own: Rate

    def accepts(self, count: int) -> bool:
        """Whether the round accepts this count."""
        if self.direction is Direction.DIRECT:
            return count >= self.threshold
        return count <= self.threshold

    def evaluation_mean_ball(self, log_shared: arb, log_own: arb) -> arb:
        """Encloses the mean of N, given ln of the two uniforms behind S and Y."""
        exponent = self.scale.ratio_ball(self.shared) * log_shared
        exponent -= self.scale.ratio_ball(self.own) * log_own
        return (
            ball(self.rate) * (exponent if self.direction is Direction.DIRECT else -exponent).exp()
        )

    def mean_evaluations_ball(self) -> arb | None:
        """Encloses E[N] over both noises; None when it is not (certainly) finite."""
        raising, lowering = self.own, self.shared
        if self.direction is Direction.FLIPPED:
            raising, lowering = lowering, raising
        room = 1 - self.scale.ratio_ball(raising)
        if not room > 0:
            return None
        return ball(self.rate) / (room * (1 + self.scale.ratio_ball(lowering)))

    def exceeds_with_probability(self, mean: Fraction | int) -> float:
        """Float value of P[rho exp(scale Z) > mean], in closed form from the two exponentials."""
        up, down = float(self.own), float(self.shared)
        if self.direction is Direction.FLIPPED:
            up, down = down, up
        with_sign = float((ball(mean) / ball(self.rate)).log() / self.scale.ball())
        if with_sign >= 0:  # the difference A - B of Exp(up) and Exp(down)
            return down / (up + down) * math.exp(-up * with_sign)
        return 1 - up / (up + down) * math.exp(down * with_sign)
