"""All difference sets of a small group up to equivalence, by refinement along normal subgroups.

For a normal subgroup N the numbers s(x) of elements of D in the cosets x of N satisfy
S S^(-1) = n + lambda |N| (G/N). The search follows a chain G = N_0 > N_1 > ... > 1: it lists the
solutions in G/N_i up to equivalence, splits the numbers of each over the cosets of N_{i+1}, and
keeps what satisfies the next equation. Two sets are equivalent when a translation and an
automorphism take one to the other. It works in every group, abelian or not.

Reference: Peifer (2019), DifSets, an algorithm for enumerating all difference sets in a group.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from combinatorics.finite_field import Elements
from combinatorics.finite_group import FiniteGroup, Mask
from verify.kernel.errors import InputError, LimitError

__all__ = ["MAX_SOLUTIONS", "all_difference_sets"]

Vectors = NDArray[np.int16]

MAX_SOLUTIONS = 1_000_000
"""Most vectors on the cosets of one subgroup that are sorted into classes."""
_CHUNK = 4096


def all_difference_sets(group: FiniteGroup, k: int, lambda_: int) -> list[tuple[int, ...]]:
    """One (v, k, lambda) difference set of each equivalence class, *exact* and complete.

    Args:
        group: a group of order v, say up to 60.
        k: number of elements, 1 to v - 1.
        lambda_: with k(k-1) = lambda(v-1).

    Returns:
        The elements of one set a class, an empty list when there is none.

    Raises:
        InputError: for parameters that fail counting.
        LimitError: if a step has more than ``MAX_SOLUTIONS`` solutions.
    """
    v = group.order
    if not 0 < k < v or k * (k - 1) != lambda_ * (v - 1):
        raise InputError(f"({v}, {k}, {lambda_}): needs 0 < k < v and k(k-1) = lambda(v-1)")
    automorphisms = group.automorphisms()
    coarse = np.ones(v, dtype=bool)
    solutions = np.array([[k]], dtype=np.int16)
    chain = _descending_chain(group)
    for fine in chain:
        step = _Refinement(group, coarse, fine, k - lambda_, lambda_)
        refined = step.all_solutions(solutions)
        if len(refined) == 0:
            return []
        automorphisms_here = automorphisms if fine.sum() == 1 else _stabiliser(automorphisms, chain)
        solutions = _representatives(refined, step, automorphisms_here)
        coarse = fine
    return [tuple(np.flatnonzero(solution).tolist()) for solution in solutions]


def _descending_chain(group: FiniteGroup) -> list[Mask]:
    """Normal subgroups below the group down to 1, with small steps at the end."""
    chain = [group.generated([])]
    normal = group.normal_subgroups()
    while True:
        above = [m for m in normal if (m & chain[-1]).sum() == chain[-1].sum() < m.sum()]
        if above[0].all():
            return chain[::-1]
        chain.append(above[0])


def _stabiliser(automorphisms: Elements, chain: list[Mask]) -> Elements:
    """The automorphisms that map every subgroup of the chain to itself."""
    kept = np.ones(len(automorphisms), dtype=bool)
    for subgroup in chain:
        kept &= subgroup[automorphisms[:, subgroup]].all(axis=1)
    return automorphisms[kept]


@dataclass(slots=True)
class _Quotient:
    """G/N, with the coset number of every element of G."""

    label: Elements
    group: FiniteGroup


class _Refinement:
    """The step from vectors on G/coarse to vectors on G/fine."""

    def __init__(self, group: FiniteGroup, coarse: Mask, fine: Mask, n: int, lambda_: int) -> None:
        self.fine = _Quotient(group.cosets(fine), group.quotient(fine))
        size = self.fine.group.order
        _, representatives = np.unique(self.fine.label, return_index=True)
        coarse_label = group.cosets(coarse)[representatives]
        self.fibres = [np.flatnonzero(coarse_label == i) for i in range(coarse_label.max() + 1)]
        self.largest = int(fine.sum())
        self.target = np.full(size, lambda_ * self.largest, dtype=np.int64)
        self.target[0] += n

    def all_solutions(self, coarse_vectors: Vectors) -> Vectors:
        """The solutions above every vector on the coarse cosets, shape (count, cosets)."""
        found: list[Vectors] = []
        count = 0
        for totals in coarse_vectors:
            for vectors in self.solutions(totals):
                found.append(vectors)
                count += len(vectors)
                if count > MAX_SOLUTIONS:
                    raise LimitError(f"over the limit of {MAX_SOLUTIONS} solutions in one step")
        return np.concatenate(found) if found else np.zeros((0, 0), dtype=np.int16)

    def solutions(self, totals: Vectors) -> Iterator[Vectors]:
        """All vectors on the fine cosets with these totals that satisfy the equation, in arrays."""
        choices = [
            np.array(list(_parts(total, len(fibre), self.largest)), dtype=np.int16)
            for fibre, total in zip(self.fibres, totals.tolist(), strict=True)
        ]
        start = np.zeros((1, self.fine.group.order), dtype=np.int16)
        pending = [(0, start)]
        while pending:  # depth first, so that few partial solutions are held
            depth, partial = pending.pop()
            if depth == len(choices):
                yield partial[self._within_target(partial, exact=True)]
                continue
            parts = choices[depth]
            extended = np.repeat(partial, len(parts), axis=0)
            extended[:, self.fibres[depth]] = np.tile(parts, (len(partial), 1))
            extended = extended[self._within_target(extended)]
            pending.extend(
                (depth + 1, extended[i : i + _CHUNK]) for i in range(0, len(extended), _CHUNK)
            )

    def _within_target(self, vectors: Vectors, *, exact: bool = False) -> Mask:
        """Which vectors have every autocorrelation at most its target, or equal to it."""
        kept = np.ones(len(vectors), dtype=bool)
        for d, target in enumerate(self.target.tolist()):
            alive = np.flatnonzero(kept)
            rows = vectors[alive]
            shifted = rows[:, self.fine.group.table[d]]
            values = np.einsum("ij,ij->i", rows, shifted, dtype=np.int64)
            kept[alive] = values == target if exact else values <= target
        return kept


def _parts(total: int, count: int, largest: int) -> Iterator[tuple[int, ...]]:
    """The ordered ways to write a total as that many summands between 0 and ``largest``."""
    for head in product(range(min(total, largest) + 1), repeat=count - 1):
        last = total - sum(head)
        if 0 <= last <= largest:
            yield (*head, last)


def _representatives(vectors: Vectors, step: _Refinement, automorphisms: Elements) -> Vectors:
    """One vector of each orbit under translations and the automorphisms given."""
    label, quotient = step.fine.label, step.fine.group
    _, representatives = np.unique(label, return_index=True)
    induced = np.unique(label[automorphisms[:, representatives]], axis=0)
    remaining = {row.tobytes(): row for row in vectors}
    chosen = []
    while remaining:
        vector = next(iter(remaining.values()))
        chosen.append(vector)
        moved = np.unique(vector[induced], axis=0)
        for row in quotient.table:
            for image in moved[:, row]:
                remaining.pop(image.tobytes(), None)
    return np.array(chosen)
