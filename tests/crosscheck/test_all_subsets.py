"""The kernel's family of sets is complete: its answer is that of brute force over all 2^k sets."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from solvers.testing.rational_divergence import is_rational
from tests.support import oracle
from tests.support.all_subsets import merge, slack_of, smallest_slack
from tests.support.instances import E_VALUES, random_pair
from verify.kernel import optimality
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import parse_divergence
from verify.kernel.verdict import Status

BITS = 200
HUGE = Fraction(10) ** 9
TOUCH = Fraction(1, 1 << (BITS - 30))


def random_separators(rng, E, symbols):
    """No separators, a few random ones, many, or ones that hug the likelihood ratios."""
    kind = rng.choice(["none", "few", "many", "ratios", "wild"])
    if kind == "none":
        return ()
    if kind == "wild":
        return tuple(Fraction(rng.randint(-9, 9), rng.randint(1, 3)) for _ in range(6))
    if kind == "ratios":
        ratios = [a / b for a, b in zip(symbols.p, symbols.q, strict=True) if a and b]
        tiny = Fraction(1, 10**40)
        return tuple(sorted({t for r in ratios for t in (r - tiny, r, r + tiny)}))
    count = 4 if kind == "few" else 60
    return tuple(
        sorted({1 / E + (E - 1 / E) * Fraction(rng.randint(1, 999), 1000) for _ in range(count)})
    )


def random_multipliers(rng, name, E, p, q):
    """Tangent-like multipliers (near those of a proof), random ones or zero."""
    kind = rng.choice(["tangent", "tangent", "random", "zero"])
    if kind == "zero":
        return [Fraction(0)] * len(p)
    if kind == "random":
        size = rng.choice([10, 1000])
        return [
            Fraction(rng.randint(-20, 40), size) if a or b else Fraction(0)
            for a, b in zip(p, q, strict=True)
        ]
    gradient = parse_divergence(name).gradient
    result = []
    for a, b in zip(p, q, strict=True):
        t = 1 / E + (E - 1 / E) * Fraction(rng.randint(0, 16), 16)
        g0, g1 = gradient(t, 64)
        result.append(g0.lower * a + g1.lower * b)
    return result


def lift(rng, name, E, symbols, multipliers, p, q, t):
    """Shift the multipliers until the tightest set just touches, then a little up or down.

    A shift of delta (P0 + P1)/2 moves the slack of a set S by delta (1 + c (P0(S) + P1(S))/2).
    """
    c = E - 1
    for _ in range(200):
        slack, mask = smallest_slack(name, E, symbols, t)
        inside = [i for i in range(len(symbols.p)) if mask >> i & 1]
        half = sum((symbols.p[i] + symbols.q[i] for i in inside), Fraction(0)) / 2
        if slack >= 0:
            break
        delta = -slack / (1 + c * half)
        multipliers = [
            lam + delta * (a + b) / 2 for lam, a, b in zip(multipliers, p, q, strict=True)
        ]
        symbols = merge(p, q, multipliers)
    nudge = rng.choice([0, 0, 1, -1]) * Fraction(1, 10 ** rng.choice([3, 9, 20, 40]))
    return [lam + nudge * (a + b) / 2 for lam, a, b in zip(multipliers, p, q, strict=True)]


def random_instance(rng, k):
    """A problem and a witness, feasible, infeasible or on the edge."""
    p, q = random_pair(rng, k)
    name, E = rng.choice(oracle.EVERY), rng.choice(E_VALUES)
    outputs = rng.choice([None, None, rng.randint(1, k)])
    t = Fraction(0) if outputs is None else Fraction(rng.randint(0, 30), 40)
    multipliers = random_multipliers(rng, name, E, p, q)
    symbols = merge(p, q, multipliers)
    if rng.random() < 0.8:
        multipliers = lift(rng, name, E, symbols, multipliers, p, q, t)
        symbols = merge(p, q, multipliers)
    problem = optimality.TestingProblem(
        Distribution(p), Distribution(q), parse_divergence(name), outputs
    )
    witness = optimality.DualWitness(tuple(multipliers), t, random_separators(rng, E, symbols))
    return problem, E, witness, symbols


def judge(rng, k):
    """Compare kernel and brute force on one random instance; the pair of their answers."""
    problem, E, witness, symbols = random_instance(rng, k)
    t, outputs, name = witness.output_multiplier, problem.outputs, problem.divergence.name
    verdict = optimality.check_upper_bound(problem, E, witness, HUGE, BITS)
    bound = sum(witness.multipliers, Fraction(0))
    if outputs is not None:
        bound += t * outputs / (E - 1 + outputs)
    slack, mask = smallest_slack(name, E, symbols, t)
    context = (problem, E, witness, slack, mask, verdict)
    if bound < 0:
        assert verdict.status is Status.REJECTED, context
        return "negative bound"
    feasible = slack >= 0
    if verdict.status is Status.ACCEPTED:
        assert feasible or (not is_rational(problem.divergence) and slack > -TOUCH), context
    elif verdict.status is Status.REJECTED:
        assert not feasible, context
        assert "set violates" in verdict.reason, context
    else:
        assert not is_rational(problem.divergence), context
        assert abs(slack) < TOUCH * (1 + E), context
    return f"{verdict.status.value} {'touching' if abs(slack) < Fraction(1, 10**12) else 'clear'}"


def run(seed, sizes):
    rng = random.Random(seed)
    answers = Counter(judge(rng, k) for k in sizes)
    for answer in ("ACCEPTED clear", "ACCEPTED touching", "REJECTED clear", "REJECTED touching"):
        assert answers[answer] >= len(sizes) // 50, answers
    return answers


def test_small_alphabets():
    run(20_260_101, [1 + i % 8 for i in range(960)])


def test_larger_alphabets():
    run(7, [9 + i % 4 for i in range(80)])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 108))
def test_many_more(seed):
    run(seed, [1 + i % 9 for i in range(3000)])
    run(seed + 1000, [9 + i % 4 for i in range(200)])


def test_brute_force_sees_the_definition():
    """The slack of a set, computed by hand: chi2, E = 3, S = {0}."""
    symbols = merge([Fraction(1, 2)] * 2, [Fraction(1, 4), Fraction(3, 4)], [Fraction(1, 4)] * 2)
    u, w = Fraction(2), Fraction(3, 2)
    expected = Fraction(1, 2) + 2 * Fraction(1, 4) - (u - w) ** 2 / w
    assert slack_of("chi2", Fraction(3), symbols, 1, Fraction(0)) == expected
