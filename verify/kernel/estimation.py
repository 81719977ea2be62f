"""Estimating a law on v symbols from private reports: the exact risk, and what none can go below.

Design: v points, b blocks, r blocks on every point, lambda on every two. Channel: input x gives
block y with probability E/D if x lies on y, else 1/D, D = rE + b - r. Rows sum to 1, as r entries
are E/D, and two entries of a column differ at most by the factor E.

**Unbiased.** N_x, the number of n reports on which x lies, is binomial: its chance is alpha = rE/D
from input x and beta = (lambda E + r - lambda)/D from any other, so mu_x = beta + (alpha - beta)P_x
and (N_x/n - beta)/(alpha - beta) has mean P_x for every law P. n times the expected squared
Euclidean error is sum mu_x (1 - mu_x)/(alpha - beta)^2; sum mu_x is the same for all P, so it is
largest where all mu_x agree: at the uniform P, with mu = beta + (alpha - beta)/v.

**Lower bound**, for every unbiased estimator from n reports through E-LDP channels Q, one a user.
At the uniform P put m_y = sum_x Q(y|x)/v and c_y = Q(y|.)/m_y, a vector of mean 1. The Fisher
information of a report along vectors h with sum 0 is J(h) = sum m_y (c_y.h)^2. On that space, of
dimension v - 1, its trace is sum m_y |c_y|^2 - v. The information of the users adds up to nJ for
the average J, and Cramer-Rao gives n risk >= tr J^-1 >= (v-1)^2/tr J (means of eigenvalues); a
singular J allows no unbiased estimator. A column is a sum of w (1 + (E-1) 1[S]), w >= 0 (shown in
``optimality``), so c_y is a mixture of such vectors of mean 1, and |c|^2 is convex: it is at most
its value at a set S of some k points, where |c|^2 - v = v k (v-k) (E-1)^2/(kE + v-k)^2. Hence
n risk >= M = min_k (v-1)^2 (kE + v-k)^2/(v k (v-k) (E-1)^2). A block design with a minimising k has
this risk. The k-th term exceeds the next iff (v-k)(v-k-1) > k(k+1) E^2: the minimising k at two
values of E minimise at every value between them, when they agree.

Reference: Ye and Barg 2018 (subset selection); Park, Nam and Lee 2023 (block designs); the bound is
proved above.
"""

from fractions import Fraction

from verify.kernel.errors import require

__all__ = ["canonical_risk", "hit_probabilities", "risk_lower_bound"]


def hit_probabilities(b: int, r: int, lambda_: int, E: Fraction) -> tuple[Fraction, Fraction]:
    """(alpha, beta): the chances that x lies on the report from x, and from another input."""
    total = r * E + b - r
    return r * E / total, (lambda_ * E + r - lambda_) / total


def canonical_risk(v: int, b: int, r: int, lambda_: int, exp_epsilon: Fraction) -> Fraction:
    """The largest n times expected squared error of the estimator, over all laws, *exact*.

    Raises:
        InputError: if the reports carry no information: E = 1 or r = lambda.

    >>> canonical_risk(2, 2, 1, 0, Fraction(3))
    Fraction(2, 1)
    """
    require(exp_epsilon > 1 and r > lambda_, "would divide by zero; take epsilon > 0, r > lambda")
    alpha, beta = hit_probabilities(b, r, lambda_, exp_epsilon)
    mean = beta + (alpha - beta) / v
    return v * mean * (1 - mean) / (alpha - beta) ** 2


def risk_lower_bound(v: int, exp_epsilon: Fraction) -> tuple[Fraction, tuple[int, ...]]:
    """M, which n times the risk of no unbiased scheme goes below, and the k that attain it.

    Raises:
        InputError: for fewer than two symbols or E <= 1.

    >>> risk_lower_bound(2, Fraction(3))
    (Fraction(2, 1), (1,))
    """
    require(v >= 2 and exp_epsilon > 1, f"v = {v}: the bound needs v >= 2 and epsilon > 0")
    p, q = exp_epsilon.numerator, exp_epsilon.denominator
    terms = {k: Fraction((k * p + (v - k) * q) ** 2, k * (v - k)) for k in range(1, v)}
    least = min(terms.values())
    sizes = tuple(k for k, term in terms.items() if term == least)
    return Fraction((v - 1) ** 2, v * (p - q) ** 2) * least, sizes
