"""How many evaluations a round makes, or what it counts: exact draws with one shared noise."""

from collections.abc import Callable
from dataclasses import dataclass

from solvers.backend import arb, ball
from solvers.thresholding.errors import CostlyStepError
from solvers.thresholding.randomness import BitSource, LazyUniform, draw_poisson
from solvers.thresholding.rounds import CountingRound

__all__ = ["EVALUATION_LIMIT", "LIKELY", "NoisyRounds", "require_affordable"]

EVALUATION_LIMIT = 10**9
"""A step is refused when it is likely to need more evaluations."""
LIKELY = 1 / 1000
"""What "likely" means for the guard: the probability over the noises alone."""


@dataclass(slots=True)
class _RoundSampler:
    """A round with the constants of its evaluation mean, for one precision."""

    round: CountingRound
    bits: int
    rate: arb
    shared_power: arb
    own_power: arb

    @classmethod
    def of(cls, round_: CountingRound, bits: int) -> "_RoundSampler":
        sign = round_.direction.sign
        return cls(
            round_,
            bits,
            ball(round_.rate),
            sign * round_.scale.ratio_ball(round_.shared),
            sign * round_.scale.ratio_ball(round_.own),
        )

    def mean(self, log_shared: arb, log_own: arb) -> arb:
        return self.rate * (self.shared_power * log_shared - self.own_power * log_own).exp()


class NoisyRounds:
    """Draws the number of evaluations of each round; the shared noise is drawn once.

    Args:
        bits: source of fair bits.
    """

    def __init__(self, bits: BitSource) -> None:
        self._bits = bits
        self._shared = LazyUniform(bits)
        self._samplers: dict[int, _RoundSampler] = {}
        self._log_shared: tuple[int, arb] | None = None

    def draw_evaluations(self, round_: CountingRound) -> int:
        """N ~ Po(rho exp(scale s (Y - S))) with fresh Y, exact in law."""
        own = LazyUniform(self._bits)

        def mean(bits: int) -> arb:
            return self._sampler(round_, bits).mean(self._shared_ball(bits), own.log_ball(bits))

        return draw_poisson(mean, self._bits)

    def draw_count(self, round_: CountingRound, probability: Callable[[int], arb]) -> int:
        """K ~ Po(rho p exp(scale s (Y - S))), the count of a round whose p is known exactly.

        By thinning this is the law of the number of counted outcomes among N evaluations.

        Args:
            round_: the round.
            probability: bits -> a ball with the probability of the counted outcome.
        """
        own = LazyUniform(self._bits)

        def mean(bits: int) -> arb:
            noisy = self._sampler(round_, bits).mean(self._shared_ball(bits), own.log_ball(bits))
            return noisy * probability(bits)

        return draw_poisson(mean, self._bits)

    def _shared_ball(self, bits: int) -> arb:
        if self._log_shared is None or self._log_shared[0] != bits:
            self._log_shared = bits, self._shared.log_ball(bits)
        return self._log_shared[1]

    def _sampler(self, round_: CountingRound, bits: int) -> _RoundSampler:
        sampler = self._samplers.get(id(round_))
        if sampler is None or sampler.round is not round_ or sampler.bits != bits:
            sampler = self._samplers[id(round_)] = _RoundSampler.of(round_, bits)
        return sampler


def require_affordable(round_: CountingRound, limit: int, where: str) -> None:
    """Refuse a round that is likely to need more than ``limit`` evaluations; uses no data.

    Raises:
        CostlyStepError: if the mean over the noises exceeds the limit with probability > 1/1000.
    """
    probability = round_.exceeds_with_probability(limit)
    if probability > LIKELY:
        raise CostlyStepError(
            f"{where}: needs more than {limit} evaluations with probability {probability:.3g}; "
            "use a smaller epsilon_t, a larger beta or a p_star further from 0 and 1"
        )
