"""Small schemes of every kind, for the conformance tests, and words that follow a script."""

from dataclasses import dataclass, field

import numpy as np

from combinatorics import block_design, difference_set, symmetric_design
from combinatorics.operations import derived_design, truncated_design
from solvers import parse_epsilon
from solvers.estimation import (
    Scheme,
    best_schemes,
    block_design_scheme,
    hadamard_response,
    projective_geometry_response,
    randomized_response,
    subset_selection,
    truncated_scheme,
)
from solvers.estimation.translates import Part, TranslateStructure

__all__ = ["SCHEMES", "ScriptEndError", "ScriptedWords"]


def part(parameters, v, chosen, epsilon):
    structure = TranslateStructure("part", difference_set(*parameters), v, chosen)
    return Scheme(structure, parse_epsilon(epsilon))


def small_schemes():
    """Pairs of a name and a scheme."""
    fano = symmetric_design(7, 3, 1)
    yield "randomized response", randomized_response(5, "log(4)")
    yield "randomized response, two symbols", randomized_response(2, "0.5")
    yield "subsets", subset_selection(6, 3, "1/2")
    yield "subsets, all but one", subset_selection(5, 4, "2")
    yield "subsets, single", subset_selection(4, 1, "1")
    yield "optimal subsets", subset_selection(9, None, "1")
    yield "Hadamard response", hadamard_response(7, "1/3")
    yield "Hadamard response, truncated", hadamard_response(12, "1")
    yield "Hadamard response, two symbols", hadamard_response(2, "1")
    yield "projective geometry", projective_geometry_response(10, "log(2)")
    yield "projective geometry, q = 4", projective_geometry_response(21, "1.1")
    yield "difference set", block_design_scheme(difference_set(13, 4, 1), "0.9")
    yield "elementary abelian", block_design_scheme(difference_set(16, 6, 2), "log(3/2)")
    yield "truncated, two factors", truncated_scheme(difference_set(36, 15, 6), 20, "0.4")
    yield "truncated quartic", truncated_scheme(difference_set(37, 9, 2), 30, "1.1")
    yield "blocks", block_design_scheme(fano.design, "0.4")
    yield "truncated blocks", truncated_scheme(fano.design, 5, "log(2)")
    yield "many blocks", block_design_scheme(block_design(9, 3, 1), "1")
    yield (
        "derived blocks",
        block_design_scheme(derived_design(symmetric_design(15, 7, 3).design), "1"),
    )
    yield (
        "truncated at other points",
        block_design_scheme(truncated_design(symmetric_design(11, 5, 2).design, [0, 4, 7]), "3/4"),
    )
    yield "derived translates", part((16, 6, 2), 6, Part.DERIVED, "1/2")
    yield "derived translates, truncated", part((15, 7, 3), 4, Part.DERIVED, "1")
    yield "residual translates", part((13, 4, 1), 9, Part.RESIDUAL, "1")
    yield "residual translates, truncated", part((16, 6, 2), 7, Part.RESIDUAL, "log(5)")
    for place, scheme in enumerate(best_schemes(10, "0.7", limit=60)):
        yield f"ranked {place}", scheme


SCHEMES = dict(small_schemes())


class ScriptEndError(Exception):
    """More words were asked for than the script has."""


@dataclass
class ScriptedWords:
    """Words of few bits from a list."""

    script: list
    bits: int = 8
    used: int = field(default=0)

    def take(self, n):
        if self.used + n > len(self.script):
            raise ScriptEndError
        taken = self.script[self.used : self.used + n]
        self.used += n
        return np.array(taken, dtype=np.uint64)
