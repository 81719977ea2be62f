"""Schemes by name, and the scheme of any block design, whole or truncated."""

from fractions import Fraction

from combinatorics.construction import Construction
from combinatorics.difference_sets import singer_difference_set
from combinatorics.number_theory import is_prime_power
from combinatorics.operations import truncated_design
from combinatorics.symmetric.registry import ConstructedDesign
from solvers.epsilon import parse_epsilon
from solvers.estimation.risk import optimal_block_sizes, require_alphabet
from solvers.estimation.scheme import Scheme
from solvers.estimation.structure import ExplicitStructure, Structure
from solvers.estimation.subsets import SubsetStructure
from solvers.estimation.sylvester import SylvesterStructure
from solvers.estimation.translates import TranslateStructure
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign, CyclicProduct, DifferenceSet

__all__ = [
    "Design",
    "block_design_scheme",
    "hadamard_response",
    "projective_geometry_response",
    "randomized_response",
    "structure_of",
    "subset_selection",
    "truncated_scheme",
]

Design = BlockDesign | ConstructedDesign | DifferenceSet
"""What a scheme can be made of; with a difference set no incidence matrix is made."""


def randomized_response(alphabet_size: int, epsilon: object) -> Scheme:
    """Report the symbol itself, or each other one with 1/E of its probability.

    Args:
        alphabet_size: v >= 2.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads.

    Reference: Warner 1965.

    >>> randomized_response(3, "log(2)").n_risk
    Fraction(32, 3)
    """
    v = require_alphabet(alphabet_size)
    single = DifferenceSet(CyclicProduct((v,)), (0,))
    structure = TranslateStructure("randomized response", single, v)
    return Scheme(structure, parse_epsilon(epsilon))


def subset_selection(alphabet_size: int, k: int | None, epsilon: object) -> Scheme:
    """Report a k-subset of the symbols, E times as likely if it holds the symbol.

    Args:
        alphabet_size: v >= 2.
        k: size of the subsets; None for the optimal one at epsilon.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads.

    Reference: Ye and Barg 2018; Wang et al. 2016.
    """
    v, level = require_alphabet(alphabet_size), parse_epsilon(epsilon)
    size = optimal_block_sizes(v, level)[0] if k is None else k
    return Scheme(SubsetStructure(v, size), level)


def hadamard_response(alphabet_size: int, epsilon: object) -> Scheme:
    """Report a hyperplane of the least PG(m - 1, 2) with v points; decoded by a fast transform.

    Reference: Acharya, Sun and Zhang 2019.
    """
    v = require_alphabet(alphabet_size)
    return Scheme(SylvesterStructure(v), parse_epsilon(epsilon))


def projective_geometry_response(alphabet_size: int, epsilon: object) -> Scheme:
    """Report a hyperplane of the least PG(d, q) with v points, q the prime power nearest to E + 1.

    The points form a cyclic difference set, so a report is one subtraction and decoding one
    correlation.

    Raises:
        LimitError: for a geometry over q^(d+1) = 2^20 vectors.

    Reference: Feldman, Nelson, Nguyen and Talwar 2022; Singer 1938.

    >>> projective_geometry_response(100, 1)
    <projective geometry response, PG(4, 4): v = 100, b = 341, r = 85, lambda = 21, epsilon = 1>
    """
    v, level = require_alphabet(alphabet_size), parse_epsilon(epsilon)
    q, d = _nearest_prime_power(level.exp_lower + 1), 2
    while (q ** (d + 1) - 1) // (q - 1) < v:
        d += 1
    name = f"projective geometry response, PG({d}, {q})"
    return Scheme(TranslateStructure(name, singer_difference_set(q, d), v), level)


def _nearest_prime_power(target: Fraction) -> int:
    distance, near = 0, max(2, round(target))
    while True:
        for q in (near - distance, near + distance):
            if q > 1 and is_prime_power(q):
                return q
        distance += 1


def _size(design: Design) -> int:
    return design.group.order if isinstance(design, DifferenceSet) else design.v


def block_design_scheme(design: Design, epsilon: object) -> Scheme:
    """The scheme whose reports are the blocks of a regular pairwise balanced design.

    Args:
        design: points are symbols; blocks may have different sizes.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads.

    Raises:
        InputError: if the design is not regular and pairwise balanced; names the first violation.

    Reference: Park, Nam and Lee 2023.

    >>> from combinatorics import difference_set
    >>> block_design_scheme(difference_set(7, 3, 1), "0.4").is_optimal
    True
    """
    return truncated_scheme(design, _size(design), epsilon)


def truncated_scheme(design: Design, alphabet_size: int, epsilon: object) -> Scheme:
    """The scheme of a design whose first v points are the symbols; b, r and lambda stay.

    Raises:
        InputError: for fewer points than symbols, or a design that is not balanced.

    Reference: Park, Nam and Lee 2023 (regular pairwise balanced designs by truncation).
    """
    v = require_alphabet(alphabet_size)
    if v > _size(design):
        raise InputError(f"alphabet size: {v} symbols do not fit into {_size(design)} points")
    return Scheme(structure_of(design, v), parse_epsilon(epsilon))


def structure_of(design: Design, v: int, construction: Construction | None = None) -> Structure:
    """The structure of the first v points; by translates where a difference set is at hand."""
    difference_set = design if isinstance(design, DifferenceSet) else None
    name = "block design" if construction is None else construction.name
    if isinstance(design, ConstructedDesign):
        name, difference_set = design.construction.name, design.difference_set
        design = design.design
    if difference_set is not None and isinstance(difference_set.group, CyclicProduct):
        label = "translates of a difference set" if name == "block design" else name
        return TranslateStructure(label, difference_set, v)
    if isinstance(design, DifferenceSet):
        from combinatorics.incidence_matrix import development  # noqa: PLC0415

        design = development(design)
    if v < design.v:
        design = truncated_design(design, range(v, design.v))
    return ExplicitStructure(name, design)
