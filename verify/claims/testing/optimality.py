"""SPR is optimal: against the exact linear program, and by certificates that the kernel accepts."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from solvers.epsilon import Epsilon
from solvers.testing import TestingSolution, solve_testing
from verify.claims.claim import Claim, Exhaustive, Randomised
from verify.claims.domain import boxed
from verify.claims.families import likelihood_pairs, nonempty_subsets, set_partitions
from verify.claims.testing.definitions import (
    LEVELS,
    RATIONAL,
    best_partition_value,
    both_ways,
    partition_value,
    set_score,
    sorted_pair,
    subset_program,
)
from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import parse_divergence
from verify.kernel.exact import as_rational, rational_text
from verify.kernel.optimality import DualWitness, TestingProblem, check_upper_bound

__all__ = ["CLAIMS", "spr_optimal"]

_GHAZI = "Ghazi 2026"
_IRRATIONAL = ("kl", "reverse-kl", "js", "hellinger")


def spr_optimal(pair: Any, most: int | None = None) -> str:
    """Whether the best contiguous partition, into at most so many blocks, is optimal."""
    p, q = sorted_pair(pair)
    for name, level in product(RATIONAL, LEVELS):
        best = best_partition_value(name, level, p, q, most)
        optimum = subset_program(name, level, p, q)
        if best != optimum:
            return f"{name}, E = {level}: SPR reaches {best}, the optimum is {optimum}"
    return ""


def _certified(pair: Any, shrink: Fraction = Fraction(1)) -> str:
    """Whether the kernel accepts that the optimum is at most shrink times what SPR reaches."""
    for name, level in product(_IRRATIONAL, (Fraction(2), Fraction(4))):
        solution = solve_testing(pair[0], pair[1], Epsilon.from_exp(level), name)
        certificate = _claimed(solution, shrink)
        verdict = check_certificate(certificate)
        if not verdict.is_accepted:
            return f"{name}, E = {level}: {verdict.reason}"
        gap = solution.relative_gap
        if gap > Fraction(1, 10**30):
            return f"{name}, E = {level}: the bounds differ by {float(gap):.1e}"
    return ""


def _claimed(solution: TestingSolution, shrink: Fraction) -> Certificate:
    if shrink == 1:
        return solution.certificate
    claim = dict(solution.certificate.claim)
    for end in ("lower", "upper"):
        claim[end] = rational_text(as_rational(claim[end]) * shrink)
    return replace(solution.certificate, claim=claim)


def _limited(pair: Any, *, unlimited: bool = False) -> str:
    """The best of ALL partitions with at most l blocks against the certified optimum."""
    p, q = sorted_pair(pair)
    for name, level, outputs in product(("chi2", "lecam"), (Fraction(2), Fraction(6)), (2, 3)):
        limit = None if unlimited else outputs
        solution = solve_testing(p, q, Epsilon.from_exp(level), name, limit)
        best = max(
            partition_value(name, level, p, q, blocks)
            for blocks in set_partitions(list(range(len(p))))
            if len(blocks) <= outputs
        )
        if not solution.value_lower <= best <= solution.value_upper:
            return (
                f"{name}, E = {level}, {outputs} outputs: partitions reach {best}, "
                f"the certified optimum is {solution.value_lower}"
            )
    return ""


def _ratio_program(pair: Any, passes: int = 99) -> str:
    """Dinkelbach's passes end in the optimum of the program by number of blocks."""
    p, q = sorted_pair(pair)
    for name, level in product(RATIONAL, LEVELS):
        cubic = _by_number_of_blocks(name, level, p, q)
        ratio = _dinkelbach(name, level, p, q, passes)
        if cubic != ratio:
            return f"{name}, E = {level}: {cubic} by the cubic program, {ratio} by the ratio"
    return ""


def _by_number_of_blocks(name: str, level: Fraction, p: Any, q: Any) -> Fraction:
    """V_s(b) = max over a < b of V_(s-1)(a) + mu[a:b]; the answer is max V_s(k)/(E + s - 1)."""
    k, score = len(p), RATIONAL[name]
    best: dict[int, Fraction] = {0: Fraction(0)}
    answer = []
    for s in range(1, k + 1):
        best = {
            b: max(best[a] + set_score(score, level, p, q, range(a, b)) for a in best if a < b)
            for b in range(s, k + 1)
        }
        answer.append(best[k] / (level + s - 1))
    return max(answer)


def _dinkelbach(name: str, level: Fraction, p: Any, q: Any, passes: int) -> Fraction:
    """Maximise sum (mu - t) over partitions, set t to the ratio of the maximiser, repeat."""
    k, score, t = len(p), RATIONAL[name], Fraction(0)
    mu = {
        (a, b): set_score(score, level, p, q, range(a, b)) for b in range(k + 1) for a in range(b)
    }
    for _ in range(passes):
        table: list[tuple[Fraction, Fraction, int]] = [(Fraction(0), Fraction(0), 0)]
        for b in range(1, k + 1):
            table.append(
                max(
                    (table[a][0] + mu[a, b] - t, table[a][1] + mu[a, b], table[a][2] + 1)
                    for a in range(b)
                )
            )
        _, total, blocks = table[k]
        ratio = total / (level - 1 + blocks)
        if ratio == t:
            break
        t = ratio
    return t


