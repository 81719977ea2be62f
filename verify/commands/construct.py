"""``exactdp construct``: build a design, difference set or Hadamard matrix, or say why not.

Exit codes: 0 constructed, 1 a theorem forbids it, 2 bad input, 3 unknown here.
"""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from verify.commands.certificate_place import require_certificate_place, require_other_output
from verify.commands.design_file import (
    FormatOption,
    NoBuildOption,
    OutOption,
    chosen_format,
    deliver,
    require_place,
)
from verify.commands.options import CertificateOption, JsonOption, QuietOption
from verify.commands.output import decide, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from combinatorics.construction import Construction, Existence, Impossible, Unknown
    from combinatorics.interchange import Content

__all__ = ["EXAMPLES", "construct_design", "construct_difference_set", "construct_hadamard"]

EXAMPLES = {
    "design": "Example: exactdp construct design 45 12 3 --out design.json",
    "difference-set": "Example: exactdp construct difference-set 133 33 8 --format gap",
    "hadamard": "Example: exactdp construct hadamard 428 --out hadamard.npy",
}

Points = Annotated[int, typer.Argument(metavar="V", help="Number of points.")]
BlockSize = Annotated[int, typer.Argument(metavar="K", help="Points on a block.")]
Index = Annotated[int, typer.Argument(metavar="LAMBDA", help="Blocks on two points.")]

_CONSTRUCTED, _IMPOSSIBLE, _UNKNOWN = 0, 1, 3
_PUBLISHED = {
    True: "yes, in the literature; its construction is not built in here",
    False: "no construction in the literature is known to this program",
}
_MAX_SHOWN = 2000
"""Longest text of a design, in characters, that is shown when no file is asked for."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options of a run."""

    out: str | None
    form: str | None
    certificate: Path | None
    no_build: bool
    json: bool
    quiet: bool


