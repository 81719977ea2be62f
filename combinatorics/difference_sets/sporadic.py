"""Single difference sets given by their elements.

The cyclic (133, 33, 8) set belongs to no known family. The others have parameters of families but
live in other groups: (45, 12, 3) in Z_3^2 x Z_5, (96, 20, 4) in Z_4 x Z_2^3 x Z_3 and (320, 88, 24)
in Z_4^3 x Z_5.
"""

import json
from collections.abc import Iterator
from functools import cache, partial
from importlib.resources import files

from combinatorics.difference_sets.family import (
    Arguments,
    DifferenceSetFamily,
    abelian_difference_set,
)
from verify.kernel.errors import InputError
from verify.kernel.incidence import DifferenceSet

__all__ = ["SPORADIC", "sporadic_difference_set"]

_SETS = {
    (45, 12, 3): "McFarland 1973",
    (96, 20, 4): "McFarland 1973; Dillon 1985",
    (133, 33, 8): "Hall 1956",
    (320, 88, 24): "Davis and Jedwab 1997",
}


@cache
def _stored() -> dict[int, DifferenceSet]:
    text = files("combinatorics.difference_sets").joinpath("data/sporadic.json").read_text("utf-8")
    return {
        record["v"]: abelian_difference_set(record["orders"], record["elements"])
        for record in json.loads(text)
    }


def sporadic_difference_set(v: int) -> DifferenceSet:
    """The stored difference set in a group of order v, v = 45, 96, 133 or 320.

    Raises:
        InputError: for another order.

    >>> len(sporadic_difference_set(133).elements)
    33
    """
    if v not in _stored():
        raise InputError(f"v = {v}: stored difference sets have v in {sorted(_stored())}")
    return _stored()[v]


def _arguments(
    parameters: tuple[int, int, int], v: int, k: int, lambda_: int
) -> Iterator[Arguments]:
    if (v, k, lambda_) == parameters:
        yield (v,)


SPORADIC = tuple(
    DifferenceSetFamily(
        f"sporadic {parameters}",
        reference,
        ("v",),
        partial(_arguments, parameters),
        sporadic_difference_set,
    )
    for parameters, reference in _SETS.items()
)
