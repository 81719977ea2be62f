"""What no private test can avoid, beside what this mechanism needs and earlier ones reject.

Any purely epsilon-DP testing procedure that accepts p* and rejects p*/Lambda over T steps with
failure beta, for epsilon_1-DP black boxes, has Lambda >= ((1 - beta) T / beta)^(epsilon_1/epsilon)
(basic) and, up to rounding of path lengths, about (T / (4 beta))^(2 epsilon_1/epsilon)
(midpoint). The exponents on T and 1/beta are compared with those of Lambda_t.
"""

from dataclasses import dataclass
from fractions import Fraction

from solvers.backend import ball, ball_bounds, working_precision
from solvers.thresholding.calibration import PRECISION, Calibrator
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.parameters import Parameters, StepParameters
from solvers.thresholding.rates import Rate
from verify.kernel.interval import Interval

__all__ = [
    "Comparison",
    "Exponents",
    "basic_lower_bound",
    "compare",
    "exponents",
    "midpoint_lower_bound",
    "path_length",
]


def basic_lower_bound(parameters: Parameters, step: StepParameters, horizon: int) -> Interval:
    """Encloses ((1 - beta) T / beta)^(epsilon_1/epsilon), a *lower bound* of Lambda_T.

    If all p_i are at the rejection threshold the total stopping probability is at most beta, so
    some step stops with probability beta / T at most; raising its p to p* must raise this to 1 -
    beta, by a factor e^epsilon for each factor e^(epsilon_1) of p.
    """
    base = (1 - parameters.beta) * horizon / parameters.beta
    return _power(base, parameters, step, 1)


def midpoint_lower_bound(parameters: Parameters, step: StepParameters, horizon: int) -> Interval:
    """A *lower bound* of Lambda_T, near (T / (4 beta))^(2 epsilon_1/epsilon) for T >= 2.

    With all p_i half way (geometrically) some step stops with probability at most 1/T, and half the
    distance must raise this to 1 - beta. Raising a probability from a to 1 - b in d steps of an
    epsilon-DP event needs E^d >= E/((E + 1)^2 a b), E = e^epsilon: growth by E up to 1/(E + 1), and
    the mirror image from E/(E + 1) on. So Lambda_T >= (E T/((E + 1)^2 beta))^(2 epsilon_1/epsilon),
    and for T = 1, from beta to 1 - beta, (E/((E + 1)^2 beta^2))^(epsilon_1/epsilon). Bounds below 1
    say nothing and are given as 1. E is taken just above e^epsilon, which lowers the bound.
    """
    e = parameters.level.enclose_exp_epsilon(PRECISION).upper
    growth = e / (e + 1) ** 2 / parameters.beta
    base, factor = (growth * horizon, 2) if horizon > 1 else (growth / parameters.beta, 1)
    return _power(max(base, Fraction(1)), parameters, step, factor)


def _power(base: Fraction, parameters: Parameters, step: StepParameters, factor: int) -> Interval:
    with working_precision(PRECISION):
        ratio = step.scale.ratio_ball(Rate(Fraction(1), parameters.level))
        return Interval(*ball_bounds((factor * ratio * ball(base).log()).exp()))


def path_length(start: Fraction, end: Fraction, exp_epsilon: Fraction) -> int:
    """Steps p -> min(E p, 1 - (1 - p) / E) until p reaches ``end``, *exact*.

    No epsilon-DP event can grow faster along a path of neighbours.

    Raises:
        ParameterError: unless 0 < start, end < 1 and E > 1.
    """
    if not (0 < start < 1 and 0 < end < 1 and exp_epsilon > 1):
        raise ParameterError("path: needs start and end in (0, 1) and exp_epsilon > 1")
    p, steps = start, 0
    while p < end:
        p = min(exp_epsilon * p, 1 - (1 - p) / exp_epsilon)
        p = Fraction(-(-p.numerator * (1 << 256) // p.denominator), 1 << 256)  # rounded up
        steps += 1
    return steps


@dataclass(frozen=True, slots=True)
class Exponents:
    """Exponents of Lambda in units of epsilon_1/epsilon: of T, and of 1/beta.

    Args:
        horizon_upper: 2 + theta, of this mechanism.
        horizon_lower: 2, which no mechanism beats.
        beta_upper: 3 + theta + 2/theta with the union bound over an endless run.
        beta_lower: 2.
    """

    horizon_upper: Fraction
    horizon_lower: Fraction
    beta_upper: Fraction
    beta_lower: Fraction


def exponents(theta: Fraction) -> Exponents:
    """The exponents of this mechanism and of the lower bound, *exact*.

    >>> exponents(Fraction(1)).beta_upper
    Fraction(6, 1)
    """
    two = Fraction(2)
    return Exponents(2 + theta, two, 3 + theta + 2 / theta, two)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rejection thresholds for one horizon: probabilities up to which a mechanism surely rejects.

    Those of earlier mechanisms stand at the level of their summaries: LT19 is Liu and Talwar
    (2019), approximate privacy only and for pure black boxes; CLN+23 is Cohen, Lyu, Nelson, Sarlos
    and Stemmer (2023); GKK+25 is Ghazi, Kamath, Knop, Kumar, Manurangsi and Zhang (2025).

    Args:
        horizon: T.
        this: encloses the threshold at step T of this mechanism.
        limit: encloses p* over the midpoint lower bound; no pure mechanism rejects above it.
        lt19: encloses p* (beta^2/T)^(12 epsilon_1/epsilon).
        cln23: p* beta / T, *exact*.
        gkk25: p* beta / T, *exact*.
    """

    horizon: int
    this: Interval
    limit: Interval
    lt19: Interval
    cln23: Fraction
    gkk25: Fraction


def compare(parameters: Parameters, step: StepParameters, horizon: int) -> Comparison:
    """The rejection thresholds beside each other, for equal steps up to the horizon."""
    fixed = Parameters(
        parameters.epsilon, parameters.beta, parameters.theta, parameters.gamma, horizon
    )
    own = Calibrator(fixed)(step, horizon).rejection_threshold()
    bound = midpoint_lower_bound(fixed, step, horizon)
    earlier = _power(fixed.beta**2 / horizon, fixed, step, 12)
    simple = step.p_star * fixed.beta / horizon
    return Comparison(
        horizon,
        own,
        Interval(step.p_star / bound.upper, step.p_star / bound.lower),
        earlier.scaled(step.p_star),
        simple,
        simple,
    )
