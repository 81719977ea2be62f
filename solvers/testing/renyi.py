"""Renyi divergences between the output laws: every order by the power divergence of that order.

D_A(M0||M1) = log(sum M0^A M1^(1-A))/(A - 1) is an increasing function of the power divergence of
order A, so one mechanism is best for both, and the kernel checks that function. Two limits:

**Order infinity.** D_inf = log max_y M0(y)/M1(y). M0 <= R M1 at every output of every channel if
and only if the optimum of e-gamma:R is 0 (R >= 1), which is what the certificate says. Every column
of a private channel is a nonnegative combination of vectors 1 + (E-1) 1[S], and a ratio of sums is
at most the largest ratio of terms; hence the optimum is log R with
R = max over S of (1 + (E-1) P0(S))/(1 + (E-1) P1(S)), reached by the binary mechanism on S, and S
is a final segment of the likelihood-ratio order: with it, the numerator less R times the
denominator is largest.

**Order 0.** D_0 = -log M1(M0 > 0). The optimum is 0: a channel with finite E gives both laws the
same support. The certificate says that e-gamma:1/R has optimum 0, so that M0 >= M1/R everywhere.
"""

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from solvers.epsilon import Epsilon
from solvers.output_law import output_law
from solvers.testing.alphabet import OrderedAlphabet, order_alphabet
from solvers.testing.baselines import baseline_values, binary_cuts
from solvers.testing.mechanism import randomized_block_response
from solvers.testing.objective import objective
from solvers.testing.solve import TestingSolution, UnprovedError, solve_f_divergence
from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import Divergence, parse_divergence
from verify.kernel.exact import INFINITE, Infinity, rational_text
from verify.kernel.interval import Interval, enclose_log

__all__ = [
    "best_segment",
    "renamed",
    "renyi_solution",
    "rounded_out",
    "solve_renyi",
    "solve_renyi_infinity",
    "solve_renyi_zero",
    "through_randomized_response",
]

_BITS = 320


def renamed(divergence: Divergence, name: str) -> Divergence:
    """A divergence that bears the name of the objective which it stands in for."""
    return replace(divergence, name=name)


def rounded_out(value: Interval, bits: int) -> Interval:
    """The value on a binary grid that contains it; itself when it is one number."""
    if value.is_exact:
        return value
    grid = 1 << bits
    return Interval(
        Fraction(floor(value.lower * grid), grid), Fraction(ceil(value.upper * grid), grid)
    )


def solve_renyi(
    p0: Distribution, p1: Distribution, epsilon: Epsilon, name: str, outputs: int | None
) -> TestingSolution:
    """The best channel for ``renyi:A``, A > 0 rational and not 1.

    Returns:
        A solution with one certificate, of kind ``testing`` and divergence ``name``.

    Raises:
        UnprovedError: if no proof was found.
    """
    power = solve_f_divergence(p0, p1, epsilon, name.replace("renyi", "alpha"), outputs)
    return renyi_solution(power, name)


def renyi_solution(power: TestingSolution, name: str) -> TestingSolution:
    """The solution for ``name`` that the one for the power divergence of its order makes.

    Raises:
        UnprovedError: if the kernel does not accept it.
    """
    divergence = parse_divergence(name)
    bits = int(str(power.certificate.witness["bits"]))
    found = Interval(power.value_lower, power.value_upper)
    value = divergence.reported(found, bits)
    if isinstance(value, Infinity):
        raise UnprovedError("the bound on the power divergence is too weak")
    value = rounded_out(value, bits - 8)
    claim = {
        **power.certificate.claim,
        "divergence": name,
        "lower": rational_text(value.lower),
        "upper": rational_text(value.upper),
    }
    certificate = Certificate(
        "testing", claim, power.certificate.witness, {"solver": "solvers.testing.renyi"}
    )
    verdict = check_certificate(certificate)
    if not verdict.is_accepted:
        raise UnprovedError(f"the kernel did not accept the proof: {verdict.reason}")
    problem = replace(power.problem, divergence=divergence)
    alphabet = order_alphabet(problem.p0, problem.p1)
    return replace(
        power,
        problem=problem,
        value_lower=value.lower,
        value_upper=value.upper,
        baselines=baseline_values(problem, alphabet, objective(divergence), power.exp_epsilon),
        certificate=certificate,
        verdict=verdict,
    )


