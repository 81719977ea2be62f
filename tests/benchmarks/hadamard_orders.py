"""Build and check every known Hadamard matrix up to an order; seconds of CPU, bytes, counts.

Run as ``python -m tests.benchmarks.hadamard_orders [UP_TO ...]``, by default 1200 and 2000.
"""

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from combinatorics.hadamard import OPEN_ORDERS, hadamard_matrix, is_hadamard
from combinatorics.incidence_matrix import hadamard_from_signs
from verify.kernel.design import check_hadamard

__all__ = ["Figures", "main", "measure"]


@dataclass(slots=True)
class Figures:
    """CPU seconds by stage, and the families used."""

    up_to: int
    orders: int = 0
    build: float = 0.0
    numpy_check: float = 0.0
    bitsets: float = 0.0
    kernel_check: float = 0.0
    families: Counter = field(default_factory=Counter)

    def __str__(self) -> str:
        total = self.build + self.bitsets + self.kernel_check
        return (
            f"{self.orders} orders up to {self.up_to}: build {self.build:.2f} s, "
            f"kernel check {self.kernel_check:.2f} s (+ {self.bitsets:.2f} s to bitsets), "
            f"together {total:.2f} s CPU; check by float32 products instead "
            f"{self.numpy_check:.2f} s\n"
            + ", ".join(f"{name} {count}" for name, count in self.families.most_common())
        )


def measure(up_to):
    """Every known order 1, 2, 4, 8, ... up to a bound, built and checked in both ways."""
    figures = Figures(up_to)
    for n in [1, 2, *range(4, up_to + 1, 4)]:
        if n in OPEN_ORDERS:
            continue
        times = [time.process_time()]
        built = hadamard_matrix(n)
        times.append(time.process_time())
        if not is_hadamard(built.matrix):
            raise ArithmeticError(f"order {n}: {built.construction.name} is not Hadamard")
        times.append(time.process_time())
        bitsets = hadamard_from_signs(built.matrix)
        times.append(time.process_time())
        verdict = check_hadamard(bitsets)
        times.append(time.process_time())
        if not verdict.is_accepted:
            raise ArithmeticError(f"order {n}: {verdict.reason}")
        stages = [after - before for before, after in pairwise(times)]
        figures.orders += 1
        figures.build += stages[0]
        figures.numpy_check += stages[1]
        figures.bitsets += stages[2]
        figures.kernel_check += stages[3]
        figures.families[built.construction.name.split("(")[0]] += 1
    return figures


def main(arguments=None):
    """Print the figures of each bound."""
    for up_to in [int(text) for text in (sys.argv[1:] if arguments is None else arguments)] or [
        1200,
        2000,
    ]:
        print(measure(up_to))


if __name__ == "__main__":
    main()