def _checked_sets(instance: Any, *, prefixes: bool = False) -> str:
    """If the kernel accepts multipliers, every set of symbols satisfies its constraint."""
    pair, multipliers = instance
    level, name = Fraction(3), "chi2"
    if any(lam and not a + b for lam, a, b in zip(multipliers, *pair, strict=True)):
        return ""
    laws = [Distribution(law) for law in pair]
    lam = tuple(Fraction(x, 4) for x in multipliers)
    total, c = sum(lam, Fraction(0)), level - 1
    problem = TestingProblem(laws[0], laws[1], parse_divergence(name))
    p, q, merged = _merged_symbols(pair[0], pair[1], lam)
    slack = {
        s: total + c * sum(merged[x] for x in s) - set_score(RATIONAL[name], level, p, q, s)
        for s in nonempty_subsets(len(merged))
    }
    if prefixes:
        accepts = total >= 0 and all(v >= 0 for s, v in slack.items() if 0 in s)
    else:
        witness = DualWitness(lam, separators=(Fraction(1, 2), Fraction(1), Fraction(2)))
        accepts = check_upper_bound(problem, level, witness, total, 64).is_accepted
    worst = min(slack, key=lambda s: slack[s])
    if accepts and slack[worst] < 0:
        return f"accepted, but the set {worst} has slack {slack[worst]}"
    return ""


def _merged_symbols(p: Any, q: Any, lam: Any) -> tuple[list[Fraction], ...]:
    """P0, P1 and multipliers with the symbols of equal likelihood ratio added up."""
    groups: dict[Fraction, list[Fraction]] = {}
    for triple in zip(p, q, lam, strict=True):
        if triple[0] + triple[1]:
            group = groups.setdefault(triple[0] / (triple[0] + triple[1]), [Fraction(0)] * 3)
            group[:] = [x + y for x, y in zip(group, triple, strict=True)]
    return tuple(list(column) for column in zip(*groups.values(), strict=True))


def _strategy() -> Any:
    from verify import strategies as st  # noqa: PLC0415 - Hypothesis is slow to import

    pairs = st.distribution_pairs(max_symbols=5, max_denominator=60)
    return pairs.map(lambda pair: (pair[0].masses, pair[1].masses))


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "testing.spr-optimal",
        "the best contiguous partition reaches the optimum over all private channels",
        f"{_GHAZI}, main theorem",
        "k = 3, 4, 5 with denominators dividing 12, 7, 5; eight rational divergences; four E",
        "two blocks suffice",
        (
            Exhaustive(likelihood_pairs(3), spr_optimal, lambda p: spr_optimal(p, 2), size=12),
            Exhaustive(
                likelihood_pairs(4), spr_optimal, lambda p: spr_optimal(p, 2), size=7, batch=8
            ),
            Exhaustive(
                likelihood_pairs(5), spr_optimal, lambda p: spr_optimal(p, 2), size=5, batch=4
            ),
            Randomised(_strategy, spr_optimal, lambda p: spr_optimal(p, 2), examples=25),
        ),
    ),
    Claim(
        "testing.spr-certified",
        "SPR is optimal for KL, its mirror, Jensen-Shannon and Hellinger, proved to the kernel",
        f"{_GHAZI}, main theorem; weak duality",
        "pairs on 3 symbols, E = 2, 4; the bounds agree to 30 digits",
        "the optimum is at most 0.999 times what SPR reaches",
        (
            Exhaustive(
                likelihood_pairs(3),
                _certified,
                lambda pair: _certified(pair, Fraction(999, 1000)),
                size=5,
                batch=8,
            ),
        ),
    ),
    Claim(
        "testing.output-limited",
        "with at most l outputs the best partition into l blocks reaches the certified optimum",
        f"{_GHAZI}, output-limited optimum",
        "pairs on 4 symbols, chi2 and Le Cam, l = 2, 3, E = 2, 6",
        "a limit on the outputs costs nothing",
        (
            Exhaustive(
                likelihood_pairs(4),
                both_ways(_limited),
                lambda pair: _limited(pair, unlimited=True),
                size=4,
                batch=4,
            ),
        ),
    ),
    Claim(
        "testing.ratio-program",
        "the ratio program by Dinkelbach's passes equals the cubic program",
        f"{_GHAZI}, algorithm; Dinkelbach 1967",
        "pairs on 5 symbols, eight rational divergences, four E",
        "one pass suffices",
        (
            Exhaustive(likelihood_pairs(5), _ratio_program, lambda p: _ratio_program(p, 1), size=3),
            Exhaustive(likelihood_pairs(4), _ratio_program, lambda p: _ratio_program(p, 1), size=5),
        ),
    ),
    Claim(
        "testing.separators-suffice",
        "multipliers that the kernel accepts satisfy the constraints of all sets of merged symbols",
        "the proof in verify.kernel.optimality",
        "pairs on 3 symbols with integer multipliers, chi2 at E = 3",
        "the sets with the first symbol suffice",
        (
            Exhaustive(
                boxed(
                    "pairs on 3 symbols in quarters, multipliers m/4 with |m| <= {size}",
                    lambda size: (
                        [pair for pair, _ in likelihood_pairs(3).orbits(4)],
                        list(product(range(-size, size + 1), repeat=3)),
                    ),
                ),
                _checked_sets,
                lambda instance: _checked_sets(instance, prefixes=True),
                size=3,
                batch=512,
            ),
        ),
    ),
)
