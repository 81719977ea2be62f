"""The exact dual witness for a piecewise linear f, by column generation over the rationals.

The program over all subsets (``solvers.testing.staircase_program``) is solved for a few sets S; its
prices l_x are the witness if L + c l(S) + t >= mu(S) for every S. For a piecewise linear f the sets
A(g) = {x : g.p_x > l_x} of the finitely many subgradients g suffice, as the kernel proves, so those
that violate their constraint are added until there are none. With at most n outputs one more row,
(c + n) W + n R <= n for the weight W of the sets and R of the constant column, has the price
t/(c + n).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from solvers.linear_program import LinearAnswer, solve_linear_program
from solvers.testing.alphabet import OrderedAlphabet
from verify.kernel.divergence import Divergence
from verify.kernel.exact import Infinity
from verify.kernel.optimality import DualWitness, TestingProblem

__all__ = ["LARGEST_EXACT_PROGRAM", "piecewise_linear_witness"]

LARGEST_EXACT_PROGRAM = 20
"""Most distinct likelihood ratios for which the program is solved in exact arithmetic."""
_BITS = 64
_ZERO, _ONE = Fraction(0), Fraction(1)

Set = frozenset[int]


def piecewise_linear_witness(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    exp_epsilon: Fraction,
    cuts: Sequence[int],
) -> tuple[DualWitness, Fraction]:
    """The best multipliers and the bound that they prove, *exact*.

    Args:
        problem: with a divergence whose f is piecewise linear.
        alphabet: its merged symbols.
        exp_epsilon: E > 1.
        cuts: an optimal partition, to start from.
    """
    k, c, n = len(alphabet), exp_epsilon - 1, problem.outputs
    segments = [*pairwise(cuts), *((0, j) for j in range(k + 1)), *((i, k) for i in range(1, k))]
    segments += [(i, i + 1) for i in range(k)]
    sets = list(dict.fromkeys(frozenset(range(i, j)) for i, j in segments))
    while True:
        scores = [_score(problem.divergence, alphabet, c, s) for s in sets]
        lam, t = _prices(sets, scores, k, c, n)
        total = sum(lam, t)
        new = [
            s
            for s in _active_sets(problem.divergence, alphabet, exp_epsilon, lam)
            if total + c * sum((lam[x] for x in s), _ZERO)
            < _score(problem.divergence, alphabet, c, s)
        ]
        if not new:
            break
        sets += list(dict.fromkeys(new))
    bound = sum(lam, _ZERO) + (_ZERO if n is None else t * n / (c + n))
    return DualWitness(_spread(problem, alphabet, lam), t), bound


def _score(divergence: Divergence, alphabet: OrderedAlphabet, c: Fraction, s: Set) -> Fraction:
    a, b = (sum((law[x] for x in s), _ZERO) for law in (alphabet.p0, alphabet.p1))
    mu = divergence.perspective(1 + c * a, 1 + c * b, _BITS)
    if isinstance(mu, Infinity):
        raise ArithmeticError("a private channel has finite scores")  # noqa: TRY004
    return mu.lower


def _prices(
    sets: Sequence[Set], scores: Sequence[Fraction], k: int, c: Fraction, outputs: int | None
) -> tuple[list[Fraction], Fraction]:
    """The prices (l_x, t) of the program over the listed sets."""
    rows = [[1 + c if x in s else _ONE for s in sets] for x in range(k)]
    gains, right = list(scores), [_ONE] * k
    if outputs is not None:
        n = Fraction(outputs)
        rows = [[*row, _ONE, _ZERO] for row in rows]  # the constant column and the slack
        rows.append([*([c + n] * len(sets)), n, _ONE])
        gains += [_ZERO, _ZERO]
        right.append(n)
    solution = solve_linear_program(gains, rows, right)
    if solution.answer is not LinearAnswer.OPTIMAL:
        raise ArithmeticError("the program over the sets has an optimum")
    prices = list(solution.prices)
    return prices[:k], _ZERO if outputs is None else prices[k] * (c + outputs)


def _active_sets(
    divergence: Divergence,
    alphabet: OrderedAlphabet,
    exp_epsilon: Fraction,
    lam: Sequence[Fraction],
) -> Iterable[Set]:
    """A(g) for the subgradients g at the ratios from 1/E to E."""
    first = 1 / exp_epsilon
    ratios = [first, *(t for t in divergence.kinks if first < t <= exp_epsilon)]
    gradients = [divergence.gradient(t, _BITS) for t in ratios]
    symbols = list(zip(alphabet.p0, alphabet.p1, lam, strict=True))
    for g0, g1 in gradients:
        yield frozenset(x for x, (a, b, m) in enumerate(symbols) if g0.lower * a + g1.lower * b > m)


def _spread(
    problem: TestingProblem, alphabet: OrderedAlphabet, lam: Sequence[Fraction]
) -> tuple[Fraction, ...]:
    """The multipliers of merged symbols shared among them by mass."""
    spread = [_ZERO] * len(problem.p0)
    for m, a, b, group in zip(lam, alphabet.p0, alphabet.p1, alphabet.members, strict=True):
        for x in group:
            spread[x] = m * (problem.p0.masses[x] + problem.p1.masses[x]) / (a + b)
    return tuple(spread)
