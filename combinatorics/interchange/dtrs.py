"""Block designs in the external representation of the Design Theory Resource Server (DTRS).

Protocol 2.0, the XML of designtheory.org: a ``list_of_designs`` with ``block_design`` elements;
points are 0, ..., v - 1 and the blocks stand in length-first lexicographic order.

Reference: Cameron, Dobcsányi, Morgan and Soicher (2004), The External Representation of Block
Designs.
"""

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from xml.parsers import expat

from combinatorics.interchange.document import Content, DesignDocument, DevelopedDesign
from combinatorics.operations import block_points
from combinatorics.point_lists import design_from_points
from verify.kernel.errors import InputError, require_limit
from verify.kernel.exact import excerpt
from verify.kernel.incidence import MAX_CELLS, BlockDesign, HadamardMatrix

__all__ = ["dtrs_list", "dtrs_text", "parse_dtrs"]

_NAMESPACE = "http://designtheory.org/xml-namespace"
_PROTOCOL = "2.0"


class _Reader:
    """Collects the designs of a document; anything that it does not need is passed over."""

    def __init__(self) -> None:
        self.designs: list[tuple[int, int | None, list[list[int]]]] = []
        self._path: list[str] = []
        self._text: list[str] = []
        self._incidences = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._path and name != "list_of_designs":
            raise InputError(f"the root element is {name!r}, not 'list_of_designs'")
        self._path.append(name)
        if name == "block_design":
            b = attributes.get("b")
            number = None if b is None else _number(b, "block_design: b")
            self.designs.append((_number(attributes.get("v", ""), "block_design: v"), number, []))
        elif name == "block" and self._inside("block_design", "blocks", "block"):
            self.designs[-1][2].append([])
        elif name == "z":
            self._text = []

    def data(self, text: str) -> None:
        if self._inside("block", "z"):
            self._text.append(text)

    def end(self, name: str) -> None:
        if name == "z" and self._inside("block_design", "blocks", "block", "z"):
            blocks = self.designs[-1][2]
            self._incidences += 1
            require_limit(self._incidences, MAX_CELLS, "points on blocks")
            blocks[-1].append(_number("".join(self._text), f"block {len(blocks) - 1}"))
        self._path.pop()

    def _inside(self, *names: str) -> bool:
        return tuple(self._path[-len(names) :]) == names


def _number(text: str, where: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 12):
        raise InputError(f"{where}: {excerpt(text.strip())} is not a number of a point")
    return int(digits)


def _refuse_entity(*_: object) -> None:
    raise InputError("the XML declares a document type or an entity: leave it out")


def parse_dtrs(data: bytes) -> DesignDocument:
    """The one block design of a DTRS document.

    Raises:
        InputError: in one line, for another document or another number of designs.
    """
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, atts: reader.start(name.rpartition(":")[2], atts)
    parser.EndElementHandler = lambda name: reader.end(name.rpartition(":")[2])
    parser.CharacterDataHandler = reader.data
    parser.StartDoctypeDeclHandler = _refuse_entity
    parser.EntityDeclHandler = _refuse_entity
    try:
        parser.ParseFile(io.BytesIO(data))
    except expat.ExpatError as error:
        raise InputError(f"the file is not well-formed XML: {error}") from None
    if len(reader.designs) != 1:
        raise InputError(f"the file holds {len(reader.designs)} block designs: give one")
    v, b, blocks = reader.designs[0]
    if b is not None and b != len(blocks):
        raise InputError(f"block_design: b = {b}, but there are {len(blocks)} blocks")
    return DesignDocument(design_from_points(v, blocks))


def dtrs_text(content: Content) -> str:
    """The DTRS document with one block design.

    Raises:
        InputError: for a Hadamard matrix, which the format does not hold.
    """
    if isinstance(content, HadamardMatrix):
        raise InputError("DTRS holds block designs: write a Hadamard matrix as json, csv or npy")
    design = content.design() if isinstance(content, DevelopedDesign) else content
    return "".join(dtrs_list((design,), 1))


def dtrs_list(designs: Iterable[BlockDesign], number: int) -> Iterator[str]:
    """The DTRS document of designs no two of which have the same parameters, design by design.

    Args:
        designs: the designs.
        number: how many there are.
    """
    yield (
        '<?xml version="1.0"?>\n'
        f'<list_of_designs xmlns="{_NAMESPACE}" design_type="block_design"\n'
        f' dtrs_protocol="{_PROTOCOL}" no_designs="{number}" pairwise_nonisomorphic="true">\n'
        " <designs>\n"
    )
    seen: Counter[str] = Counter()
    for design in designs:
        sizes = f"v{design.v}-b{len(design.blocks)}"
        yield _element(design, f"{sizes}-{seen[sizes]}")
        seen[sizes] += 1
    yield " </designs>\n</list_of_designs>\n"


def _element(design: BlockDesign, identifier: str) -> str:
    blocks = sorted((block_points(block) for block in design.blocks), key=lambda x: (len(x), x))
    lines = [
        f'  <block_design b="{len(blocks)}" id="{identifier}" v="{design.v}">',
        '   <blocks ordered="true">',
        *(f"    <block>{''.join(f'<z>{x}</z>' for x in block)}</block>" for block in blocks),
        "   </blocks>",
        "  </block_design>",
    ]
    return "\n".join(lines) + "\n"
