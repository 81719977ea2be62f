"""The laws of a symbol under two hypotheses: probabilities, or counts divided by their sum."""

from collections.abc import Iterable

from verify.intake.distributions import normalised
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.exact import as_rational, excerpt

__all__ = ["read_law"]


def read_law(
    masses: Distribution | Iterable[object], name: str, *, weights: bool = False
) -> Distribution:
    """The distribution with these masses, *exact*.

    Args:
        masses: int, Fraction or exact text >= 0, or a Distribution, which is taken as it is.
        name: its name in messages.
        weights: whether the masses are counts or weights, to be divided by their sum.

    Raises:
        InputError: for a negative mass, and unless the masses sum to 1 or, as weights, to more
            than 0.
        InexactNumberError: for floats.

    >>> read_law([3, "1/2", "0.5"], "p0", weights=True).masses
    (Fraction(3, 4), Fraction(1, 8), Fraction(1, 8))
    """
    if isinstance(masses, Distribution):
        return masses
    if not weights:
        return Distribution(masses, name)
    numbers = tuple(as_rational(mass, f"{name}[{i}]") for i, mass in enumerate(masses))
    for i, number in enumerate(numbers):
        if number < 0:
            raise InputError(f"{name}[{i}]: {excerpt(number)} is negative; give a weight >= 0")
    return Distribution(normalised(numbers, name), name)
