"""Certificates of optimal private testing: seconds to find and to check, size, and proved gap.

Exact laws with fixed seeds; processor time. `--full` adds 10,000 and 100,000 symbols. The rows
below the sizes are a law against itself with noise, and epsilon at both ends.
"""

import random
from fractions import Fraction

from solvers.testing import solve_testing
from tests.benchmarks._measure import measured, peak_megabytes, row
from tests.support.instances import normalised
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode

CASES = (("kl", "1"), ("kl", "3"), ("hellinger", "log(20)"), ("kl", "8"))


HARD = (
    ("noise 1e-12", 300, "hellinger", "5", Fraction(1, 10**12)),
    ("noise 1e-80", 100, "kl", "1", Fraction(1, 10**80)),
    ("eps 1e-200", 100, "kl", "1e-200", None),
    ("eps 40", 100, "kl", "40", None),
    ("eps 700", 100, "reverse-chi2", "700", None),
)


def laws(rng, k, noise=None):
    """Two random laws, or one and the same with relative noise."""
    p = normalised(rng.randint(1, 10**6) for _ in range(k))
    if noise is None:
        return p, normalised(rng.randint(1, 10**6) for _ in range(k))
    return p, normalised(a * (1 + noise * rng.randint(-1000, 1000) / 1000) for a in p)


def certified(label, k, pair, name, epsilon):
    """Print one row."""
    found, _, find = measured(lambda: solve_testing(*pair, epsilon, name))
    text = encode(found.certificate)
    verdict, _, check = measured(lambda: check_certificate(decode(text)))
    size = f"{find:.2f}", f"{check:.2f}", len(text) // 1000
    knots = len(found.certificate.witness.get("knots", ()))
    gap = f"{float(found.relative_gap):.0e}" if verdict.is_accepted else "REFUSED"
    row(k, name, label, len(found.blocks), str(found.is_unique), *size, knots, gap)


def random_instances(k, count=40):
    """Print the slowest and the widest of some random instances."""
    times, gaps = [], []
    for seed in range(count):
        rng = random.Random(seed)
        name = rng.choice(("kl", "reverse-kl", "js", "chi2", "hellinger", "lecam", "alpha:1/3"))
        epsilon, pair = rng.choice(("1/2", "1", "2", "5", "7", "8", "log(2980)")), laws(rng, k)
        found, _, seconds = measured(lambda: solve_testing(*pair, epsilon, name))  # noqa: B023
        times.append(seconds)
        gaps.append(float(found.relative_gap))
    print(f"{count} random instances of {k}: at most {max(times):.2f} s and a gap {max(gaps):.0e}")


def main(argv):
    """Print the table."""
    row("k", "divergence", "epsilon", "blocks", "unique", "find s", "check s", "kB", "knots", "gap")
    sizes = (50, 100, 300, 1000)
    for k in (*sizes, 10_000, 100_000) if "--full" in argv else sizes:
        pair = laws(random.Random(k), k)
        for name, epsilon in CASES:
            certified(epsilon, k, pair, name, epsilon)
    for label, k, name, epsilon, noise in HARD:
        certified(label, k, laws(random.Random(k), k, noise), name, epsilon)
    random_instances(300)
    print(f"peak memory {peak_megabytes():.0f} MB")
