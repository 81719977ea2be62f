"""Certificates of designs, difference sets and Hadamard matrices, to be checked by the kernel.

What is not stated about an object is read off it: block sizes, and lambda as the average number
of blocks on t points, rounded down. A wrong object then has a first violating pair.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

from combinatorics.construction import Construction
from combinatorics.interchange.document import Content, DesignDocument, DevelopedDesign
from combinatorics.interchange.json_text import hadamard_rows
from combinatorics.operations import block_points
from verify.kernel.certificate import Certificate
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign, CyclicProduct, DifferenceSet, HadamardMatrix

__all__ = ["DesignClaim", "design_claim"]

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class DesignClaim:
    """A certificate and the parameters to show beside it.

    Args:
        certificate: claim and witness; not checked yet.
        parameters: those of v, b, r, k, lambda and order that the object has.
    """

    certificate: Certificate
    parameters: Mapping[str, int]

    @property
    def kind(self) -> str:
        """What the certificate is about, such as ``block design``."""
        return str(self.certificate.claim["object"])


def design_claim(document: DesignDocument, construction: Construction | None = None) -> DesignClaim:
    """The claim that the content is a design with the stated or the apparent parameters.

    Args:
        document: the content and what is stated about it.
        construction: its provenance, when known.

    Raises:
        InputError: for an object that can be no design at all: no blocks, or fewer than t points.
    """
    content = document.content
    provenance: Json = {}
    if construction is not None:
        provenance = {"construction": construction.name, "reference": construction.reference}
    if isinstance(content, HadamardMatrix):
        claim: Json = {"object": "Hadamard matrix", "order": content.order}
        witness: Json = {"rows": hadamard_rows(content)}
        certificate = Certificate("design", claim, witness, provenance)
        return DesignClaim(certificate, {"order": content.order})
    difference_set = content.difference_set if isinstance(content, DevelopedDesign) else None
    if difference_set is not None and "t" not in document.stated:
        return _difference_set_claim(difference_set, document.stated, provenance)
    design = content.design() if isinstance(content, DevelopedDesign) else content
    sizes = {block.bit_count() for block in design.blocks}
    if len(sizes) == 1:
        return _block_design_claim(design, content, document.stated, provenance)
    return _pairwise_balanced_claim(design, document.stated, provenance)


def _difference_set_claim(
    difference_set: DifferenceSet, stated: Mapping[str, int], provenance: Json
) -> DesignClaim:
    group, k = difference_set.group, stated.get("k", len(difference_set.elements))
    v = group.order
    lambda_ = stated.get("lambda", max(1, k * (k - 1) // max(1, v - 1)))
    orders = list(group.orders) if isinstance(group, CyclicProduct) else [*map(list, group.rows)]
    claim: Json = {"object": "difference set", "group": orders, "k": k, "lambda": lambda_}
    witness: Json = {"elements": list(difference_set.elements)}
    certificate = Certificate("design", claim, witness, provenance)
    return DesignClaim(certificate, {"v": v, "b": v, "r": k, "k": k, "lambda": lambda_})


def _block_design_claim(
    design: BlockDesign, content: Content, stated: Mapping[str, int], provenance: Json
) -> DesignClaim:
    v, b, t = design.v, len(design.blocks), stated.get("t", 2)
    k = stated.get("k", design.blocks[0].bit_count())
    if not 1 <= t <= k <= v:
        raise InputError(f"blocks of {k} points on {v} points: no design of strength t = {t}")
    lambda_ = stated.get("lambda", max(1, b * comb(k, t) // comb(v, t)))
    claim: Json = {"object": "block design", "v": v, "k": k, "lambda": lambda_, "t": t}
    certificate = Certificate("design", claim, _witness(design, content), provenance)
    parameters = {"v": v, "b": b, "r": b * k // v, "k": k, "lambda": lambda_}
    return DesignClaim(certificate, parameters if t == 2 else {**parameters, "t": t})


def _pairwise_balanced_claim(
    design: BlockDesign, stated: Mapping[str, int], provenance: Json
) -> DesignClaim:
    if not design.blocks or design.v < 2:
        raise InputError(f"{len(design.blocks)} blocks on {design.v} points: no design")
    if "k" in stated or "t" in stated:
        sizes = sorted({block.bit_count() for block in design.blocks})
        raise InputError(f"blocks of {sizes[0]} and of {sizes[-1]} points: no design with one k")
    r = sum(block & 1 for block in design.blocks)
    lambda_ = stated.get("lambda", sum(block & 3 == 3 for block in design.blocks))
    if not lambda_:
        raise InputError("points 0 and 1 lie on no block: not a pairwise balanced design")
    claim: Json = {
        "object": "pairwise balanced design",
        "v": design.v,
        "r": r,
        "lambda": lambda_,
    }
    certificate = Certificate("design", claim, _witness(design, design), provenance)
    parameters = {"v": design.v, "b": len(design.blocks), "r": r, "lambda": lambda_}
    return DesignClaim(certificate, parameters)


def _witness(design: BlockDesign, content: Content) -> Json:
    """Base blocks with the translations, if their different translates are all blocks; else all."""
    if isinstance(content, DevelopedDesign) and isinstance(content.group, CyclicProduct):
        v = design.v
        orbits = (design.blocks[start : start + v] for start in range(0, len(design.blocks), v))
        if all(len(set(orbit)) == v for orbit in orbits):
            base = [list(block) for block in content.base_blocks]
            return {"base_blocks": base, "generators": _translations(content.group)}
    return {"base_blocks": [block_points(block) for block in design.blocks], "generators": []}


def _translations(group: CyclicProduct) -> list[list[int]]:
    """Adding 1 in one cyclic factor, for every factor, as maps of the elements."""
    maps, step = [], group.order
    for n in group.orders:
        block, step = step, step // n
        maps.append([x - x % block + (x % block + step) % block for x in range(group.order)])
    return maps
