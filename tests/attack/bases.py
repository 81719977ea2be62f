"""Certificates to forge: small random ones of every kind, made anew from a seed.

They are small so that the oracle, which goes by the definitions, is quick.
"""

import json
from fractions import Fraction
from itertools import combinations
from math import log

from combinatorics import block_design, difference_set, hadamard_matrix, symmetric_design
from solvers import parse_epsilon
from solvers.estimation import (
    block_design_scheme,
    hadamard_response,
    randomized_response,
    scheme_certificate,
    subset_selection,
    truncated_scheme,
)
from solvers.leakage import contraction_certificate, dobrushin_bound, dobrushin_certificate
from solvers.testing import solve_testing
from solvers.thresholding import Direction
from solvers.thresholding.certificate import RoundKind, coupling_certificate
from solvers.thresholding.purification import minimal_crossover
from tests.support.instances import normalised, random_channel, random_pair
from verify.canonical_form import encode
from verify.certify import certify_channel
from verify.kernel.certificate import Certificate
from verify.kernel.channel import Channel
from verify.kernel.ldp import largest_column_ratio
from verify.kernel.privacy_level import PrivacyLevel

LEVELS = ("log(2)", "log(3)", "log(20)", "log(3/2)", "1", "1/10", "0.7", "5", "log(1)", "3/2")
DIVERGENCES = (
    "tv", "kl", "reverse-kl", "js", "chi2", "reverse-chi2", "hellinger", "lecam", "e-gamma:5/4",
    "e-gamma:1/2", "e-gamma:3", "alpha:3", "alpha:-3/2", "alpha:1/2", "renyi:1/2", "renyi:3",
    "renyi:1", "alpha:3/2",
)  # fmt: skip


def content_of(certificate):
    """The object of the certificate's file."""
    return json.loads(encode(certificate))


def random_level(rng):
    """A level of small numbers as text."""
    if rng.random() < 0.6:
        return rng.choice(LEVELS)
    number = Fraction(rng.randint(1, 60), rng.randint(1, 20))
    return str(number) if rng.random() < 0.5 else f"log({1 + number})"


def nats_above(ratio, digits):
    """A rational a little above the logarithm of the ratio."""
    return Fraction(int(log(ratio) * 10**digits) + 1, 10**digits)


def channel(rng):
    """The numbers of a random channel at the level of its ratio, or at a little more."""
    n, m, bound = rng.randint(1, 4), rng.randint(1, 4), Fraction(rng.randint(5, 24), 4)
    made = Channel(tuple(map(tuple, random_channel(rng, n, m, bound))))
    ratio = largest_column_ratio(made).exp_epsilon
    level = PrivacyLevel(exp_epsilon=rng.choice([ratio, bound]))
    if rng.random() < 0.4:
        level = PrivacyLevel(nats=nats_above(ratio, rng.randint(1, 12)))
    masses = {Fraction(rng.randint(0, 6), 6 * n) for _ in range(rng.randint(0, 3))}
    return content_of(certify_channel(made, level, sorted(masses)).certificate)


def random_divergence(rng):
    """The name of a divergence; now and then of a mixture of a few, or of many corners."""
    if rng.random() < 0.75:
        return rng.choice(DIVERGENCES)
    n_terms = rng.choice([1, 2, 2, 3, 3, 5])
    parts = [name for name in DIVERGENCES if not name.startswith("renyi")]
    terms = [(random_weight(rng), rng.choice(parts)) for _ in range(n_terms)]
    if rng.random() < 0.15:
        corners = (Fraction(rng.randint(1, 12), 4) for _ in range(rng.randint(6, 16)))
        terms = [(random_weight(rng), f"e-gamma:{corner}") for corner in corners]
    return "+".join(sorted(f"{weight}*{name}" for weight, name in terms))


def random_weight(rng):
    """A weight of a mixture; the bounds are of its size."""
    return Fraction(rng.randint(1, 12), rng.choice([1, 1, 2, 3, 4, 7]))


