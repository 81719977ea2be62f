"""Kind ``design``: a block design, a difference set or a Hadamard matrix, from the definition."""

from verify.kernel import design, fields, incidence
from verify.kernel.errors import CertificateError, require_limit
from verify.kernel.fields import Claim
from verify.kernel.verdict import Verdict, rejected

__all__ = ["check_design_kind", "developed_design"]


def check_design_kind(claim: Claim, witness: Claim) -> Verdict:
    """The witness is an object of the claimed type with the claimed parameters."""
    kind = claim.get("object")
    if kind == "block design":
        v, k, lambda_, t = _integers(claim, "v", "k", "lambda", "t")
        return design.check_design(developed_design(witness, v), k, lambda_, t)
    if kind == "pairwise balanced design":
        v, r, lambda_ = _integers(claim, "v", "r", "lambda")
        return design.check_pairwise_balanced(developed_design(witness, v), r, lambda_)
    if kind == "Hadamard matrix":
        return _check_hadamard(_integers(claim, "order")[0], witness)
    if kind == "difference set":
        return _check_difference_set(claim, witness)
    raise CertificateError("object: must name a kind of design, as the format lists them")


def _integers(claim: Claim, *keys: str, others: tuple[str, ...] = ()) -> tuple[int, ...]:
    fields.read_object(claim, {"object", *keys, *others}, "claim")
    return tuple(fields.read_integer(claim[key], key, 1, incidence.MAX_CELLS) for key in keys)


def developed_design(witness: Claim, v: int) -> incidence.BlockDesign:
    """The images of every base block under the maps generated; without maps the blocks alone."""
    fields.read_object(witness, {"base_blocks", "generators"}, "witness")
    maps = fields.read_index_lists(witness["generators"], "generators", v)
    fields.require_form({*map(len, maps)} <= {v}, f"generators: each must have {v} images")
    blocks: list[tuple[int, ...]] = []
    for base in fields.read_index_lists(witness["base_blocks"], "base_blocks", v):
        reached = [tuple(sorted(base))]
        known = set(reached)
        for block in reached:  # grows while it is read
            for images in maps:
                image = tuple(sorted(images[point] for point in block))
                if image not in known:
                    known.add(image)
                    reached.append(image)
            require_limit(v * (len(blocks) + len(reached)), incidence.MAX_CELLS, "cells")
        blocks += reached
    return incidence.BlockDesign.from_points(v, blocks)


def _check_hadamard(order: int, witness: Claim) -> Verdict:
    lines = fields.read_list(fields.read_object(witness, {"rows"}, "witness")["rows"], "rows")
    rows = [fields.read_string(line, "row") for line in lines]
    signs = all(len(row) == order and set(row) <= {"+", "-"} for row in rows)
    fields.require_form(signs, f"rows: each must be {order} characters + or -")
    bitsets = tuple(int(row[::-1].translate({43: "0", 45: "1"}), 2) for row in rows)
    return design.check_hadamard(incidence.HadamardMatrix(order, bitsets))


def _check_difference_set(claim: Claim, witness: Claim) -> Verdict:
    k, lambda_ = _integers(claim, "k", "lambda", others=("group",))
    rows = fields.read_list(claim["group"], "group")
    group: incidence.CyclicProduct | incidence.CayleyTable
    if rows and isinstance(rows[0], list):
        group = incidence.CayleyTable(fields.read_index_lists(rows, "group", len(rows)))
    else:
        group = incidence.CyclicProduct(fields.read_indices(rows, "group", incidence.MAX_CELLS))
    elements = fields.read_object(witness, {"elements"}, "witness")["elements"]
    indices = fields.read_indices(elements, "elements", group.order)
    if len(indices) != k:
        return rejected(f"the set has {len(indices)} elements, not {k}", count=len(indices))
    return design.check_difference_set(incidence.DifferenceSet(group, indices), lambda_)
