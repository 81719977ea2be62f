"""Certificates of a given size that make each check work as hard as its limits let it.

Every generator takes the number of bytes that the file may have. Nothing here need be true.
"""

import json
import random
from fractions import Fraction
from itertools import islice
from math import prod

from sympy import primerange

from verify.kernel.certificate import FORMAT, VERSION
from verify.kernel.interval import enclose_exp

THREE = {"exp_epsilon": "3"}
HOSTILE = {}
"""The generators by name."""


def hostile(make):
    HOSTILE[make.__name__] = make
    return make


def certificate(kind, claim, witness):
    """The bytes of a certificate file."""
    content = {"format": FORMAT, "version": VERSION, "kind": kind, "claim": claim}
    return json.dumps(content | {"witness": witness, "provenance": {}}).encode()


def uniform(k):
    return [f"1/{k}" if k > 1 else "1"] * k


def primes(n, start=10**5):
    return islice(primerange(start, 10**8), n)


def random_law(k, seed, top=1000):
    rng = random.Random(seed)
    weights = [rng.randint(1, top) for _ in range(k)]
    return [str(Fraction(weight, sum(weights))) for weight in weights]


def channel(rows, leakage=()):
    claim = {"rows": rows, "level": THREE, "exp_epsilon": "1", "dobrushin_coefficient": "0"}
    return certificate("channel", claim | {"leakage": list(leakage)}, {})


@hostile
def square_channel(size):
    n = int((size / 8) ** 0.5)
    return channel([uniform(n)] * n)


