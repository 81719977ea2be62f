"""The optimum as the linear program over all 2^k staircase columns, exact for small k.

A private channel is a nonnegative combination of the columns 1 + (E-1) 1[S]; the program maximises
sum of w_S mu(S) subject to sum of w_S (1 + (E-1) 1[x in S]) = 1 for every symbol x. It knows
nothing of partitions, so it is an independent check of Sort-Partition-Randomize.

Reference: Kairouz, Oh, Viswanath 2016.
"""

from fractions import Fraction

from solvers.linear_program import LinearAnswer, solve_linear_program
from solvers.testing.rational_divergence import is_rational
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import Divergence
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import Infinity

__all__ = ["staircase_optimum"]

MAX_SYMBOLS = 12
_BITS = 64


def staircase_optimum(
    p0: Distribution, p1: Distribution, divergence: Divergence, exp_epsilon: Fraction
) -> Fraction:
    """The largest divergence between the output laws of a private channel, *exact*.

    Args:
        divergence: a rational one.
        exp_epsilon: E >= 1.

    Raises:
        InputError: for a divergence that is not rational.
        LimitError: for more than 12 symbols.

    Cost: a linear program with k rows and 2^k columns.
    """
    k, c = len(p0), exp_epsilon - 1
    if not is_rational(divergence):
        raise InputError(f"divergence: {divergence.name} is not rational")
    if k > MAX_SYMBOLS:
        raise LimitError(f"p0: {k} symbols are over the limit of {MAX_SYMBOLS} for all subsets")
    if not c:
        return Fraction(0)
    gains, columns = [], []
    for mask in range(1 << k):
        inside = [mask >> x & 1 for x in range(k)]
        a, b = (
            sum((mass for mass, i in zip(law.masses, inside, strict=True) if i), Fraction(0))
            for law in (p0, p1)
        )
        score = divergence.perspective(1 + c * a, 1 + c * b, _BITS)
        if isinstance(score, Infinity):
            raise InputError(f"divergence: {divergence.name} is infinite for a private channel")
        gains.append(score.lower)
        columns.append([1 + c * i for i in inside])
    rows = list(zip(*columns, strict=True))
    solution = solve_linear_program(gains, rows, [Fraction(1)] * k)
    if solution.answer is not LinearAnswer.OPTIMAL:
        raise ArithmeticError("the staircase program has an optimum")
    return solution.value
