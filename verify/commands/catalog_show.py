"""``exactdp catalog show``: one design of the catalog, checked again and written to a file."""

from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.catalog_options import DatabaseOption, database, read_kinds
from verify.commands.certificate_place import require_certificate_place, require_other_output
from verify.commands.design_file import FormatOption, OutOption, deliver, require_place
from verify.commands.options import CertificateOption, JsonOption, QuietOption
from verify.commands.output import NOT_WRITTEN, WrittenCertificate, decide, print_json, print_table

if TYPE_CHECKING:
    from pathlib import Path

    from combinatorics.catalog import Catalog, Entry, Kind
    from combinatorics.construction import Construction
    from combinatorics.interchange import Content, DesignDocument

__all__ = ["EXAMPLE", "catalog_show"]

EXAMPLE = "Example: exactdp catalog show 101 25 6 --out design.json"

_LARGEST = 2**62


def catalog_show(
    v: Annotated[int, typer.Argument(metavar="V", help="Number of points, or an order.")],
    k: Annotated[int | None, typer.Argument(metavar="K", help="Points on a block.")] = None,
    lambda_: Annotated[
        int | None, typer.Argument(metavar="LAMBDA", help="Blocks on two points.")
    ] = None,
    db: DatabaseOption = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="symmetric, derived, residual, difference-set or hadamard.",
        ),
    ] = None,
    out: OutOption = None,
    form: FormatOption = None,
    certificate: CertificateOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """What the catalog says of (V, K, LAMBDA), or of everything with V points.

    With --out, --format or --certificate the first constructed entry shown is taken out of the
    catalog and checked by the kernel again. Parameters beyond V/2 are those of a complement.
    """
    from combinatorics.catalog import Catalog, Status
    from combinatorics.catalog.export import entry_object
    from verify.kernel.errors import InputError
    from verify.output_file import require_other_file

    require_place(out, form, json=json)
    if certificate is not None:
        require_other_file(certificate, str(database(db)))
        require_certificate_place(certificate)
        if out not in {None, "-"}:
            require_other_output(certificate, str(out))
    if out is not None:
        require_other_file(out, str(database(db)))
    kinds = read_kinds([kind] if kind is not None else None)
    with Catalog(database(db)) as catalog:
        entries, is_complement = _found(catalog, kinds, v, k, lambda_)
        written, proof = None, NOT_WRITTEN
        if (out, form, certificate) != (None, None, None):
            constructed = [e for e in entries if e.status is Status.CONSTRUCTED]
            if not constructed:
                raise InputError(f"{entries[0].name}: {entries[0].status}, so there is no design")
            document, recipe = _document(catalog, constructed[0], is_complement=is_complement)
            written, proof = _delivered(document, recipe, out, form, certificate)
    if json:
        shown = [entry_object(entry) for entry in entries]
        files = {"file": written, **proof.keys()}
        print_json({"is_complement": is_complement, "entries": shown, **files})
    elif written != "-" and not quiet:
        _print(entries, {"file": written, **proof.keys()}, is_complement=is_complement)


def _found(
    catalog: "Catalog", kinds: "tuple[Kind, ...]", v: int, k: int | None, lambda_: int | None
) -> "tuple[tuple[Entry, ...], bool]":
    """The entries with these parameters or, failing that, with those of the complement."""
    from combinatorics.catalog import Selection
    from verify.kernel.errors import InputError
    from verify.kernel.exact import excerpt

    if (k is None) != (lambda_ is None):
        raise InputError("K is given without LAMBDA: give V alone, or V K LAMBDA")
    for name, value in (("V", v), ("K", k), ("LAMBDA", lambda_)):
        if value is not None and not 0 <= value <= _LARGEST:
            raise InputError(f"{name} = {excerpt(value)} is out of range")
    found = catalog.entries(Selection(kinds=kinds, v=v, k=k, lambda_=lambda_))
    if found:
        return found, False
    if k is not None and lambda_ is not None and 1 < k < v:
        r = lambda_ * (v - 1) // (k - 1)
        other = v * r // k - 2 * r + lambda_
        found = catalog.entries(Selection(kinds=kinds, v=v, k=v - k, lambda_=other))
    if found:
        return found, True
    where = f"({v}, {k}, {lambda_})" if k is not None else f"v = {v}"
    raise InputError(
        f"{catalog.path}: nothing with {where}; it is complete up to v = {catalog.extent} for "
        "symmetric designs and what comes from them: see catalog build and construct design"
    )


def _document(
    catalog: "Catalog", entry: "Entry", *, is_complement: bool
) -> "tuple[DesignDocument, Construction]":
    """The object of the entry, or its complement, with what it is said to be."""
    from combinatorics.catalog import Kind
    from combinatorics.catalog.retrieval import retrieved
    from combinatorics.construction import Construction
    from combinatorics.interchange import DesignDocument

    content, recipe = retrieved(catalog, entry), Construction(entry.construction, entry.reference)
    if entry.r is None or entry.k is None or entry.lambda_ is None:
        return DesignDocument(content), recipe
    k, lambda_ = entry.k, entry.lambda_
    if is_complement:
        content = _complement(content)
        recipe = Construction(f"complement of {recipe.name}", recipe.reference)
        k, lambda_ = entry.v - k, entry.b - 2 * entry.r + lambda_
    stated = {"k": k, "lambda": lambda_}
    is_set = entry.kind is Kind.DIFFERENCE_SET
    return DesignDocument(content, stated if is_set else {"t": 2, **stated}), recipe


def _complement(content: "Content") -> "Content":
    from combinatorics.difference_sets import complement_difference_set
    from combinatorics.interchange import DevelopedDesign
    from combinatorics.operations import complement
    from verify.kernel.incidence import BlockDesign

    if isinstance(content, DevelopedDesign) and content.difference_set is not None:
        other = complement_difference_set(content.difference_set)
        return DevelopedDesign(other.group, (other.elements,))
    return complement(content) if isinstance(content, BlockDesign) else content


def _delivered(
    document: "DesignDocument",
    recipe: "Construction",
    out: str | None,
    form: str | None,
    certificate: "Path | None",
) -> tuple[str | None, WrittenCertificate]:
    """The places of the design and of its certificate, once the kernel has accepted it."""
    from combinatorics.certification import design_claim

    verdict, proof = decide(design_claim(document, recipe).certificate, certificate)
    if not verdict.is_accepted:
        raise ArithmeticError(f"{recipe.name}: refused by the kernel: {verdict.reason}")
    return deliver(document.content, out, form), proof


def _print(
    entries: "tuple[Entry, ...]", files: "dict[str, object]", *, is_complement: bool
) -> None:
    from verify.report import facts_table

    if is_complement:
        typer.echo("the complement of:")
    for entry in entries:
        numbers = {"v": entry.v, "b": entry.b, "r": entry.r, "k": entry.k, "lambda": entry.lambda_}
        facts = {"kind": str(entry.kind)}
        facts |= {name: str(number) for name, number in numbers.items() if number is not None}
        facts |= {"status": str(entry.status), "construction": entry.construction}
        facts |= {"source": entry.reference, "because": entry.reason, "as of": entry.as_of}
        facts |= {"parent": entry.parent or "", "digest": entry.digest}
        if entry.construction_seconds is not None and entry.check_seconds is not None:
            building, checking = entry.construction_seconds, entry.check_seconds
            facts["seconds"] = f"{building:.4f} to build, {checking:.4f} to check"
        print_table(facts_table("", [(name, text) for name, text in facts.items() if text]))
    for what, place in files.items():
        if place is not None:
            typer.echo(f"{what}: {place}")
