"""Designs, difference sets and Hadamard matrices as bytes, and what identifies them.

A design that is developed from one base block under a group is stored as that block; any other as
its blocks (or rows of signs), each a little-endian bitset of its points. The digest is taken of
the incidences, not of the stored form.
"""

import json
from dataclasses import dataclass
from hashlib import sha256

from combinatorics.interchange.document import Content, DevelopedDesign
from combinatorics.interchange.json_text import content_object, parse_json
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign, DifferenceSet, HadamardMatrix

__all__ = ["StoredContent", "content_digest", "stored_content", "stored_difference_set"]

_DEVELOPED, _BLOCKS, _SIGNS = "base block", "blocks", "signs"


@dataclass(frozen=True, slots=True)
class StoredContent:
    """The bytes of a content.

    Args:
        form: ``base block``, ``blocks`` or ``signs``.
        data: JSON text of group and base block, or bitsets one after the other.
    """

    form: str
    data: bytes

    def content(self, v: int, b: int) -> Content:
        """The content with v points and b blocks.

        Raises:
            InputError: for bytes that are no such content.
        """
        if self.form == _DEVELOPED:
            content = parse_json(self.data.decode("utf-8")).content
            if isinstance(content, DevelopedDesign):
                return content
            raise InputError("the stored base block is none")
        width = (v + 7) // 8
        if len(self.data) != width * b or self.form not in {_BLOCKS, _SIGNS}:
            raise InputError(f"{len(self.data)} stored bytes are not {b} blocks on {v} points")
        starts = range(0, len(self.data), width)
        rows = tuple(int.from_bytes(self.data[at : at + width], "little") for at in starts)
        return BlockDesign(v, rows) if self.form == _BLOCKS else HadamardMatrix(v, rows)


def stored_difference_set(difference_set: DifferenceSet) -> StoredContent:
    """A difference set, or the design of its translates."""
    developed = DevelopedDesign(difference_set.group, (difference_set.elements,))
    text = json.dumps(content_object(developed), separators=(",", ":"))
    return StoredContent(_DEVELOPED, text.encode("ascii"))


def stored_content(content: BlockDesign | HadamardMatrix) -> StoredContent:
    """The blocks of a design or the rows of a Hadamard matrix."""
    return StoredContent(_BLOCKS if isinstance(content, BlockDesign) else _SIGNS, _bitsets(content))


def _bitsets(content: BlockDesign | HadamardMatrix) -> bytes:
    if isinstance(content, BlockDesign):
        v, rows = content.v, content.blocks
    else:
        v, rows = content.order, content.rows
    width = (v + 7) // 8
    return b"".join(row.to_bytes(width, "little") for row in rows)


def content_digest(content: BlockDesign | HadamardMatrix | DifferenceSet) -> str:
    """SHA-256, in hexadecimal, of the sizes and the incidences in their order."""
    if isinstance(content, DifferenceSet):
        data = stored_difference_set(content).data
    elif isinstance(content, BlockDesign):
        data = f"{content.v} {len(content.blocks)}\n".encode("ascii") + _bitsets(content)
    else:
        data = f"{content.order}\n".encode("ascii") + _bitsets(content)
    return sha256(data).hexdigest()
