"""Symmetric designs outside every family: stored under a cyclic group, or from the Golay code.

The stored ones stand in ``data/sporadic.json`` with the way they were found. The extended binary
Golay code has 759 words of weight 8, the *octads*; their supports are the blocks of the Steiner
system S(5, 8, 24), any two meeting in 0, 2 or 4 points.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product

import numpy as np

from combinatorics.incidence_matrix import design_from_incidence
from combinatorics.point_lists import design_from_points
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign

__all__ = [
    "StoredDesign",
    "gewirtz_biplane",
    "golay_octads",
    "higman_design",
    "stored_design",
    "stored_designs",
]

_DIGITS = "0123456789ABC"


@dataclass(frozen=True, slots=True)
class StoredDesign:
    """A symmetric design by its base blocks under Z_p.

    Args:
        parameters: (v, k, lambda).
        p: order of the group.
        orbits: number of point orbits, and of block orbits, of length p.
        base_blocks: lists of points; the p translates of each are blocks.
        fixed_blocks: lists of points.
        source: how the design was found.
    """

    parameters: tuple[int, int, int]
    p: int
    orbits: int
    base_blocks: tuple[tuple[int, ...], ...]
    fixed_blocks: tuple[tuple[int, ...], ...]
    source: str

    def design(self) -> BlockDesign:
        """All blocks: the translates of the base blocks in order, then the fixed blocks."""
        translates = (
            [self._translated(point, shift) for point in block]
            for block in self.base_blocks
            for shift in range(self.p)
        )
        return design_from_points(self.parameters[0], [*translates, *self.fixed_blocks])

    def _translated(self, point: int, shift: int) -> int:
        orbit, residue = divmod(point, self.p)
        return orbit * self.p + (residue + shift) % self.p if orbit < self.orbits else point


@cache
def stored_designs() -> dict[tuple[int, int, int], StoredDesign]:
    """The stored designs by their parameters (v, k, lambda)."""
    text = files("combinatorics.symmetric").joinpath("data/sporadic.json").read_text("utf-8")
    designs = [_parsed(entry) for entry in json.loads(text)["designs"]]
    return {design.parameters: design for design in designs}


def _parsed(entry: dict[str, object]) -> StoredDesign:
    v, k, lambda_, p, orbits = (int(str(entry[key])) for key in ("v", "k", "lambda", "p", "orbits"))

    def points(text: str, *, whole_orbits: bool) -> tuple[int, ...]:
        cells, fixed = (part.split() for part in text.split(" | "))
        if whole_orbits:
            inside = [p * j + x for j in _numbers(cells[0]) for x in range(p)]
        else:
            inside = [p * j + x for j, cell in enumerate(cells) for x in _numbers(cell)]
        return (*inside, *(p * orbits + x for x in _numbers(fixed[0])))

    return StoredDesign(
        (v, k, lambda_),
        p,
        orbits,
        tuple(points(text, whole_orbits=False) for text in _strings(entry["base_blocks"])),
        tuple(points(text, whole_orbits=True) for text in _strings(entry["fixed_blocks"])),
        str(entry["source"]),
    )


def _strings(value: object) -> Iterable[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _numbers(cell: str) -> list[int]:
    return [] if cell == "-" else [_DIGITS.index(digit) for digit in cell]


def stored_design(v: int, k: int, lambda_: int) -> BlockDesign:
    """The stored design with these parameters.

    Raises:
        InputError: if none is stored.
    """
    found = stored_designs().get((v, k, lambda_))
    if found is None:
        known = ", ".join(str(parameters) for parameters in sorted(stored_designs()))
        raise InputError(f"({v}, {k}, {lambda_}) is not stored; stored are {known}")
    return found.design()


@cache
def golay_octads() -> tuple[int, ...]:
    """The 759 octads on the points 0, ..., 23 as bitsets, ascending.

    The code is the extended cyclic code of length 23 with generator polynomial
    1 + x² + x⁴ + x⁵ + x⁶ + x¹⁰ + x¹¹; point 23 is the parity check.

    Reference: MacWilliams and Sloane (1977), chapters 2 and 20.
    """
    generator = sum(1 << power for power in (0, 2, 4, 5, 6, 10, 11))
    words = [0]
    for shift in range(12):
        words += [word ^ generator << shift for word in words]
    extended = (word | (word.bit_count() & 1) << 23 for word in words)
    return tuple(sorted(word for word in extended if word.bit_count() == 8))


def gewirtz_biplane() -> BlockDesign:
    """A symmetric (56, 11, 2) design: the Gewirtz graph with a loop at every vertex.

    Vertices: the octads through points 0 and 1 that miss point 2; two are adjacent when they
    have no other point in common.

    Reference: Gewirtz (1969); Hall, Lane and Wales (1970).
    """
    vertices = [octad for octad in golay_octads() if octad & 0b111 == 0b011]
    rows = [[int(a == b or (a & b) == 0b011) for b in vertices] for a in vertices]
    return design_from_incidence(np.array(rows, dtype=np.int8))


def higman_design() -> BlockDesign:
    """A symmetric (176, 50, 14) design, whose group is the Higman-Sims group.

    Points: the octads through point 0 that miss point 1; blocks: those through 1 that miss 0;
    incident when they meet in 0 or 4 points.

    Reference: G. Higman (1969), On the simple group of D. G. Higman and C. C. Sims.
    """
    points = [octad for octad in golay_octads() if octad & 0b11 == 0b01]
    blocks = [octad for octad in golay_octads() if octad & 0b11 == 0b10]
    cells = [(a & b).bit_count() != 2 for a, b in product(points, blocks)]
    return design_from_incidence(np.array(cells, dtype=np.int8).reshape(len(points), -1))
