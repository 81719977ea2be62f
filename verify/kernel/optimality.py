"""Optimal private testing, proved without the theorem that found it: weak duality over all sets.

A channel is E-LDP when any two entries of a column differ at most by the factor E; c = E - 1. The
pair (P0, P1) on k symbols passes through a channel Q to (M0, M1), and D_f(M0||M1) is to be large.
h is the perspective of f; p_x = (P0(x), P1(x)); mu(S) = h(1 + c P0(S), 1 + c P1(S)) for a set S.

**Bound.** Let numbers l_x and t >= 0 satisfy L + c l(S) + t >= mu(S) for EVERY set S, with
L = sum l_x. A column q with least entry m is m plus a mixture of indicators of its level sets:
q = sum_i w_i (1 + c 1[S_i]) + r with sum_i w_i = (max q - m)/c and r = m - sum_i w_i >= 0. As h is
sublinear and h(1, 1) = 0, D_f <= sum w mu(S) over all columns. Rows sum to 1, so with W = sum w and
R = sum r: sum w (L + c l(S)) = L (1 - R). Hence D_f <= L (1 - R) + t W.
- t = 0: D_f <= L (1 - R) <= L, as L >= 0.
- at most n columns: c (sum of w in column j) = max_x (q_j(x) - m_j), which is at most the sum of
  q(x) - m over all columns, 1 - W - R. Added up over n columns, (c + n) W + n R <= n. Hence
  D_f <= (L + t n/(c + n)) (1 - R) <= L + t n/(c + n), as that is >= 0.
- E = 1: columns are constant and D_f = 0.

**All sets in polynomial time.** Only few sets need a check: see ``verify.kernel.sweep``.

Symbols with no mass are dropped, and symbols with equal ratio P0/P1 are merged, their l added:
both leave the attainable pairs (M0, M1) unchanged (a mixture of the rows of merged symbols does
what they did together, and is E-LDP with the same number of outputs).

**Knots.** A long alphabet may be replaced by a few knots, rising shares s = P0/(P0 + P1) from 0 to
1: the mass (a, b) of a symbol between two knots is split into alpha (s, 1 - s) at the lower and
beta (s', 1 - s') at the upper one, alpha, beta >= 0. The pair (P0, P1) comes from the new pair by a
channel (a knot turns into the symbols that gave it mass, in proportion), so every pair (M0, M1)
attainable before is attainable from the knots, at the same E and number of outputs: a bound for
the knots holds for the symbols.

Reference: the linear program over sets is Kairouz, Oh, Viswanath 2016; the sweep and the row for
few outputs are proved above.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise

from verify.kernel import distribution, sweep
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import Divergence, enclose_divergence
from verify.kernel.errors import require, require_limit
from verify.kernel.exact import Infinity
from verify.kernel.interval import Interval
from verify.kernel.verdict import Verdict, accepted, rejected, undecided

__all__ = ["DualWitness", "TestingProblem", "check_lower_bound", "check_upper_bound"]

Blocks = Sequence[Sequence[int]]
"""Lists of symbols."""


@dataclass(frozen=True, slots=True)
class TestingProblem:
    """Tell P0 from P1, both on k symbols, through a private channel.

    Args:
        p0: the law of the input under the first hypothesis.
        p1: the law under the second.
        divergence: D_f, to be made large between the two laws of the output.
        outputs: the largest number of outputs of the channel, or None for any number.

    Raises:
        InputError: if the alphabets differ in size or outputs < 1.
    """

    p0: Distribution
    p1: Distribution
    divergence: Divergence
    outputs: int | None = None

    def __post_init__(self) -> None:
        """Refuse two alphabets or a channel without outputs."""
        (k0, k1), n = map(len, (self.p0, self.p1)), self.outputs
        require(k0 == k1, f"p0 has {k0} symbols, p1 has {k1}")
        require(n is None or n >= 1, f"outputs: {n} is less than 1")


@dataclass(frozen=True, slots=True)
class DualWitness:
    """The numbers that prove an upper bound.

    Args:
        multipliers: l_x, one for each of the k symbols (knots, if there are any); 0 for one with
            no mass.
        output_multiplier: t >= 0; 0 when the number of outputs is not limited.
        separators: strictly increasing rationals, hints only.
        knots: none, or strictly increasing shares P0/(P0 + P1) from 0 to 1.
    """

    multipliers: tuple[Fraction, ...]
    output_multiplier: Fraction = Fraction(0)
    separators: tuple[Fraction, ...] = ()
    knots: tuple[Fraction, ...] = ()


def response_laws(problem: TestingProblem, blocks: Blocks, E: Fraction) -> list[Distribution]:
    """The output laws (M0, M1) of randomized response on the blocks of a partition, *exact*.

    Of s blocks, an input in block j gives output j with probability E/(E + s - 1), and each other
    output with 1/(E + s - 1). So rows sum to 1, a column has no entry above E times another, and
    output j has probability (1 + (E - 1) P(block j))/(E + s - 1).

    Raises:
        InputError: if E < 1, or the blocks are not a partition of the symbols into nonempty parts.
    """
    k, whole = len(problem.p0), E + len(blocks) - 1
    is_partition = all(blocks) and sorted(chain(*blocks)) == list(range(k))
    require(is_partition, f"blocks: are not a partition of the symbols 0..{k - 1}")
    require(E >= 1, "exp_epsilon: is less than 1, so epsilon is negative")
    laws = []
    for law in (problem.p0, problem.p1):
        parts, common = distribution.over_common_denominator(law.masses, law.name)
        sums = (Fraction(sum(parts[x] for x in block), common) for block in blocks)
        laws.append(Distribution(tuple((1 + (E - 1) * mass) / whole for mass in sums)))
    return laws


def check_lower_bound(
    problem: TestingProblem, exp_epsilon: Fraction, blocks: Blocks, lower: Fraction, bits: int
) -> Verdict:
    """Whether randomized response on the blocks fits the problem and reaches ``lower``.

    Raises:
        LimitError: if the blocks are over ``MAX_WORK``.
    """
    if problem.outputs is not None and len(blocks) > problem.outputs:
        return rejected(f"the mechanism has {len(blocks)} outputs")
    common = distribution.common_denominator(problem.p0.masses + problem.p1.masses, "p0, p1")
    _, most = sweep.work_limits(problem.divergence, exp_epsilon, common, bits)
    require_limit(len(blocks), most, "blocks")
    m0, m1 = response_laws(problem, blocks, exp_epsilon)
    value = enclose_divergence(problem.divergence, m0, m1, bits)
    if isinstance(value, Infinity) or value.lower >= lower:
        return accepted("the mechanism reaches the lower bound", value=value)
    if value.upper < lower:
        return rejected("the mechanism does not reach the lower bound", value=value)
    return undecided(f"the value of the mechanism is not separated from lower at {bits} bits")


def check_upper_bound(
    problem: TestingProblem, exp_epsilon: Fraction, witness: DualWitness, upper: Fraction, bits: int
) -> Verdict:
    """Whether the witness proves that no log(exp_epsilon)-LDP channel exceeds ``upper``.

    Raises:
        LimitError: if k symbols and n separators of that length are over ``MAX_WORK``, or their
            pairs over ``MAX_SIGNS``.

    Cost: O(k n) integer operations and O(k + n) enclosures for n separators.
    """
    t, outputs, divergence = witness.output_multiplier, problem.outputs, problem.divergence
    if t < 0 or (outputs is None and t):
        return rejected("the output multiplier must be >= 0, and 0 without a limit on outputs")
    knots = witness.knots
    if knots and (knots[0] or knots[-1] != 1 or any(s >= u for s, u in pairwise(knots))):
        return rejected("the knots do not rise from 0 to 1")
    symbols = dual_symbols(problem, witness)
    if any(lam for a, b, lam in symbols if not a + b):
        return rejected("a symbol with no mass has a multiplier other than 0")
    sets = sweep.candidate_sets(divergence, exp_epsilon, symbols, witness.separators, bits)
    if sets is None:
        return rejected("the separators are too coarse: too many symbols are undecided between two")
    total, c = distribution.exact_sum(witness.multipliers, "multipliers"), exp_epsilon - 1
    bound = total if outputs is None else total + t * outputs / (c + outputs)
    claimed = divergence.reported(Interval.exactly(bound), bits)
    if bound < 0 or isinstance(claimed, Infinity) or claimed.lower > upper:
        return rejected("the multipliers do not add up to the claimed upper bound", bound=bound)
    for a, b, lam in sets:
        mu = divergence.perspective(1 + c * a, 1 + c * b, bits)
        slack = total + c * lam + t
        if isinstance(mu, Infinity) or slack < mu.lower:
            return rejected("a set violates its constraint", masses=(a, b))
        if slack < mu.upper:
            return undecided(f"the constraint of a set is not decided at {bits} bits")
    if claimed.upper > upper:
        return undecided(f"the bound is not separated from upper at {bits} bits")
    return accepted("every set of symbols satisfies its constraint", bound=bound)


def dual_symbols(problem: TestingProblem, witness: DualWitness) -> list[sweep.Triple]:
    """(P0, P1, l) of the symbols of equal ratio P0/P1 added up, or of the knots if there are any.

    Raises:
        LimitError: if the numbers to be added are over ``MAX_WORK``.
    """
    pairs = list(zip(problem.p0.masses, problem.p1.masses, strict=True))
    numbers = [*chain(*pairs), *(() if witness.knots else witness.multipliers)]
    length = distribution.common_denominator(numbers, "p0, p1, multipliers").bit_length()
    require_limit(len(pairs) * length, sweep.MAX_WORK, "p0, p1: bits to be added")
    shares = [a / (a + b) if a + b else Fraction(-1) for a, b in pairs]
    if witness.knots:
        return sweep.spread_symbols(pairs, shares, witness.knots, witness.multipliers)
    merged: dict[str, sweep.Triple] = {}
    for share, (a, b), lam in zip(shares, pairs, witness.multipliers, strict=True):
        key = f"{share.numerator:x}/{share.denominator:x}"  # the hash of a number is no secret
        merged[key] = sweep.add_triples(merged.get(key, sweep.NOTHING), (a, b, lam))
    return list(merged.values())
