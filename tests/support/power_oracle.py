"""Power, Renyi, Chernoff and l_R by definition, in mpmath; shares no code with the project."""

from fractions import Fraction
from itertools import pairwise

import mpmath

from tests.support.oracle import contiguous_partitions, likelihood_order, response, through, to_mpf


def power_sum(order, p, q):
    """sum p^order q^(1 - order) over the symbols with both masses."""
    a = to_mpf(Fraction(order))
    return mpmath.fsum(
        to_mpf(x) ** a * to_mpf(y) ** (1 - a) for x, y in zip(p, q, strict=True) if x and y
    )


def power(order, p, q):
    """(sum p^A q^(1-A) - 1)/(A (A - 1)) for full supports; the two relative entropies at 0, 1."""
    a = to_mpf(Fraction(order))
    if order == 1:
        return mpmath.fsum(to_mpf(x) * mpmath.log(to_mpf(x) / y) for x, y in zip(p, q, strict=True))
    if order == 0:
        return power(1, q, p)
    return (power_sum(order, p, q) - 1) / (a * (a - 1))


def renyi(order, p, q):
    """log(sum p^A q^(1-A))/(A - 1) for full supports."""
    if order == 1:
        return power(1, p, q)
    return mpmath.log(power_sum(order, p, q)) / (to_mpf(Fraction(order)) - 1)


def lr(order, p, q):
    """(sum |p - q|^R)^(1/R)."""
    steps = [abs(to_mpf(x) - to_mpf(y)) for x, y in zip(p, q, strict=True)]
    if order is None:
        return max(steps)
    r = to_mpf(Fraction(order))
    return mpmath.fsum(step**r for step in steps if step) ** (1 / r)


def chernoff(p, q):
    """-log of the least sum p^a q^(1-a), by golden section, for full supports."""
    low, high = mpmath.mpf(0), mpmath.mpf(1)
    ratio = (mpmath.sqrt(5) - 1) / 2

    def g(a):
        return mpmath.fsum(to_mpf(x) ** a * to_mpf(y) ** (1 - a) for x, y in zip(p, q, strict=True))

    left, right = high - ratio * (high - low), low + ratio * (high - low)
    g_left, g_right = g(left), g(right)
    for _ in range(60):
        if g_left < g_right:
            high, right, g_right = right, left, g_left
            left = high - ratio * (high - low)
            g_left = g(left)
        else:
            low, left, g_left = left, right, g_right
            right = low + ratio * (high - low)
            g_right = g(right)
    return -mpmath.log(min(g_left, g_right))


def best(value, p, q, E, outputs=None):
    """The largest value(M0, M1) over randomized response on contiguous partitions."""
    found = []
    for blocks in contiguous_partitions(likelihood_order(p, q)):
        if outputs is None or len(blocks) <= outputs:
            null = [x for x in range(len(p)) if not p[x] and not q[x]]
            blocks[0] = [*blocks[0], *null]
            channel = response(blocks, len(p), E)
            found.append(value(through(channel, p), through(channel, q)))
    return max(found)


def brute_force_chernoff(p, q, E, steps=400):
    """max over contiguous partitions and a grid of orders of -log g, in float64; a lower bound."""
    import numpy as np

    order = likelihood_order(p, q)
    grid = np.arange(1, steps) / steps
    best_value = 0.0
    a = [0.0, *np.cumsum([float(p[x]) for x in order])]
    b = [0.0, *np.cumsum([float(q[x]) for x in order])]
    c = float(E) - 1
    for blocks in contiguous_partitions(list(range(len(order)))):
        cuts = [block[0] for block in blocks] + [len(order)]
        total = c + len(blocks)
        m0 = np.array([1 + c * (a[j] - a[i]) for i, j in pairwise(cuts)]) / total
        m1 = np.array([1 + c * (b[j] - b[i]) for i, j in pairwise(cuts)]) / total
        g = np.exp(np.outer(grid, np.log(m0)) + np.outer(1 - grid, np.log(m1))).sum(axis=1)
        best_value = max(best_value, float(-np.log(g.min())))
    return best_value
