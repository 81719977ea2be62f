"""Designs in JSON: blocks, base blocks under a group, or a Hadamard matrix.

``{"v": 7, "blocks": [[0, 1, 3], ...]}`` · ``{"group": [7], "base_blocks": [[0, 1, 3]]}`` ·
``{"hadamard": ["++++", "+-+-", ...]}``. A group is the list of the orders of its cyclic factors,
or its multiplication table as a list of rows; its elements are numbers (mixed radix, first factor
leading) or lists of residues. ``t``, ``k`` and ``lambda`` may be stated beside blocks and base
blocks; they are checked.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NoReturn

from combinatorics.abelian_group import AbelianGroup
from combinatorics.interchange.document import (
    Content,
    DesignDocument,
    DevelopedDesign,
    require_counting,
)
from combinatorics.operations import block_points
from combinatorics.point_lists import design_from_points
from verify.kernel.errors import InputError, require_limit
from verify.kernel.exact import excerpt
from verify.kernel.incidence import (
    MAX_CELLS,
    BlockDesign,
    CayleyTable,
    CyclicProduct,
    HadamardMatrix,
    require_integer,
)

__all__ = ["content_object", "hadamard_rows", "json_text", "parse_json"]

_STATED = ("t", "k", "lambda")
_MAX_DIGITS = 100


def parse_json(text: str) -> DesignDocument:
    """The design in a JSON text.

    Raises:
        InputError: in one line, for anything else.
        LimitError: for a design over the limit of incidence cells.
    """
    try:
        raw = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_float=_refuse,
            parse_constant=_refuse,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        raise InputError(f"the file is not JSON: {error}") from None
    except RecursionError:
        raise InputError("the file is nested too deeply") from None
    if not isinstance(raw, dict):
        raise InputError("the file must hold one JSON object")
    shapes = {"hadamard": _hadamard, "blocks": _blocks, "base_blocks": _base_blocks}
    for key, read in shapes.items():
        if key in raw:
            return read(raw)
    raise InputError("the file must name one of: blocks, base_blocks, hadamard")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise InputError("a key stands twice in one object")
    return content


def _refuse(text: str) -> NoReturn:
    raise InputError(f"{excerpt(text)} is not an integer")


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise InputError(f"{excerpt(text)} is over the limit of {_MAX_DIGITS} digits")
    return int(text)


def _require_keys(raw: Mapping[str, object], needed: set[str], optional: set[str]) -> None:
    missing, unknown = sorted(needed - raw.keys()), sorted(raw.keys() - needed - optional)
    if missing or unknown:
        what = f"lacks the key {missing[0]!r}" if missing else f"has an unknown key {unknown[0]!r}"
        raise InputError(f"the object {what}; known: {', '.join(sorted(needed | optional))}")


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise InputError(f"{where}: must be a list")
    return value


def _point_lists(value: object, where: str) -> list[list[int]]:
    """Lists of integers; whether they are points is decided by the design."""
    blocks = []
    for index, block in enumerate(_list(value, where)):
        points = _list(block, f"{where}[{index}]")
        blocks.append(
            [require_integer(x, -MAX_CELLS, MAX_CELLS, f"{where}[{index}]") for x in points]
        )
    return blocks


def _blocks(raw: Mapping[str, object]) -> DesignDocument:
    _require_keys(raw, {"v", "blocks"}, {*_STATED, "b", "r"})
    v = require_integer(raw["v"], 1, MAX_CELLS, "v")
    design = design_from_points(v, _point_lists(raw["blocks"], "blocks"))
    _require_number(raw, "b", len(design.blocks))
    if "r" in raw:
        incidences = sum(block.bit_count() for block in design.blocks)
        if require_integer(raw["r"], 0, MAX_CELLS, "r") * v != incidences:
            raise InputError(f"r = {raw['r']}, but the blocks hold {incidences} points, not v r")
    return DesignDocument(design, _stated(raw, v, len(design.blocks)))


def _base_blocks(raw: Mapping[str, object]) -> DesignDocument:
    _require_keys(raw, {"group", "base_blocks"}, {*_STATED, "v"})
    group = _group(raw["group"])
    _require_number(raw, "v", group.order)
    blocks = tuple(
        tuple(_element(group, x, f"base_blocks[{i}]") for x in _list(block, f"base_blocks[{i}]"))
        for i, block in enumerate(_list(raw["base_blocks"], "base_blocks"))
    )
    content = DevelopedDesign(group, blocks)
    return DesignDocument(content, _stated(raw, group.order, group.order * len(blocks)))


def _require_number(raw: Mapping[str, object], key: str, value: int) -> None:
    if key in raw and raw[key] != value:
        claimed = json.dumps(raw[key])[:40]
        raise InputError(f"{key} = {claimed}, but the file has {value}")


def _stated(raw: Mapping[str, object], v: int, b: int) -> dict[str, int]:
    """The parameters that the file names, after counting where they all are there."""
    stated = {key: require_integer(raw[key], 1, MAX_CELLS, key) for key in _STATED if key in raw}
    if {"k", "lambda"} <= stated.keys():
        require_counting(v, b, stated["k"], stated["lambda"], stated.get("t", 2))
    return stated


def _group(value: object) -> CyclicProduct | CayleyTable:
    rows = _list(value, "group")
    if rows and isinstance(rows[0], list):
        return CayleyTable(tuple(tuple(row) for row in _point_lists(value, "group")))
    return CyclicProduct(tuple(require_integer(n, 1, MAX_CELLS, "group") for n in rows))


def _element(group: CyclicProduct | CayleyTable, value: object, where: str) -> int:
    if isinstance(value, list) and isinstance(group, CyclicProduct):
        residues = [require_integer(x, 0, MAX_CELLS, where) for x in value]
        return AbelianGroup(group.orders).index(residues)
    return require_integer(value, 0, group.order - 1, where)


def _hadamard(raw: Mapping[str, object]) -> DesignDocument:
    _require_keys(raw, {"hadamard"}, set())
    rows = _list(raw["hadamard"], "hadamard")
    order = len(rows)
    if not rows:
        raise InputError("hadamard: a matrix of order 0: at least one row is needed")
    require_limit(order * order, MAX_CELLS, "entries")
    bitsets = []
    for index, row in enumerate(rows):
        if not isinstance(row, str) or set(row) - {"+", "-"}:
            raise InputError(f"hadamard row {index}: must be text of + and -")
        if len(row) != order:
            raise InputError(
                f"hadamard row {index}: {len(row)} entries in a matrix of {order} rows: not square"
            )
        bitsets.append(int("0" + row[::-1].replace("+", "0").replace("-", "1"), 2))
    return DesignDocument(HadamardMatrix(order, tuple(bitsets)))


def hadamard_rows(matrix: HadamardMatrix) -> list[str]:
    """The rows of the matrix as texts of + and -."""
    width = f"0{matrix.order}b"
    spelled = (format(row, width)[::-1] for row in matrix.rows)
    return [row.replace("0", "+").replace("1", "-") for row in spelled]


def content_object(content: Content) -> dict[str, object]:
    """The JSON object of a design; elements of a product of cyclic groups are residue lists."""
    if isinstance(content, HadamardMatrix):
        return {"hadamard": hadamard_rows(content)}
    if isinstance(content, BlockDesign):
        return {"v": content.v, "blocks": [block_points(block) for block in content.blocks]}
    group = content.group
    if isinstance(group, CayleyTable):
        return {
            "group": [list(row) for row in group.rows],
            "base_blocks": [list(block) for block in content.base_blocks],
        }
    return {
        "group": list(group.orders),
        "base_blocks": [
            [_spelled_element(group, element) for element in block] for block in content.base_blocks
        ],
    }


def _spelled_element(group: CyclicProduct, element: int) -> int | list[int]:
    coordinates: list[int] = AbelianGroup(group.orders).residues(element).tolist()
    return element if len(group.orders) == 1 else coordinates


def json_text(content: Content) -> str:
    """The JSON text of a design: one block, base block or row on a line."""
    lines = []
    for key, value in content_object(content).items():
        if isinstance(value, Sequence) and not isinstance(value, str) and key != "group":
            rows = ",\n  ".join(json.dumps(row) for row in value)
            lines.append(f' "{key}": [\n  {rows}\n ]')
        else:
            lines.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"
