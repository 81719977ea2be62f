"""Certificates of optimal private testing: seconds to find and to check, size, and proved gap.

Exact laws with fixed seeds; processor time. `--full` adds 10,000 and 100,000 symbols.
"""

import random

from solvers.testing import solve_testing
from tests.benchmarks._measure import measured, peak_megabytes, row
from tests.support.instances import normalised
from verify.kernel.certificate import check_certificate, decode, encode

CASES = (("kl", "1"), ("kl", "3"), ("hellinger", "log(20)"), ("kl", "8"))


def main(argv):
    """Print the table."""
    row("k", "divergence", "epsilon", "blocks", "unique", "find s", "check s", "kB", "knots", "gap")
    sizes = (50, 100, 300, 1000)
    for k in (*sizes, 10_000, 100_000) if "--full" in argv else sizes:
        rng = random.Random(k)
        p, q = (normalised(rng.randint(1, 10**6) for _ in range(k)) for _ in range(2))
        for name, epsilon in CASES:
            found, _, find = measured(lambda: solve_testing(p, q, epsilon, name))  # noqa: B023
            text = encode(found.certificate)
            verdict, _, check = measured(lambda: check_certificate(decode(text)))  # noqa: B023
            size = f"{find:.2f}", f"{check:.2f}", len(text) // 1000
            knots = len(found.certificate.witness.get("knots", ()))
            gap = f"{float(found.relative_gap):.0e}" if verdict.is_accepted else "REFUSED"
            row(k, name, epsilon, len(found.blocks), str(found.is_unique), *size, knots, gap)
    print(f"peak memory {peak_megabytes():.0f} MB")
