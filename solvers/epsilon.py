"""The privacy parameter: read from text, and the rationals on either side of exp(epsilon).

Privacy rounds down, bounds round up: a mechanism uses ``exp_lower`` <= exp(epsilon), an optimality
bound uses ``exp_upper`` >= exp(epsilon). The two are neighbours on a dyadic grid that keeps 128
significant bits of exp(epsilon) - 1, and equal when exp(epsilon) is rational.
"""

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import as_rational, excerpt
from verify.kernel.privacy_level import PrivacyLevel

__all__ = ["Epsilon", "parse_epsilon"]

_LOGARITHM = re.compile(r"(?:log|ln)\((?P<argument>[^()]*)\)")
MAX_NATS = 1300
"""Largest epsilon in nats that is worked with; beyond it, e^epsilon itself may be given."""
_GRID_BITS = 128


@dataclass(frozen=True, slots=True)
class Epsilon:
    """A privacy parameter with rationals that enclose its exponential.

    Args:
        level: the exact meaning, in nats or as exp(epsilon).
        exp_lower: the largest grid rational <= exp(epsilon).
        exp_upper: the least grid rational >= exp(epsilon).
    """

    level: PrivacyLevel
    exp_lower: Fraction
    exp_upper: Fraction

    @classmethod
    def from_nats(cls, nats: object) -> "Epsilon":
        """The parameter of a rational number of nats.

        Raises:
            InputError: for a negative number or text that is no number.
            InexactNumberError: for a float.
            LimitError: above ``MAX_NATS`` nats.
        """
        level = PrivacyLevel(nats=as_rational(nats, "epsilon"))
        return cls(level, *_neighbours(level))

    @classmethod
    def from_exp(cls, exp_epsilon: object) -> "Epsilon":
        """The parameter whose exponential is the given rational >= 1.

        Raises:
            InputError: for a number below 1 or text that is no number.
            InexactNumberError: for a float.
        """
        exact = as_rational(exp_epsilon, "exp_epsilon")
        return cls(PrivacyLevel(exp_epsilon=exact), exact, exact)

    @property
    def nats(self) -> Fraction | float:
        """Epsilon itself: exact when rational, else the nearest float, for display."""
        if self.level.nats is not None:
            return self.level.nats
        return math.log(self.exp_lower.numerator) - math.log(self.exp_lower.denominator)

    def __str__(self) -> str:
        """The text that ``parse_epsilon`` reads back."""
        return str(self.level)


def _neighbours(level: PrivacyLevel) -> tuple[Fraction, Fraction]:
    nats = level.nats or Fraction(0)
    if nats == 0:
        return Fraction(1), Fraction(1)
    if nats > MAX_NATS:
        shown = excerpt(nats)
        raise LimitError(
            f"epsilon: {shown} nats is over the limit of {MAX_NATS}; give a smaller one"
        )
    shift = _GRID_BITS + max(0, nats.denominator.bit_length() - nats.numerator.bit_length())
    bits = shift + math.ceil(nats) * 2 + 32
    while True:
        enclosure = level.enclose_exp_epsilon(bits)
        below = math.floor(enclosure.lower * (1 << shift))
        if below == math.floor(enclosure.upper * (1 << shift)):
            return Fraction(below, 1 << shift), Fraction(below + 1, 1 << shift)
        bits += 64


def parse_epsilon(text: object) -> Epsilon:
    """The privacy parameter written as nats (``1``, ``0.5``, ``3/2``) or ``log(3)``, ``ln(3)``.

    Args:
        text: text, or a number that ``as_rational`` takes as nats.

    Raises:
        InputError: for a negative epsilon or text of another form.
        InexactNumberError: for a float or bool.
        LimitError: above ``MAX_NATS`` nats.

    >>> parse_epsilon("log(3)").exp_upper
    Fraction(3, 1)
    """
    if isinstance(text, Epsilon):
        return text
    if not isinstance(text, str):
        return Epsilon.from_nats(text)
    match = _LOGARITHM.fullmatch(text.strip())
    if match is None:
        try:
            return Epsilon.from_nats(text.strip())
        except InputError as error:
            if "is not a number" not in str(error):
                raise
            raise InputError(
                f"epsilon: {excerpt(text)} is neither nats such as 1, 0.5, 3/2 nor log(3)"
            ) from None
    argument = as_rational(match["argument"].strip(), "epsilon: log")
    if argument < 1:
        raise InputError(f"epsilon: log({argument}) is negative; the argument must be >= 1")
    return Epsilon.from_exp(argument)