def testing(rng):
    """A solved testing problem on one to seven symbols."""
    p0, p1 = random_pair(rng, rng.choice([1, 2, 3, 3, 4, 4, 4, 5, 5, 6, 7]))
    outputs = rng.choice([None, None, 2, 3])
    solved = solve_testing(p0, p1, random_level(rng), random_divergence(rng), outputs)
    content = content_of(solved.certificate)
    if rng.random() < 0.1:  # a claim with room on both sides
        for key, sign in (("lower", -1), ("upper", 1)):
            content["claim"][key] = str(Fraction(content["claim"][key]) + Fraction(sign, 1000))
    return content


def leakage(rng):
    """The largest Dobrushin coefficient at a leakage."""
    n = rng.randint(2, 6)
    c = Fraction(rng.randint(0, 12), 12 * n)
    return content_of(dobrushin_certificate(dobrushin_bound(n, c, random_level(rng))))


def contraction(rng):
    """The contraction coefficients of a random channel, zeros welcome."""
    n, m = rng.randint(1, 4), rng.randint(1, 4)
    rows = [normalised([rng.choice([0, 1, 2, 3, 7]) for _ in range(m)]) for _ in range(n)]
    gammas = sorted({Fraction(rng.randint(4, 20), 4) for _ in range(rng.randint(1, 4))})
    return content_of(contraction_certificate(Channel(tuple(rows)), tuple(gammas)))


def estimation(rng):
    """A scheme of a balanced design on two to sixteen symbols."""
    level = rng.choice([level for level in LEVELS if level != "log(1)"])
    v = rng.randint(3, 7)
    makers = (
        lambda: randomized_response(v, level),
        lambda: subset_selection(v, rng.randint(1, v - 1), level),
        lambda: hadamard_response(rng.randint(2, 9), level),
        lambda: block_design_scheme(difference_set(*rng.choice(DIFFERENCE_SETS[:6])), level),
        lambda: block_design_scheme(symmetric_design(7, 3, 1).design, level),
        lambda: truncated_scheme(symmetric_design(7, 3, 1).design, rng.randint(3, 6), level),
        lambda: truncated_scheme(difference_set(13, 4, 1), rng.randint(5, 12), level),
    )
    return content_of(scheme_certificate(rng.choice(makers)()))


DIFFERENCE_SETS = ((7, 3, 1), (11, 5, 2), (13, 4, 1), (15, 7, 3), (16, 6, 2), (21, 5, 1))
NONABELIAN = ("dihedral", "quaternion", "symmetric")


def cayley_table(name):
    """The multiplication table of a group of order 6 or 8 with the identity first."""
    if name == "symmetric":
        maps = [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)]
        return [[maps.index(tuple(g[x] for x in h)) for h in maps] for g in maps]
    square = 0 if name == "dihedral" else 2  # b b = a^square, b a = a^-1 b, elements a^i b^j

    def product(x, y):
        (j, i), (n, m) = divmod(x, 4), divmod(y, 4)
        return (i + (-m if j else m) + square * (j & n)) % 4 + 4 * (j ^ n)

    return [[product(x, y) for y in range(8)] for x in range(8)]


def _difference_set(rng):
    if rng.random() < 0.3:  # all elements but one are a difference set of every group
        table = cayley_table(rng.choice(NONABELIAN))
        order, spared = len(table), rng.randrange(len(table))
        elements = [x for x in range(order) if x != spared]
        claim = {"object": "difference set", "group": table, "k": order - 1, "lambda": order - 2}
        return claim, {"elements": elements}
    made = difference_set(*rng.choice(DIFFERENCE_SETS))
    parameters = (made.group.order, len(made.elements))
    lambda_ = parameters[1] * (parameters[1] - 1) // (parameters[0] - 1)
    claim = {"object": "difference set", "group": list(made.group.orders), "k": parameters[1]}
    return {**claim, "lambda": lambda_}, {"elements": list(made.elements)}


def _hadamard(rng):
    order = rng.choice([1, 2, 4, 4, 8, 12])
    rows = list(hadamard_matrix(order).rows)
    return {"object": "Hadamard matrix", "order": order}, {"rows": rows}


