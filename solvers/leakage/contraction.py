"""Contraction coefficients of a channel by pairs of rows: E_gamma (Dobrushin for 1) and Birkhoff.

Exact values come with the pair of rows that attains them. Pairs are first compared in floating
point with a certified error; only those that may attain the maximum are computed exactly.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import lcm

import numpy as np

from verify.kernel.certificate import Certificate
from verify.kernel.channel import Channel
from verify.kernel.contraction import e_gamma_contraction
from verify.kernel.errors import InputError
from verify.kernel.exact import INFINITE, Extended, as_rational, rational_text
from verify.kernel.interval import Interval, enclose_sqrt

__all__ = [
    "BirkhoffCoefficient",
    "RowPair",
    "birkhoff_coefficient",
    "contraction_certificate",
    "dobrushin_coefficient",
    "farthest_rows",
]


def dobrushin_coefficient(channel: Channel) -> Fraction:
    """The largest total variation distance between two rows of a channel, *exact*.

    Raises:
        LimitError: for too many entries in all pairs of rows, as ``e_gamma_contraction``.

    Reference: Dobrushin 1956.
    Cost: O(N^2 m) integer operations over the common denominator.

    >>> dobrushin_coefficient(Channel((("3/4", "1/4"), ("1/4", "3/4"))))
    Fraction(1, 2)
    """
    return e_gamma_contraction(channel)


@dataclass(frozen=True, slots=True)
class RowPair:
    """Two rows K_x and K_x' of a channel and the value that they attain.

    Args:
        value: E_gamma(K_x||K_x'), *exact*.
        first: x.
        second: x'.
    """

    value: Fraction
    first: int
    second: int


def farthest_rows(channel: Channel, gamma: object = 1) -> RowPair:
    """The contraction coefficient of E_gamma, max E_gamma(K_x||K_x'), with a pair that attains it.

    Args:
        channel: K.
        gamma: a rational >= 1; 1 is total variation, its coefficient is Dobrushin's.

    Returns:
        The value of ``verify.kernel.contraction.e_gamma_contraction``, *exact*; (0, 0, 0) for one
        input.

    Raises:
        InputError: if gamma < 1.

    Reference: Dobrushin 1956; Asoodeh, Diaz, Calmon 2020 for gamma > 1.
    Cost: O(N^2 m) floating-point operations, and exact ones for the pairs that remain.

    >>> farthest_rows(Channel((("3/4", "1/4"), ("1/2", "1/2"), ("1/4", "3/4")))).value
    Fraction(1, 2)
    """
    g = as_rational(gamma, "gamma")
    if g < 1:
        raise InputError(f"gamma: {g} is less than 1; its coefficient is that of 1/gamma")
    scaled = [_integer_row(row) for row in channel.rows]
    best = RowPair(Fraction(0), 0, 0)
    for x, other in _candidates(channel, g):
        value = _e_gamma(scaled[x], scaled[other], g)
        if value > best.value:
            best = RowPair(value, x, other)
    return best


def _integer_row(row: tuple[Fraction, ...]) -> tuple[int, list[int]]:
    common = lcm(*(entry.denominator for entry in row))
    return common, [entry.numerator * (common // entry.denominator) for entry in row]


def _e_gamma(p: tuple[int, list[int]], q: tuple[int, list[int]], gamma: Fraction) -> Fraction:
    left, right = q[0] * gamma.denominator, p[0] * gamma.numerator
    total = sum(max(left * x - right * y, 0) for x, y in zip(p[1], q[1], strict=True))
    return Fraction(total, p[0] * left)


def _candidates(channel: Channel, gamma: Fraction) -> list[tuple[int, int]]:
    """The ordered pairs of rows that may attain the maximum; one of them if floats are exact.

    Small common denominators make every number an integer below 2**53, and floats exact. Else an
    entry rounds by at most u = 2**-53 of itself, as does gamma; a term (p - gamma q)_+ is thus off
    by at most 5 u (p + gamma q), and a sum of m of them, each at most p, by m u more.
    """
    common = lcm(*(entry.denominator for row in channel.rows for entry in row))
    scale = common * gamma.denominator
    is_exact = scale * gamma < 2**52
    unit = scale if is_exact else 1
    rows = np.array([[float(entry * unit) for entry in row] for row in channel.rows])
    g = float(gamma)
    # With exact floats rows / denominator(gamma) are integers too, so this order loses nothing.
    shifted = rows / gamma.denominator * gamma.numerator if is_exact else g * rows
    values = np.array([np.maximum(row - shifted, 0).sum(axis=1) for row in rows])
    np.fill_diagonal(values, -1)
    if gamma == 1:
        values[np.tril_indices(len(rows))] = -1
    if is_exact:
        x, other = np.unravel_index(int(values.argmax()), values.shape)
        return [(int(x), int(other))] if x != other else []
    margin = 2.0**-52 * (len(rows[0]) + 10) * (1 + g)
    found = np.argwhere(values >= values.max() - 2 * margin)
    return [(int(x), int(other)) for x, other in found if x != other]


@dataclass(frozen=True, slots=True)
class BirkhoffCoefficient:
    """The contraction of Hilbert's projective metric by a channel.

    Args:
        exp_diameter: the exponential of the projective diameter, *exact*.
        coefficient: *encloses* tanh(diameter/4) = (sqrt(D) - 1)/(sqrt(D) + 1), D = exp(diameter).
    """

    exp_diameter: Extended
    coefficient: Interval


def birkhoff_coefficient(channel: Channel, bits: int = 128) -> BirkhoffCoefficient:
    """The Birkhoff coefficient: the contraction of Hilbert's projective metric.

    D is the largest product max_y K_x(y)/K_x'(y) max_y K_x'(y)/K_x(y) over pairs of rows, INFINITE
    when two rows differ in support.

    Args:
        channel: K.
        bits: precision of the enclosure.

    Reference: Birkhoff 1957; Seneta 1981 (Theorem 3.12).
    Cost: O(N^2 m) exact operations.

    >>> birkhoff_coefficient(Channel((("3/4", "1/4"), ("1/4", "3/4")))).coefficient.lower
    Fraction(1, 2)
    """
    largest = Fraction(1)
    for p, q in combinations(channel.rows, 2):
        if any(bool(x) != bool(y) for x, y in zip(p, q, strict=True)):
            return BirkhoffCoefficient(INFINITE, Interval.exactly(1))
        ratios = [x / y for x, y in zip(p, q, strict=True) if y]
        largest = max(largest, max(ratios) / min(ratios))
    root = enclose_sqrt(largest, bits)
    ends = ((r - 1) / (r + 1) for r in (max(root.lower, Fraction(1)), root.upper))
    return BirkhoffCoefficient(largest, Interval(*ends))


def contraction_certificate(channel: Channel, gamma: tuple[object, ...] = (1,)) -> Certificate:
    """The certificate of kind ``contraction``: the coefficient of E_gamma for each gamma.

    Raises:
        InputError: if a gamma is below 1 or none is given.
    """
    values = sorted({as_rational(g, "gamma") for g in gamma})
    if not values:
        raise InputError("gamma: is empty; give at least one number >= 1")
    pairs = [[rational_text(g), rational_text(e_gamma_contraction(channel, g))] for g in values]
    rows = [[rational_text(entry) for entry in row] for row in channel.rows]
    return Certificate("contraction", {"rows": rows, "e_gamma": pairs}, {})
