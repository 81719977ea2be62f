"""What ``exactdp check --second-opinion`` asks of the second checker, and says of its answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "ExportOption",
    "SecondOpinionOption",
    "SecondOpinionRequest",
    "SolverOption",
    "TimeoutOption",
    "print_opinions",
    "read_request",
    "report_disagreements",
]

_SOLVER, _SECONDS = "z3", 60.0

SecondOpinionOption = Annotated[
    bool,
    typer.Option(
        "--second-opinion",
        help="Ask a second checker, too: a stock solver on the negation of the claim.",
    ),
]
SolverOption = Annotated[
    str | None,
    typer.Option(
        "--solver", metavar="z3|cvc5", help="The solver of the second opinion; z3 by default."
    ),
]
TimeoutOption = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        help="The time of the second opinion on one file; 60 by default.",
    ),
]
ExportOption = Annotated[
    Path | None,
    typer.Option(
        "--export",
        metavar="DIR",
        help="Write what the second checker is asked, as SMT-LIB and VIPR files, into this folder.",
    ),
]


@dataclass(frozen=True, slots=True)
class SecondOpinionRequest:
    """What is wanted of the second checker.

    Args:
        solver: its solver, or None if only files are exported.
        timeout: seconds for one certificate.
        folder: where the questions are written, or None.
    """

    solver: str | None
    timeout: float
    folder: Path | None

    def asked(self, name: str, content: bytes, verdict: str | None) -> dict[str, object]:
        """The key ``second_opinion`` of a result, if one is wanted, and ``disagreement``.

        Args:
            name: the certificate's path; ``-`` is standard input.
            content: its bytes.
            verdict: what the kernel says of them; None if they are over one of its limits.
        """
        if self.folder is not None:
            self._export(self.folder, name, content)
        if self.solver is None:
            return {}
        from verify.second_opinion import second_opinion

        opinion = second_opinion(content, solver=self.solver, timeout=self.timeout)
        return {
            "second_opinion": {
                "verdict": opinion.verdict.value,
                "solver": opinion.solver,
                "seconds": opinion.seconds,
                "reason": opinion.reason,
            },
            "disagreement": verdict is not None and opinion.contradicts(verdict),
        }

    def _export(self, folder: Path, name: str, content: bytes) -> None:
        from verify.output_file import write_atomically
        from verify.second_opinion import MalformedError, exported_files

        try:
            files = exported_files(content)
        except MalformedError:
            return  # the verdict says so
        for ending, text in files.items():
            write_atomically(folder / f"{_stem(name)}{ending}", text.encode("ascii"))


def _stem(name: str) -> str:
    """How the names of the exported files of a certificate begin."""
    return "certificate" if name == "-" else Path(name).name.removesuffix(".json")


def _require_distinct_stems(certificates: Sequence[str]) -> None:
    """Refuse certificates whose exported files would have the same names, before any is written."""
    from verify.kernel.errors import InputError

    first: dict[str, str] = {}
    for name in certificates:
        stem = _stem(name).casefold()  # some file systems fold the case
        if stem in first:
            raise InputError(
                f"--export: {first[stem]} and {name} would be exported under one name; "
                "rename one, or export it into another folder"
            )
        first[stem] = name


def read_request(
    wanted: bool,
    solver: str | None,
    timeout: float | None,
    folder: Path | None,
    certificates: Sequence[str],
) -> SecondOpinionRequest | None:
    """The request that the options make; None without one.

    Raises:
        InputError: for options of a second opinion that is not asked for, an unknown or missing
            solver, a time that is not positive, a folder that cannot be made, or certificates
            that would be exported under one name.
    """
    from verify.kernel.errors import InputError

    for option, value in (("--solver", solver), ("--timeout", timeout)):
        if value is not None and not wanted:
            raise InputError(f"{option}: is for a second opinion; add --second-opinion")
    if not wanted and folder is None:
        return None
    solver = _SOLVER if solver is None else solver
    timeout = _SECONDS if timeout is None else timeout
    if wanted:
        from verify.second_opinion import MissingSolverError, require_solver

        try:
            require_solver(solver)
        except MissingSolverError as error:
            raise InputError(str(error)) from None
    if not timeout > 0:
        raise InputError(f"--timeout: {timeout} is no number of seconds above 0")
    if folder is not None:
        _require_distinct_stems(certificates)
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"--export: {folder} is no folder to write in ({reason})") from None
    return SecondOpinionRequest(solver if wanted else None, timeout, folder)


def print_opinions(results: Iterable[Mapping[str, object]]) -> None:
    """The second opinions as a table; nothing where none was asked for."""
    from verify.commands.output import print_table
    from verify.report import columns_table, shortened

    rows = []
    for result in results:
        opinion = result.get("second_opinion")
        if isinstance(opinion, dict):
            words = (result["file"], opinion["verdict"], opinion["solver"], opinion["reason"])
            rows.append([shortened(str(word)) for word in words])
    if rows:
        print_table(columns_table("", ("file", "second opinion", "solver", "reason"), rows))


def report_disagreements(results: Iterable[Mapping[str, object]]) -> bool:
    """Say on standard error which answers contradict each other; whether there are any."""
    from verify.commands.output import note
    from verify.report import shortened

    found = [result for result in results if result.get("disagreement")]
    for result in found:
        opinion = result["second_opinion"]
        other = opinion["verdict"] if isinstance(opinion, dict) else ""
        line = f"{result['file']}: the kernel says {result['verdict']}, the second checker {other}"
        note(f"exactdp: DISAGREEMENT: {shortened(line)}; rely on neither, and report it")
    return bool(found)