def through_randomized_response(
    p0: Distribution, p1: Distribution, blocks: tuple[tuple[int, ...], ...], exp_epsilon: Fraction
) -> tuple[Distribution, Distribution]:
    """The output laws of randomized response over the blocks."""
    channel = randomized_block_response(blocks, len(p0), exp_epsilon)
    return output_law(channel, p0), output_law(channel, p1)


def _largest_ratio(p0: Distribution, p1: Distribution) -> Fraction | Infinity:
    """The largest P0(x)/P1(x)."""
    pairs = [(a, b) for a, b in zip(p0.masses, p1.masses, strict=True) if a]
    if any(not b for _, b in pairs):
        return INFINITE
    return max(a / b for a, b in pairs)


def best_segment(alphabet: OrderedAlphabet, exp_epsilon: Fraction) -> tuple[Fraction, int]:
    """The largest ratio M0/M1 at an output of a private channel, *exact*.

    Returns:
        (R, place): reached by the binary mechanism on the final segment of the likelihood-ratio
        order that begins there.
    """
    c, best = exp_epsilon - 1, (Fraction(1), 0)
    for cut, (a, b) in enumerate(zip(*alphabet.prefix_sums(), strict=True)):
        ratio = (1 + c * (1 - a)) / (1 + c * (1 - b))
        if ratio > best[0]:
            best = ratio, cut
    return best


def solve_renyi_infinity(
    p0: Distribution, p1: Distribution, epsilon: Epsilon, outputs: int | None
) -> TestingSolution:
    """The best channel for the Renyi divergence of order infinity.

    Returns:
        A solution whose certificate says that e-gamma:R is 0 for every private channel.
    """
    alphabet = order_alphabet(p0, p1)
    ratio, cut = best_segment(alphabet, epsilon.exp_lower)
    bound, _ = best_segment(alphabet, epsilon.exp_upper)
    if outputs == 1:
        ratio, bound, cut = Fraction(1), Fraction(1), 0
    proof = solve_f_divergence(p0, p1, epsilon, f"e-gamma:{bound}", outputs)
    k = len(alphabet)
    blocks = alphabet.blocks((0, cut, k) if cut else (0, k))
    lower, upper = (enclose_log(number, _BITS) for number in (ratio, bound))
    value = rounded_out(Interval(lower.lower, upper.upper), _BITS - 8)
    rest = tuple(tuple(x for x in block) for block in alphabet.blocks(binary_cuts(alphabet)))
    everything = tuple((x,) for x in range(len(p0)))
    pairs = {
        "binary": through_randomized_response(p0, p1, rest, epsilon.exp_lower),
        "randomized_response": through_randomized_response(p0, p1, everything, epsilon.exp_lower),
        "non_private": (p0, p1),
    }
    ratios = {name: _largest_ratio(*pair) for name, pair in pairs.items()}
    return _limit(
        proof,
        "renyi:inf",
        value,
        blocks,
        {
            name: number if isinstance(number, Infinity) else enclose_log(number, 128)
            for name, number in ratios.items()
        },
    )


def solve_renyi_zero(
    p0: Distribution, p1: Distribution, epsilon: Epsilon, outputs: int | None
) -> TestingSolution:
    """The Renyi divergence of order 0, which no private channel makes positive.

    Returns:
        A solution whose certificate says that e-gamma:1/R is 0 for every private channel.
    """
    bound, _ = best_segment(order_alphabet(p1, p0), epsilon.exp_upper)
    proof = solve_f_divergence(p0, p1, epsilon, f"e-gamma:{1 / bound}", outputs)
    shared = sum((b for a, b in zip(p0.masses, p1.masses, strict=True) if a), Fraction(0))
    zero = Interval.exactly(0)
    non_private = enclose_log(shared, 128).scaled(-1) if shared else INFINITE
    baselines = {"binary": zero, "randomized_response": zero, "non_private": non_private}
    return _limit(proof, "renyi:0", zero, (tuple(range(len(p0))),), baselines)


def _limit(
    proof: TestingSolution,
    name: str,
    value: Interval,
    blocks: tuple[tuple[int, ...], ...],
    baselines: dict[str, Interval | Infinity],
) -> TestingSolution:
    reason = f"the best {name} lies between lower and upper, by a certificate of e-gamma"
    return replace(
        proof,
        verdict=replace(proof.verdict, reason=reason),
        problem=replace(proof.problem, divergence=renamed(proof.problem.divergence, name)),
        value_lower=value.lower,
        value_upper=value.upper,
        blocks=blocks,
        tied_blocks=(blocks,),
        is_unique=None,
        baselines=baselines,
    )
