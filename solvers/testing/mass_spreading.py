"""Fewer symbols at no loss: masses spread to the likelihood ratios of a few of them, the knots.

A symbol whose ratio P0/P1 lies between those of two neighbouring knots l < r has masses
(a, b) = alpha u_l + beta u_r, alpha, beta >= 0, with u the directions of the knots. Move alpha to l
and beta to r. The old pair of laws comes from the new one by a channel (a symbol at l turns into
one of those moved there, in proportion to their alphas), so every private channel for the old pair
gives one for the new pair with the same outputs: **the optimum only rises**, at any number of
outputs and for any convex f. And if an optimal partition of the knots has no cut between two knots
with other symbols between them, its blocks have the masses of blocks of the old alphabet, so its
value is reached there: it is optimal for the old alphabet too.

So a long alphabet is solved by solving a short one, dividing only the gaps in which a cut falls,
until none does. Each round divides a gap in four; a gap without symbols is never divided, so the
search ends, at the worst with the whole alphabet.

Reference: Blackwell 1951 (comparison of experiments); the refinement is derived here.
"""

import numpy as np

from solvers.testing.float_program import FloatProgram
from solvers.testing.likelihood_order import Indices, OrderedMasses, PrefixSums
from solvers.testing.objective import Objective

__all__ = ["partition_by_knots", "spread_masses"]

_DIRECT_MOST = 256
_FIRST_KNOTS = 256
_PARTS = 4


def spread_masses(
    masses: OrderedMasses, knots: Indices
) -> tuple[PrefixSums, PrefixSums, PrefixSums]:
    """Prefix sums of P0, P1 and P0 - P1 with all masses spread to the knots.

    Args:
        masses: k symbols.
        knots: K rising positions, the first 0 and the last k - 1.
    """
    a, b, d = (part[knots] for part in (masses.p0, masses.p1, masses.difference))
    gap_a, gap_b, gap_d = (p.between(knots[:-1] + 1, knots[1:]) for p in masses.prefixes)
    w, total = a + b, np.maximum(gap_a, 0.0) + np.maximum(gap_b, 0.0)
    # a d' - a' d = b d' - b' d: the smaller of a and b keeps the digits
    small = gap_a <= gap_b
    left, right = np.where(small, a[:-1], b[:-1]), np.where(small, a[1:], b[1:])
    inner = np.where(small, gap_a, gap_b)
    moved = left * gap_d - inner * d[:-1]
    whole = left * d[1:] - right * d[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(total > 0, moved / total * w[1:] / whole, 0.0)
    beta = total * np.clip(np.nan_to_num(share), 0.0, 1.0)
    factor = np.zeros_like(w)
    factor[:-1] += total - beta
    factor[1:] += beta
    factor /= w
    first, second, third = (PrefixSums.of(part + factor * part) for part in (a, b, d))
    return first, second, third


def _first_knots(masses: OrderedMasses) -> Indices:
    """The ends, quantiles of P0 + P1, and evenly placed symbols."""
    k = len(masses)
    mass = np.cumsum(masses.p0 + masses.p1)
    levels = np.linspace(0.0, mass[-1], _FIRST_KNOTS // 2, endpoint=False)[1:]
    quantiles = np.minimum(np.searchsorted(mass, levels), k - 1)
    even = np.linspace(0, k - 1, _FIRST_KNOTS // 2).astype(np.int64)
    return np.unique(np.concatenate([quantiles, even]))


def _divided(knots: Indices, gaps: Indices) -> Indices:
    """The knots with new ones inside the gaps that begin at the given knots."""
    parts = np.arange(1, _PARTS) / _PARTS
    low, high = knots[gaps][:, None], knots[gaps + 1][:, None]
    inside = low + np.maximum(1, ((high - low) * parts).astype(np.int64))
    return np.unique(np.concatenate([knots, inside.ravel()]))


def partition_by_knots(
    masses: OrderedMasses, objective: Objective, c: float, outputs: int | None = None
) -> tuple[tuple[int, ...], Indices]:
    """The cuts of a best partition of the merged symbols, and the knots that show it.

    Args:
        masses: k symbols.
        objective: the divergence.
        c: E - 1.
        outputs: the largest number of blocks, or None.

    Returns:
        (cuts, knots): 0 = c_0 < ... < c_s = k, and positions with no others between them where a
        cut is.

    Cost: O(k) and O(K^2) for each of a few rounds, with K knots at the end; O(k) rounds at worst.
    """
    k = len(masses)
    knots = np.arange(k) if k <= _DIRECT_MOST else _first_knots(masses)
    while True:
        whole = len(knots) == k
        prefixes = masses.prefixes if whole else spread_masses(masses, knots)
        cuts = np.array(FloatProgram(objective, c, prefixes).best_cuts(outputs))
        inner = cuts[1:-1]
        gaps = inner[knots[inner] - knots[inner - 1] > 1] - 1
        if not len(gaps):
            return (0, *map(int, knots[inner]), k), knots
        knots = _divided(knots, gaps)
