"""Chernoff information C(M0, M1) = -log min over 0 <= a <= 1 of g(a), g(a) = sum M0^a M1^(1-a).

It is the exponent of the least Bayes error of a test on many samples. Over private channels:

**Theorem.** The optimum is max over a of max over channels of -log g(a), and for each a the inner
maximum is reached by a Sort-Partition-Randomize mechanism. So is the outer one.
Proof. Two maxima commute. For fixed 0 < a < 1, 1 - g(a) = a (1 - a) D_a with the power divergence
D_a of order a, an f-divergence, for which such a mechanism is optimal; there are finitely many of
them, so the outer maximum is reached as well. The same holds for any family of f-divergences D_a
and functions u_a, increasing in D_a, in the place of -log(1 - a (1 - a) D_a), whenever the outer
maximum is reached.

**Bound.** Write phi = 1 - g and let F(a) be proved bounds on phi(a) over all channels (within the
limit on outputs) at points a_1 < ... < a_n. For every channel and every a in [0, 1], -log g(a) is
at most the largest of
- -log(1 - f) with f = F(a_1)/(1 - a_1) and f = F(a_n)/a_n, for a outside [a_1, a_n];
- for neighbours x < y among the points and M = max(F(x), F(y)), the smallest of
  -log(1 - s t/(s + t)), s = F(x)/x, t = F(y)/(1 - y);
  -log(1 - M) + e^2 (y - x)^2/8, e = epsilon;
  -log(1 - M - E^m D (y - x)^2/4), m the larger of |x - 1/2| and |y - 1/2|, and D a proved bound
  on D_(1/2) over all channels.

Proof. g is convex with g(0) = g(1) = 1 for a private channel. For a >= x, the chord from 0 to a
lies above g(x): g(x) <= 1 - x/a + (x/a) g(a), that is phi(a) <= (a/x) phi(x) <= a s. From the
other side phi(a) <= (1 - a) t for a <= y. Up to y = a_1 the second bound is at most t, and from
x = a_n on the first is at most s. In between, the smaller of the two is largest where
a s = (1 - a) t, with the value s t/(s + t).
For the other bounds let r = M0/M1, which lies in [1/E, E] at each output, and u = log r. A function
whose second derivative is at most K on [x, y] lies above its chord less K (a - x)(y - a)/2, of
which the last part is at most K (y - x)^2/8. For log g the second derivative is the variance of u
under the law M0^a M1^(1-a)/g, at most e^2 as |u| <= e. For g it is sum M1 r^a u^2, and
u^2 r^(1/2) <= 4 (r^(1/2) - 1)^2 because |u|/4 <= sinh(|u|/4); so it is at most
E^|a - 1/2| 4 sum (sqrt M0 - sqrt M1)^2 = E^|a - 1/2| 2 D_(1/2).

The first kind of bound covers wide pieces at the ends; the others are of second order, so that a
few dozen points prove a relative gap of 1e-12. Each F(a) is a certificate that the kernel accepts;
`chernoff_enclosure` puts them together in exact arithmetic.

Reference: the theorem and the bound are proved above; Chernoff 1952 (the exponent).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from solvers.epsilon import Epsilon
from solvers.testing.alphabet import order_alphabet
from solvers.testing.baselines import binary_cuts
from solvers.testing.chernoff_information import enclose_chernoff_information
from solvers.testing.chernoff_search import TOLERANCE, ChernoffSearch
from solvers.testing.renyi import renamed, rounded_out, through_randomized_response
from solvers.testing.solve import TestingSolution, UnprovedError, solve_f_divergence
from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.exact import Infinity, parse_canonical
from verify.kernel.interval import Interval, enclose_log, enclose_power
from verify.kernel.privacy_level import PrivacyLevel, read_level
from verify.kernel.verdict import accepted

__all__ = ["chernoff_enclosure", "covered_maximum", "solve_chernoff"]

HALF = Fraction(1, 2)
_BITS = 192


def chernoff_enclosure(certificates: Sequence[Certificate]) -> Interval:
    """Encloses the largest Chernoff information of a private channel, by the bound above.

    Args:
        certificates: of kind ``testing``, for one problem at one level and increasing orders
            ``alpha:a``, 0 < a < 1, with a = 1/2 among them. The mechanism of each gives a lower
            bound, and all together prove the upper one.

    Raises:
        InputError: if they are for different problems or other orders.
        UnprovedError: if the kernel does not accept one of them.
    """
    orders = [_order(certificate) for certificate in certificates]
    if HALF not in orders or any(a >= b for a, b in pairwise(orders)):
        raise InputError("certificates: need increasing orders with 1/2 among them")
    problems = [
        {key: certificate.claim[key] for key in ("p0", "p1", "level", "outputs")}
        for certificate in certificates
    ]
    if any(problem != problems[0] for problem in problems):
        raise InputError("certificates: are for different problems")
    for certificate in certificates:
        verdict = check_certificate(certificate)
        if not verdict.is_accepted:
            raise UnprovedError(f"the kernel did not accept a certificate: {verdict.reason}")
    lower, upper = (
        [a * (1 - a) * parse_canonical(c.claim[end]) for a, c in zip(orders, certificates)]  # noqa: B905
        for end in ("lower", "upper")
    )
    most = covered_maximum(orders, upper, read_level(problems[0]["level"]))
    least = enclose_log(1 - max(lower), _BITS)
    return Interval(max(-least.upper, Fraction(0)), most)


def _order(certificate: Certificate) -> Fraction:
    family, _, order = str(certificate.claim.get("divergence")).partition(":")
    if certificate.kind != "testing" or family != "alpha":
        raise InputError("certificates: must be of kind testing and divergence alpha:a")
    number = parse_canonical(order, "order")
    if not 0 < number < 1:
        raise InputError(f"certificates: the order {number} is not between 0 and 1")
    return number


def covered_maximum(
    orders: Sequence[Fraction], bounds: Sequence[Fraction], level: PrivacyLevel
) -> Fraction:
    """The bound of the module on -log g(a) for all a and all channels, *upper bound*.

    Args:
        orders: increasing points, with 1/2 among them.
        bounds: F at each, an upper bound on 1 - g over all channels.
        level: the privacy of the channels.

    Raises:
        UnprovedError: if the points are too far apart to give a bound.
    """
    points = list(zip(orders, bounds, strict=True))
    exponential = level.enclose_exp_epsilon(_BITS).upper
    middle = 4 * bounds[list(orders).index(HALF)]  # D_(1/2)
    pieces = [_information(bounds[0] / (1 - orders[0])), _information(bounds[-1] / orders[-1])]
    for (x, f), (y, g) in pairwise(points):
        pieces.append(_piece(x, f, y, g, exponential, middle))
    found = [piece for piece in pieces if piece is not None]
    if len(found) < len(pieces):
        raise UnprovedError("the cover is too coarse to bound the Chernoff information")
    return max(found)


def _information(phi: Fraction) -> Fraction | None:
    """An upper bound on -log(1 - phi); None if it is infinite."""
    return -enclose_log(1 - phi, _BITS).lower if phi < 1 else None


def _piece(
    x: Fraction, f: Fraction, y: Fraction, g: Fraction, exponential: Fraction, middle: Fraction
) -> Fraction | None:
    """The bound on -log g(a) for x <= a <= y; None if there is none."""
    s, t, most, width = f / x, g / (1 - y), max(f, g), (y - x) ** 2
    steepness = enclose_power(exponential, max(abs(x - HALF), abs(y - HALF)), _BITS).upper
    from_variance = _information(most)
    if from_variance is not None:
        from_variance += enclose_log(exponential, _BITS).upper ** 2 * width / 8
    found = (
        _information(s * t / (s + t) if s + t else Fraction(0)),
        from_variance,
        _information(most + steepness * middle * width / 4),
    )
    return min((bound for bound in found if bound is not None), default=None)


def solve_chernoff(
    p0: Distribution, p1: Distribution, epsilon: Epsilon, outputs: int | None
) -> TestingSolution:
    """The channel with the largest Chernoff information.

    The relative gap is at most 1e-12 unless masses or E are so extreme that floats do not see the
    optimum; the solution states it either way.

    Returns:
        A solution whose ``supporting`` certificates prove the value by ``chernoff_enclosure``, and
        whose ``certificate`` is the one of them at the best order a.

    Raises:
        UnprovedError: if no proof was found.

    Cost: a float solution at some hundred orders and a certificate at some dozen.
    """
    search = ChernoffSearch(p0, p1, epsilon, outputs)
    proofs: dict[Fraction, TestingSolution] = {}
    for fineness in (1, 4, 16):
        best, orders = search.cover(fineness)
        for order in orders:
            if order not in proofs:
                name = f"alpha:{order}"
                proofs[order] = solve_f_divergence(p0, p1, epsilon, name, outputs)
        certificates = tuple(proofs[order].certificate for order in orders)
        value = chernoff_enclosure(certificates)
        if value.upper - value.lower <= value.upper * TOLERANCE:
            break
    return _solution(proofs[best], value, certificates)


def _solution(
    proof: TestingSolution, value: Interval, certificates: tuple[Certificate, ...]
) -> TestingSolution:
    problem = proof.problem
    alphabet = order_alphabet(problem.p0, problem.p1)
    partitions = {
        "binary": alphabet.blocks(binary_cuts(alphabet)),
        "randomized_response": tuple((x,) for x in range(len(problem.p0))),
    }
    baselines: Mapping[str, Interval | Infinity] = {
        name: enclose_chernoff_information(
            *through_randomized_response(problem.p0, problem.p1, blocks, proof.exp_epsilon)
        )
        for name, blocks in partitions.items()
    } | {"non_private": enclose_chernoff_information(problem.p0, problem.p1)}
    value = rounded_out(value, _BITS - 8)
    return replace(
        proof,
        problem=replace(problem, divergence=renamed(problem.divergence, "chernoff")),
        value_lower=value.lower,
        value_upper=value.upper,
        is_unique=None,
        baselines=baselines,
        verdict=accepted(
            f"the kernel accepts {len(certificates)} certificates of power divergences, which "
            "together prove that the best chernoff lies between lower and upper"
        ),
        supporting=certificates,
    )
