"""Which entries of the catalog are wanted."""

from dataclasses import dataclass

from combinatorics.catalog.entry import Kind, Status

__all__ = ["Selection"]


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions that all must hold; None asks for nothing.

    Args:
        kinds: the kinds wanted; empty for all.
        statuses: the statuses wanted; empty for all.
        v: number of points.
        min_v: fewest points.
        max_v: most points.
        k: points on a block.
        lambda_: blocks on two points.
        construction: text that stands in the recipe, in any case.
    """

    kinds: tuple[Kind, ...] = ()
    statuses: tuple[Status, ...] = ()
    v: int | None = None
    min_v: int | None = None
    max_v: int | None = None
    k: int | None = None
    lambda_: int | None = None
    construction: str | None = None

    def condition(self) -> tuple[str, tuple[int | str, ...]]:
        """The condition in SQL, and the values of its parameters."""
        terms: list[str] = []
        values: list[int | str] = []
        for column, chosen in (("kind", self.kinds), ("status", self.statuses)):
            if chosen:
                terms.append(f"{column} IN ({', '.join('?' * len(chosen))})")
                values += map(str, chosen)
        bounds = (
            ("v = ?", self.v),
            ("v >= ?", self.min_v),
            ("v <= ?", self.max_v),
            ("k = ?", self.k),
            ("lambda = ?", self.lambda_),
            ("instr(lower(construction), lower(?)) > 0", self.construction),
        )
        for term, value in bounds:
            if value is not None:
                terms.append(term)
                values.append(value)
        return " AND ".join(terms) or "1", tuple(values)
