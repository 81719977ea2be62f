"""What servers keep of reports: counts that add up, so that partial aggregates merge exactly."""

import hashlib
from collections.abc import Mapping
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

    def as_object(self) -> dict[str, object]:
        """The aggregate as an object of JSON, to be sent to another server."""
        return {"n": self.n, "tally": self.tally.tolist(), "scheme": self.mark}

    @classmethod
    def from_object(cls, content: Mapping[str, object]) -> "Aggregate":
        """The aggregate that ``as_object`` made into an object.

        Raises:
            InputError: for any other object.
        """
        if set(content) != {"n", "tally", "scheme"}:
            raise InputError("an aggregate: must have the keys n, tally and scheme")
        n, tally, mark = content["n"], content["tally"], content["scheme"]
        if type(n) is not int or not isinstance(mark, str) or not isinstance(tally, list):
            raise InputError("an aggregate: n must be an integer, tally a list and scheme a text")
        if any(type(count) is not int or not 0 <= count < 2**63 for count in tally):
            raise InputError("an aggregate: every count must be an integer in 0..2^63 - 1")
        return cls(n, np.array(tally, dtype=np.int64), mark)

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
