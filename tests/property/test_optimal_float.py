"""The float tier against the plain program, an oracle of many digits, and its own symmetries."""

import subprocess
import sys
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest

from solvers.testing import (
    certify_float,
    float_program,
    mass_spreading,
    optimal_partition_float,
    solve_testing,
    solve_testing_float,
)
from solvers.testing.likelihood_order import order_masses
from solvers.testing.objective import objective
from tests.support import oracle
from verify.kernel.errors import InputError

EPSILONS = (1e-4, 0.1, 1.0, 3.0, 8.0, 20.0, 40.0)
NAMES = (
    *oracle.TRANSCENDENTAL,
    "tv",
    "chi2",
    "reverse-chi2",
    "lecam",
    "e-gamma:3/2",
    "e-gamma:1/3",
)


def _random(rng, k):
    return rng.dirichlet(np.ones(k)), rng.dirichlet(np.ones(k))


def _sparse(rng, k):
    return rng.dirichlet(0.05 * np.ones(k)), rng.dirichlet(0.05 * np.ones(k))


def _normal(rng, k):
    x = np.linspace(-4, 4, k)
    return np.exp(-((x - 0.3) ** 2) / 2), np.exp(-((x + 0.3) ** 2) / 2)


def _zeros(rng, k):
    a, b = (rng.dirichlet(np.ones(k)) * (rng.random(k) < 0.6) for _ in range(2))
    a[0] += 0.01
    b[-1] += 0.01
    return a, b


def _tied(rng, k):
    a, b = (rng.integers(0, 6, k).astype(float) for _ in range(2))
    a[0] += 1
    b[-1] += 1
    return a, b


def _wide(rng, k):
    return 10 ** rng.uniform(-30, 0, k), 10 ** rng.uniform(-30, 0, k)


def _close(rng, k):
    a = rng.dirichlet(np.ones(k))
    return a, a * (1 + 1e-6 * rng.standard_normal(k))


FAMILIES = (_random, _sparse, _normal, _zeros, _tied, _wide, _close)


def laws(rng, k, family):
    a, b = family(rng, k)
    return a / a.sum(), b / b.sum()


def textbook(name, x, y):
    """y f(x/y) in extended precision, as in the definition."""
    return {
        "kl": lambda: x * np.log(x / y),
        "reverse-kl": lambda: y * np.log(y / x),
        "js": lambda: (x * np.log(2 * x / (x + y)) + y * np.log(2 * y / (x + y))) / 2,
        "chi2": lambda: (x - y) ** 2 / y,
        "reverse-chi2": lambda: (x - y) ** 2 / x,
        "hellinger": lambda: (np.sqrt(x) - np.sqrt(y)) ** 2,
        "lecam": lambda: (x - y) ** 2 / (x + y),
        "tv": lambda: abs(x - y) / 2,
    }[name]()


def layered_optimum(p, q, epsilon, name, outputs):
    """The O(k^3) program over layers, from the definition, sharing no code with the solver."""
    with np.errstate(divide="ignore"):
        order = np.argsort(p / (p + q), kind="stable")
    c = np.expm1(np.longdouble(epsilon))
    x, y = (np.concatenate([[0], np.cumsum(law[order].astype(np.longdouble))]) for law in (p, q))
    k = len(p)
    u, w = 1 + c * (x[None, :] - x[:, None]), 1 + c * (y[None, :] - y[:, None])
    upper = np.triu(np.ones((k + 1, k + 1), dtype=bool), 1)
    mu = np.where(upper, textbook(name, np.where(upper, u, 1), np.where(upper, w, 1)), -np.inf)
    layer, best = np.where(np.arange(k + 1) == 0, 0.0, -np.inf), 0.0
    for s in range(1, (outputs or k) + 1):
        layer = np.max(layer[:, None] + mu, axis=0)
        best = max(best, float(layer[k] / (c + s)))
    return best


