"""Designs and Hadamard matrices as input for SageMath, GAP and Magma."""

from combinatorics.incidence_matrix import sign_matrix
from combinatorics.interchange.document import Content, DevelopedDesign
from combinatorics.operations import block_points
from verify.kernel.incidence import BlockDesign, HadamardMatrix

__all__ = ["gap_text", "magma_text", "sage_text"]


def _blocks(content: BlockDesign | DevelopedDesign, first: int) -> tuple[int, list[list[int]]]:
    """The number of points, and the blocks with the points numbered from ``first``."""
    design = content.design() if isinstance(content, DevelopedDesign) else content
    return design.v, [[x + first for x in block_points(block)] for block in design.blocks]


def _matrix_rows(matrix: HadamardMatrix) -> str:
    return ",\n".join(str(row) for row in sign_matrix(matrix).tolist())


def sage_text(content: Content) -> str:
    """SageMath: an incidence structure on 0, ..., v - 1, or an integer matrix."""
    if isinstance(content, HadamardMatrix):
        return f"H = matrix(ZZ, [\n{_matrix_rows(content)}\n])\n"
    v, blocks = _blocks(content, 0)
    lines = ",\n".join(map(str, blocks))
    return f"D = IncidenceStructure(range({v}), [\n{lines}\n])\n"


def gap_text(content: Content) -> str:
    """GAP: a block design of the package DESIGN on 1, ..., v, or a matrix."""
    if isinstance(content, HadamardMatrix):
        return f"H := [\n{_matrix_rows(content)}\n];;\n"
    v, blocks = _blocks(content, 1)
    lines = ",\n".join(map(str, blocks))
    return f'LoadPackage("design");;\nD := BlockDesign({v}, [\n{lines}\n]);;\n'


def magma_text(content: Content) -> str:
    """Magma: an incidence structure on 1, ..., v, or an integer matrix."""
    if isinstance(content, HadamardMatrix):
        return f"H := Matrix(IntegerRing(), [\n{_matrix_rows(content)}\n]);\n"
    v, blocks = _blocks(content, 1)
    lines = ",\n".join("{" + ", ".join(map(str, block)) + "}" for block in blocks)
    return f"D := IncidenceStructure<{v} |\n{lines}\n>;\n"
