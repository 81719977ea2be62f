"""A privacy level: epsilon in nats, given as a rational, or E = exp(epsilon), given as a rational.

The exponential of a nonzero rational is irrational (Lindemann-Weierstrass), so a level in nats is
known through enclosures of E, and every comparison of a rational with E is decided at some
precision.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.errors import require
from verify.kernel.exact import Extended, Infinity
from verify.kernel.fields import read
from verify.kernel.interval import MAX_BITS, Interval, enclose_exp
from verify.kernel.verdict import Status

__all__ = ["PrivacyLevel", "read_level"]

_PRECISIONS = (64, 128, 256, 512, 1024, 2048, MAX_BITS)


@dataclass(frozen=True, slots=True)
class PrivacyLevel:
    """Exactly one of ``exp_epsilon`` >= 1 and ``nats`` >= 0.

    Raises:
        InputError: if both or none are given, or for a negative epsilon.
    """

    exp_epsilon: Fraction | None = None
    nats: Fraction | None = None

    def __post_init__(self) -> None:
        """Refuse a level that is ambiguous or negative."""
        E, nats = self.exp_epsilon, self.nats
        require((E is None) != (nats is None), "a level needs exactly one of exp_epsilon, epsilon")
        require(E is None or E >= 1, f"exp_epsilon: {E} is less than 1; give at least 1")
        require(nats is None or nats >= 0, f"epsilon: {nats} is negative; give a number >= 0")

    def enclose_exp_epsilon(self, bits: int) -> Interval:
        """Encloses E, *exact* when E is given or epsilon = 0."""
        if self.exp_epsilon is not None:
            return Interval.exactly(self.exp_epsilon)
        return enclose_exp(self.nats or Fraction(0), bits)

    def allows(self, ratio: Extended) -> Status:
        """Whether ratio <= E; UNDECIDED only when ``MAX_BITS`` do not separate the two."""
        return Status.REJECTED if isinstance(ratio, Infinity) else self._decide(ratio, 1)

    def is_at_most(self, bound: Fraction) -> Status:
        """Whether E <= bound; UNDECIDED only when ``MAX_BITS`` do not separate the two."""
        return self._decide(bound, -1)

    def _decide(self, number: Fraction, sign: int) -> Status:
        """Whether sign (E - number) >= 0."""
        for bits in _PRECISIONS:
            difference = (self.enclose_exp_epsilon(bits) + Interval.exactly(-number)).scaled(sign)
            if difference.lower >= 0:
                return Status.ACCEPTED
            if difference.upper < 0:
                return Status.REJECTED
        return Status.UNDECIDED

    def __str__(self) -> str:
        """``log(E)`` or the number of nats."""
        return f"log({self.exp_epsilon})" if self.exp_epsilon is not None else str(self.nats)


def read_level(value: object, where: str = "level") -> PrivacyLevel:
    """Reader of a level written as {"exp_epsilon": "p/q"} or {"nats": "p/q"}."""
    key = "nats" if isinstance(value, Mapping) and "nats" in value else "exp_epsilon"
    return PrivacyLevel(**{key: read(value, where, key)[0]})
