"""Build and check every symmetric design of the reference table that is within reach.

Run as ``python -m tests.benchmarks.symmetric_designs``; prints counts, the families used, and the
CPU seconds spent on deciding existence, building and checking by the kernel.
"""

import time
from collections import Counter
from pathlib import Path

from combinatorics.construction import Exists
from combinatorics.design_existence import existence
from combinatorics.symmetric.registry import symmetric_design
from verify.kernel.design import check_design

__all__ = ["main", "measure", "reference_rows"]

_TABLE = Path(__file__).parents[1] / "reference" / "symmetric_parameters.csv"


def reference_rows():
    """The rows (v, k, lambda, status) of the reference table."""
    lines = _TABLE.read_text(encoding="ascii").splitlines()
    fields = (line.split(",") for line in lines if not line.startswith("#"))
    return [(int(v), int(k), int(lambda_), status) for v, k, lambda_, status in fields]


def measure():
    """Seconds by stage, and how many triples have which answer and which construction."""
    seconds, answers, families = Counter(), Counter(), Counter()
    for v, k, lambda_, _ in reference_rows():
        start = time.process_time()
        answer = existence(v, k, lambda_)
        decided = time.process_time()
        seconds["existence"] += decided - start
        answers[type(answer).__name__] += 1
        if not isinstance(answer, Exists):
            continue
        built = symmetric_design(v, k, lambda_)
        done = time.process_time()
        verdict = check_design(built.design, k, lambda_)
        seconds["build"] += done - decided
        seconds["check"] += time.process_time() - done
        if not verdict.is_accepted:
            raise ArithmeticError(f"({v}, {k}, {lambda_}): {verdict.reason}")
        families[built.construction.name.split(",")[0]] += 1
    return seconds, answers, families


def main():
    """Print the figures."""
    seconds, answers, families = measure()
    print(f"{answers.total()} triples with v <= 1000:", dict(answers))
    print(f"{families.total()} constructed and checked by the kernel:", dict(families))
    stages = ", ".join(f"{stage} {value:.2f} s" for stage, value in seconds.items())
    print(f"{stages}, together {seconds.total():.2f} s CPU on one core")


if __name__ == "__main__":
    main()
