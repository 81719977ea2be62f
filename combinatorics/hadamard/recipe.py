"""Recipes: constructions that are planned first and carried out only when a matrix is wanted.

A recipe is a family of constructions, its parameters, and the recipes of its ingredients. Whether
one exists is decided by number theory alone, so that huge orders are answered at once.
"""

from collections.abc import Callable
from dataclasses import dataclass

from combinatorics.construction import Construction
from combinatorics.hadamard.sign_matrix import SignMatrix

__all__ = ["Family", "Recipe"]


@dataclass(frozen=True, slots=True)
class Family:
    """One published construction.

    Args:
        title: its name in the literature.
        reference: author, year and where it can be read.
        letters: the names of the parameters, in order.
        build: the array made from the parameters and then from the arrays of the ingredients.
    """

    title: str
    reference: str
    letters: tuple[str, ...]
    build: Callable[..., SignMatrix]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A construction with its parameters and ingredients, not yet carried out.

    Args:
        family: the construction.
        order: the order of the matrix, or the length of the sequences, that it makes.
        parameters: integers, or tuples of them, as the family's letters say.
        parts: the recipes of the ingredients.
    """

    family: Family
    order: int
    parameters: tuple[int | tuple[int, ...], ...] = ()
    parts: tuple["Recipe", ...] = ()

    def build(self) -> SignMatrix:
        """The array that the recipe makes."""
        return self.family.build(*self.parameters, *(part.build() for part in self.parts))

    @property
    def name(self) -> str:
        """The construction with parameters and ingredients, such as ``Paley I(q=11)``."""
        numbers = zip(self.family.letters, self.parameters, strict=True)
        arguments = [f"{letter}={value}" for letter, value in numbers]
        arguments += [part.name for part in self.parts]
        return f"{self.family.title}({', '.join(arguments)})"

    @property
    def references(self) -> tuple[str, ...]:
        """The sources of the construction and of its ingredients, each once."""
        inner = (source for part in self.parts for source in part.references)
        return tuple(dict.fromkeys([self.family.reference, *inner]))

    @property
    def construction(self) -> Construction:
        """Name and sources in the form shared by all objects."""
        return Construction(self.name, "; ".join(self.references))
