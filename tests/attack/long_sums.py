"""Laws of thousands of digits: exact sums and whole powers so long that the kernel rounds them.

The mechanism is the best one by brute force in fractions, the multipliers are far on the safe side:
what decides is whether `lower`, a hair from the optimum, is at most the kernel's rounded sum.
"""

import random
from fractions import Fraction
from functools import lru_cache

from tests.attack.places import copied, spelled
from tests.attack.testing_oracle import partitions, perspective

BITS = 4_500
"""Length of the masses: the sums over two outputs are over the kernel's limit of exact ones."""
N_PROBLEMS = 1
DIGITS = (3, 9, 18, 19, 20, 38, 60, 150, 500, 1230)
NAMES = ("chi2", "reverse-chi2", "lecam", "alpha:3", "alpha:-2", "1*lecam+1/2*chi2+2*tv")
LONGEST = "+".join(sorted(f"{n}/{n + 1}*{('chi2', 'lecam', 'tv')[n % 3]}" for n in range(1, 17)))
"""Sixteen terms: at a high precision their work on a few blocks is over the kernel's limit."""
EXPONENTIALS = ("3", f"{3 * 10**1000 + 7}/{10**1000}")


@lru_cache(maxsize=N_PROBLEMS)
def long_laws(number, k=4):
    """Two laws on k symbols whose masses have numerators of so many bits."""
    rng = random.Random(f"long {number}")
    weights = [[rng.getrandbits(BITS) | 1 << BITS - 1 for _ in range(k)] for _ in range(2)]
    return [[Fraction(weight, sum(law)) for weight in law] for law in weights]


@lru_cache(maxsize=64)
def best_mechanism(number, name, E):
    """(optimum, blocks, the largest mu of a set) at E, exact."""
    laws, c = long_laws(number), Fraction(E) - 1
    k, found, scores = len(laws[0]), [], {}
    for mask in range(1 << k):
        sums = [sum((law[x] for x in range(k) if mask >> x & 1), Fraction(0)) for law in laws]
        scores[mask] = perspective(name, *(1 + c * mass for mass in sums))
    for blocks in partitions(list(range(k))):
        total = sum(scores[sum(1 << x for x in block)] for block in blocks)
        found.append((total / (c + len(blocks)), blocks))
    value, blocks = max(found)
    return value, blocks, max(scores.values())


def long_certificate(number, name, E, lower, bits):
    """Claim and witness of a certificate that is right if ``lower`` is at most the optimum."""
    _, blocks, largest = best_mechanism(number, name, E)
    laws = long_laws(number)
    k, safe = len(laws[0]), -(-max(largest, 0) // 1) + 1  # more than is needed
    claim = {f"p{i}": [spelled(mass) for mass in law] for i, law in enumerate(laws)}
    claim |= {"level": {"exp_epsilon": E}, "divergence": name, "outputs": None}
    claim |= {"lower": spelled(lower), "upper": str(k * safe)}
    witness = {"exp_epsilon": [E, E], "blocks": blocks, "multipliers": [str(safe)] * k}
    witness |= {"output_multiplier": "0", "separators": [], "bits": bits}
    return claim, witness


def beside(value, digits, step):
    """The multiple of 10**-digits below a number, and so many steps on."""
    return Fraction(value * 10**digits // 1 + step, 10**digits)


def long_sum(rng, content, donor):
    """A lower bound a hair below or above the optimum of laws of thousands of digits."""
    number, name, E = rng.randrange(N_PROBLEMS), rng.choice(NAMES), rng.choice(EXPONENTIALS)
    if rng.random() < 0.1:
        number, name, E = 0, LONGEST, "3"
    value, _, _ = best_mechanism(number, name, E)
    lower = beside(value, rng.choice(DIGITS), rng.choice([0, 0, 1, 1, -1, 2]))
    bits = rng.choice([8, 16, 64, 64, 128, 512, 4096])
    claim, witness = long_certificate(number, name, E, lower, bits)
    return {**copied(content), "claim": claim, "witness": witness}
