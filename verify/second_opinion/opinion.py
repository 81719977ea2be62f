"""The second opinion on a certificate: its questions put to a solver, and the answers combined.

For each question both scripts are run. ACCEPTED needs, for all of them, that the negation is
``unsat`` while the affirmation is not (facts that contradict each other would prove anything).
REJECTED needs one question whose negation is ``sat`` and whose affirmation, with the choices of
that model, is ``unsat``. When both can be, an enclosure is too wide: the questions are asked again
with more bits. Everything else is no opinion, with its reason: never an agreement by default.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from time import monotonic

from verify.second_opinion.channel import channel_questions, contraction_questions
from verify.second_opinion.coupling import coupling_questions
from verify.second_opinion.design import design_questions
from verify.second_opinion.estimation import estimation_questions
from verify.second_opinion.leakage import leakage_questions
from verify.second_opinion.script import Question
from verify.second_opinion.solver import Answer, decide_script, require_solver
from verify.second_opinion.strict_reading import (
    CertificateFile,
    MalformedError,
    OutOfReachError,
    TooWideError,
    read_certificate,
)
from verify.second_opinion.testing import testing_questions

__all__ = [
    "KINDS",
    "Opinion",
    "OpinionVerdict",
    "decide_question",
    "questions_of",
    "second_opinion",
    "settled_questions",
]

PRECISIONS = (256, 1024, 5120)
"""Bits of the enclosures, in the order in which they are tried."""
MAX_FILE = 1 << 23
"""Longest certificate, in bytes, that is translated."""

Asker = Callable[[CertificateFile, int], Iterable[Question]]
"""The questions of a certificate of one kind, with enclosures of so many bits."""
KINDS: dict[str, Asker] = {
    "channel": channel_questions,
    "contraction": contraction_questions,
    "coupling": coupling_questions,
    "design": design_questions,
    "estimation": estimation_questions,
    "leakage": leakage_questions,
    "testing": testing_questions,
}


class OpinionVerdict(Enum):
    """What the second checker says of a certificate."""

    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    MALFORMED = "MALFORMED"
    NO_OPINION = "NO OPINION"


@dataclass(frozen=True, slots=True)
class Opinion:
    """The answer to one certificate.

    Args:
        verdict: ACCEPTED (the witness proves the claim), REJECTED (it does not), MALFORMED (the
            file is not of the format) or NO OPINION.
        reason: one line.
        solver: the solver that was asked.
        seconds: how long it took.
    """

    verdict: OpinionVerdict
    reason: str
    solver: str
    seconds: float

    def contradicts(self, verdict: str) -> bool:
        """Whether one checker accepts what the other refuses.

        Args:
            verdict: the other's: ``ACCEPTED``, ``REJECTED``, ``MALFORMED`` or ``UNDECIDED``.
        """
        refusals = {"REJECTED", "MALFORMED"}
        own = self.verdict.value
        return (own == "ACCEPTED" and verdict in refusals) or (
            own in refusals and verdict == "ACCEPTED"
        )


def questions_of(content: bytes, bits: int = PRECISIONS[0]) -> Iterable[Question]:
    """The questions whose negations are all ``unsat`` when the certificate proves its claim.

    Args:
        content: the bytes of the file.
        bits: the precision of the enclosures.

    Raises:
        MalformedError: if the file is not of the format.
        OutOfReachError: if it is larger than this checker works with.
    """
    if len(content) > MAX_FILE:
        raise OutOfReachError(f"the file has {len(content)} bytes, more than {MAX_FILE}")
    certificate = read_certificate(content)
    if certificate.kind not in KINDS:
        raise MalformedError("kind: is unknown")
    return KINDS[certificate.kind](certificate, bits)


def settled_questions(content: bytes) -> list[Question]:
    """The questions at the least precision that states them all.

    Raises:
        MalformedError: if the file is not of the format.
        OutOfReachError: if it is larger or finer than this checker works with.
    """
    for bits in PRECISIONS[:-1]:
        with suppress(TooWideError):
            return list(questions_of(content, bits))
    return list(questions_of(content, PRECISIONS[-1]))


def second_opinion(content: bytes, *, solver: str = "z3", timeout: float = 60.0) -> Opinion:
    """What the second checker says of a certificate file.

    Args:
        content: the bytes of the file.
        solver: ``z3`` or ``cvc5``.
        timeout: seconds for all questions together.

    Raises:
        MissingSolverError: if the solver is not installed.
    """
    require_solver(solver)
    start = monotonic()
    found, reason = OpinionVerdict.NO_OPINION, "the enclosures are too wide"
    try:
        for bits in PRECISIONS:
            try:
                found, reason = _ask(questions_of(content, bits), solver, start + timeout)
            except TooWideError as error:
                found, reason = OpinionVerdict.NO_OPINION, str(error)
                continue
            if found is not OpinionVerdict.NO_OPINION or reason != _TOO_WIDE:
                break
    except MalformedError as error:
        found, reason = OpinionVerdict.MALFORMED, str(error)
    except OutOfReachError as error:
        found, reason = OpinionVerdict.NO_OPINION, str(error)
    return Opinion(found, reason, solver, round(monotonic() - start, 3))


_TOO_WIDE = "the enclosures do not settle a clause"


def _ask(questions: Iterable[Question], solver: str, deadline: float) -> tuple[OpinionVerdict, str]:
    """REJECTED if one question is, NO OPINION if one has none, else ACCEPTED."""
    answers = []
    for question in questions:
        verdict, reason = decide_question(question, solver, deadline - monotonic())
        if verdict is OpinionVerdict.REJECTED:
            return verdict, reason
        answers.append((verdict, reason or question.name))
    for verdict, reason in answers:
        if verdict is not OpinionVerdict.ACCEPTED:
            return verdict, reason
    names = ", ".join(name for _, name in answers)
    return OpinionVerdict.ACCEPTED, f"the negation of the claim is unsatisfiable: {names}"


def decide_question(question: Question, solver: str, timeout: float) -> tuple[OpinionVerdict, str]:
    """The verdict on one question within so many seconds, and its reason where it has one."""
    deadline = monotonic() + timeout

    def decide(script: str) -> Answer:
        left = deadline - monotonic()
        if left <= 0:
            return Answer("unknown")
        sorts = question.sorts
        return decide_script(script, question.logic, sorts, solver=solver, timeout=left)

    name, nothing = question.name, OpinionVerdict.NO_OPINION
    negated = decide(question.negation())
    if negated.status == "unknown":
        return nothing, f"{name}: {solver} does not decide the negation in time"
    values = negated.values
    affirmed = decide(question.affirmation(values))
    if affirmed.status == "unknown":
        return nothing, f"{name}: {solver} does not decide the affirmation in time"
    match negated.status, affirmed.status:
        case "unsat", "sat":
            return OpinionVerdict.ACCEPTED, ""
        case "sat", "unsat" if not question.one_sided:
            broken = [label for label in question.clauses if values.get(label) == "false"]
            return OpinionVerdict.REJECTED, f"{name}: a model violates {', '.join(broken)}"
        case "unsat", "unsat":
            return nothing, f"{name}: the facts contradict each other; this is a defect"
    return nothing, _TOO_WIDE if question.enclosed else f"{name}: proved neither way"
