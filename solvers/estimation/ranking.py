"""The best schemes that can be built: ranked by exact risk, with the trade-off against report size.

Candidates are sifted in float64 with a margin far above its error; whatever is ranked or marked is
compared in exact rationals.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from html import escape
from typing import overload

import numpy as np
from numpy.typing import NDArray

from solvers.epsilon import Epsilon, parse_epsilon
from solvers.estimation.candidates import (
    MAX_POINTS,
    Candidate,
    catalog_candidates,
    complete_candidates,
    symmetric_candidates,
)
from solvers.estimation.planned import PlannedStructure
from solvers.estimation.risk import optimal_block_sizes, optimum, require_alphabet
from solvers.estimation.scheme import Scheme
from verify.kernel.errors import InputError, LimitError

__all__ = ["SchemeRanking", "best_schemes"]

_MARGIN = 1e-9
_FACTOR = 4
"""Outputs allowed for each symbol when no number is given."""

Floats = NDArray[np.float64]
_Table = tuple[tuple[Candidate, ...], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class SchemeRanking(Sequence[Scheme]):
    """Schemes for one alphabet and epsilon, best first; a sequence of ``Scheme``.

    Args:
        alphabet_size: v.
        epsilon: the privacy parameter.
        optimum: n times the worst risk that no unbiased private scheme goes below.
        optimal_block_sizes: K*.
        max_outputs: the largest number of outputs that was allowed.
        considered: how many structures were compared.
        schemes: the best ones and all Pareto-optimal ones, by exact risk, then outputs.
        pareto: those that no considered scheme beats in both risk and number of outputs, by
            ascending number of outputs.
    """

    alphabet_size: int
    epsilon: Epsilon
    optimum: Fraction
    optimal_block_sizes: tuple[int, ...]
    max_outputs: int
    considered: int
    schemes: tuple[Scheme, ...]
    pareto: tuple[Scheme, ...]

    def __len__(self) -> int:
        """The number of schemes listed."""
        return len(self.schemes)

    def __iter__(self) -> Iterator[Scheme]:
        """The schemes, best first."""
        return iter(self.schemes)

    @overload
    def __getitem__(self, index: int) -> Scheme: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Scheme, ...]: ...
    def __getitem__(self, index: int | slice) -> Scheme | tuple[Scheme, ...]:
        """A scheme by its rank, from 0."""
        return self.schemes[index]

    @property
    def best(self) -> Scheme:
        """The scheme with the least risk; of several the one with the fewest outputs."""
        return self.schemes[0]

    def __repr__(self) -> str:
        """The best scheme and its ratio, in one line."""
        return (
            f"<SchemeRanking of {self.considered} structures: best {self.best!r}, "
            f"{float(self.best.ratio):.6g} times the optimum>"
        )

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        head = "".join(f"<th>{title}</th>" for title in ("scheme", "outputs", "bits", "ratio"))
        rows = "".join(
            f"<tr><td>{escape(scheme.name)}</td><td>{scheme.parameters.b}</td>"
            f"<td>{scheme.bits:.3f}</td><td>{float(scheme.ratio):.6g}</td></tr>"
            for scheme in self.schemes
        )
        return f"<table><tr>{head}</tr>{rows}</table>"


def best_schemes(
    alphabet_size: int,
    epsilon: object,
    *,
    max_outputs: int | None = None,
    limit: int = 20,
    catalog: str | None = None,
) -> SchemeRanking:
    """The best private estimation schemes that can be built here, none of them built yet.

    Args:
        alphabet_size: v, 2 to 8192.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads; positive.
        max_outputs: largest number of outputs; 4v by default.
        limit: how many to list beside the Pareto-optimal ones.
        catalog: path of a design catalog to draw on as well.

    Raises:
        InputError: for other arguments, or fewer outputs than symbols.
        LimitError: for more symbols.

    >>> [scheme.parameters.b for scheme in best_schemes(7, "0.4")][0]
    7
    """
    v, level = require_alphabet(alphabet_size), parse_epsilon(epsilon)
    if v > MAX_POINTS:
        raise LimitError(f"alphabet size: {v} is over the limit of {MAX_POINTS} symbols")
    outputs = _FACTOR * v if max_outputs is None else max_outputs
    if outputs < v:
        raise InputError(
            f"max outputs: {outputs} is less than the {v} symbols; an unbiased scheme needs at "
            "least as many outputs as symbols"
        )
    if limit < 1:
        raise InputError(f"limit: {limit} is less than 1")
    least, sizes = optimum(v, level), optimal_block_sizes(v, level)
    extra = tuple(complete_candidates(v, outputs))
    if catalog is not None:
        extra += tuple(_only_in_catalog(v, outputs, catalog))
    fitting = _fitting(v, outputs, extra)
    chosen, pareto = _sifted(v, level, *fitting, limit=limit)
    return SchemeRanking(
        v, level, least, sizes, outputs, len(fitting[0]), tuple(chosen), tuple(pareto)
    )


def _only_in_catalog(v: int, outputs: int, catalog: str) -> Iterator[Candidate]:
    """The designs of a catalog that are not compared anyway."""
    known = set(map(tuple, _fitting(v, outputs, ())[1].tolist()))
    for candidate in catalog_candidates(catalog, outputs):
        numbers = (candidate.points, candidate.b, candidate.r, candidate.lambda_)
        if candidate.points >= v and numbers not in known:
            yield candidate


@lru_cache(maxsize=8)
def _symmetric_table(bound: int) -> _Table:
    return _table(symmetric_candidates(bound))


def _table(candidates: tuple[Candidate, ...]) -> _Table:
    numbers = [(c.points, c.b, c.r, c.lambda_) for c in candidates]
    return candidates, np.array(numbers, dtype=np.int64).reshape(-1, 4)


def _fitting(v: int, outputs: int, extra: tuple[Candidate, ...]) -> _Table:
    """The candidates with at least v points and at most so many outputs."""
    # One table for many alphabets: the bound is rounded up to a power of two.
    bound = min(1 << max(outputs, 2).bit_length(), 2 * MAX_POINTS)
    known, numbers = _symmetric_table(bound)
    fits = np.flatnonzero((numbers[:, 0] >= v) & (numbers[:, 1] <= outputs))
    listed = set(map(tuple, numbers[fits].tolist()))
    new = tuple(c for c in extra if (c.points, c.b, c.r, c.lambda_) not in listed)
    candidates, rows = _table(new)
    return (
        (*candidates, *(known[i] for i in fits)),
        np.concatenate([rows, numbers[fits]]),
    )


def _scores_float(v: int, epsilon: Epsilon, numbers: NDArray[np.int64]) -> Floats:
    """Numbers in the order of the risks, in float64: the risks times a common factor."""
    b, r, lambda_ = numbers[:, 1:].astype(np.float64).T
    c = epsilon.exp_lower - 1
    # The factor keeps all terms within range: powers of c or of 1/c, whichever is at most 1.
    small, large = (float(c), 1.0) if c < 1 else (1.0, float(1 / c))
    hits = v * r * large + small * (r + (v - 1) * lambda_)
    misses = v * (b - r) * large + small * (v - 1) * (r - lambda_)
    scores: Floats = hits * misses / (v * (r - lambda_) ** 2)
    return scores


def _sifted(
    v: int,
    epsilon: Epsilon,
    candidates: tuple[Candidate, ...],
    numbers: NDArray[np.int64],
    *,
    limit: int,
) -> tuple[list[Scheme], list[Scheme]]:
    """The best and the Pareto-optimal schemes, both exactly."""
    scores = _scores_float(v, epsilon, numbers)
    by_outputs = np.lexsort((scores, numbers[:, 1]))
    running = np.minimum.accumulate(scores[by_outputs])
    near = by_outputs[scores[by_outputs] <= running * (1 + _MARGIN)]
    order = np.argsort(scores, kind="stable")
    last = scores[order[min(limit, len(order)) - 1]]
    top = np.flatnonzero(scores <= last * (1 + _MARGIN))
    kept = [_scheme(v, epsilon, candidates[i]) for i in np.union1d(near, top)]
    ranked = sorted(((s.n_risk, s.parameters.b, i, s) for i, s in enumerate(kept)))
    least: int | None = None
    pareto: list[Scheme] = []
    for _, b, _, scheme in ranked:  # best risk first: Pareto-optimal with ever fewer outputs
        if least is None or b < least:
            pareto.append(scheme)
            least = b
    chosen = [
        scheme
        for place, (_, _, _, scheme) in enumerate(ranked)
        if place < limit or scheme in pareto
    ]
    return chosen, pareto[::-1]


def _scheme(v: int, epsilon: Epsilon, candidate: Candidate) -> Scheme:
    return Scheme(PlannedStructure(candidate, v), epsilon)
