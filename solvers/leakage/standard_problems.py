"""Standard estimation problems as pairs of laws, and their minimax bounds under LDP and PML.

Each problem asks for a parameter of the law of one sample, whose masses are all at least c:
- ``bernoulli-mean``: the mean of a bit, absolute error;
- ``distribution-l1``: a law on k symbols, l1 error;
- ``distribution-l2-squared``: the same, squared l2 error.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from solvers.leakage.data_processing import Setting, leakage_setting
from solvers.leakage.dobrushin import require_least_mass
from solvers.leakage.minimax import LeCamBound, le_cam_bound, non_private_setting
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError

__all__ = ["MinimaxRow", "StandardProblem", "minimax_table", "standard_problems"]

_HALVINGS = 40
_REFINEMENT = tuple(Fraction(j, 8) for j in range(5, 16) if j != 8)


@dataclass(frozen=True, slots=True)
class StandardProblem:
    """A family of pairs of laws with total variation t between them.

    Args:
        name: the problem.
        n_inputs: the number of symbols.
        pair: t to (P, Q, loss at half the distance of their parameters).
        largest: c to the largest t for which all masses are at least c.
    """

    name: str
    n_inputs: int
    pair: Callable[[Fraction], tuple[Distribution, Distribution, Fraction]]
    largest: Callable[[Fraction], Fraction]


def _tilted(n_inputs: int, n_moved: int, t: Fraction) -> tuple[Distribution, Distribution]:
    """The uniform law with t/2 moved from ``n_moved`` symbols to as many others, and back."""
    step = [t / (2 * n_moved)] * n_moved
    shift = [*step, *(-s for s in step), *[Fraction(0)] * (n_inputs - 2 * n_moved)]
    flat = Fraction(1, n_inputs)
    first = Distribution(tuple(flat + s for s in shift))
    return first, Distribution(tuple(flat - s for s in shift))


def standard_problems(alphabet_size: int) -> tuple[StandardProblem, ...]:
    """The three problems, for k symbols.

    Raises:
        InputError: if k < 2.
    """
    if alphabet_size < 2:
        raise InputError(f"alphabet_size: {alphabet_size} is less than 2")
    k, half = alphabet_size, alphabet_size // 2
    return (
        StandardProblem(
            "bernoulli-mean", 2, lambda t: (*_tilted(2, 1, t), t / 2), lambda c: 1 - 2 * c
        ),
        StandardProblem(  # parameters 2 t apart in l1
            "distribution-l1",
            k,
            lambda t: (*_tilted(k, half, t), t),
            lambda c: 2 * half * (Fraction(1, k) - c),
        ),
        StandardProblem(  # parameters sqrt(2) t apart in l2
            "distribution-l2-squared",
            k,
            lambda t: (*_tilted(k, 1, t), t * t / 2),
            lambda c: 2 * (Fraction(1, k) - c),
        ),
    )


@dataclass(frozen=True, slots=True)
class MinimaxRow:
    """Lower bounds on the minimax risk of one problem over the laws with masses >= c.

    Args:
        problem: its name.
        n_samples: n users.
        non_private: without privacy.
        ldp: behind epsilon-LDP channels.
        leakage: behind (epsilon, c)-PML channels.
    """

    problem: str
    n_samples: int
    non_private: LeCamBound
    ldp: LeCamBound
    leakage: LeCamBound


def minimax_table(
    alphabet_size: int, c: object, epsilon: object, n_samples: Iterable[int]
) -> tuple[MinimaxRow, ...]:
    """The standard problems tabulated: the best two-point bound of each family.

    The total variation of the pair is searched on a grid; every entry is a *lower bound* whatever
    the grid.

    Args:
        alphabet_size: k >= 2 of the two problems on distributions.
        c: the least mass, below 1/k.
        epsilon: a level as ``parse_epsilon`` reads it.
        n_samples: numbers of users.

    Raises:
        InputError: for invalid arguments or c = 1/k.
    """
    sizes, rows = list(n_samples), []
    if require_least_mass(alphabet_size, c) * alphabet_size == 1:
        raise InputError(f"c: must be below 1/{alphabet_size}, or there is one law only")
    for problem in standard_problems(alphabet_size):
        mass = require_least_mass(problem.n_inputs, c)
        settings = (
            non_private_setting(problem.n_inputs),
            leakage_setting(problem.n_inputs, 0, epsilon),
            leakage_setting(problem.n_inputs, mass, epsilon),
        )
        for n in sizes:
            bounds = (_best_pair(problem, mass, setting, n) for setting in settings)
            rows.append(MinimaxRow(problem.name, n, *bounds))
    return tuple(rows)


def _best_pair(problem: StandardProblem, c: Fraction, setting: Setting, n: int) -> LeCamBound:
    largest = problem.largest(c)

    def bound(t: Fraction) -> LeCamBound:
        p, q, loss = problem.pair(t)
        return le_cam_bound(loss, setting, p, q, n)

    best, place = bound(largest), largest
    for j in range(1, _HALVINGS):
        found = bound(largest / (1 << j))
        if found.risk > best.risk:
            best, place = found, largest / (1 << j)
        elif best.risk > 0 and found.risk < best.risk / 4:
            break
    near = [bound(place * factor) for factor in _REFINEMENT if place * factor <= largest]
    return max([best, *near], key=lambda found: found.risk)
