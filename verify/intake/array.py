"""NumPy ``.npy`` files of float64: each entry is taken as the binary rational that it is."""

import io
import math
import warnings
from fractions import Fraction
from typing import TYPE_CHECKING

from verify.intake.source import Source
from verify.kernel.channel import MAX_CELLS
from verify.kernel.errors import InputError, LimitError

if TYPE_CHECKING:
    import numpy as np

__all__ = ["read_matrix"]


def read_matrix(source: Source) -> list[list[Fraction]]:
    """The rows of a float64 matrix, *exact*.

    The file is never unpickled, and its size is compared with its header before any entry is read.

    Raises:
        InputError: for another type or shape, a truncated file, or an entry that is no number.
        LimitError: for more entries than the kernel works with.
    """
    shape, dtype, fortran_order, data = _header(source)
    if dtype.kind != "f" or dtype.itemsize != 8:
        raise InputError(f"{source.name}: holds {dtype}; save the matrix as float64")
    if len(shape) != 2 or 0 in shape:
        raise InputError(f"{source.name}: has the shape {shape}; save a matrix, one row an input")
    if math.prod(shape) > MAX_CELLS:
        raise LimitError(f"{source.name}: is over the limit of {MAX_CELLS} entries")
    if len(data) != 8 * math.prod(shape):
        raise InputError(f"{source.name}: is cut short or too long for {shape}; save it again")
    import numpy as np

    matrix = np.frombuffer(data, dtype).reshape(shape, order="F" if fortran_order else "C")
    if not np.isfinite(matrix).all():
        x, y = (int(i) for i in np.argwhere(~np.isfinite(matrix))[0])
        raise InputError(f"{source.name}: rows[{x}][{y}] is {matrix[x, y]}, not a finite number")
    return [[Fraction(entry) for entry in row] for row in matrix.tolist()]


def _header(source: Source) -> tuple[tuple[int, ...], "np.dtype[np.generic]", bool, bytes]:
    """Shape, type, whether the order is Fortran's, and the bytes of the entries."""
    from numpy.lib import format as npy

    stream = io.BytesIO(source.content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about headers of old Pythons
            version = npy.read_magic(stream)
            read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, fortran_order, dtype = read(stream)
    except Exception:  # noqa: BLE001 - NumPy parses the header as Python text: any error may come
        raise InputError(f"{source.name}: is not a .npy file; write one with numpy.save") from None
    return shape, dtype, fortran_order, stream.read()
