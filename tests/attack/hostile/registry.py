"""The list of hostile certificates, and what they are made of."""

import json
import random
from fractions import Fraction
from itertools import islice

from sympy import primerange

from verify.kernel.certificate import FORMAT, VERSION

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
