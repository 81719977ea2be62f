"""Williamson matrices: four symmetric circulants of order m with A² + B² + C² + D² = 4mI."""

from functools import lru_cache

import numpy as np

from combinatorics.finite_field import FiniteField
from combinatorics.hadamard.arrays import goethals_seidel_array, williamson_array
from combinatorics.hadamard.divisors import divisors
from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.sign_matrix import SignMatrix, parse_signs
from combinatorics.hadamard.stored import stored_rows
from combinatorics.hadamard.t_sequences import plan_t_sequences
from combinatorics.number_theory import is_prime_power
from verify.kernel.errors import InputError

__all__ = [
    "plan_t_sequences_with_williamson",
    "plan_williamson_matrix",
    "plan_williamson_rows",
    "quadratic_extension_pair",
    "williamson_rows",
]


def quadratic_extension_pair(q: int) -> SignMatrix:
    """First rows of symmetric commuting circulants A, B of order n with A² + B² = qI.

    q = 1 mod 4 is a prime power and n = (q+1)/2; A is zero on the diagonal and +-1 off it, B is
    +-1. With w in GF(q²) and c(i) = chi(w^i + w^(qi)), the sequence d(i) = c(i + i0), c(i0) = 0,
    has period 4n, and a_i = d(4i), b_i = d(4i + n). The traces w^i + w^(qi) are a linear
    recurrence over GF(q), so that GF(q²) itself is not needed.

    Returns:
        Shape (2, n).

    Reference: Turyn, Journal of Combinatorial Theory A 12 (1972).
    """
    n = (q + 1) // 2
    signs = _trace_signs(q)
    zero = int(np.flatnonzero(signs == 0)[0])
    shifted = np.roll(signs, -zero)
    places = 4 * np.arange(n)
    a, b = shifted[places % (4 * n)], shifted[(places + n) % (4 * n)]
    for turn in range(n):
        rotated = np.roll(b, turn)
        if np.array_equal(rotated[1:], rotated[:0:-1]):
            return np.stack([a, rotated])
    raise ArithmeticError(f"GF({q}): the sequence of quadratic characters is not symmetric")


def _trace_signs(q: int) -> SignMatrix:
    """chi(w^i + w^(qi)), 0 <= i < 2(q+1), for w that generates GF(q²) modulo GF(q).

    Modulo the squares of GF(q) the powers of w have period 2(q+1) when the norm of w is a
    non-square and no earlier power than the (q+1)-st lies in GF(q). The latter is seen from the
    differences u_i = (w^i - w^(qi))/(w - w^q), which obey the same recurrence from 0, 1.
    """
    field = FiniteField(q)
    norm = field.primitive_element
    for trace in range(1, q):
        differences = _recurrence(field, trace, norm, (0, 1), q + 2)
        if 0 not in differences[1 : q + 1] and differences[q + 1] == 0:
            break
    traces = _recurrence(field, trace, norm, (int(field.add(1, 1)), trace), 2 * (q + 1))
    return np.asarray(field.quadratic_character(traces), dtype=np.int8)


def _recurrence(
    field: FiniteField, trace: int, norm: int, start: tuple[int, int], length: int
) -> list[int]:
    """The sequence s_(i+2) = trace s_(i+1) - norm s_i over the field."""
    by_trace = field.mul(field.elements(), trace).tolist()
    by_norm = field.mul(field.elements(), int(field.neg(norm))).tolist()
    terms = list(start)
    if field.degree == 1:
        while len(terms) < length:
            terms.append((by_trace[terms[-1]] + by_norm[terms[-2]]) % field.p)
    while len(terms) < length:
        terms.append(int(field.add(by_trace[terms[-1]], by_norm[terms[-2]])))
    return terms


def _rows_from_prime_power(q: int) -> SignMatrix:
    a, b = quadratic_extension_pair(q)
    unit = np.zeros_like(a)
    unit[0] = 1
    return np.stack([a + unit, a - unit, b, b])


def _rows_from_storage(m: int) -> SignMatrix:
    return parse_signs(stored_rows("williamson_rows")[(m,)])


_PRIME_POWER = Family(
    "Williamson rows of a prime power",
    "Turyn, Journal of Combinatorial Theory A 12 (1972)",
    ("q",),
    _rows_from_prime_power,
)
_STORED = Family(
    "stored Williamson rows",
    "Holzmann, Kharaghani and Tayfeh-Rezaie, Designs, Codes and Cryptography 46 (2008)",
    ("m",),
    _rows_from_storage,
)
_WILLIAMSON = Family(
    "Williamson", "Williamson, Duke Mathematical Journal 11 (1944)", (), williamson_array
)


@lru_cache(maxsize=2**14)
def plan_williamson_rows(m: int) -> Recipe | None:
    """A recipe for the four first rows of order m, shape (4, m), or None if none is known here."""
    if (m,) in stored_rows("williamson_rows"):
        return Recipe(_STORED, m, (m,))
    q = 2 * m - 1
    if q % 4 == 1 and is_prime_power(q):
        return Recipe(_PRIME_POWER, m, (q,))
    return None


def williamson_rows(m: int) -> SignMatrix:
    """First rows of four Williamson matrices of order m, shape (4, m).

    Raises:
        InputError: when no construction of this order is known here.

    Reference: Turyn, Journal of Combinatorial Theory A 12 (1972).
    """
    recipe = plan_williamson_rows(m)
    if recipe is None:
        raise InputError(f"Williamson matrices of order {m}: no construction is known here")
    return recipe.build()


def plan_williamson_matrix(n: int) -> Recipe | None:
    """A recipe for the Hadamard matrix of order n = 4m in Williamson's array."""
    rows = plan_williamson_rows(n // 4) if n % 4 == 0 else None
    return rows and Recipe(_WILLIAMSON, n, (), (rows,))


def _t_sequences_with_williamson(t_rows: SignMatrix, rows: SignMatrix) -> SignMatrix:
    """The Goethals-Seidel array over Z_t x Z_w of four sums of Kronecker products."""
    signed = ((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0))
    signs = ((1, 1, 1, 1), (-1, 1, 1, -1), (-1, -1, 1, 1), (-1, 1, -1, 1))
    functions = [
        sum(
            sign * np.kron(t_rows[t], rows[place])
            for t, (place, sign) in enumerate(zip(places, factors, strict=True))
        )
        for places, factors in zip(signed, signs, strict=True)
    ]
    return goethals_seidel_array(np.stack(functions), (t_rows.shape[1], rows.shape[1]))


_COOPER_WALLIS = Family(
    "Cooper-Wallis",
    "Cooper and Wallis, Bulletin of the Australian Mathematical Society 7 (1972)",
    (),
    _t_sequences_with_williamson,
)


def plan_t_sequences_with_williamson(n: int) -> Recipe | None:
    """A recipe for order n = 4tw from T-sequences of length t and Williamson matrices of order w.

    Reference: Cooper and Wallis, Bulletin of the Australian Mathematical Society 7 (1972).
    """
    if n % 4:
        return None
    for t in divisors(n // 4):
        rows = plan_williamson_rows(n // 4 // t) if t > 1 else None
        sequences = rows and plan_t_sequences(t)
        if rows and sequences:
            return Recipe(_COOPER_WALLIS, n, (), (sequences, rows))
    return None
