"""Optima that need no search: E_gamma (with total variation), one output, and no information.

For gamma >= 1, d_x = P0(x) - gamma P1(x), D = sum of its positive parts and c = E - 1, the optimum
is v = [c D + 1 - gamma]_+ / (c + 2), reached by binary randomized response on the bit d_x > 0.
Its dual witness is l_x = d_x - d_x (v + gamma - 1)/(c D) where d_x > 0 and l_x = d_x (v/c) /
(D + gamma - 1) elsewhere: the negative parts of l sum to -v/c and those of l - d to
-(v + gamma - 1)/c, so L + c l(S) >= max(0, 1 - gamma + c d(S)) = mu(S) for every S, with L = v.
For gamma < 1 the roles of P0 and P1 are swapped, at gamma' = 1/gamma.

Reference: Ghazi 2026 (E_gamma); the witness is derived above.
"""

from fractions import Fraction
from itertools import pairwise
from math import ceil

from verify.kernel.distribution import Distribution
from verify.kernel.divergence import Divergence
from verify.kernel.optimality import DualWitness, TestingProblem

__all__ = ["e_gamma_optimum", "e_gamma_witness", "no_information_witness", "one_output_witness"]


def e_gamma_optimum(
    p0: Distribution, p1: Distribution, gamma: Fraction, exp_epsilon: Fraction
) -> Fraction:
    """The largest E_gamma between the output laws of a log(exp_epsilon)-LDP channel, *exact*.

    It is [(E - 1) E_gamma(P0||P1) - |gamma - 1|]_+ / (E + 1) with E_gamma(P||Q) =
    sum (P - gamma Q)_+ - (1 - gamma)_+.

    Reference: Ghazi 2026.
    """
    excess = sum(
        (max(a - gamma * b, Fraction(0)) for a, b in zip(p0.masses, p1.masses, strict=True)),
        Fraction(0),
    )
    value = (exp_epsilon - 1) * (excess - max(1 - gamma, Fraction(0))) - abs(gamma - 1)
    return max(value, Fraction(0)) / (exp_epsilon + 1)


def e_gamma_witness(problem: TestingProblem, gamma: Fraction, exp_epsilon: Fraction) -> DualWitness:
    """The witness that no channel beats a positive ``e_gamma_optimum``."""
    p0, p1, scale = problem.p0, problem.p1, Fraction(1)
    if gamma < 1:
        p0, p1, scale, gamma = p1, p0, gamma, 1 / gamma
    c = exp_epsilon - 1
    value = e_gamma_optimum(p0, p1, gamma, exp_epsilon)
    d = [a - gamma * b for a, b in zip(p0.masses, p1.masses, strict=True)]
    total = sum((x for x in d if x > 0), Fraction(0))
    keep = 1 - (value + gamma - 1) / (c * total)
    lose = value / c / (total + gamma - 1)
    multipliers = [scale * x * (keep if x > 0 else lose) for x in d]
    if scale != 1:  # the kernel's f differs from (gamma - t)_+ by t - 1
        originals = zip(problem.p0.masses, problem.p1.masses, strict=True)
        multipliers = [m + a - b for m, (a, b) in zip(multipliers, originals, strict=True)]
    return DualWitness(tuple(multipliers))


def no_information_witness(problem: TestingProblem, slope: Fraction | int) -> DualWitness:
    """The witness of the bound 0 for a problem whose optimum is 0 at any number of outputs.

    Args:
        slope: of the normalised f, see ``solvers.testing.objective``.
    """
    pairs = list(zip(problem.p0.masses, problem.p1.masses, strict=True))
    ratios = sorted({a / b for a, b in pairs if b})
    middles = ((low + high) / 2 for low, high in pairwise(ratios))
    return DualWitness(tuple(slope * (a - b) for a, b in pairs), separators=tuple(middles))


def one_output_witness(problem: TestingProblem, exp_epsilon: Fraction, bits: int) -> DualWitness:
    """The witness of the bound 0 for channels with one output.

    With l_x = -(t/E) (P0(x) + P1(x))/2 the bound L + t/E is 0. If t > 2 E |g| for all subgradients
    g, every symbol is in A(t), so that only the set of all symbols is left, with slack 0 = mu.
    """
    steepest = _steepest(problem.divergence, exp_epsilon, bits)
    t = 2 * exp_epsilon * (steepest + 1)
    pairs = zip(problem.p0.masses, problem.p1.masses, strict=True)
    return DualWitness(tuple(-t / exp_epsilon * (a + b) / 2 for a, b in pairs), t)


def _steepest(divergence: Divergence, exp_epsilon: Fraction, bits: int) -> int:
    """An integer above every entry of a subgradient at the ratios 1/E..E (they are monotone)."""
    gradients = [divergence.gradient(t, bits) for t in (1 / exp_epsilon, exp_epsilon)]
    if divergence.left_gradient is not None:
        gradients += [divergence.left_gradient(t, bits) for t in divergence.kinks]
    return ceil(max(max(abs(g.lower), abs(g.upper)) for pair in gradients for g in pair))
