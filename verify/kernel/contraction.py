"""Contraction of a channel K: how much of a distance between two inputs is left at the output.

E_g(P||Q) = sum over outputs of (P - g Q)_+ for g >= 1; total variation is g = 1. The contraction
coefficient of E_g is the largest E_g between two rows; for g = 1 it is the Dobrushin coefficient.

**Largest Dobrushin coefficient at a leakage.** K has N inputs and leaks at most log(E) under every
prior with masses >= c: for each column, max K <= E (c sum K + (1 - Nc) min K). The maximum is
sub-additive and the minimum super-additive, so a sum a = (a_x) of columns obeys the same, and so
does 1 - a. The total variation of two rows is a_x - a_x' for such a sum. With M = max a, m = min a
and S = sum a >= 0 the coefficient is therefore at most the value of the linear program
max M - m subject to
    M <= E (c S + (1 - Nc) m),   1 - m <= E (c (N - S) + (1 - Nc)(1 - M)),   M <= 1,   m, S >= 0.
Multipliers u1, u2, u3 >= 0 of the three rows prove the bound (E - 1) u2 + u3 by weak duality when
    u1 + E (1 - Nc) u2 + u3 >= 1,   E (1 - Nc) u1 + u2 <= 1,   E c (u1 - u2) <= 0:
adding the rows so weighted leaves coefficients <= 0 for M, m and S in M - m minus the bound.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from operator import sub

from verify.kernel.channel import Channel
from verify.kernel.distribution import over_common_denominator
from verify.kernel.errors import require, require_limit
from verify.kernel.verdict import Verdict, accepted, rejected

__all__ = ["check_dobrushin_bound", "e_gamma_contraction"]

MAX_PAIR_ENTRIES = 1 << 26
"""Most entries that the comparison of all pairs of rows reads, and six for each pair, all counted
once more for every 128 bits of an entry."""


def e_gamma_contraction(channel: Channel, gamma: Fraction | int = 1, times: int = 1) -> Fraction:
    """The contraction coefficient of E_gamma, max over rows of E_gamma(K_x||K_x'), *exact*.

    With s = sum |K_x - gamma K_x'| it is half the largest s, less (gamma - 1)/2, for rows sum to 1.

    Raises:
        InputError: if gamma < 1; there E_gamma(P||Q) = gamma E_(1/gamma)(Q||P) up to the
            convention of f(1) = 0, with the coefficient of 1/gamma.
        LimitError: for more than ``MAX_PAIR_ENTRIES`` entries in all pairs of rows, so many times.

    Reference: Asoodeh, Diaz, Calmon 2020 (contraction of E_gamma).

    >>> e_gamma_contraction(Channel((("3/4", "1/4"), ("1/4", "3/4"))), Fraction(2))
    Fraction(1, 4)
    """
    require(gamma >= 1, "gamma: is less than 1; its coefficient is that of 1/gamma")
    n, m, p, q = channel.n_inputs, channel.n_outputs, gamma.numerator, gamma.denominator
    entries, common = over_common_denominator([e for row in channel.rows for e in row], "rows")
    work = n * (n - 1) // (2 if p == q else 1) * (m + 6) * (1 + (p * common).bit_length() // 128)
    work += n * m * (p.bit_length() * common.bit_length() >> 16)
    require_limit(times * work, MAX_PAIR_ENTRIES, "rows: entries in pairs of rows")
    first, second = ([factor * entry for entry in entries] for factor in (q, p))
    rows = [(first[i : i + m], second[i : i + m]) for i in range(0, n * m, m)]
    pairs = combinations(rows, 2) if p == q else permutations(rows, 2)  # symmetric for gamma = 1
    sums = (sum(map(abs, map(sub, x[0], y[1]))) for x, y in pairs)
    return Fraction(max(sums, default=(p - q) * common) - (p - q) * common, 2 * q * common)


def check_dobrushin_bound(
    n_inputs: int, c: Fraction, exp_leakage: Fraction, dual: Sequence[Fraction], bound: Fraction
) -> Verdict:
    """Whether the multipliers prove the bound on every channel with this worst leakage over c.

    Args:
        n_inputs: N >= 1.
        c: the least mass of a prior, 0 <= c <= 1/N.
        exp_leakage: E >= 1.
        dual: the multipliers u1, u2, u3 of the module's linear program.
        bound: the claimed upper bound on the Dobrushin coefficient.

    Raises:
        InputError: for N < 1, E < 1 or c outside [0, 1/N].
    """
    rest = 1 - n_inputs * c
    require(n_inputs >= 1 and 0 <= rest <= 1 <= exp_leakage, "needs 0 <= c <= 1/N, E >= 1")
    if len(dual) != 3 or min(dual) < 0:
        return rejected("the bound needs three multipliers >= 0")
    (u1, u2, u3), weight = dual, exp_leakage * rest
    feasible = u1 + weight * u2 + u3 >= 1 >= weight * u1 + u2 and c * (u1 - u2) <= 0
    if not feasible or (exp_leakage - 1) * u2 + u3 > bound:
        return rejected("the multipliers are not feasible, or prove only a larger bound")
    return accepted("the multipliers prove the bound by weak duality")
