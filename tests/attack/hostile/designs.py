"""Hostile designs, difference sets, Hadamard matrices and estimation schemes."""

import random
from fractions import Fraction
from math import prod

from sympy import prevprime

from tests.attack.hostile.registry import (
    THREE,
    certificate,
    hostile,
)


def design(kind, claim, base_blocks, generators=()):
    witness = {"base_blocks": base_blocks, "generators": list(generators)}
    return certificate("design", {"object": kind} | claim, witness)


def block_design(v, k, t, base_blocks, generators=(), lambda_=1):
    claim = {"v": v, "k": k, "lambda": lambda_, "t": t}
    return design("block design", claim, base_blocks, generators)


def balanced(v, base_blocks, r=1, lambda_=1):
    claim = {"v": v, "r": r, "lambda": lambda_}
    return design("pairwise balanced design", claim, base_blocks)


@hostile
def symmetric_orbit(size):
    """Half of 24 points under a turn and a swap, which generate every permutation."""
    v = min(24, size // 200)
    half = list(range(v // 2))
    return block_design(v, v // 2, 2, [half], [[*range(1, v), 0], [1, 0, *range(2, v)]])


@hostile
def long_cycle(size):
    v = min(5792, size // 12)
    return block_design(v, v // 2, 1, [list(range(v // 2))], [[*range(1, v), 0]])


@hostile
def many_generators(size):
    rng = random.Random(1)
    v = min(30, size // 200)
    generators = [rng.sample(range(v), v) for _ in range(size // (4 * v))]
    return block_design(v, v // 2, 2, [list(range(v // 2))], generators)


@hostile
def wide_points(size):
    return balanced(2**22, [list(range(size // 8)), [0]])


@hostile
def every_point(size):
    """As many points as there may be, all on every block."""
    return balanced(2**22, [[]] * 2)


@hostile
def many_pairs(size):
    """No two points on a block: all pairs are counted."""
    v = size // 14
    return design("pairwise balanced design", {"v": v, "r": 2, "lambda": 2}, [list(range(v))] * 2)


@hostile
def many_quintuples(size):
    v = min(80, size // 100)
    return block_design(v, v, 5, [list(range(v))])


@hostile
def quintuples_of_many_blocks(size):
    v = min(80, size // 4000)
    return block_design(v, v, 5, [list(range(v))] * 1023, (), 1023)


@hostile
def many_blocks_of_design(size):
    rng = random.Random(2)
    blocks = [sorted(rng.sample(range(100), 5)) for _ in range(size // 25)]
    return block_design(100, 5, 2, blocks)


@hostile
def hadamard(size):
    order = 1 << (int(size**0.5).bit_length() - 1)
    signs = "+-"
    rows = ["".join(signs[(x & y).bit_count() & 1] for y in range(order)) for x in range(order)]
    claim = {"object": "Hadamard matrix", "order": order}
    return certificate("design", claim, {"rows": rows})


def difference_set(k, group):
    order = prod(group)
    elements = random.Random(3).sample(range(order), min(k, order))
    claim = {"object": "difference set", "group": group, "k": len(elements), "lambda": 1}
    return certificate("design", claim, {"elements": elements})


@hostile
def cyclic_differences(size):
    return difference_set(size // 9, [2**22])


@hostile
def elementary_differences(size):
    return difference_set(size // 9, [2] * 14)


@hostile
def dense_differences(size):
    return difference_set(size // 9, [16383])


@hostile
def mixed_differences(size):
    return difference_set(size // 9, [2] * 10 + [17])


@hostile
def differences_of_few_hashes(size):
    """Coordinates in one integer, with the bits of each, would have ends 61 bits apart."""
    return difference_set(size // 9, [2**10, *[1] * 49, 2**11])


@hostile
def differences_of_many_factors(size):
    return difference_set(size // 9, [*[1] * 51, *[3] * 13])


@hostile
def cayley_table(size):
    n = 256 if size > 400_000 else 64
    rows = [[x ^ y for y in range(n)] for x in range(n)]
    claim = {"object": "difference set", "group": rows, "k": n, "lambda": n}
    return certificate("design", claim, {"elements": list(range(n))})


def estimation(v, level, base_blocks, generators=(), k=1):
    claim = {"v": v, "b": v, "r": k, "lambda": 0, "level": level, "exp_epsilon": "3"}
    claim |= {"n_risk": "1", "optimum": "1", "block_sizes": [k], "optimal_block_sizes": [1]}
    witness = {"points": v, "base_blocks": base_blocks, "generators": list(generators)}
    high = level.get("exp_epsilon", "3")
    return certificate("estimation", claim | {"exp_epsilon": high}, witness | {"exp_epsilon": high})


@hostile
def quadratic_residues(size):
    v = prevprime(min(size // 12, 8192))
    while v % 4 == 1:
        v = prevprime(v)
    squares = sorted({x * x % v for x in range(1, v)})
    return estimation(v, THREE, [squares], [[*range(1, v), 0]], len(squares))


@hostile
def estimation_at_a_long_level(size):
    v = min(size // 14, 8192)
    level = {"exp_epsilon": str(Fraction(10**3990 + 3, 10**3989 - 7))}
    return estimation(v, level, [[x] for x in range(v)])