@hostile
def tall_channel(size):
    return channel([["1/2", "1/2"]] * (size // 15))


@hostile
def flat_channel(size):
    return channel([uniform(64)] * min(2000, size // 560))


@hostile
def many_leakages(size):
    n = int((size / 8) ** 0.5)
    return channel([uniform(n)] * n, [[f"1/{n * (x + 2)}", "1"] for x in range(32)])


@hostile
def coprime_rows(size):
    rows = [[f"1/{p}", f"{p - 1}/{p}"] for p in primes(size // 35)]
    return channel(rows, [[f"1/{len(rows)}", "2"]] * 32)


@hostile
def long_entries(size):
    whole = 10**3990 + 7
    return channel([[f"1/{whole}", f"{whole - 1}/{whole}"]] * (size // 12_000))


@hostile
def contraction_at_many_gamma(size):
    rows = [uniform(8)] * min(1000, size // 60)
    gammas = [[str(x + 1), "0"] for x in range(16)]
    return certificate("contraction", {"rows": rows, "e_gamma": gammas}, {})


@hostile
def contraction_at_long_gamma(size):
    gammas = [[str(Fraction(10**3000 + x, 10**2999 + 7)), "0"] for x in range(16)]
    rows = [uniform(20)] * min(200, size // 150)
    return certificate("contraction", {"rows": rows, "e_gamma": gammas}, {})


def design(kind, claim, base_blocks, generators=()):
    witness = {"base_blocks": base_blocks, "generators": list(generators)}
    return certificate("design", {"object": kind} | claim, witness)


def block_design(v, k, t, base_blocks, generators=()):
    return design("block design", {"v": v, "k": k, "lambda": 1, "t": t}, base_blocks, generators)


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
    return balanced(2**22, [[]] * 2, r=0)


@hostile
def many_pairs(size):
    """No two points on a block: all pairs are counted."""
    v = min(3500, size // 14)
    return design("pairwise balanced design", {"v": v, "r": 2, "lambda": 2}, [list(range(v))] * 2)


@hostile
def many_quintuples(size):
    v = min(75, size // 100)
    return block_design(v, v, 5, [list(range(v))])


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
    return difference_set(min(2289, size // 9), [2**22])


@hostile
def elementary_differences(size):
    return difference_set(min(8191, size // 9), [2] * 14)


@hostile
def dense_differences(size):
    return difference_set(min(8191, size // 9), [16383])


@hostile
def mixed_differences(size):
    return difference_set(min(8191, size // 9), [2] * 10 + [17])


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
    v = 5003 if size > 100_000 else 1019
    squares = sorted({x * x % v for x in range(1, v)})
    return estimation(v, THREE, [squares], [[*range(1, v), 0]], len(squares))


@hostile
def estimation_at_a_long_level(size):
    v = min(3000, size // 14)
    level = {"exp_epsilon": str(Fraction(10**3990 + 3, 10**3989 - 7))}
    return estimation(v, level, [[x] for x in range(v)])


def leakage(rows, level):
    n = len(rows)
    claim = {"inputs": n, "c": f"1/{2 * n}", "level": level, "lower": "0", "upper": "1"}
    witness = {"rows": rows, "pair": [0, 1], "exp_leakage": "3", "multipliers": ["1"] * 3}
    return certificate("leakage", claim, witness)


@hostile
def coprime_column(size):
    return leakage([[f"1/{p}", f"{p - 1}/{p}"] for p in primes(size // 35)], {"nats": "1"})


@hostile
def tall_leakage(size):
    level = {"nats": str(Fraction(10**3990 + 1, 10**3990))}
    return leakage([["1/2", "1/2"]] * (size // 15), level)


def round_of(rate, level, delta="1/1000"):
    content = {"rate": rate, "sign": 1, "accepts": "at-least", "box": level, "delta": delta}
    return content | {"crossover": "1/4", "released": False, "monotone": False}


def coupling(rounds):
    claim = {"epsilon": {"nats": "1"}, "total": "1", "shared_rate": "1", "tail": None}
    claim |= {"levels": [[content] for content in rounds]}
    return certificate("coupling", claim, {"shared_shift": "1", "shifts": [["2"]] * len(rounds)})


@hostile
def coupling_of_levels(size):
    level = {"nats": "9999/10000"}
    return coupling([round_of(f"1/{x + 2}", level) for x in range(size // 220)])


@hostile
def coupling_of_coprime_rates(size):
    return coupling([round_of(f"1/{p}", THREE) for p in primes(size // 220, 10**6)])


@hostile
def coupling_at_full_precision(size):
    """Every purification is decided by the last bits of e only."""
    grid = 1 << 4000
    low = enclose_exp(Fraction(1), 4090).lower
    E = Fraction(low.numerator * grid // low.denominator - 1, grid)
    content = round_of("1", {"nats": "1"}, str((E - 1) / 2))
    return coupling([content] * (size // (len(json.dumps(content)) + 20)))


def testing_certificate(p0, p1, divergence, **witness):
    k = len(p0)
    claim = {"p0": p0, "p1": p1, "level": THREE, "divergence": divergence, "outputs": None}
    base = {"exp_epsilon": ["3", "3"], "blocks": [list(range(k))], "multipliers": ["1"] * k}
    base |= {"output_multiplier": "0", "separators": [], "bits": 64}
    return certificate("testing", claim | {"lower": "-1", "upper": "9" * 30}, base | witness)


def separators(n, spacing=Fraction(8, 3)):
    return [str(Fraction(1, 3) + spacing * Fraction(2 * x + 1, 2 * n)) for x in range(n)]


def many_separators(size, divergence, bits):
    given = separators(size // 24)
    laws = random_law(4, 1), random_law(4, 2)
    ls = ["3/10"] * 4
    return testing_certificate(*laws, divergence, separators=given, bits=bits, multipliers=ls)


@hostile
def separators_kl(size):
    return many_separators(size, "kl", 8)


@hostile
def separators_power(size):
    return many_separators(min(size, 500_000), "alpha:1/3", 64)


@hostile
def separators_at_full_precision(size):
    return many_separators(min(size, 150_000), "js", 4096)


@hostile
def symbols_and_separators(size, k=1300, divergence="kl"):
    k = min(k, size // 40)
    laws = random_law(k, 3), random_law(k, 4)
    given = separators(min(1300, size // 24))
    ls = ["1/1000"] * k
    return testing_certificate(*laws, divergence, separators=given, multipliers=ls, bits=32)


@hostile
def symbols_power(size):
    return symbols_and_separators(size, 1000, "alpha:1/3")


def ambiguous(size, divergence, bits):
    """Cells in which many symbols, whose multipliers lie between the two ends, are undecided."""
    k = 12
    laws = random_law(k, 5, 10**6), random_law(k, 6, 10**6)
    given = separators(min(7, size // 24))
    ls = [
        str(Fraction(a) * Fraction(1, 20) - Fraction(b) * Fraction(1, 20))
        for a, b in zip(*laws, strict=True)
    ]
    return testing_certificate(*laws, divergence, separators=given, multipliers=ls, bits=bits)


@hostile
def ambiguous_symbols(size):
    return ambiguous(size, "kl", 16)


@hostile
def ambiguous_power(size):
    return ambiguous(size, "alpha:1/3", 64)


@hostile
def long_masses(size):
    big = 10**3900 + 7
    k = min(20, size // 12_000)
    p0 = [f"1/{big}"] * (k - 1) + [f"{big - k + 1}/{big}"]
    ls = [f"1/{10**3900 + 9}"] * k
    given = separators(100)
    return testing_certificate(p0, p0, "js", multipliers=ls, bits=4096, separators=given)


@hostile
def many_blocks(size):
    k = size // 32
    blocks = [[x] for x in range(k)]
    return testing_certificate(uniform(k), uniform(k), "kl", blocks=blocks)


@hostile
def symbols_at_full_precision(size):
    k = min(4000, size // 40)
    return testing_certificate(random_law(k, 7), random_law(k, 8), "js", bits=4096)


@hostile
def many_knots(size):
    n, k = size // 40, 1000
    knots = ["0", *[str(Fraction(x, n)) for x in range(1, n)], "1"]
    ls = ["1"] * (n + 1)
    return testing_certificate(
        random_law(k, 9), random_law(k, 10), "kl", knots=knots, multipliers=ls
    )


@hostile
def nested_lists(size):
    return b"[" * size


@hostile
def nested_claim(size):
    head = certificate("channel", {}, {}).replace(b'"claim": {}', b'"claim": ')
    return head.replace(b'"claim": ', b'"claim": ' + b'{"a":' * (size // 5))


@hostile
def many_keys(size):
    return certificate("channel", {f"k{x}": "1" for x in range(size // 14)}, {})


@hostile
def long_integer(size):
    return b'{"format": ' + b"9" * size + b"}"


@hostile
def empty_rows(size):
    return channel([[]] * (size // 4))


@hostile
def long_number(size):
    return channel([["9" * size]])


@hostile
def hardly_json(size):
    return b'{"format": "' + b"\\u0000" * (size // 6) + b'"}'
