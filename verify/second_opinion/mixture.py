"""Mixtures of divergences: f is the sum of W f_i over up to 16 terms, each W > 0.

h(x, y) = y f(x/y) is then the sum of the W h_i(x, y), convex like each of them; f(1) = 0. A term of
a question is a sum over variables, one for each h_i. An f whose parts are linear between their
corners is linear between all of them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from verify.second_opinion.divergence import FDivergence, read_f_divergence
from verify.second_opinion.enclosure import Bounds
from verify.second_opinion.script import Question, apply, real, total
from verify.second_opinion.strict_reading import MalformedError, demand, rational

__all__ = ["AnyDivergence", "Mixture", "read_divergence"]

MAX_TERMS = 16
"""Most terms of a mixture of the format."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """The weighted sum of divergences that are no Renyi divergences.

    Args:
        parts: the weight > 0 and the divergence of each term.
    """

    parts: tuple[tuple[Fraction, FDivergence], ...]

    @property
    def is_renyi(self) -> bool:
        """Never: the value is D_f itself."""
        return False

    @property
    def is_linear(self) -> bool:
        """Whether f is linear between its corners."""
        return all(part.is_linear for _, part in self.parts)

    @property
    def corners(self) -> tuple[Fraction, ...]:
        """The ratios where f is not smooth."""
        return tuple(corner for _, part in self.parts for corner in part.corners)

    def enclose(self, x: Fraction, y: Fraction, bits: int) -> Bounds:
        """Encloses h(x, y) for x, y > 0; equal ends where all terms are rational."""
        found = [(weight, part.enclose(x, y, bits)) for weight, part in self.parts]
        low, high = (_dot((weight, ends[side]) for weight, ends in found) for side in (0, 1))
        return low, high

    def define(
        self, question: Question, name: str, terms: tuple[str, str], at: Bounds, bits: int
    ) -> str:
        """A variable with the value h(x, y); arguments as for ``FDivergence.define``."""
        values = (
            apply("*", real(weight), part.define(question, f"{name}-term-{i}", terms, at, bits))
            for i, (weight, part) in enumerate(self.parts)
        )
        return question.define(name, total(values))

    def report(self, value: Bounds, _bits: int) -> Bounds | None:
        """What is reported for D_f in these bounds: D_f."""
        return value


def _dot(pairs: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    return sum((weight * number for weight, number in pairs), Fraction(0))


AnyDivergence = FDivergence | Mixture
"""What a certificate may be about."""


def read_divergence(name: object) -> AnyDivergence:
    """The divergence of this name, or MalformedError.

    >>> len(read_divergence("1/2*kl+2*tv").parts)
    2
    """
    if not isinstance(name, str):
        raise MalformedError("divergence: is no text")
    return _read_mixture(name) if "*" in name else read_f_divergence(name)


def _read_mixture(text: str) -> Mixture:
    terms = text.split("+", MAX_TERMS)
    demand(len(terms) <= MAX_TERMS, f"divergence: has more than {MAX_TERMS} terms")
    demand(terms == sorted(terms), "divergence: the terms are not in the order of their text")
    parts = []
    for term in terms:
        weight, _, name = term.partition("*")
        number, part = rational(weight, "divergence: weight"), read_f_divergence(name)
        demand(number > 0, "divergence: a weight is not positive")
        demand(not name.startswith("renyi"), "divergence: a mixture has no Renyi divergence")
        parts.append((number, part))
    return Mixture(tuple(parts))
