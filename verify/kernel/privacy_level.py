"""A privacy level: epsilon in nats, given as a rational, or E = exp(epsilon), given as a rational.

The exponential of a nonzero rational is irrational (Lindemann-Weierstrass), so a level in nats is
known through enclosures of E, and every comparison of a rational with E is decided at some
precision.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.errors import InputError, require
from verify.kernel.exact import Extended, Infinity, parse_canonical
from verify.kernel.fields import read_object
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
        one = (self.exp_epsilon is None) != (self.nats is None)
        require(one, "a privacy level needs exactly one of exp_epsilon and epsilon")
        if self.exp_epsilon is not None and self.exp_epsilon < 1:
            raise InputError(f"exp_epsilon: {self.exp_epsilon} is less than 1; give at least 1")
        if self.nats is not None and self.nats < 0:
            raise InputError(f"epsilon: {self.nats} is negative; give a number >= 0")

    def enclose_exp_epsilon(self, bits: int) -> Interval:
        """Encloses E, *exact* when E is given or epsilon = 0."""
        if self.exp_epsilon is not None:
            return Interval.exactly(self.exp_epsilon)
        return enclose_exp(self.nats or Fraction(0), bits)

    def allows(self, ratio: Extended) -> Status:
        """Whether ratio <= E; UNDECIDED only when ``MAX_BITS`` do not separate the two."""
        if isinstance(ratio, Infinity):
            return Status.REJECTED
        return self._decide(lambda e: ratio <= e.lower, lambda e: ratio > e.upper)

    def is_at_most(self, bound: Fraction) -> Status:
        """Whether E <= bound; UNDECIDED only when ``MAX_BITS`` do not separate the two."""
        return self._decide(lambda e: e.upper <= bound, lambda e: e.lower > bound)

    def _decide(self, yes: Callable[[Interval], bool], no: Callable[[Interval], bool]) -> Status:
        for bits in _PRECISIONS:
            enclosure = self.enclose_exp_epsilon(bits)
            if yes(enclosure):
                return Status.ACCEPTED
            if no(enclosure):
                return Status.REJECTED
        return Status.UNDECIDED

    def __str__(self) -> str:
        """``log(E)`` or the number of nats."""
        return f"log({self.exp_epsilon})" if self.exp_epsilon is not None else str(self.nats)


def read_level(value: object) -> PrivacyLevel:
    """The level written as {"exp_epsilon": "p/q"} or {"nats": "p/q"}, or CertificateError."""
    key = "nats" if isinstance(value, Mapping) and "nats" in value else "exp_epsilon"
    content = read_object(value, {key}, "level")
    return PrivacyLevel(**{key: parse_canonical(content[key], f"level.{key}")})
