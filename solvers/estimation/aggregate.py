"""What servers keep of reports: counts that add up, so that partial aggregates merge exactly."""

import hashlib
from dataclasses import dataclass, field

import numpy as np

from solvers.estimation.random_words import Integers
from verify.kernel.errors import InputError

__all__ = ["Aggregate", "scheme_mark"]


def scheme_mark(fingerprint: bytes, exp_epsilon: object) -> str:
    """A short text that two schemes share only if their reports mean the same."""
    return hashlib.sha256(fingerprint + f":{exp_epsilon}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, eq=False)
class Aggregate:
    """Counts over the reports of n users; immutable, and ``+`` merges two.

    Args:
        n: the number of reports.
        tally: counts of outputs, or of symbols for schemes with very many outputs.
        mark: which scheme the reports belong to.

    Raises:
        InputError: for negative counts.
    """

    n: int
    tally: Integers
    mark: str = field(repr=False)

    def __post_init__(self) -> None:
        """Freeze the counts."""
        tally = np.array(self.tally, dtype=np.int64)
        if self.n < 0 or (tally < 0).any():
            raise InputError("an aggregate: counts are never negative")
        tally.setflags(write=False)
        object.__setattr__(self, "tally", tally)

    def __add__(self, other: "Aggregate") -> "Aggregate":
        """The aggregate of the reports of both.

        Raises:
            InputError: if they belong to different schemes.
        """
        if not isinstance(other, Aggregate):
            return NotImplemented
        if self.mark != other.mark:
            raise InputError(
                f"aggregates of different schemes ({self.mark[:8]} and {other.mark[:8]}) do not "
                "merge: their reports have different meanings; use one scheme and one epsilon"
            )
        return Aggregate(self.n + other.n, self.tally + other.tally, self.mark)

    def __radd__(self, other: object) -> "Aggregate":
        """So that ``sum`` of a list of aggregates works."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Same scheme, same counts."""
        if not isinstance(other, Aggregate):
            return NotImplemented
        same = (self.n, self.mark) == (other.n, other.mark)
        return same and np.array_equal(self.tally, other.tally)

    __hash__ = None  # type: ignore[assignment]
