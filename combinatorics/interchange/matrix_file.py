"""Designs as matrices in CSV text and NumPy files: incidence (0 and 1) or signs (+1 and -1).

Incidence matrices are (v, b), points by blocks. A matrix that holds a -1 is a sign matrix.
"""

import io

import numpy as np
from numpy.typing import NDArray

from combinatorics.incidence_matrix import (
    design_from_incidence,
    hadamard_from_signs,
    incidence_matrix,
    sign_matrix,
)
from combinatorics.interchange.document import Content, DesignDocument, DevelopedDesign
from verify.kernel.errors import InputError, require_limit
from verify.kernel.exact import excerpt
from verify.kernel.incidence import MAX_CELLS, HadamardMatrix

__all__ = ["csv_text", "npy_bytes", "parse_csv", "parse_npy"]


def parse_csv(text: str) -> DesignDocument:
    """The matrix in a CSV text, one row a line, entries 0 and 1, or +1 and -1.

    Raises:
        InputError: naming the first row of another length or the first other entry.
        LimitError: for more than the limit of cells.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError("the file is empty: give a matrix of 0 and 1, or of 1 and -1")
    width = lines[0].count(",") + 1
    require_limit(len(lines) * width, MAX_CELLS, "entries")
    known = {"0": 0, "1": 1, "+1": 1, "-1": -1}
    matrix = np.empty((len(lines), width), dtype=np.int8)
    for row, line in enumerate(lines):
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) != width:
            raise InputError(f"row {row}: {len(cells)} entries, but row 0 has {width}")
        for column, cell in enumerate(cells):
            if cell not in known:
                raise InputError(f"row {row}, column {column}: {excerpt(cell)} is not 0, 1 or -1")
        matrix[row] = [known[cell] for cell in cells]
    return DesignDocument(_content(matrix))


def parse_npy(data: bytes) -> DesignDocument:
    """The matrix in a NumPy file of integers, booleans or floats that are exactly 0, 1 or -1.

    Raises:
        InputError: for another file, shape or entry.
        LimitError: for more than the limit of cells, read from the header.
    """
    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0
        if version != (1, 0):
            read = np.lib.format.read_array_header_2_0
        shape, _, dtype = read(stream)
    except ValueError as error:
        raise InputError(f"the file is not a NumPy array: {error}") from None
    if len(shape) != 2 or dtype.kind not in "biuf":
        raise InputError(f"an array of shape {shape} and type {dtype}: give a matrix of numbers")
    require_limit(shape[0] * shape[1], MAX_CELLS, "entries")
    try:
        matrix = np.load(io.BytesIO(data), allow_pickle=False)
    except ValueError as error:
        raise InputError(f"the NumPy file is damaged: {error}") from None
    return DesignDocument(_content(np.asarray(matrix)))


def _content(matrix: NDArray[np.generic]) -> Content:
    if matrix.dtype.kind == "b":
        matrix = matrix.astype(np.int8)
    if matrix.size == 0:
        raise InputError(f"a matrix of shape {matrix.shape} has no entries")
    if (matrix == -1).any():
        return hadamard_from_signs(matrix)
    return design_from_incidence(matrix)


def _matrix(content: Content) -> NDArray[np.int8]:
    if isinstance(content, HadamardMatrix):
        return sign_matrix(content)
    design = content.design() if isinstance(content, DevelopedDesign) else content
    return incidence_matrix(design)


def csv_text(content: Content) -> str:
    """The incidence or sign matrix, one row a line."""
    rows = _matrix(content).tolist()
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def npy_bytes(content: Content) -> bytes:
    """The incidence or sign matrix as a NumPy file of int8."""
    stream = io.BytesIO()
    np.save(stream, _matrix(content), allow_pickle=False)
    return stream.getvalue()
