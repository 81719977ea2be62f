"""Purification: a binary symmetric channel turns an (epsilon, delta)-DP bit into an epsilon-DP bit.

Letters: E = e^epsilon, phi the crossover. The cleaned probability is phi + (1 - 2 phi) p. The least
crossover that serves every (epsilon, delta)-DP bit is phi = delta / (E - 1 + 2 delta), attained by
p' = 0, p = delta; every larger one up to 1/2 serves too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from solvers.epsilon import Epsilon
from solvers.thresholding.randomness import BitSource, LazyUniform
from verify.kernel.channel import Channel
from verify.kernel.coupling import check_purification
from verify.kernel.verdict import Verdict

__all__ = ["BinarySymmetricChannel", "minimal_crossover", "purify"]


def minimal_crossover(epsilon: Epsilon, delta: Fraction) -> Fraction:
    """The least crossover delta / (E - 1 + 2 delta), with E rounded down so that it is private.

    Returns:
        *exact* when e^epsilon is rational, else an *upper bound* within a relative 2^-126.

    >>> minimal_crossover(Epsilon.from_exp(3), Fraction(1, 10))
    Fraction(1, 22)
    """
    if delta == 0:
        return Fraction(0)
    return delta / (epsilon.exp_lower - 1 + 2 * delta)


@dataclass(frozen=True, slots=True)
class BinarySymmetricChannel:
    """Flips an outcome +1 or -1 with probability ``crossover``, a rational in [0, 1/2]."""

    crossover: Fraction

    @classmethod
    def purifying(cls, epsilon: Epsilon, delta: Fraction) -> "BinarySymmetricChannel":
        """The channel with the least crossover."""
        return cls(minimal_crossover(epsilon, delta))

    @property
    def channel(self) -> Channel:
        """Its matrix; rows and columns in the order +1, -1."""
        stay = 1 - self.crossover
        return Channel(((stay, self.crossover), (self.crossover, stay)))

    def check(self, epsilon: Epsilon, delta: Fraction) -> Verdict:
        """The kernel's answer: does it make every (epsilon, delta)-DP bit epsilon-DP?"""
        return check_purification(epsilon.level, delta, self.crossover)

    def clean(self, probability: Fraction) -> Fraction:
        """The success probability after the channel, *exact*."""
        return self.crossover + (1 - 2 * self.crossover) * probability

    def restore(self, probability: Fraction) -> Fraction:
        """The success probability before the channel, *exact*; the crossover must be below 1/2."""
        return (probability - self.crossover) / (1 - 2 * self.crossover)

    def apply(self, outcome: int, bits: BitSource) -> int:
        """One outcome +1 or -1 after the channel, with an exact coin."""
        if self.crossover and LazyUniform(bits).is_below(self.crossover):
            return -outcome
        return outcome

    def apply_to_count(self, successes: int, trials: int, bits: BitSource) -> int:
        """The number of +1 after the channel, of so many +1 among the trials, with exact coins."""
        if not self.crossover:
            return successes
        flips = [LazyUniform(bits).is_below(self.crossover) for _ in range(trials)]
        return successes - sum(flips[:successes]) + sum(flips[successes:])


def purify(
    mechanism: Callable[[], int], epsilon: Epsilon, delta: Fraction, bits: BitSource
) -> Callable[[], int]:
    """The mechanism followed by the purifying channel: a purely epsilon-DP black box."""
    channel = BinarySymmetricChannel.purifying(epsilon, delta)
    return lambda: channel.apply(mechanism(), bits)
