"""The bound by linear programming, the float tier by the exact one, closed forms."""

import random
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from solvers.leakage import (
    chi2_contraction,
    dobrushin_at_leakage,
    dobrushin_coefficient_float,
    farthest_rows,
    largest_coefficient_by_linear_program,
)
from solvers.leakage.contraction import dobrushin_coefficient
from solvers.leakage.supremum import _program
from tests.support import leakage_oracle as oracle
from tests.support.simplex import maximise
from verify.kernel.channel import Channel
from verify.kernel.errors import InputError, LimitError
from verify.kernel.interval import enclose_sqrt

LEVELS = [Fraction(*pair) for pair in ((1, 1), (6, 5), (2, 1), (11, 4), (7, 1), (100, 1))]


@pytest.mark.parametrize("n_inputs", [2, 3, 4, 5])
@pytest.mark.parametrize("n_outputs", [2, 3, 4])
def test_the_bound_is_the_optimum_of_the_linear_program(n_inputs, n_outputs):
    for j in range(7):
        c = Fraction(j, 6 * n_inputs)
        for E in LEVELS:
            found = largest_coefficient_by_linear_program(n_inputs, n_outputs, c, E)
            assert found == dobrushin_at_leakage(n_inputs, c, E), (c, E)


def test_an_exact_simplex_agrees_with_the_proposed_basis():
    """The same program with slacks, from the constant channel, by a simplex in fractions."""
    n, c, E = 3, Fraction(1, 9), Fraction(5, 2)
    program = _program(n, 2, c, E, 1)
    n_rows, n_equal = len(program.rows), program.n_equalities
    columns = [list(column) for column in zip(*program.rows, strict=True)]
    identity = [[Fraction(int(i == j)) for i in range(n_rows)] for j in range(n_rows)]
    slacks = [identity[i] for i in range(n_rows - n_equal)]
    artificial = identity[n_rows - n_equal :]
    everything = columns + slacks + artificial
    penalty = [*program.objective, *[Fraction(0)] * len(slacks), *[Fraction(-(10**6))] * n_equal]
    basis = list(range(len(columns), len(everything)))
    value, _ = maximise(penalty, everything, program.right_side, basis)
    assert value == largest_coefficient_by_linear_program(n, 2, c, E)


