"""The partition solver against the linear program over all 2^k subsets (HiGHS), in one run.

The program maximises the sum of theta_S mu(S) with sum over S of theta_S (1 + (E-1) 1[x in S]) = 1
for every symbol. `certificate` is the time to solve exactly and prove optimality, which the program
does not do. `--full` goes on from 16 to 18 symbols. `value of program` shows tiny and huge epsilon,
where its tolerances and scales fail it; `digits` is the error of the partition solver there,
against certified bounds.
"""

import math
from fractions import Fraction

import highspy
import numpy as np

from solvers.testing import certify_float, solve_testing_float
from tests.benchmarks._measure import measured, row


def staircase(p, q, epsilon):
    """The optimum of the program for kl as HiGHS reports it."""
    k, c = len(p), math.expm1(epsilon)
    sets = (np.arange(1 << k)[:, None] >> np.arange(k)) & 1
    u, w = 1 + c * (sets @ p), 1 + c * (sets @ q)
    entries = 1 + c * sets  # column-wise: one row of this array is one column of the program
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = 1 << k, k
    model.col_cost_ = u * np.log(u / w)
    model.col_lower_, model.col_upper_ = np.zeros(1 << k), np.full(1 << k, highspy.kHighsInf)
    model.row_lower_ = model.row_upper_ = np.ones(k)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.arange(0, k * ((1 << k) + 1), k)
    model.a_matrix_.index_ = np.tile(np.arange(k), 1 << k)
    model.a_matrix_.value_ = entries.ravel().astype(float)
    model.sense_ = highspy.ObjSense.kMaximize
    highs = highspy._core._Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("time_limit", 900.0)
    highs.passModel(model)
    highs.run()
    return highs.getInfo().objective_function_value


def main(argv):
    """Print both tables."""
    row("k", "program s", "partition s", "ratio", "certificate s", "difference", "proved gap")
    for k in (8, 10, 12, 14, 16, 17, 18) if "--full" in argv else (8, 10, 12, 14, 16):
        rng = np.random.default_rng(k)
        p, q = rng.dirichlet(np.ones(k)), rng.dirichlet(np.ones(k))
        solve_testing_float(p, q, 3.0, "kl")
        found, _, fast = measured(lambda: solve_testing_float(p, q, 3.0, "kl"), 200)  # noqa: B023
        value, _, slow = measured(lambda: staircase(p, q, 3.0))  # noqa: B023
        proved, _, certified = measured(lambda: certify_float(p, q, 3.0, "kl"))  # noqa: B023
        seconds = f"{slow:.3f}", f"{fast:.6f}", f"{slow / fast:.0f}", f"{certified:.3f}"
        difference = f"{(value - found.value) / found.value:.1e}"
        row(k, *seconds, difference, f"{float(proved.relative_gap):.0e}")
    row("epsilon", "partition", "program", "digits", "proved gap")
    rng = np.random.default_rng(9)
    p, q = rng.dirichlet(np.ones(9)), rng.dirichlet(np.ones(9))
    for epsilon in (1e-4, 1.0, 40.0):
        found, program = solve_testing_float(p, q, epsilon, "kl"), staircase(p, q, epsilon)
        proved = certify_float(p, q, epsilon, "kl")
        error = abs(Fraction(found.value) / proved.value_lower - 1)
        gap = float(proved.relative_gap)
        row(epsilon, f"{found.value:.6e}", f"{program:.6e}", f"{float(error):.0e}", f"{gap:.0e}")