def _block_design(rng):
    shape = rng.choice(["developed", "listed", "complete", "plane"])
    if shape == "developed":
        v, base, lambda_ = rng.choice([
            (7, [[0, 1, 3]], 1), (13, [[0, 1, 3, 9]], 1), (11, [[1, 3, 4, 5, 9]], 2),
            (13, [[0, 1, 4], [0, 2, 7]], 1),
        ])  # fmt: skip
        claim = {"v": v, "k": len(base[0]), "lambda": lambda_, "t": 2}
        generators = [[(x + 1) % v for x in range(v)]]
        return claim, {"base_blocks": base, "generators": generators}
    if shape == "complete":
        v, k = rng.randint(4, 6), rng.randint(2, 4)
        t = rng.randint(1, k)
        blocks = list(map(list, combinations(range(v), k)))
        lambda_ = sum(set(range(t)) <= set(block) for block in blocks)
    else:
        v, k, lambda_ = (9, 3, 1) if shape == "plane" else rng.choice([(7, 3, 1), (6, 3, 2)])
        t, blocks = 2, listed(block_design(v, k, lambda_))
    return {"v": v, "k": k, "lambda": lambda_, "t": t}, {"base_blocks": blocks, "generators": []}


def listed(design):
    """The blocks of a constructed design as lists of points."""
    return [[x for x in range(design.design.v) if block >> x & 1] for block in design.design.blocks]


def _balanced(rng):
    claim, witness = _block_design(rng)
    while claim["t"] != 2 or witness["generators"]:
        claim, witness = _block_design(rng)
    v, blocks = claim["v"], witness["base_blocks"]
    if rng.random() < 0.5:  # points left out: blocks of two sizes
        v -= 1
        blocks = [[x for x in block if x < v] for block in blocks]
    r = sum(0 in block for block in blocks)
    return {"v": v, "r": r, "lambda": claim["lambda"]}, {**witness, "base_blocks": blocks}


def design(rng):
    """One of the four objects of the kind design."""
    name, maker = rng.choice([
        ("block design", _block_design), ("pairwise balanced design", _balanced),
        ("difference set", _difference_set), ("Hadamard matrix", _hadamard),
    ])  # fmt: skip
    claim, witness = maker(rng)
    return content_of(Certificate("design", {**claim, "object": name}, witness))


def random_round(rng, monotone):
    """A kind of round; a monotone one is direct."""
    rate, direction = Fraction(rng.randint(1, 12), 12), rng.choice(list(Direction))
    if monotone:
        direction = Direction.DIRECT
    if rng.random() < 0.4:
        box = Fraction(rng.randint(1, 12), 12)
        released = rng.random() < 0.6
        return RoundKind(direction, rate, box, released=released, monotone=monotone)
    level = parse_epsilon(rng.choice(["log(2)", "1/10", "1"]))
    delta = Fraction(rng.choice([0, 0, 1, 3]), 1000)
    crossover = minimal_crossover(level, delta)
    return RoundKind(direction, rate, level.level, delta, crossover, monotone=monotone)


def coupling(rng):
    """A run of thresholding rounds whose total is what the shifts cost."""
    monotone, tail = rng.random() < 0.3, None
    if not monotone and rng.random() < 0.3:
        block = rng.randint(0, 2)
        tail = (block, Fraction(rng.randint(1, 9), 6))
    n_levels = rng.randint(1, 3) if tail is None else 2 ** tail[0] - 1
    levels = [
        [random_round(rng, monotone) for _ in range(rng.randint(1, 2))] for _ in range(n_levels)
    ]
    shared = Fraction(rng.randint(1, 12), 12)
    epsilon = parse_epsilon(rng.choice(["1", "1/2", "log(3)"])).level
    cost = shared + sum(max(map(_cost, level)) for level in levels)
    cost += 2 * tail[1] / (tail[0] + 1) if tail else 0
    return content_of(coupling_certificate(epsilon, shared, levels, total=cost, tail=tail))


def _cost(kind):
    full = kind.rate * (1 if kind.monotone else 2)
    if not kind.released:
        return full
    if kind.monotone:
        return max(full, kind.box)
    if kind.direction is Direction.DIRECT:
        return max(full, 2 * kind.box)
    return max(full + kind.box, kind.rate + 2 * kind.box)


KINDS = {
    "channel": channel,
    "testing": testing,
    "estimation": estimation,
    "leakage": leakage,
    "contraction": contraction,
    "design": design,
    "coupling": coupling,
}
