"""Designs out of the catalog, compared with the digests that were recorded of them."""

from os import PathLike

from combinatorics.catalog.entry import Entry, Kind, Status
from combinatorics.catalog.failure import CatalogError
from combinatorics.catalog.store import Catalog
from combinatorics.catalog.stored_content import content_digest
from combinatorics.interchange.document import Content, DevelopedDesign
from combinatorics.operations import derived_design, residual_design
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign

__all__ = ["read_design", "retrieved"]


def retrieved(catalog: Catalog, entry: Entry) -> Content:
    """The design, difference set or Hadamard matrix of an entry.

    A derived or residual design is made again from its parent. The kernel accepted the object
    before it was recorded; whoever must not rely on that asks the kernel again.

    Raises:
        InputError: if the entry is not constructed.
        CatalogError: if the file no longer holds what was recorded.
    """
    if entry.status is not Status.CONSTRUCTED:
        raise InputError(f"{entry.name}: {entry.status}, so the catalog holds no such object")
    damaged = f"{catalog.path}: {entry.name} is damaged; build the catalog anew in another file"
    try:
        content = _inherited(catalog, entry) if entry.parent else _stored(catalog, entry)
    except CatalogError:
        raise
    except (InputError, UnicodeDecodeError) as error:
        raise CatalogError(f"{damaged} ({error})") from None
    if _digest(content, entry) != entry.digest:
        raise CatalogError(f"{damaged} (its digest is another one)")
    return content


def read_design(path: str | PathLike[str], v: int, k: int, lambda_: int) -> BlockDesign:
    """The block design with these parameters that a catalog has constructed.

    Args:
        path: the catalog.
        v: number of points.
        k: points on a block.
        lambda_: blocks on two points.

    Raises:
        InputError: if the catalog holds none.
        CatalogError: as ``Catalog``, or for damage.
    """
    with Catalog(path) as catalog:
        for kind in (Kind.SYMMETRIC, Kind.DERIVED, Kind.RESIDUAL):
            entry = catalog.entry(kind, v, k, lambda_)
            if entry is not None and entry.status is Status.CONSTRUCTED:
                content = retrieved(catalog, entry)
                whole = content.design() if isinstance(content, DevelopedDesign) else content
                if isinstance(whole, BlockDesign):
                    return whole
    raise InputError(f"{path}: the catalog holds no 2-({v}, {k}, {lambda_}) design")


def _stored(catalog: Catalog, entry: Entry) -> Content:
    stored = catalog.stored(entry.name)
    if stored is None:
        raise InputError("nothing is stored under that name")
    return stored.content(entry.v, entry.b)


def _inherited(catalog: Catalog, entry: Entry) -> Content:
    parent = catalog.named(entry.parent or "")
    if parent is None:
        raise InputError(f"{entry.parent} is missing")
    content = retrieved(catalog, parent)
    whole = content.design() if isinstance(content, DevelopedDesign) else content
    if not isinstance(whole, BlockDesign):
        raise InputError(f"{entry.parent} is no design")
    make = derived_design if entry.kind is Kind.DERIVED else residual_design
    return make(whole)


def _digest(content: Content, entry: Entry) -> str:
    if not isinstance(content, DevelopedDesign):
        return content_digest(content)
    difference_set = content.difference_set
    if entry.kind is Kind.DIFFERENCE_SET and difference_set is not None:
        return content_digest(difference_set)
    return content_digest(content.design())
