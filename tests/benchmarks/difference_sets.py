"""Build and check every difference set with v up to a bound; seconds of CPU and counts.

Run as ``python -m tests.benchmarks.difference_sets [MAX_V]``, by default 1000: one set for each
member of each family, then the kernel on a symmetric design and a Hadamard matrix of a thousand or
two points.
"""

import sys
import time
from collections import Counter

from combinatorics.difference_sets import family_members, paley_difference_set
from combinatorics.incidence_matrix import development
from verify.kernel.design import check_design, check_difference_set, check_hadamard
from verify.kernel.incidence import HadamardMatrix

__all__ = ["main", "members_up_to"]


def members_up_to(max_v):
    """Every family member with 2 <= k <= v/2, v up to a bound, with its lambda."""
    for v in range(4, max_v + 1):
        for k in range(2, v // 2 + 1):
            if k * (k - 1) % (v - 1) == 0:
                lambda_ = k * (k - 1) // (v - 1)
                for member in family_members(v, k, lambda_):
                    if not member.is_complement:
                        yield member, lambda_


def _sylvester(n):
    rows = [0]
    while len(rows) < n:
        size = len(rows)
        rows = [r | r << size for r in rows] + [r | (r ^ (1 << size) - 1) << size for r in rows]
    return HadamardMatrix(n, tuple(rows))


def _seconds(action, *arguments):
    start = time.process_time()
    result = action(*arguments)
    return result, time.process_time() - start


def main(arguments=None):
    """Print the figures."""
    max_v = int((arguments or sys.argv[1:] or ["1000"])[0])
    members, planning = _seconds(lambda: list(members_up_to(max_v)))
    build = check = 0.0
    families = Counter()
    for member, lambda_ in members:
        difference_set, seconds = _seconds(member.build)
        build += seconds
        verdict, seconds = _seconds(check_difference_set, difference_set, lambda_)
        check += seconds
        if not verdict.is_accepted:
            raise ArithmeticError(f"{member.construction}: {verdict.reason}")
        families[member.family.name] += 1
    print(
        f"{len(members)} difference sets, v <= {max_v}: found in {planning:.2f} s, built in "
        f"{build:.2f} s, checked in {check:.2f} s CPU"
    )
    print(", ".join(f"{name} {count}" for name, count in families.most_common()))
    design = development(paley_difference_set(991))
    print(f"kernel, symmetric design v = 991: {_seconds(check_design, design, 495, 247)[1]:.2f} s")
    print(f"kernel, Hadamard order 2048: {_seconds(check_hadamard, _sylvester(2048))[1]:.2f} s")


if __name__ == "__main__":
    main()
