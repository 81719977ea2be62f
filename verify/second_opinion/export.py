"""The files of a second opinion, for other solvers and checkers: SMT-LIB and VIPR."""

from contextlib import suppress

from verify.second_opinion.linear_programs import bound_proof
from verify.second_opinion.opinion import PRECISIONS, settled_questions
from verify.second_opinion.strict_reading import OutOfReachError, read_certificate
from verify.second_opinion.vipr import vipr_text

__all__ = ["exported_files"]


def exported_files(content: bytes) -> dict[str, str]:
    """The ending of a file's name to its text.

    ``.QUESTION.smt2`` is the negation of one question: the certificate proves its claim if all of
    them are ``unsat``. ``.vipr`` proves the upper bound of a linear program. What is out of reach
    is left out.

    Args:
        content: the bytes of a certificate file.

    Raises:
        MalformedError: if the certificate is not of the format.
    """
    files = {}
    with suppress(OutOfReachError):
        for question in settled_questions(content):
            files[f".{question.name}.smt2"] = question.negation()
    with suppress(OutOfReachError):
        proof = bound_proof(read_certificate(content), PRECISIONS[0])
        if proof is not None:
            files[".vipr"] = vipr_text(proof)
    return files