def compare_routes(monkeypatch, seed, count):
    """Few knots and the whole alphabet must give one value, and pruning must not matter."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        k = int(rng.integers(2, 200)) if i % 10 else int(rng.integers(200, 600))
        p, q = laws(rng, k, FAMILIES[i % len(FAMILIES)])
        name, epsilon = NAMES[rng.integers(len(NAMES))], float(rng.choice(EPSILONS))
        outputs = None if rng.random() < 0.6 else int(rng.integers(2, 9))
        with monkeypatch.context() as m:
            m.setattr(mass_spreading, "_DIRECT_MOST", 10**6)
            _, plain = optimal_partition_float(p, q, epsilon, name, outputs)
        with monkeypatch.context() as m:
            m.setattr(mass_spreading, "_DIRECT_MOST", 2)
            m.setattr(mass_spreading, "_FIRST_KNOTS", 8)
            if i % 5 == 0:
                m.setattr(float_program, "PACKED_MOST", 10)
            cuts, value = optimal_partition_float(p, q, epsilon, name, outputs)
        assert abs(value - plain) <= 1e-14 * plain, (i, k, name, epsilon, outputs)
        assert outputs is None or len(cuts) - 1 <= outputs


def test_few_knots_and_the_whole_alphabet_agree(monkeypatch):
    compare_routes(monkeypatch, 1, 350)


@pytest.mark.slow
def test_few_knots_and_the_whole_alphabet_agree_on_5000_instances(monkeypatch):
    compare_routes(monkeypatch, 2, 5000)


@pytest.mark.parametrize("name", [*oracle.TRANSCENDENTAL, "tv", "chi2", "reverse-chi2", "lecam"])
def test_the_program_over_layers(name):
    rng = np.random.default_rng(5)
    for i in range(24):
        k = int(rng.integers(2, 60)) if i % 6 else 320
        p, q = laws(rng, k, (_random, _sparse, _normal)[i % 3])
        epsilon, outputs = (0.5, 1.0, 3.0, 8.0)[i % 4], (None, None, 2, 3, 7)[i % 5]
        expected = layered_optimum(p, q, epsilon, name, outputs)
        _, value = optimal_partition_float(p, q, epsilon, name, outputs)
        assert value == pytest.approx(expected, rel=1e-11, abs=1e-16)


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**4), Fraction(40)])
@pytest.mark.parametrize("name", NAMES)
def test_tiny_and_huge_epsilon_to_twelve_digits(name, epsilon):
    rng = np.random.default_rng(7)
    with mpmath.workdps(oracle.DIGITS):
        E = oracle.to_fraction(mpmath.exp(oracle.to_mpf(epsilon)))
    for family in FAMILIES[:-1]:  # sums of close laws differ by more than their tv allows
        p, q = laws(rng, 7, family)
        exact = [[Fraction(x) for x in law.tolist()] for law in (p, q)]
        exact = [[x / sum(law) for x in law] for law in exact]
        expected = float(oracle.best_contiguous(*exact, E, name))
        _, value = optimal_partition_float(p, q, float(epsilon), name)
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-30), family.__name__


@pytest.mark.parametrize("name", ["kl", "chi2", "reverse-chi2", "js", "hellinger"])
@pytest.mark.parametrize("epsilon", [40, 200, 700])
def test_huge_epsilon_with_symbols_that_one_law_lacks(name, epsilon):
    """The value grows with epsilon or with E without end."""
    p, q = [0.5, 0.25, 0.125, 0, 0.125, 0], [0, 0.25, 0.25, 0.25, 0, 0.25]
    exact = solve_testing(map(Fraction, p), map(Fraction, q), str(epsilon), name)
    _, value = optimal_partition_float(p, q, float(epsilon), name)
    assert value == pytest.approx(float(exact.value_lower), rel=1e-12)


def test_a_certified_error_bounds_the_distance_from_the_optimum():
    rng = np.random.default_rng(11)
    for family, k, epsilon in ((_random, 40, 3.0), (_wide, 12, 8.0), (_zeros, 400, 1.0)):
        p, q = laws(rng, k, family)
        solution = solve_testing_float(p, q, epsilon, "kl", certify=True)
        proved = certify_float(p, q, epsilon, "kl")
        assert proved.verdict.is_accepted
        assert solution.error <= Fraction(1, 10**13)
        assert abs(Fraction(solution.value) - proved.value_lower) <= solution.error


def test_order_labels_and_cuts_belong_together():
    rng = np.random.default_rng(3)
    for family in FAMILIES:
        p, q = laws(rng, 700, family)
        p[5] = q[5] = p[9] = q[9] = 0.0
        p, q = p / p.sum(), q / q.sum()
        solution = solve_testing_float(p, q, 3.0, "hellinger")
        assert sorted(solution.order.tolist()) == list(range(700))
        null = np.flatnonzero(p + q == 0)
        assert solution.order[: len(null)].tolist() == null.tolist()
        for j, (i, end) in enumerate(pairwise(solution.cuts)):
            assert set(solution.labels[solution.order[i:end]].tolist()) == {j}
        ranked = [(p[x], q[x]) for x in solution.order[len(null) :]]
        assert all(a * d <= c * b * (1 + 1e-15) for (a, b), (c, d) in pairwise(ranked))
        shuffle = rng.permutation(700)
        moved = solve_testing_float(p[shuffle], q[shuffle], 3.0, "hellinger")
        assert moved.value == pytest.approx(solution.value, rel=1e-14)


def test_limits_and_no_information():
    p, q = [0.5, 0.25, 0.25], [0.25, 0.25, 0.5]
    assert optimal_partition_float(p, q, 0.0, "kl") == ((0, 3), 0.0)
    assert optimal_partition_float(p, q, 1.0, "kl", 1) == ((0, 3), 0.0)
    assert optimal_partition_float(p, p, 1.0, "kl") == ((0, 3), 0.0)
    assert optimal_partition_float([1.0], [1.0], 1.0, "kl") == ((0, 1), 0.0)
    cuts, value = optimal_partition_float([1.0, 0.0], [0.0, 1.0], 1e5, "tv")
    assert (cuts, value) == ((0, 1, 2), pytest.approx(1.0))


@pytest.mark.parametrize(
    ("p", "q", "epsilon", "outputs", "message"),
    [
        ([0.5, 0.6], [0.5, 0.5], 1.0, None, "p0: the masses sum to"),
        ([1.5, -0.5], [0.5, 0.5], 1.0, None, r"p0\[1\]: -0.5 is not a mass"),
        ([0.5, 0.5], [np.nan, 1.0], 1.0, None, r"p1\[0\]: nan is not a mass"),
        ([0.5, 0.5], [1.0], 1.0, None, "p0 has 2 symbols, p1 has 1"),
        ([[1.0]], [[1.0]], 1.0, None, "one row"),
        ([0.5, 0.5], [0.5, 0.5], -1.0, None, "epsilon"),
        ([0.5, 0.5], [0.5, 0.5], 1.0, 0, "outputs: 0 is less than 1"),
    ],
)
def test_bad_input_is_refused(p, q, epsilon, outputs, message):
    with pytest.raises(InputError, match=message):
        optimal_partition_float(p, q, epsilon, "kl", outputs)


def test_the_compiler_is_loaded_only_where_it_runs():
    code = "import sys, solvers.testing; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_best_last_cut_does_not_rise_with_the_end():
    """Why there is no divide and conquer here: with three blocks, 0..4 is best cut at 3, 0..5 at 2.

    chi2 at E = 2, exact. A search that takes the cut to be monotone misses the optimum of 0..5.
    """
    p, q = [5, 9, 8, 1, 2], [1, 5, 3, 2, 8]
    pairs = sorted(zip(p, q, strict=True), key=lambda pair: Fraction(pair[0], sum(pair)))
    x, y = [Fraction(0)], [Fraction(0)]
    for a, b in pairs:
        x.append(x[-1] + Fraction(a, sum(p)))
        y.append(y[-1] + Fraction(b, sum(q)))

    def mu(i, j):
        u, w = 1 + x[j] - x[i], 1 + y[j] - y[i]
        return (u - w) ** 2 / w

    two = {j: max(mu(0, i) + mu(i, j) for i in range(1, j)) for j in range(2, 6)}
    three = {j: {i: two[i] + mu(i, j) for i in range(2, j)} for j in range(3, 6)}
    best = {j: max(row, key=row.get) for j, row in three.items()}
    assert best == {3: 2, 4: 3, 5: 2}
    assert max(value for i, value in three[5].items() if i >= best[4]) < three[5][2]


def test_a_convex_function_of_the_caller():
    """The solver needs no more of a divergence than its perspective and gradient."""
    rng = np.random.default_rng(13)
    p, q = laws(rng, 900, _random)
    doubled = objective("kl")
    twice = type(doubled)(
        doubled.divergence,
        lambda d, x, y: 2 * doubled.score(d, x, y),
        lambda t: tuple(2 * g for g in doubled.gradient(t)),
        doubled.ball_score,
        doubled.slope,
    )
    cuts, value = optimal_partition_float(p, q, 3.0, "kl")
    assert optimal_partition_float(p, q, 3.0, twice) == (cuts, pytest.approx(2 * value, rel=1e-14))


def test_ratios_that_shares_blur_stay_apart():
    """P0/(P0 + P1) rounds to 1 for both symbols; their ratios differ by a factor of ten."""
    masses = order_masses([0.5, 0.25, 0.25], [1e-19, 5e-21, 1.0])
    assert len(masses) == 3
    assert masses.order.tolist() == [2, 0, 1]
