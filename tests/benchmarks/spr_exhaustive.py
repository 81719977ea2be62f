"""SPR against the exact linear program on all pairs of distributions: counts and seconds.

Run: python -m tests.benchmarks.spr_exhaustive K:N [K:N ...]; for instance 3:24 4:12 5:8.
Each pair on K symbols with denominators dividing N is met once up to symmetry; eight rational
divergences, E = 3/2, 2, 3, 10.
"""

import sys
from time import perf_counter

from joblib import Parallel, delayed

from verify.claims.families import likelihood_pairs
from verify.claims.testing.optimality import spr_optimal

JOBS, BATCH = 2, 64


def check(pairs):
    """The first failure among the pairs."""
    return next(filter(None, map(spr_optimal, pairs)), "")


def main(arguments):
    """One line for each K:N."""
    for text in arguments:
        k, n = map(int, text.split(":"))
        domain, started = likelihood_pairs(k), perf_counter()
        orbits = list(domain.orbits(n))
        batches = [
            [pair for pair, _ in orbits[start : start + BATCH]]
            for start in range(0, len(orbits), BATCH)
        ]
        failures = list(filter(None, Parallel(n_jobs=JOBS)(map(delayed(check), batches))))
        covered = sum(weight for _, weight in orbits)
        print(
            f"k = {k}, N = {n}: {len(orbits)} pairs up to symmetry, {covered} of "
            f"{domain.total(n)} in all, {len(failures)} failures, "
            f"{perf_counter() - started:.0f} s with {JOBS} jobs",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
