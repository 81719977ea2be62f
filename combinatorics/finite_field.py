"""Finite fields GF(q) with tables of discrete logarithms, vectorised over NumPy arrays.

GF(q), q = p^n, is GF(p)[x] modulo the Conway polynomial of degree n, whose root x is primitive.
The element a_0 + a_1 x + ... + a_{n-1} x^{n-1} is the integer a_0 + a_1 p + ... + a_{n-1} p^{n-1},
so that the prime field is 0, ..., p-1 and addition is addition of digits. ``g`` is the primitive
element, ``C_i`` the cyclotomic class of order e: the elements g^(i+ej). All values are exact.
"""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from flint import fmpz, fq_default_ctx
from numpy.typing import ArrayLike, NDArray

from combinatorics.number_theory import factorize, prime_power
from verify.kernel.errors import InputError, LimitError

__all__ = ["MAX_FIELD_ORDER", "FiniteField", "smallest_primitive_root"]

Elements = NDArray[np.int64]

MAX_FIELD_ORDER = 2**20
"""Largest field that is tabulated."""


@lru_cache(maxsize=1024)
def smallest_primitive_root(p: int) -> int:
    """The smallest generator of the multiplicative group modulo a prime p."""
    exponents = [(p - 1) // prime for prime, _ in factorize(p - 1).primes]
    candidates = (g for g in range(1, p) if all(pow(g, e, p) != 1 for e in exponents))
    return next(candidates)


def _conway_polynomial(p: int, n: int) -> tuple[int, ...]:
    """Coefficients of a primitive polynomial, constant term first, leading 1 included."""
    if n == 1:
        return (-smallest_primitive_root(p) % p, 1)
    return tuple(int(c) for c in fq_default_ctx(fmpz(p), n).modulus().coeffs())


@lru_cache(maxsize=8)
def _tables(p: int, n: int) -> tuple[Elements, Elements]:
    """Powers g^0..g^(q-2) of the root x, and logarithms with -1 in place of log 0."""
    q = p**n
    coefficients = _conway_polynomial(p, n)
    companion = np.zeros(
        (n, n), dtype=np.int64
    )  # digits of a row times this are those of x times it
    companion[np.arange(n - 1), np.arange(1, n)] = 1
    companion[n - 1] = [-c % p for c in coefficients[:n]]
    digits = np.zeros((1, n), dtype=np.int64)
    digits[0, 0] = 1
    while len(digits) < q - 1:
        digits = np.concatenate([digits, digits @ companion % p])
        companion = companion @ companion % p
    exp = digits[: q - 1] @ (p ** np.arange(n, dtype=np.int64))
    log = np.full(q, -1, dtype=np.int64)
    log[exp] = np.arange(q - 1)
    if (log[1:] < 0).any():
        raise ArithmeticError(f"GF({p}^{n}): the polynomial {coefficients} is not primitive")
    exp.flags.writeable = log.flags.writeable = False
    return exp, log


@dataclass(frozen=True, slots=True)
class FiniteField:
    """The field with q elements, 0 to q-1 by the digits of their polynomials.

    Every operation takes integers or arrays of elements and broadcasts; it returns NumPy integers.

    Args:
        q: a prime power, at most ``MAX_FIELD_ORDER``.

    Attributes:
        p: the characteristic.
        degree: n with q = p^n.
        exp: exp[i] = g^i, shape (q-1,), read-only.
        log: log[g^i] = i, shape (q,), read-only; log[0] = -1.

    Raises:
        InputError: if q is not a prime power.
        LimitError: if q is over the limit.

    >>> field = FiniteField(9)
    >>> int(field.mul(3, 3)), int(field.add(5, 8))
    (4, 1)
    """

    q: int
    p: int = field(init=False, repr=False, compare=False)
    degree: int = field(init=False, repr=False, compare=False)
    exp: Elements = field(init=False, repr=False, compare=False)
    log: Elements = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Tabulate powers and logarithms."""
        if not isinstance(self.q, int | np.integer):
            raise InputError(f"GF({self.q}): the order is not an integer")
        if self.q > MAX_FIELD_ORDER:
            raise LimitError(f"GF({self.q}): over the limit of {MAX_FIELD_ORDER} elements")
        decomposition = prime_power(self.q)
        if decomposition is None:
            raise InputError(f"GF({self.q}): {self.q} is not a prime power")
        p, n = decomposition
        exp, log = _tables(p, n)
        for name, value in (("p", p), ("degree", n), ("exp", exp), ("log", log)):
            object.__setattr__(self, name, value)

    @property
    def primitive_element(self) -> int:
        """The generator g of the multiplicative group that the logarithms refer to."""
        return int(self.exp[1 % (self.q - 1)])

    def elements(self) -> Elements:
        """All elements 0, ..., q-1."""
        return np.arange(self.q, dtype=np.int64)

    def digits(self, a: ArrayLike) -> Elements:
        """Coefficients of the polynomials, constant term first, in a new last axis of length n."""
        powers = self.p ** np.arange(self.degree, dtype=np.int64)
        return np.asarray(a, dtype=np.int64)[..., None] // powers % self.p

    def from_digits(self, digits: ArrayLike) -> Elements:
        """The elements with these coefficients in the last axis, reduced modulo p."""
        powers = self.p ** np.arange(self.degree, dtype=np.int64)
        result: Elements = np.asarray(digits, dtype=np.int64) % self.p @ powers
        return result

    def add(self, a: ArrayLike, b: ArrayLike) -> Elements:
        """The sum a + b."""
        left, right = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        if self.p == 2:
            return left ^ right
        if self.degree == 1:
            return (left + right) % self.p
        total = np.zeros(np.broadcast_shapes(left.shape, right.shape), dtype=np.int64)
        power = 1
        for _ in range(self.degree):
            total = total + (left // power + right // power) % self.p * power
            power *= self.p
        return total[()]

    def neg(self, a: ArrayLike) -> Elements:
        """The additive inverse -a."""
        return np.asarray(a, dtype=np.int64) if self.p == 2 else self.mul(a, self.p - 1)

    def sub(self, a: ArrayLike, b: ArrayLike) -> Elements:
        """The difference a - b."""
        return self.add(a, self.neg(b))

    def mul(self, a: ArrayLike, b: ArrayLike) -> Elements:
        """The product ab."""
        left, right = self.log[np.asarray(a)], self.log[np.asarray(b)]
        product = self.exp[(left + right) % (self.q - 1)]
        return np.where((left < 0) | (right < 0), 0, product)[()]

    def inverse(self, a: ArrayLike) -> Elements:
        """The multiplicative inverse of nonzero elements.

        Raises:
            ZeroDivisionError: if an element is 0.
        """
        logarithms = self.log[np.asarray(a)]
        if (logarithms < 0).any():
            raise ZeroDivisionError(f"GF({self.q}): 0 has no inverse")
        inverses: Elements = self.exp[-logarithms % (self.q - 1)]
        return inverses

    def power(self, a: ArrayLike, n: int) -> Elements:
        """The power a^n, with 0^0 = 1.

        Raises:
            ZeroDivisionError: for a negative power of 0.
        """
        if n < 0:
            return self.power(self.inverse(a), -n)
        logarithms = self.log[np.asarray(a)]
        powers = self.exp[logarithms * (n % (self.q - 1)) % (self.q - 1)]
        return np.where(logarithms < 0, int(n == 0), powers)[()]

    def trace(self, a: ArrayLike, subfield_q: int | None = None) -> Elements:
        """The trace to the subfield of that order, by default the prime field.

        Raises:
            InputError: if GF(q) has no such subfield.
        """
        subfield_q = self.subfield_order(subfield_q)
        conjugate = total = np.asarray(a, dtype=np.int64)
        power = subfield_q
        while power < self.q:
            conjugate = self.power(conjugate, subfield_q)
            total = self.add(total, conjugate)
            power *= subfield_q
        return total

    def subfield_order(self, subfield_q: int | None = None) -> int:
        """The order of a subfield, checked; by default that of the prime field."""
        if subfield_q is None:
            return self.p
        decomposition = prime_power(subfield_q)
        if decomposition is None or decomposition[0] != self.p or self.degree % decomposition[1]:
            raise InputError(f"GF({self.q}) has no subfield of {subfield_q} elements")
        return subfield_q

    def quadratic_character(self, a: ArrayLike) -> Elements:
        """+1 on nonzero squares, -1 on non-squares, 0 at 0, for odd q.

        Raises:
            InputError: for even q, where every element is a square.
        """
        if self.p == 2:
            raise InputError(f"GF({self.q}) has no quadratic character: q is even")
        logarithms = self.log[np.asarray(a)]
        return np.where(logarithms < 0, 0, 1 - 2 * (logarithms % 2))[()]

    def cyclotomic_class(self, i: int, e: int) -> Elements:
        """The elements g^(i+ej), j = 0, 1, ..., of C_i of order e, in that order.

        Raises:
            InputError: if e does not divide q - 1.
        """
        self._require_character_order(e)
        return self.exp[i % e :: e]

    def multiplicative_character(self, a: ArrayLike, e: int) -> Elements:
        """The exponent t modulo e with chi(a) = exp(2 pi i t/e), chi(g) of order e; -1 at 0."""
        self._require_character_order(e)
        logarithms = self.log[np.asarray(a)]
        return np.where(logarithms < 0, -1, logarithms % e)[()]

    def additive_character(self, a: ArrayLike, b: ArrayLike = 1) -> Elements:
        """The exponent t modulo p with psi_b(a) = exp(2 pi i t/p): the trace of ab."""
        return self.trace(self.mul(a, b))

    def _require_character_order(self, e: int) -> None:
        if e < 1 or (self.q - 1) % e:
            raise InputError(f"GF({self.q}): {e} does not divide q - 1 = {self.q - 1}")
