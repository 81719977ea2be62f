"""Incidence and sign matrices as NumPy arrays, to and from the bitset types of the kernel.

Incidence matrices are (v, b): points by blocks. A matrix of +1 and -1 has shape (n, n).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign, CyclicProduct, DifferenceSet, HadamardMatrix

__all__ = [
    "bitsets_of_rows",
    "design_from_incidence",
    "development",
    "hadamard_from_signs",
    "incidence_matrix",
    "sign_matrix",
]


def _exact_matrix(matrix: object, allowed: tuple[int, int], what: str) -> NDArray[np.int8]:
    try:
        array = np.asarray(matrix)
    except ValueError as error:
        raise InputError(f"{what}: rows of different lengths") from error
    if array.dtype == object or array.ndim != 2:
        raise InputError(f"{what}: a rectangular matrix of numbers is needed")
    wrong = (array != allowed[0]) & (array != allowed[1])
    if array.dtype.kind not in "iufb" or wrong.any():
        row, column = np.argwhere(wrong)[0] if wrong.any() else (0, 0)
        entry = array[row, column]
        raise InputError(
            f"{what}: entry ({row}, {column}) is {entry}, not {allowed[0]}/{allowed[1]}"
        )
    return array.astype(np.int8)


def bitsets_of_rows(mask: NDArray[Any]) -> tuple[int, ...]:
    """The rows of a boolean matrix of shape (m, n) as m bitsets, bit j for column j."""
    packed = np.packbits(mask.astype(bool), axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in packed)


def _rows_of_bitsets(bitsets: tuple[int, ...], width: int) -> NDArray[np.int8]:
    length = (width + 7) // 8
    data = b"".join(bitset.to_bytes(length, "little") for bitset in bitsets)
    packed = np.frombuffer(data, dtype=np.uint8).reshape(len(bitsets), length)
    return np.unpackbits(packed, axis=1, count=width, bitorder="little").astype(np.int8)


def design_from_incidence(matrix: object) -> BlockDesign:
    """The design of a 0/1 matrix of shape (v, b).

    Raises:
        InputError: for a ragged matrix or another entry, naming the first.
    """
    array = _exact_matrix(matrix, (0, 1), "incidence matrix")
    return BlockDesign(array.shape[0], bitsets_of_rows(array.T))


def incidence_matrix(design: BlockDesign) -> NDArray[np.int8]:
    """The 0/1 matrix of a design, shape (v, b)."""
    return np.ascontiguousarray(_rows_of_bitsets(design.blocks, design.v).T)


def hadamard_from_signs(matrix: object) -> HadamardMatrix:
    """The kernel's form of a square matrix of +1 and -1.

    Raises:
        InputError: for a ragged or non-square matrix or another entry, naming the first.
    """
    array = _exact_matrix(matrix, (1, -1), "sign matrix")
    if array.shape[0] != array.shape[1]:
        raise InputError(f"sign matrix: {array.shape[0]} by {array.shape[1]} is not square")
    return HadamardMatrix(array.shape[0], bitsets_of_rows(array < 0))


def sign_matrix(matrix: HadamardMatrix) -> NDArray[np.int8]:
    """The entries +1 and -1, shape (n, n)."""
    return (1 - 2 * _rows_of_bitsets(matrix.rows, matrix.order)).astype(np.int8)


def development(difference_set: DifferenceSet) -> BlockDesign:
    """The design of all translates Dg, one block for each group element g in index order."""
    group = difference_set.group
    elements = np.array(difference_set.elements, dtype=np.int64)
    if isinstance(group, CyclicProduct):
        residues = np.array(np.unravel_index(elements, group.orders or (1,))).T
        shifts = np.array(np.unravel_index(np.arange(group.order), group.orders or (1,))).T
        orders = np.array(group.orders or (1,))
        moved = (shifts[:, None, :] + residues[None, :, :]) % orders
        points = np.ravel_multi_index(tuple(np.moveaxis(moved, 2, 0)), group.orders or (1,))
    else:
        points = np.array(group.rows)[elements].T
    mask = np.zeros((group.order, group.order), dtype=bool)
    np.put_along_axis(mask, points, values=True, axis=1)
    return BlockDesign(group.order, bitsets_of_rows(mask))
