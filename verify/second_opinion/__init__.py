"""A second checker of certificates, which shares no code with the kernel.

It reads a file by ``verify/FORMAT.md``, states the negation of the claim in SMT-LIB 2 (exact real
arithmetic, irrational numbers in rational enclosures) and lets a stock solver decide it; what a
linear program proves is also written as a VIPR file. See ``docs/second-opinion.md``.
"""

from verify.second_opinion.export import exported_files
from verify.second_opinion.opinion import Opinion, OpinionVerdict, questions_of, second_opinion
from verify.second_opinion.solver import SOLVERS, MissingSolverError, require_solver
from verify.second_opinion.strict_reading import MalformedError, OutOfReachError

__all__ = [
    "SOLVERS",
    "MalformedError",
    "MissingSolverError",
    "Opinion",
    "OpinionVerdict",
    "OutOfReachError",
    "exported_files",
    "questions_of",
    "require_solver",
    "second_opinion",
]
