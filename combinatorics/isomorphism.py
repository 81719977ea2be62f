"""Isomorphism of designs by the canonical form of their incidence graph.

The graph has a vertex for every point and every block, coloured by kind, and an edge for every
incidence. It needs the optional extra ``isomorphism`` (pynauty).
"""

from collections import Counter
from math import factorial, prod
from types import ModuleType
from typing import Any

from combinatorics.operations import block_points
from verify.kernel.incidence import BlockDesign

__all__ = ["automorphism_group_order", "canonical_form", "is_isomorphic"]

_EXACT_GROUP_SIZE = 10**9
"""Group orders below this are whole in the mantissa that nauty returns."""


def canonical_form(design: BlockDesign) -> BlockDesign:
    """The design that all designs isomorphic to this one share, points and blocks renumbered.

    Returns:
        An isomorphic design with its blocks in ascending order; equal for two designs exactly
        when they are isomorphic.

    Raises:
        ModuleNotFoundError: without the optional extra ``isomorphism``.
    """
    pynauty = _require_pynauty()
    order = pynauty.canon_label(_incidence_graph(pynauty, design))
    place = {vertex: index for index, vertex in enumerate(v for v in order if v < design.v)}
    blocks = [
        sum(1 << place[point] for point in block_points(block)) if block else 0
        for block in design.blocks
    ]
    return BlockDesign(design.v, tuple(sorted(blocks)))


def is_isomorphic(first: BlockDesign, second: BlockDesign) -> bool:
    """Whether a renumbering of points turns the blocks of one design into those of the other.

    Raises:
        ModuleNotFoundError: without the optional extra ``isomorphism``.
    """
    if first.v != second.v or _block_sizes(first) != _block_sizes(second):
        return False
    return canonical_form(first) == canonical_form(second)


def automorphism_group_order(design: BlockDesign) -> int:
    """The number of permutations of the points that map blocks to blocks, *exact*.

    Raises:
        ModuleNotFoundError: without the optional extra ``isomorphism``.
    """
    pynauty = _require_pynauty()
    generators, mantissa, exponent, *_ = pynauty.autgrp(_incidence_graph(pynauty, design))
    # The graph may exchange equal blocks without moving a point: those do not count.
    exchanges = prod(factorial(count) for count in Counter(design.blocks).values())
    if exponent == 0 and mantissa < _EXACT_GROUP_SIZE:
        return int(mantissa) // exchanges
    return _order_from_generators([generator[: design.v] for generator in generators])


def _order_from_generators(generators: list[list[int]]) -> int:
    from sympy.combinatorics import Permutation, PermutationGroup  # noqa: PLC0415 - slow to import

    return int(PermutationGroup([Permutation(generator) for generator in generators]).order())


def _block_sizes(design: BlockDesign) -> list[int]:
    return sorted(block.bit_count() for block in design.blocks)


def _require_pynauty() -> ModuleType:
    try:
        import pynauty  # noqa: PLC0415 - an optional extra
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "isomorphism of designs needs pynauty: pip install 'exactdp[isomorphism]'"
        ) from error
    module: ModuleType = pynauty
    return module


def _incidence_graph(pynauty: ModuleType, design: BlockDesign) -> Any:
    v, b = design.v, len(design.blocks)
    adjacency = {v + index: block_points(block) for index, block in enumerate(design.blocks)}
    colouring = [set(range(v))] + ([set(range(v, v + b))] if b else [])
    return pynauty.Graph(v + b, adjacency_dict=adjacency, vertex_coloring=colouring)
