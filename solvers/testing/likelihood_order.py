"""Float64 masses in likelihood-ratio order, with ties merged and null symbols set aside.

The ratio P0/P1 is held as -P1/P0 up to 1 and as P0/P1 above: one float that rises with the ratio
and keeps full relative precision at both ends, where P0/(P0 + P1) would not.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solvers.testing.objective import Floats
from verify.kernel.errors import InputError

__all__ = ["Indices", "OrderedMasses", "PrefixSums", "order_masses"]

Indices = NDArray[np.int64]
"""An array of positions."""
_SUM_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class PrefixSums:
    """Sums of the first j masses as pairs of floats: a difference of two keeps its own precision.

    Args:
        high: the rounded sums, shape (k + 1,).
        low: what rounding has left out.
    """

    high: Floats
    low: Floats

    @classmethod
    def of(cls, masses: Floats) -> "PrefixSums":
        """The prefix sums of k masses, accumulated in doubled precision."""
        from solvers.testing.max_plus import prefix_sums  # noqa: PLC0415

        return cls(*prefix_sums(masses))

    def between(self, first: Indices | int, end: Indices | int) -> Floats:
        """The mass of the symbols first..end-1, elementwise."""
        high, low = self.high, self.low
        mass: Floats = (high[end] - high[first]) + (low[end] - low[first])
        return mass


@dataclass(frozen=True)
class OrderedMasses:
    """The k' distinct likelihood ratios of two laws in float64, from the least to the greatest.

    Args:
        p0: masses of the merged symbols under P0, shape (k',).
        p1: the same under P1.
        difference: P0 - P1 of each, summed over its members.
        order: the k original symbols by rising ratio; those without mass come first.
        starts: where the members of each merged symbol begin in ``order``, shape (k' + 1,).
    """

    p0: Floats
    p1: Floats
    difference: Floats
    order: Indices
    starts: Indices

    def __len__(self) -> int:
        """The number k' of distinct ratios."""
        return len(self.p0)

    @cached_property
    def prefixes(self) -> tuple[PrefixSums, PrefixSums, PrefixSums]:
        """Prefix sums of P0, P1 and P0 - P1."""
        parts = (self.p0, self.p1, self.difference)
        first, second, third = (PrefixSums.of(part) for part in parts)
        return first, second, third


def _law(masses: ArrayLike, name: str) -> Floats:
    law = np.asarray(masses, dtype=np.float64)
    if law.ndim != 1 or not law.size:
        raise InputError(f"{name}: needs one row of masses, not an array of shape {law.shape}")
    total = float(law.sum())
    if not np.isfinite(total) or law.min() < 0:
        place = int(np.flatnonzero(~np.isfinite(law) | (law < 0))[0])
        raise InputError(f"{name}[{place}]: {law[place]} is not a mass; give numbers >= 0")
    if abs(total - 1) > _SUM_TOLERANCE:
        raise InputError(f"{name}: the masses sum to {total}, not 1; divide them by their sum")
    return law


def order_masses(p0: ArrayLike, p1: ArrayLike) -> OrderedMasses:
    """Two laws sorted by P0/P1 with equal ratios merged.

    Args:
        p0: k masses >= 0 that sum to 1 within 1e-9, shape (k,).
        p1: the same under the other hypothesis.

    Raises:
        InputError: for another shape, size or sum, or an entry that is negative or not finite.
    """
    law0, law1 = _law(p0, "p0"), _law(p1, "p1")
    if len(law0) != len(law1):
        raise InputError(f"p0 has {len(law0)} symbols, p1 has {len(law1)}")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        key = np.where(law0 <= law1, -law1 / law0, law0 / law1)
    null = law0 + law1 == 0
    key[null] = -np.inf
    order = np.argsort(key, kind="stable")
    n_null = int(np.count_nonzero(null))
    if n_null:
        order = np.concatenate([np.flatnonzero(null), order[~null[order]]])
    ranked = key[order[n_null:]]
    starts = n_null + np.concatenate([[0], np.flatnonzero(ranked[1:] != ranked[:-1]) + 1])
    sums = (np.add.reduceat(part[order], starts) for part in (law0, law1, law0 - law1))
    merged0, merged1, difference = sums
    starts[0] = 0
    bounds = np.concatenate([starts, [len(order)]])
    return OrderedMasses(merged0, merged1, difference, order, bounds)
