"""Every channel with entries in multiples of 1/6: contraction against the bound at its leakage.

The Dobrushin coefficient, the leakage and the bound do not depend on the order of inputs or of
outputs, so one channel of each orbit is checked and counted with the size of its orbit.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from math import factorial, prod

import pytest

from solvers.leakage import leakage_profile
from solvers.leakage.worst_leakage import worst_exp_leakage
from tests.support.leakage_oracle import dobrushin
from verify.kernel.channel import Channel

PARTS, N_OUTPUTS, GRID = 6, 3, 12
ROWS = [(a, b, PARTS - a - b) for a in range(PARTS + 1) for b in range(PARTS + 1 - a)]
ORDERS = list(permutations(range(N_OUTPUTS)))
TOTALS = {n: len(ROWS) ** n for n in (2, 3, 4)}
"""Channels with at most three outputs: a column of zeros is an output less."""


def orbits(n_inputs):
    """Pairs (rows in sixths, size of the orbit), one for each orbit."""
    for rows in combinations_with_replacement(ROWS, n_inputs):
        images = {tuple(sorted(tuple(row[y] for y in order) for row in rows)) for order in ORDERS}
        if rows == min(images):
            orders_of_rows = factorial(n_inputs) // prod(map(factorial, Counter(rows).values()))
            yield rows, orders_of_rows * len(images)


def violations(rows):
    """The values of c on a grid, and the breakpoints, where the coefficient is above the bound."""
    n = len(rows)
    channel = Channel(tuple(tuple(Fraction(x, PARTS) for x in row) for row in rows))
    profile, eta = leakage_profile(channel), dobrushin(channel.rows)
    best = profile.best_bound()
    grid = {Fraction(j, GRID * n) for j in range(GRID + 1)} | set(profile.breakpoints)
    bad = [c for c in grid if profile.dobrushin_bound(c) < max(eta, best.bound)]
    bad += [c for c in grid if profile.exp_leakage(c) != worst_exp_leakage(channel, c)]
    return bad + [None] * (best.coefficient != eta)


def count_checked(n_inputs, every=1):
    n_channels = n_orbits = 0
    for index, (rows, size) in enumerate(orbits(n_inputs)):
        n_channels, n_orbits = n_channels + size, n_orbits + 1
        if index % every == 0:
            assert not violations(rows), rows
    return n_channels, n_orbits


def test_two_inputs_and_a_sample_of_three():
    assert count_checked(2)[0] == TOTALS[2]
    assert count_checked(3, every=9)[0] == TOTALS[3]


@pytest.mark.slow
@pytest.mark.parametrize("n_inputs", [3, 4])
def test_every_channel(n_inputs, capsys):
    n_channels, n_orbits = count_checked(n_inputs)
    assert n_channels == TOTALS[n_inputs]
    with capsys.disabled():
        print(f" {n_channels} channels with {n_inputs} inputs in {n_orbits} orbits: no violation")