def test_the_linear_program_works_after_other_users_of_its_solver():
    """HiGHS has one scheduler for a process: a program that asks for its own would not run."""
    code = (
        "from fractions import Fraction\n"
        "from solvers.leakage import largest_coefficient_by_linear_program\n"
        "from solvers.testing import solve_testing\n"
        "solve_testing(['1/2', '1/3', '1/6'], ['1/6', '1/3', '1/2'], 'log(3)', 'kl')\n"
        "print(largest_coefficient_by_linear_program(2, 3, '1/8', Fraction(3)))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout.splitlines()[-1:] == ["8/13"], run.stderr


def test_the_linear_program_refuses_what_it_cannot_do():
    for arguments in ((2, 1, 0, Fraction(2)), (2, 2, 0, Fraction(1, 2)), (2, 2, 1, Fraction(2))):
        with pytest.raises(InputError):
            largest_coefficient_by_linear_program(*arguments)
    with pytest.raises(LimitError):
        largest_coefficient_by_linear_program(100, 5, 0, Fraction(2))


def random_rows(seed, n, m, largest=1000):
    rng = random.Random(seed)
    return tuple(oracle.normalised([rng.randint(0, largest) for _ in range(m)]) for _ in range(n))


@pytest.mark.parametrize(("n", "m"), [(1, 3), (2, 1), (40, 30), (130, 7)])
def test_floats_enclose_the_exact_coefficient(n, m):
    matrix = np.array([[float(entry) for entry in row] for row in random_rows("f", n, m)])
    found = dobrushin_coefficient_float(matrix)
    exact = [[Fraction(entry) for entry in row] for row in matrix.tolist()]
    largest = max(
        (sum(abs(x - y) for x, y in zip(p, q, strict=True)) / 2 for p in exact for q in exact),
        default=0,
    )
    assert abs(Fraction(found.value) - largest) <= Fraction(found.error)
    assert found.error <= 1e-12


def test_the_float_coefficient_of_a_large_channel_is_that_of_its_pair_of_rows():
    matrix = np.random.default_rng(7).dirichlet(np.ones(1000), size=1000)
    found = dobrushin_coefficient_float(matrix)
    p, q = ([Fraction(x) for x in matrix[row].tolist()] for row in (found.first, found.second))
    exact = sum((abs(x - y) for x, y in zip(p, q, strict=True)), Fraction(0)) / 2
    assert abs(Fraction(found.value) - exact) <= Fraction(found.error)
    one = dobrushin_coefficient_float(matrix, n_threads=1)
    assert (one.value, one.first, one.second) == (found.value, found.first, found.second)
    sample = np.random.default_rng(8).integers(0, 1000, (2000, 2))
    distances = [np.abs(matrix[x] - matrix[y]).sum() / 2 for x, y in sample]
    assert max(distances) <= found.value + found.error


@pytest.mark.parametrize(
    "matrix",
    [
        [[Fraction(1, 3), Fraction(2, 3)]],
        [["0.5", "0.5"]],
        np.eye(2, dtype=complex),
        np.eye(2, dtype=np.longdouble),
    ],
    ids=["fractions", "texts", "complex", "longdouble"],
)
def test_the_float_coefficient_never_rounds_its_input(matrix):
    with pytest.raises(InputError, match="float64"):
        dobrushin_coefficient_float(np.array(matrix))


def test_the_float_coefficient_needs_a_thread():
    with pytest.raises(InputError, match="n_threads"):
        dobrushin_coefficient_float(np.eye(2), n_threads=0)


@pytest.mark.parametrize(
    "matrix",
    [[1.0], [[0.5, 0.4]], [[1.5, -0.5]], [[float("nan"), 1.0]], [[]]],
)
def test_float_matrices_that_are_no_channels_are_refused(matrix):
    with pytest.raises(InputError):
        dobrushin_coefficient_float(np.array(matrix))


def test_a_large_exact_channel_by_both_routes():
    channel = Channel(random_rows("large", 100, 60))
    assert farthest_rows(channel).value == dobrushin_coefficient(channel)


def test_ties_everywhere_are_all_compared_exactly():
    n = 40
    rows = tuple(tuple(Fraction(3 if x == y else 1, n + 2) for y in range(n)) for x in range(n))
    found = farthest_rows(Channel(rows), 2)
    assert found.value == oracle.largest_e_gamma(rows, 2)
    assert (found.first, found.second) == (0, 1)


CLOSED_FORMS = {
    "binary symmetric": ((("3/4", "1/4"), ("1/4", "3/4")), Fraction(1, 4)),
    "erasure": ((("2/3", "0", "1/3"), ("0", "2/3", "1/3")), Fraction(2, 3)),
    "useless": ((("1/3", "2/3"), ("1/3", "2/3")), Fraction(0)),
    "identity": ((("1", "0"), ("0", "1")), Fraction(1)),
    "Z": ((("1", "0"), ("1/2", "1/2")), Fraction(1, 2)),
}


@pytest.mark.parametrize("name", CLOSED_FORMS)
def test_closed_forms_of_the_chi2_coefficient(name):
    rows, value = CLOSED_FORMS[name]
    coefficient = chi2_contraction(Channel(rows)).coefficient
    assert coefficient.lower <= value <= coefficient.upper


@pytest.mark.parametrize("seed", range(20))
def test_two_binary_rows_have_a_closed_form(seed):
    """For rows (a, 1-a), (b, 1-b) the coefficient is (sqrt(a (1-b)) - sqrt(b (1-a)))^2."""
    a, b = (Fraction(random.Random(seed * 2 + i).randint(0, 20), 20) for i in range(2))
    found = chi2_contraction(Channel(((a, 1 - a), (b, 1 - b)))).coefficient
    cross = enclose_sqrt(4 * a * b * (1 - a) * (1 - b), 400)
    ends = (a * (1 - b) + b * (1 - a) - cross.upper, a * (1 - b) + b * (1 - a) - cross.lower)
    assert ends[0] <= found.upper
    assert found.lower <= ends[1]


@pytest.mark.parametrize("seed", range(15))
def test_the_chi2_coefficient_by_numerical_search(seed):
    rows = random_rows(seed, 4, 5, 12)
    found = chi2_contraction(Channel(rows))
    matrix = np.array([[float(entry) for entry in row] for row in rows])
    best = 0.0
    for p in matrix:
        for q in matrix:

            def negative(b, p=p, q=q):
                mix = b * p + (1 - b) * q
                keep = mix > 0
                return -b * (1 - b) * float(((p - q)[keep] ** 2 / mix[keep]).sum())

            inner = minimize_scalar(
                negative, bounds=(1e-12, 1 - 1e-12), method="bounded", options={"xatol": 1e-11}
            )
            best = max(best, -float(inner.fun))
    assert found.coefficient.upper > best - 1e-9
    assert found.coefficient.lower < best + 1e-6  # a search may stop short of the maximum
    lifted = np.abs(np.linalg.svd(_whitened(matrix, found))[1])
    assert lifted[0] == pytest.approx(1, abs=1e-7)
    assert lifted[1] ** 2 == pytest.approx(float(found.coefficient.lower), abs=1e-5)


def _whitened(matrix, found):
    """diag(sqrt prior) K diag(1/sqrt out): its second singular value squared is the coefficient."""
    b = min(max(float(found.weight), 1e-7), 1 - 1e-7)
    pair, prior = matrix[[found.first, found.second]], np.array([b, 1 - b])
    out = prior @ pair
    keep = out > 0
    return np.sqrt(prior)[:, None] * pair[:, keep] / np.sqrt(out[keep])[None, :]
