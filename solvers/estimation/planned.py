"""A structure that is built when it is first used."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solvers.estimation.candidates import Candidate
from solvers.estimation.random_words import Integers, Words
from solvers.estimation.risk import Parameters
from solvers.estimation.structure import BlockWitness, Reports, Structure
from verify.kernel.incidence import BlockDesign

__all__ = ["PlannedStructure"]


@lru_cache(maxsize=32)
def _built(candidate: Candidate, v: int) -> Structure:
    return candidate.build(v)


@dataclass(frozen=True, slots=True)
class PlannedStructure:
    """The structure of a candidate on v symbols; parameters are known before it is built."""

    candidate: Candidate
    v: int

    @property
    def built(self) -> Structure:
        """The structure itself."""
        return _built(self.candidate, self.v)

    @property
    def name(self) -> str:
        """The construction."""
        return self.candidate.name

    @property
    def parameters(self) -> Parameters:
        """Those of the candidate, on v symbols."""
        plan = self.candidate
        return Parameters(self.v, plan.b, plan.r, plan.lambda_)

    @property
    def block_size(self) -> int | None:
        """That of the candidate, unless it is truncated."""
        return self.candidate.k if self.candidate.points == self.v else None

    def fingerprint(self) -> bytes:
        """That of the structure."""
        return self.built.fingerprint()

    def draw(self, symbols: Integers, inside: NDArray[np.bool_], words: Words) -> Reports:
        """Uniform blocks on or off each symbol."""
        return self.built.draw(symbols, inside, words)

    def tally(self, reports: Reports) -> Integers:
        """Counts of blocks or points."""
        return self.built.tally(reports)

    @property
    def tally_size(self) -> int:
        """The length of a tally."""
        return self.built.tally_size

    def point_counts(self, tally: Integers) -> Integers:
        """The reports on which each symbol lies."""
        return self.built.point_counts(tally)

    def block_design(self) -> BlockDesign:
        """The blocks."""
        return self.built.block_design()

    def witness(self) -> BlockWitness:
        """The blocks for a certificate."""
        return self.built.witness()
