"""What a claim is: a statement, where it comes from, how it is checked, and a false variant of it.

Three methods. *Symbolic*: identities and inequalities proved for all parameters at once.
*Exhaustive*: every instance up to a size, counted, exact. *Randomised*: drawn instances, shrunk
when one fails. Each check carries a mutant, a deliberately false variant that the same check must
refute: a check that lets its mutant live shows nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from verify.claims.domain import Domain
from verify.claims.proof import Statement

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["Check", "Claim", "Exhaustive", "Holds", "Method", "Randomised", "Symbolic", "spell"]

Holds = Callable[[Any], str]
"""An instance to the empty text if the statement is true of it, else to what is wrong."""


class Method(Enum):
    """How a statement is checked."""

    SYMBOLIC = "symbolic"
    EXHAUSTIVE = "exhaustive"
    RANDOMISED = "randomised"


@dataclass(frozen=True, slots=True)
class Symbolic:
    """A proof for all parameters.

    Args:
        statements: makes the statements that are proved.
        mutant: makes false variants of them; each must be refuted at a point.
    """

    statements: Callable[[], tuple[Statement, ...]]
    mutant: Callable[[], tuple[Statement, ...]]

    @property
    def method(self) -> Method:
        """SYMBOLIC."""
        return Method.SYMBOLIC


@dataclass(frozen=True, slots=True)
class Exhaustive:
    """A check of every instance up to a size.

    Args:
        domain: the instances, up to symmetry, from the smallest on.
        holds: the statement.
        mutant: a false variant of the statement.
        size: the largest size by default.
        smallest: the least size at which the domain has an instance of interest.
        batch: instances that one unit of work checks.
    """

    domain: Domain
    holds: Holds
    mutant: Holds
    size: int
    smallest: int = 1
    batch: int = 64

    @property
    def method(self) -> Method:
        """EXHAUSTIVE."""
        return Method.EXHAUSTIVE


@dataclass(frozen=True, slots=True)
class Randomised:
    """A check of drawn instances, shrunk when one fails.

    Args:
        strategy: makes the Hypothesis strategy that draws instances.
        holds: the statement.
        mutant: a false variant of the statement.
        examples: how many instances are drawn.
    """

    strategy: "Callable[[], SearchStrategy[Any]]"
    holds: Holds
    mutant: Holds
    examples: int = 100

    @property
    def method(self) -> Method:
        """RANDOMISED."""
        return Method.RANDOMISED


Check = Symbolic | Exhaustive | Randomised


@dataclass(frozen=True, slots=True)
class Claim:
    """A theorem of a source, as a check.

    Args:
        id: topic and name, such as ``testing.spr-optimal``.
        statement: the claim in a line.
        source: author, year, theorem or section.
        scope: what the checks cover.
        mutant: the false variant in a line.
        checks: at least one of them not randomised.
    """

    id: str
    statement: str
    source: str
    scope: str
    mutant: str
    checks: tuple[Check, ...]

    def __post_init__(self) -> None:
        """Refuse a claim that rests on chance alone."""
        if all(check.method is Method.RANDOMISED for check in self.checks):
            raise ValueError(f"{self.id}: needs a check that is not randomised")

    @property
    def topic(self) -> str:
        """The part of the id before the first dot."""
        return self.id.partition(".")[0]

    @property
    def methods(self) -> str:
        """The methods of the checks, joined by ``+``."""
        return "+".join(dict.fromkeys(check.method.value for check in self.checks))


def spell(instance: object) -> str:
    """An instance as text in which every rational is p/q."""
    if isinstance(instance, Fraction):
        return str(instance)
    if isinstance(instance, dict):
        return "{" + ", ".join(f"{key}: {spell(value)}" for key, value in instance.items()) + "}"
    if isinstance(instance, tuple | list):
        return "(" + ", ".join(map(spell, instance)) + ")"
    return str(instance)
