"""Exact sampling from random words: a chance is a rational, compared digit by digit, never a float.

A word is an integer uniform on 0 to 2^bits - 1. By default words come from the operating system's
cryptographic generator; a seeded generator serves simulations.
"""

import secrets
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from verify.kernel.errors import InputError, LimitError

__all__ = ["CryptographicWords", "SeededWords", "Words", "bernoulli", "uniform_below", "words_of"]

Integers = NDArray[np.int64]


class Words(Protocol):
    """A source of independent uniform words."""

    @property
    def bits(self) -> int:
        """The length of a word, at most 64."""

    def take(self, n: int) -> NDArray[np.uint64]:
        """The next n words."""


@dataclass(frozen=True, slots=True)
class CryptographicWords:
    """Words of 64 bits from the operating system's cryptographic generator."""

    bits: int = 64

    def take(self, n: int) -> NDArray[np.uint64]:
        """The next n words."""
        return np.frombuffer(secrets.token_bytes(8 * n), dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class SeededWords:
    """Words of 64 bits from a NumPy generator: reproducible, for simulations only."""

    generator: np.random.Generator
    bits: int = 64

    def take(self, n: int) -> NDArray[np.uint64]:
        """The next n words."""
        return self.generator.integers(0, 2**64, size=n, dtype=np.uint64)


def words_of(rng: object) -> Words:
    """The source that ``rng`` stands for: None, a seed, a NumPy generator or a ``Words``.

    Raises:
        InputError: for anything else.
    """
    if rng is None:
        return CryptographicWords()
    if isinstance(rng, int) and not isinstance(rng, bool) and rng >= 0:
        return SeededWords(np.random.default_rng(rng))
    if isinstance(rng, np.random.Generator):
        return SeededWords(rng)
    if hasattr(rng, "take") and hasattr(rng, "bits"):
        return rng
    raise InputError(
        f"rng: {type(rng).__name__} is no source of randomness; leave it out for the cryptographic "
        "generator, or give a seed or a numpy.random.Generator for a simulation"
    )


def bernoulli(words: Words, n: int, chance: Fraction) -> NDArray[np.bool_]:
    """Independent truths, n of them, with exactly this rational chance in [0, 1).

    The words are the digits, in base 2^bits, of a uniform real number, drawn until they differ from
    the digits of the chance: all but a 2^-bits share is settled by one word.
    """
    settled = np.zeros(n, dtype=bool)
    pending = np.arange(n)
    rest = chance
    while len(pending) and rest:
        scaled = rest * 2**words.bits
        digit = int(scaled)
        rest = scaled - digit
        drawn = words.take(len(pending))
        settled[pending] = drawn < np.uint64(digit)
        pending = pending[drawn == np.uint64(digit)]
    return settled


def uniform_below(words: Words, n: int, bound: int) -> Integers:
    """Independent integers, n of them, exactly uniform on 0 to bound - 1; by rejection.

    Raises:
        LimitError: for a bound above 2^bits or 2^63.
    """
    size = 2**words.bits
    if not 1 <= bound <= min(size, 2**63):
        raise LimitError(f"{bound} values: over the limit of one word of {words.bits} bits")
    if bound == 1:
        return np.zeros(n, dtype=np.int64)
    last = np.uint64(size - size % bound - 1)
    drawn = words.take(n)
    result = (drawn % np.uint64(bound)).astype(np.int64)
    pending = np.flatnonzero(drawn > last)
    while len(pending):
        drawn = words.take(len(pending))
        result[pending] = (drawn % np.uint64(bound)).astype(np.int64)
        pending = pending[drawn > last]
    return result
