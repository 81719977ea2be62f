"""Positive real roots of rational polynomials, isolated exactly by Sturm chains."""

from fractions import Fraction
from itertools import pairwise

from flint import fmpq, fmpq_poly

__all__ = ["largest_root_above", "sign_near", "smallest_root_above"]

_BITS = 40


def _sign(x: fmpq) -> int:
    return (x > 0) - (x < 0)


def sign_near(poly: fmpq_poly, *, at_zero: bool) -> int:
    """The sign of a nonzero polynomial just above 0, or for all large arguments."""
    coefficients = [c for c in poly.coeffs() if c]
    return _sign(coefficients[0] if at_zero else coefficients[-1])


def _chain(poly: fmpq_poly) -> list[fmpq_poly]:
    chain = [poly, poly.derivative()]
    while chain[-1]:
        chain.append(-(chain[-2] % chain[-1]))
    return chain[:-1]


def _variations(signs: list[int]) -> int:
    kept = [s for s in signs if s]
    return sum(a != b for a, b in pairwise(kept))


def _roots_between(chain: list[fmpq_poly], low: fmpq, high: fmpq) -> int:
    """The number of distinct roots in (low, high]; neither multiple roots nor endpoints disturb."""
    return _variations([_sign(f(low)) for f in chain]) - _variations(
        [_sign(f(high)) for f in chain]
    )


def _prepared(poly: fmpq_poly) -> tuple[list[fmpq_poly], fmpq, fmpq] | None:
    """The Sturm chain without the root 0 and an interval that holds all positive roots."""
    while not poly.coeffs()[0]:
        poly = poly // fmpq_poly([0, 1])
    poly = poly // poly.gcd(poly.derivative()) if poly.degree() > 0 else poly
    chain = _chain(poly)
    leading = abs(poly.coeffs()[-1])
    high = 1 + max(abs(c) for c in poly.coeffs()) / leading
    low = fmpq(0)
    return (chain, low, high) if _roots_between(chain, low, high) else None


def _located(poly: fmpq_poly, *, smallest: bool) -> tuple[fmpq, fmpq] | None:
    prepared = _prepared(poly)
    if prepared is None:
        return None
    chain, low, high = prepared
    width = fmpq(1, 1 << _BITS)
    while high - low > width * min(fmpq(1), high) or (smallest and low == 0):
        middle = (low + high) / 2
        inside = _roots_between(chain, low, middle) if smallest else 0
        if smallest:
            low, high = (low, middle) if inside else (middle, high)
        else:
            above = _roots_between(chain, middle, high)
            low, high = (middle, high) if above else (low, middle)
    return low, high


def _fraction(x: fmpq) -> Fraction:
    return Fraction(int(x.p), int(x.q))


def smallest_root_above(poly: fmpq_poly) -> Fraction | None:
    """A rational within 2^-40 (relative) below the smallest positive root, or None."""
    found = _located(poly, smallest=True)
    return None if found is None else _fraction(found[0])


def largest_root_above(poly: fmpq_poly) -> Fraction | None:
    """A rational within 2^-40 above, or at, the largest positive root, or None."""
    found = _located(poly, smallest=False)
    return None if found is None else _fraction(found[1])
