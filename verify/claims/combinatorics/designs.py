"""Counting, Fisher, Bruck-Ryser-Chowla, and designs made from designs."""

from itertools import combinations, combinations_with_replacement
from math import isqrt
from typing import Any

import sympy as sp

from combinatorics.obstruction import bruck_ryser_chowla, design_obstruction
from combinatorics.operations import (
    complement,
    derived_design,
    dual,
    residual_design,
    truncated_design,
)
from verify.claims.claim import Claim, Exhaustive, Symbolic
from verify.claims.combinatorics.families import (
    Triple,
    built_design,
    pair_counts,
    symmetric_triples,
)
from verify.claims.domain import listed
from verify.claims.proof import Identity, Statement
from verify.kernel.design import check_design, check_pairwise_balanced
from verify.kernel.incidence import BlockDesign

__all__ = ["CLAIMS"]

_BJL = "Beth, Jungnickel, Lenz 1999"


def _counting(triple: Triple, *, doubled: bool = False) -> str:
    """B k = v r and r (k-1) = lambda (v-1), from the incidence matrix."""
    for design in _related(triple):
        _, replications, lambdas, sizes = pair_counts(design)
        if (len(replications), len(lambdas), len(sizes)) != (1, 1, 1):
            return f"not a design: replications {replications}, pair counts {lambdas}"
        v, b = design.v, len(design.blocks)
        (r,), (lam,), (k,) = replications, lambdas, sizes
        factor = 2 if doubled else 1
        if b * k != factor * v * r or r * (k - 1) != lam * (v - 1):
            return f"v, b, r, k, lambda = {v}, {b}, {r}, {k}, {lam}"
    return ""


def _related(triple: Triple) -> list[BlockDesign]:
    """The design, its complement and, where proper, its derived and residual designs."""
    v, k, lam = triple
    design = built_design(triple)
    found = [design, complement(design)]
    if lam >= 2 and k > lam:
        found.append(derived_design(design))
    if k - lam >= 2 and v - k > k - lam:
        found.append(residual_design(design))
    return found


def _fisher(instance: Any, *, strict: bool = False) -> str:
    """A collection of b blocks on v points that is a 2-design with k < v has b >= v."""
    v, blocks = instance
    design = BlockDesign(v, blocks)
    _, replications, lambdas, sizes = pair_counts(design)
    balanced = len(replications) == len(lambdas) == len(sizes) == 1
    if not balanced or not min(lambdas) or max(sizes) == v:
        return ""
    b = len(blocks)
    enough = b > v if strict else b >= v
    return "" if enough else f"a 2-design with b = {b} blocks on v = {v} points"


def _block_collections(size: int) -> list[Any]:
    found = []
    for v in range(3, size + 1):
        proper = range(1, (1 << v) - 1)
        for b in range(1, min(v, 4) + 1):
            found += [(v, blocks) for blocks in combinations_with_replacement(proper, b)]
    return found


def _product_statements(power: int = 1) -> tuple[Statement, ...]:
    """det(N N^T) = r k (r - lambda)^(v-1), for v = 2..6: the algebra behind Fisher's inequality."""
    r, k, lam = sp.symbols("r k lambda", positive=True)
    found: list[Statement] = []
    for v in range(2, 7):
        matrix = sp.eye(v) * (r - lam) + lam * sp.ones(v, v)
        counted = matrix.det(method="berkowitz").subs(lam, r * (k - 1) / (v - 1))
        claimed = (r * k * (r - lam) ** (v - power)).subs(lam, r * (k - 1) / (v - 1))
        found.append(Identity(f"v = {v}", counted, claimed, (k - 1,)))
    return tuple(found)


def _consistent(triple: Triple, *, square_always: bool = False) -> str:
    """No theorem forbids what was built; the kernel accepts the design."""
    v, k, lam = triple
    verdict = check_design(built_design(triple), k, lam) if lam else None
    if verdict is not None and not verdict.is_accepted:
        return verdict.reason
    if square_always:
        root = isqrt(k - lam)
        return "" if root * root == k - lam else f"k - lambda = {k - lam} is no square"
    broken = design_obstruction(v, k, lam)
    return "" if broken is None else f"built, yet forbidden by {broken.theorem}"


