"""What the catalog records of a set of parameters: the answer first, the objects when wanted.

A *subject* is a symmetric triple, with the derived and the residual design of the design that is
built for it, a triple of a difference set, or the order of a Hadamard matrix. ``outlook`` answers
by theorems and recipes alone; ``records`` carries the recipes out and asks the kernel.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

from combinatorics.catalog.entry import Entry, Kind, Status
from combinatorics.catalog.stored_content import (
    StoredContent,
    content_digest,
    stored_content,
    stored_difference_set,
)
from combinatorics.construction import Existence, Exists, Impossible
from combinatorics.design_existence import existence
from combinatorics.difference_set_existence import difference_set_existence
from combinatorics.difference_sets.registry import constructed_difference_set
from combinatorics.hadamard import hadamard_existence, hadamard_matrix
from combinatorics.incidence_matrix import hadamard_from_signs
from combinatorics.operations import derived_design, residual_design
from combinatorics.symmetric.registry import symmetric_design
from verify.kernel.design import check_design, check_difference_set, check_hadamard
from verify.kernel.errors import LimitError
from verify.kernel.incidence import BlockDesign, DifferenceSet, HadamardMatrix
from verify.kernel.verdict import Verdict, rejected

__all__ = ["Record", "Subject", "outlook", "records", "subjects"]

Built = BlockDesign | DifferenceSet | HadamardMatrix


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """Parameters that the catalog decides in one go.

    Args:
        kind: symmetric (with its derived and residual designs), difference-set or hadamard.
        v: number of points, or the order.
        k: points on a block, 0 for an order.
        lambda_: blocks on two points, 0 for an order.
    """

    kind: Kind
    v: int
    k: int = 0
    lambda_: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """An entry and the object that goes with it.

    Args:
        entry: the row.
        stored: the object, when it was built and does not follow from that of the parent.
    """

    entry: Entry
    stored: StoredContent | None = None


def subjects(max_v: int) -> Iterator[Subject]:
    """Every subject with at most max_v points, and the orders up to max_v + 1, ascending.

    The triples are those with 3 <= k <= (v - 1) / 2 and lambda (v - 1) = k (k - 1): the larger
    k are their complements, and the smaller ones are trivial. A Hadamard matrix of order v + 1
    gives a symmetric design on v points.

    >>> [(s.v, s.k, s.lambda_) for s in subjects(11) if s.kind is Kind.SYMMETRIC]
    [(7, 3, 1), (11, 5, 2)]
    """
    for v in range(1, max_v + 2):
        if v <= max_v:
            for k in range(3, (v - 1) // 2 + 1):
                lambda_, remainder = divmod(k * (k - 1), v - 1)
                if not remainder:
                    yield Subject(Kind.SYMMETRIC, v, k, lambda_)
                    yield Subject(Kind.DIFFERENCE_SET, v, k, lambda_)
        if v in {1, 2} or v % 4 == 0:
            yield Subject(Kind.HADAMARD, v)


def outlook(subject: Subject) -> tuple[Entry, ...]:
    """The entries of a subject before anything is built: a parent stands before its children."""
    v, k, lambda_ = subject.v, subject.k, subject.lambda_
    if subject.kind is Kind.HADAMARD:
        blank = Entry(Kind.HADAMARD, v, v, None, None, None, Status.UNKNOWN)
        return (_answered(blank, hadamard_existence(v)),)
    blank = Entry(subject.kind, v, v, k, k, lambda_, Status.UNKNOWN)
    if subject.kind is Kind.DIFFERENCE_SET:
        return (_answered(blank, difference_set_existence(v, k, lambda_)),)
    whole = _answered(blank, existence(v, k, lambda_))
    return (whole, *_children(whole, v, k, lambda_))


def _answered(blank: Entry, answer: Existence) -> Entry:
    if isinstance(answer, Exists):
        recipe = answer.construction
        return replace(
            blank,
            status=Status.CONSTRUCTIBLE,
            construction=recipe.name,
            reference=recipe.reference,
        )
    if isinstance(answer, Impossible):
        reason = ": ".join(filter(None, (answer.theorem, answer.reason)))
        return replace(blank, status=Status.IMPOSSIBLE, reason=reason)
    return replace(
        blank, reason=answer.note, as_of=answer.as_of, in_literature=answer.in_literature
    )


def _children(whole: Entry, v: int, k: int, lambda_: int) -> Iterator[Entry]:
    """The derived design, if lambda >= 2, and the residual design, if k - lambda >= 2."""
    if whole.status is not Status.CONSTRUCTIBLE:
        return
    shared = replace(whole, b=v - 1, parent=whole.name)
    if lambda_ >= 2:
        yield replace(
            shared,
            kind=Kind.DERIVED,
            v=k,
            r=k - 1,
            k=lambda_,
            lambda_=lambda_ - 1,
            construction=f"derived from {whole.construction}",
        )
    if k - lambda_ >= 2:
        yield replace(
            shared,
            kind=Kind.RESIDUAL,
            v=v - k,
            r=k,
            k=k - lambda_,
            construction=f"residual of {whole.construction}",
        )


def records(subject: Subject) -> tuple[Record, ...]:
    """The entries of a subject, everything constructible built and checked by the kernel.

    Returns:
        Records whose entries are those of ``outlook``, in its order, with status, reason, digest
        and times filled in.
    """
    entries = outlook(subject)
    if entries[0].status is not Status.CONSTRUCTIBLE:
        return tuple(Record(entry) for entry in entries)
    if subject.kind is Kind.HADAMARD:
        return (_carried_out(entries[0], lambda: _hadamard(subject.v)),)
    if subject.kind is Kind.DIFFERENCE_SET:
        return (_carried_out(entries[0], lambda: _difference_set(subject)),)
    return tuple(_symmetric_records(subject, entries))


def _hadamard(order: int) -> tuple[HadamardMatrix, StoredContent]:
    matrix = hadamard_from_signs(hadamard_matrix(order).matrix)
    return matrix, stored_content(matrix)


def _difference_set(subject: Subject) -> tuple[DifferenceSet, StoredContent]:
    built = constructed_difference_set(subject.v, subject.k, subject.lambda_).difference_set
    return built, stored_difference_set(built)


def _symmetric_records(subject: Subject, entries: tuple[Entry, ...]) -> Iterator[Record]:
    whole: BlockDesign | None = None

    def build() -> tuple[BlockDesign, StoredContent]:
        nonlocal whole
        built = symmetric_design(subject.v, subject.k, subject.lambda_)
        whole = built.design
        base = built.difference_set
        return whole, stored_content(whole) if base is None else stored_difference_set(base)

    first = _carried_out(entries[0], build)
    yield first
    for entry in entries[1:]:
        if whole is None or first.entry.status is not Status.CONSTRUCTED:
            reason = f"its symmetric design is {first.entry.status}: {first.entry.reason}"
            yield Record(replace(entry, status=first.entry.status, reason=reason))
            continue
        make = derived_design if entry.kind is Kind.DERIVED else residual_design
        yield _carried_out(entry, partial(_child, make, whole))


def _child(
    make: Callable[[BlockDesign], BlockDesign], whole: BlockDesign
) -> tuple[BlockDesign, None]:
    return make(whole), None


def _carried_out(entry: Entry, build: Callable[[], tuple[Built, StoredContent | None]]) -> Record:
    """The record of an entry whose recipe is carried out and checked."""
    started = perf_counter()
    try:
        built, stored = build()
        done = perf_counter()
        verdict = _checked(built, entry)
    except LimitError as error:
        return Record(replace(entry, reason=str(error)))
    timed = replace(
        entry,
        reason=verdict.reason,
        construction_seconds=done - started,
        check_seconds=perf_counter() - done,
    )
    if not verdict.is_accepted:
        return Record(replace(timed, status=Status.REFUSED))
    finished = replace(timed, status=Status.CONSTRUCTED, digest=content_digest(built))
    return Record(finished, stored)


def _checked(built: Built, entry: Entry) -> Verdict:
    """The kernel's verdict on an object, which must have the stated sizes too."""
    k, lambda_ = entry.k or 0, entry.lambda_ or 0
    if isinstance(built, HadamardMatrix):
        sizes, verdict = (built.order, built.order), check_hadamard(built)
    elif isinstance(built, DifferenceSet):
        sizes = (built.group.order, built.group.order)
        verdict = check_difference_set(built, lambda_)
        if len(built.elements) != k:
            return rejected(f"{len(built.elements)} elements, not {k}")
    else:
        sizes, verdict = (built.v, len(built.blocks)), check_design(built, k, lambda_)
    if sizes != (entry.v, entry.b):
        return rejected(f"{sizes[0]} points and {sizes[1]} blocks, not {entry.v} and {entry.b}")
    return verdict