def construct_design(
    v: Points,
    k: BlockSize,
    lambda_: Index,
    out: OutOption = None,
    form: FormatOption = None,
    certificate: CertificateOption = None,
    no_build: NoBuildOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Build a 2-(V, K, LAMBDA) design, or say which theorem forbids it."""

    def existence() -> "Existence":
        from combinatorics.design_existence import existence

        return existence(v, k, lambda_)

    def build() -> "tuple[Content, Construction]":
        from combinatorics.balanced_design import block_design
        from combinatorics.interchange import DevelopedDesign
        from combinatorics.symmetric.registry import require_buildable
        from verify.kernel.design import require_countable

        b = lambda_ * v * (v - 1) // (k * (k - 1))
        require_buildable(v, b)
        require_countable(v, b, 2)
        built = block_design(v, k, lambda_)
        difference_set = built.difference_set
        if difference_set is None:
            return built.design, built.construction
        base = (difference_set.elements,)
        return DevelopedDesign(difference_set.group, base), built.construction

    stated = {"t": 2, "k": k, "lambda": lambda_}
    _construct(existence, build, stated, Wishes(out, form, certificate, no_build, json, quiet))


def construct_difference_set(
    v: Points,
    k: BlockSize,
    lambda_: Index,
    out: OutOption = None,
    form: FormatOption = None,
    certificate: CertificateOption = None,
    no_build: NoBuildOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Build a (V, K, LAMBDA) difference set, or say which theorem forbids it."""

    def existence() -> "Existence":
        from combinatorics.difference_set_existence import difference_set_existence

        return difference_set_existence(v, k, lambda_)

    def build() -> "tuple[Content, Construction]":
        from combinatorics.difference_sets.registry import constructed_difference_set
        from combinatorics.interchange import DevelopedDesign
        from combinatorics.symmetric.registry import require_buildable

        if chosen_format(out, form) != "json":  # the other formats hold every translate
            require_buildable(v, v)
        built = constructed_difference_set(v, k, lambda_)
        found = built.difference_set
        return DevelopedDesign(found.group, (found.elements,)), built.construction

    stated = {"k": k, "lambda": lambda_}
    _construct(existence, build, stated, Wishes(out, form, certificate, no_build, json, quiet))


def construct_hadamard(
    order: Annotated[int, typer.Argument(metavar="N", help="Order of the matrix.")],
    out: OutOption = None,
    form: FormatOption = None,
    certificate: CertificateOption = None,
    no_build: NoBuildOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Build a Hadamard matrix of order N, or say that none exists or none is known here."""

    def existence() -> "Existence":
        from combinatorics.hadamard import hadamard_existence

        return hadamard_existence(order)

    def build() -> "tuple[Content, Construction]":
        from combinatorics.hadamard import hadamard_matrix
        from combinatorics.incidence_matrix import hadamard_from_signs
        from verify.kernel.design import require_countable
        from verify.kernel.incidence import MAX_CELLS

        if order**2 <= MAX_CELLS:  # a larger one is refused with its size in bytes
            require_countable(order, order, 2)
        built = hadamard_matrix(order)
        return hadamard_from_signs(built.matrix), built.construction

    _construct(existence, build, {}, Wishes(out, form, certificate, no_build, json, quiet))


def _construct(
    existence: "Callable[[], Existence]",
    build: "Callable[[], tuple[Content, Construction]]",
    stated: dict[str, int],
    wishes: Wishes,
) -> NoReturn:
    """Ask whether it exists, build it, let the kernel check it, and only then write it."""
    from combinatorics.construction import Exists
    from verify.kernel.errors import InputError, LimitError

    started = perf_counter()
    require_place(wishes.out, wishes.form, json=wishes.json)
    if wishes.certificate is not None:
        require_certificate_place(wishes.certificate)
        if wishes.out not in {None, "-"}:
            require_other_output(wishes.certificate, str(wishes.out))
    if wishes.no_build and (wishes.out, wishes.form, wishes.certificate) != (None, None, None):
        raise InputError("--no-build: builds nothing to write; leave it out, or the outputs")
    answer = existence()
    if not isinstance(answer, Exists):
        _conclude_without(answer, wishes)
    if wishes.no_build:
        content = {"status": "constructible", **_provenance(answer.construction)}
        _conclude(content, [], wishes, _CONSTRUCTED)
    try:
        built, construction = build()
        _conclude_with(built, construction, stated, wishes, started)
    except LimitError as error:
        raise LimitError(
            f"{error}; it exists, by {answer.construction.name}: see --no-build"
        ) from None


def _provenance(construction: "Construction | None") -> dict[str, object]:
    if construction is None:
        return {"construction": None, "reference": None}
    return {"construction": construction.name, "reference": construction.reference}


def _conclude(
    content: "Mapping[str, object]", shown: list[str], wishes: Wishes, code: int
) -> NoReturn:
    """Print the JSON object, or its simple values as a table and the design below it."""
    from verify.report import facts_table

    if wishes.json:
        print_json(content)
    elif not wishes.quiet:
        facts = [
            (key.replace("_", " "), str(x))
            for key, x in content.items()
            if isinstance(x, int | str) and not isinstance(x, bool)
        ]
        if "in_literature" in content:
            facts.append(("published", _PUBLISHED[bool(content["in_literature"])]))
        print_table(facts_table("", facts))
        typer.echo("".join(f"{line}\n" for line in shown), nl=False)
    raise typer.Exit(code)


def _conclude_without(answer: "Impossible | Unknown", wishes: Wishes) -> NoReturn:
    from combinatorics.construction import Impossible

    if isinstance(answer, Impossible):
        content = {"status": "impossible", "theorem": answer.theorem, "reason": answer.reason}
        _conclude({**content, **_provenance(None)}, [], wishes, _IMPOSSIBLE)
    found = {"status": "unknown", "as_of": answer.as_of, "note": answer.note}
    provenance = {"in_literature": answer.in_literature, **_provenance(None)}
    _conclude({**found, **provenance}, [], wishes, _UNKNOWN)


def _conclude_with(
    built: "Content",
    construction: "Construction",
    stated: dict[str, int],
    wishes: Wishes,
    started: float,
) -> NoReturn:
    from combinatorics.certification import design_claim
    from combinatorics.interchange import DesignDocument, written
    from combinatorics.interchange.json_text import content_object

    claim = design_claim(DesignDocument(built, stated), construction)
    verdict, proof = decide(claim.certificate, wishes.certificate)
    if not verdict.is_accepted:
        raise ArithmeticError(f"{construction.name}: refused by the kernel: {verdict.reason}")
    place = deliver(built, wishes.out, wishes.form)
    if place == "-":
        raise typer.Exit(_CONSTRUCTED)
    content: dict[str, object] = {
        "status": "constructed",
        **_provenance(construction),
        "kind": claim.kind,
        **claim.parameters,
        **proof.keys(),
        "file": place,
        "seconds": round(perf_counter() - started, 3),
    }
    shown = []
    if place is None and wishes.json:
        content["design"] = content_object(built)
    elif place is None and not wishes.quiet:
        text = written(built, "json").decode("ascii")
        fits = len(text) <= _MAX_SHOWN
        shown = text.splitlines() if fits else ["give --out FILE to write the design"]
    _conclude(content, shown, wishes, _CONSTRUCTED)