def _brc_equation(triple: Triple, *, needs_square: bool = False) -> str:
    """The Hilbert symbols agree with a search for z^2 = (k-lambda) x^2 +- lambda y^2."""
    v, k, lam = triple
    if v % 2 == 0:
        return ""
    n, sign = k - lam, -1 if (v - 1) // 2 % 2 else 1
    forbidden = bruck_ryser_chowla(v, k, lam) is not None
    if needs_square:
        root = isqrt(n)
        forbidden = root * root != n
    squares = {z * z for z in range(600)}
    soluble = any(
        (value := n * x * x + sign * lam * y * y) in squares and (x or y or value)
        for x in range(26)
        for y in range(26)
        if x or y
    )
    return "" if soluble != forbidden else f"soluble: {soluble}, forbidden: {forbidden}"


def _admissible_odd(size: int) -> list[Triple]:
    return [
        (v, k, k * (k - 1) // (v - 1))
        for v in range(5, size + 1, 2)
        for k in range(3, v // 2 + 1)
        if k * (k - 1) % (v - 1) == 0
    ]


def _complement(triple: Triple, *, same_lambda: bool = False) -> str:
    v, k, lam = triple
    expected = lam if same_lambda else v - 2 * k + lam
    other = complement(built_design(triple))
    if not expected:
        return ""
    verdict = check_design(other, v - k, expected)
    return "" if verdict.is_accepted else verdict.reason


def _derived(triple: Triple, *, keeps_lambda: bool = False) -> str:
    _, k, lam = triple
    if lam < 2 or k == lam:
        return ""
    for block in (0, 1):
        design = derived_design(built_design(triple), block)
        verdict = check_design(design, lam, lam if keeps_lambda else lam - 1)
        if not verdict.is_accepted:
            return verdict.reason
    return ""


def _residual(triple: Triple, *, loses_one: bool = False) -> str:
    v, k, lam = triple
    if k - lam < 2 or lam < (2 if loses_one else 1):
        return ""
    for block in (0, v - 1):
        design = residual_design(built_design(triple), block)
        verdict = check_design(design, k - lam, lam - 1 if loses_one else lam)
        if not verdict.is_accepted:
            return verdict.reason
    return ""


def _dual(triple: Triple, *, of_residual: bool = False) -> str:
    """The dual of a symmetric design is one; the dual of a residual design is not."""
    _, k, lam = triple
    if not lam:
        return ""
    design = built_design(triple)
    if of_residual and k - lam >= 2:
        design = residual_design(design)
    _, _, lambdas, sizes = pair_counts(dual(design))
    if len(lambdas) != 1 or len(sizes) != 1:
        return f"the dual has pair counts {sorted(lambdas)}, block sizes {sorted(sizes)}"
    return ""


def _truncated(triple: Triple, *, keeps_k: bool = False) -> str:
    """Deleting points keeps b, r and lambda."""
    v, k, lam = triple
    for deleted in range(1, min(4, v - 2)):
        design = truncated_design(built_design(triple), range(deleted))
        if keeps_k:
            sizes = {block.bit_count() for block in design.blocks}
            if sizes != {k}:
                return f"{deleted} points deleted: block sizes {sorted(sizes)}"
            continue
        verdict = check_pairwise_balanced(design, k, lam)
        if not verdict.is_accepted or len(design.blocks) != v:
            return f"{deleted} points deleted: {verdict.reason}"
    return ""


def _block_meetings(triple: Triple, *, varied: bool = False) -> str:
    """Any two blocks of a symmetric design meet in lambda points."""
    _, _, lam = triple
    meetings = {(a & b).bit_count() for a, b in combinations(built_design(triple).blocks, 2)}
    expected = {lam + 1} if varied else {lam}
    return "" if meetings == expected else f"blocks meet in {sorted(meetings)} points"


def _parameter_statements(shift: int = 0) -> tuple[Statement, ...]:
    """The counting identities carry over to complement, derived and residual parameters."""
    k, lam = sp.symbols("k lambda", positive=True)
    v = 1 + k * (k - 1) / lam
    return (
        Identity(
            "complement",
            (v - k) * (v - k - 1),
            (v - 2 * k + lam + shift) * (v - 1),
            (k - 1,),
        ),
        Identity("derived", (k - 1) * (lam - 1), (lam - 1) * (k - 1)),
        Identity("residual", k * (k - lam - 1), lam * (v - k - 1)),
        Identity("order of the complement", (v - k) - (v - 2 * k + lam), k - lam),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "combinatorics.counting",
        "b k = v r and r (k-1) = lambda (v-1) for designs, complements, derived, residual ones",
        f"{_BJL}, I.2.10",
        "every symmetric design that can be built with v <= 70",
        "b k = 2 v r",
        (
            Symbolic(_parameter_statements, lambda: _parameter_statements(1)),
            Exhaustive(
                symmetric_triples,
                _counting,
                lambda t: _counting(t, doubled=True),
                size=70,
                smallest=7,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.fisher",
        "a 2-design with k < v has at least v blocks",
        "Fisher 1940",
        "det(N N^T) symbolically for v <= 6; all collections of up to 4 blocks on up to 5 points",
        "it has more than v blocks",
        (
            Symbolic(_product_statements, lambda: _product_statements(0)),
            Exhaustive(
                listed("collections of up to 4 blocks on 3..{size} points", _block_collections),
                _fisher,
                lambda instance: _fisher(instance, strict=True),
                size=5,
                smallest=3,
                batch=2048,
            ),
        ),
    ),
    Claim(
        "combinatorics.obstructions-consistent",
        "no nonexistence theorem forbids a design that was built and accepted by the kernel",
        "Schutzenberger 1949; Bruck, Ryser 1949; Chowla, Ryser 1950",
        "every symmetric design that can be built with v <= 120",
        "k - lambda is a square for every v",
        (
            Exhaustive(
                symmetric_triples,
                _consistent,
                lambda t: _consistent(t, square_always=True),
                size=120,
                smallest=7,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.brc-equation",
        "the Hilbert symbols say exactly when z^2 = (k-l) x^2 + (-1)^((v-1)/2) l y^2 is soluble",
        "Hasse, Minkowski; Bruck, Ryser, Chowla",
        "all admissible odd v <= 120, against a search with x, y <= 25",
        "it is soluble exactly when k - lambda is a square",
        (
            Exhaustive(
                listed("admissible triples with odd v <= {size}", _admissible_odd),
                _brc_equation,
                lambda t: _brc_equation(t, needs_square=True),
                size=120,
                smallest=7,
            ),
        ),
    ),
    Claim(
        "combinatorics.complement",
        "the complement of a (v, k, lambda) design is a (v, v-k, v-2k+lambda) design",
        f"{_BJL}, I.2",
        "every symmetric design that can be built with v <= 100",
        "the complement has the same lambda",
        (
            Exhaustive(
                symmetric_triples,
                _complement,
                lambda t: _complement(t, same_lambda=True),
                size=100,
                smallest=7,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.derived",
        "the derived design of a symmetric design is a 2-(k, lambda, lambda-1) design",
        f"{_BJL}, I.2",
        "every symmetric design that can be built with v <= 100",
        "it is a 2-(k, lambda, lambda) design",
        (
            Exhaustive(
                symmetric_triples,
                _derived,
                lambda t: _derived(t, keeps_lambda=True),
                size=100,
                smallest=11,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.residual",
        "the residual design of a symmetric design is a 2-(v-k, k-lambda, lambda) design",
        f"{_BJL}, I.2",
        "every symmetric design that can be built with v <= 100",
        "it is a 2-(v-k, k-lambda, lambda-1) design",
        (
            Exhaustive(
                symmetric_triples,
                _residual,
                lambda t: _residual(t, loses_one=True),
                size=100,
                smallest=11,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.dual",
        "the dual of a symmetric design is a symmetric design with the same parameters",
        "Ryser 1950",
        "every symmetric design that can be built with v <= 100",
        "the dual of a residual design is a design",
        (
            Exhaustive(
                symmetric_triples,
                _dual,
                lambda t: _dual(t, of_residual=True),
                size=100,
                smallest=7,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.block-meetings",
        "any two blocks of a symmetric design meet in lambda points",
        "Ryser 1950",
        "every symmetric design that can be built with v <= 100",
        "they meet in lambda + 1 points",
        (
            Exhaustive(
                symmetric_triples,
                _block_meetings,
                lambda t: _block_meetings(t, varied=True),
                size=100,
                smallest=7,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.truncation",
        "deleting points of a symmetric design keeps b, r and lambda",
        "Park, Nam, Lee 2023, regular pairwise balanced designs",
        "every symmetric design that can be built with v <= 70, up to 3 points deleted",
        "it keeps the block size",
        (
            Exhaustive(
                symmetric_triples,
                _truncated,
                lambda t: _truncated(t, keeps_k=True),
                size=70,
                smallest=7,
                batch=8,
            ),
        ),
    ),
)
