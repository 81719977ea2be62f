"""``exactdp construct``: build a design, difference set or Hadamard matrix, or say why not.

Exit codes: 0 constructed, 1 a theorem forbids it, 2 bad input, 3 unknown here.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.design_output import (
    CertificateOption,
    FormatOption,
    JsonOption,
    NoBuildOption,
    OutOption,
    checked_certificate,
    content_lines,
    fail,
    finish,
    write_content,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from combinatorics.construction import Construction, Existence, Impossible, Unknown
    from combinatorics.interchange import Content

__all__ = ["construct_design", "construct_difference_set", "construct_hadamard"]

Points = Annotated[int, typer.Argument(metavar="V", help="Number of points.")]
BlockSize = Annotated[int, typer.Argument(metavar="K", help="Points on a block.")]
Index = Annotated[int, typer.Argument(metavar="LAMBDA", help="Blocks on two points.")]


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options of a run."""

    out: Path | None
    form: str | None
    certificate: Path | None
    no_build: bool
    as_json: bool


def construct_design(
    v: Points,
    k: BlockSize,
    lambda_: Index,
    out: OutOption = None,
    form: FormatOption = None,
    certificate: CertificateOption = None,
    no_build: NoBuildOption = False,
    as_json: JsonOption = False,
) -> None:
    """Build a 2-(V, K, LAMBDA) design, or say which theorem forbids it."""

    def existence() -> "Existence":
        from combinatorics.design_existence import existence

        return existence(v, k, lambda_)

    def build() -> "tuple[Content, Construction]":
        from combinatorics.balanced_design import block_design
        from combinatorics.interchange import DevelopedDesign

        built = block_design(v, k, lambda_)
        difference_set = built.difference_set
        if difference_set is None:
            return built.design, built.construction
        base = (difference_set.elements,)
        return DevelopedDesign(difference_set.group, base), built.construction

    stated = {"t": 2, "k": k, "lambda": lambda_}
    _construct(existence, build, stated, Wishes(out, form, certificate, no_build, as_json))


def construct_difference_set(
    v: Points,
    k: BlockSize,
    lambda_: Index,
    out: OutOption = None,
    form: FormatOption = None,
    certificate: CertificateOption = None,
    no_build: NoBuildOption = False,
    as_json: JsonOption = False,
) -> None:
    """Build a (V, K, LAMBDA) difference set, or say which theorem forbids it."""

    def existence() -> "Existence":
        from combinatorics.difference_set_existence import difference_set_existence

        return difference_set_existence(v, k, lambda_)

    def build() -> "tuple[Content, Construction]":
        from combinatorics.difference_set.registry import constructed_difference_set
        from combinatorics.interchange import DevelopedDesign

        built = constructed_difference_set(v, k, lambda_)
        found = built.difference_set
        return DevelopedDesign(found.group, (found.elements,)), built.construction

    stated = {"k": k, "lambda": lambda_}
    _construct(existence, build, stated, Wishes(out, form, certificate, no_build, as_json))


def construct_hadamard(
    order: Annotated[int, typer.Argument(metavar="N", help="Order of the matrix.")],
    out: OutOption = None,
    form: FormatOption = None,
    certificate: CertificateOption = None,
    no_build: NoBuildOption = False,
    as_json: JsonOption = False,
) -> None:
    """Build a Hadamard matrix of order N, or say that none exists or none is known here."""

    def existence() -> "Existence":
        from combinatorics.hadamard import hadamard_existence

        return hadamard_existence(order)

    def build() -> "tuple[Content, Construction]":
        from combinatorics.hadamard import hadamard_matrix
        from combinatorics.incidence_matrix import hadamard_from_signs

        built = hadamard_matrix(order)
        return hadamard_from_signs(built.matrix), built.construction

    _construct(existence, build, {}, Wishes(out, form, certificate, no_build, as_json))


def _construct(
    existence: "Callable[[], Existence]",
    build: "Callable[[], tuple[Content, Construction]]",
    stated: dict[str, int],
    wishes: Wishes,
) -> None:
    """Ask whether it exists, build it, let the kernel check it, and only then write it."""
    from combinatorics.construction import Exists
    from verify.kernel.errors import InputError, LimitError

    start = time.monotonic()
    try:
        answer = existence()
        if not isinstance(answer, Exists):
            _finish_without(answer, as_json=wishes.as_json)
        elif wishes.no_build:
            _finish_unbuilt(answer.construction, as_json=wishes.as_json)
        else:
            try:
                content, construction = build()
            except LimitError as error:
                fail(f"{error}; it exists, by {answer.construction.name}: see --no-build")
            _finish_with(content, construction, stated, wishes, start)
    except (InputError, OSError) as error:
        fail(error)


def _finish_without(answer: "Impossible | Unknown", *, as_json: bool) -> None:
    from combinatorics.construction import Impossible

    result: dict[str, object] = {"construction": None, "reference": None}
    if isinstance(answer, Impossible):
        result |= {"status": "impossible", "theorem": answer.theorem, "reason": answer.reason}
        finish(result, [f"impossible: {answer.theorem}", answer.reason], 1, as_json=as_json)
    else:
        result |= {"status": "unknown", "as_of": answer.as_of, "note": answer.note}
        result |= {"in_literature": answer.in_literature}
        lines = [f"unknown as of {answer.as_of} (not: impossible)", answer.note]
        finish(result, lines, 3, as_json=as_json)


def _finish_unbuilt(construction: "Construction", *, as_json: bool) -> None:
    result: dict[str, object] = {
        "status": "constructible",
        "construction": construction.name,
        "reference": construction.reference,
    }
    finish(result, ["constructible, not built", str(construction)], 0, as_json=as_json)


def _finish_with(
    content: "Content",
    construction: "Construction",
    stated: dict[str, int],
    wishes: Wishes,
    start: float,
) -> None:
    from combinatorics.certification import design_claim
    from combinatorics.interchange import DesignDocument

    claim = design_claim(DesignDocument(content, stated), construction)
    verdict = checked_certificate(claim, wishes.certificate)
    if not verdict.is_accepted:
        raise ArithmeticError(f"{construction.name}: refused by the kernel: {verdict.reason}")
    result: dict[str, object] = {
        "status": "constructed",
        "construction": construction.name,
        "reference": construction.reference,
        "kind": claim.kind,
        **claim.parameters,
        "certificate": None if wishes.certificate is None else str(wishes.certificate),
    }
    result |= write_content(content, wishes.out, wishes.form, as_json=wishes.as_json)
    result["seconds"] = round(time.monotonic() - start, 3)
    if result["file"] == "-":
        raise typer.Exit(0)
    lines = [f"{verdict.reason}, checked by the kernel", str(construction)]
    lines += content_lines(content) if wishes.out is None else [f"written to {wishes.out}"]
    finish(result, lines, 0, as_json=wishes.as_json)
