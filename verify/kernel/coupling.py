"""The privacy coupling of generalised private testing: shifts of exponential noises, their cost.

Rates and costs are multiples of epsilon. The shared noise S ~ Exp(shared_rate) is drawn once; round
t draws Y_t ~ Exp(rate) and looks at a count K_t, Poisson with mean rho_t p_t exp(Z_t eps_t) where
Z_t = sign (Y_t - S), eps_t is the privacy level of its black box after purification, and p_t the
probability of the outcome that is counted: +1 (sign 1, accepts when K_t is at least a threshold) or
-1 (sign -1, accepts when K_t is at most one). So the acceptance is a function of ln(p_t)/eps_t +
Z_t that increases in Y_t and decreases in S, and the first term moves by at most 1 between
neighbours (by d in [0, 1] when p_t only grows with the data: ``monotone``).

Between neighbours S -> S + a makes every rejection at least as likely when a >= 1, and after that
Y_t -> Y_t + b makes an acceptance at least as likely when b >= a + 1 (b >= a when monotone). Shifts
that are not negative map the support [0, oo) into itself and cost rate * shift. A released sample
of the box is charged together with its acceptance, see `acceptance_cost`. The black boxes,
thresholds and rho_t may be chosen adaptively from past outputs. Rounds are monotone all or none:
the reverse direction of monotone rounds leaves S where it is, which other rounds do not allow.
"""

from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.errors import require
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import Status, Verdict, accepted, rejected

__all__ = ["Round", "acceptance_cost", "check_purification", "check_round", "tail_cost"]


@dataclass(frozen=True, slots=True)
class Round:
    """A kind of round.

    Args:
        rate: rate of its own noise, > 0.
        sign: the sign of Y - S in the exponent, 1 or -1.
        at_least: whether it accepts for large counts.
        released: level of the box when an accepted sample of it is published; else 0.
        monotone: whether adding a record can only raise the probability of every accepted outcome.

    Raises:
        InputError: for numbers outside these ranges.
    """

    rate: Fraction
    sign: int
    at_least: bool
    released: Fraction
    monotone: bool

    def __post_init__(self) -> None:
        """Refuse numbers that are no rates."""
        require(self.rate > 0 and self.sign in (1, -1), "a round needs a rate > 0, a sign 1 or -1")
        require(self.released >= 0, "a released level is negative")


def check_purification(level: PrivacyLevel, delta: Fraction, crossover: Fraction) -> Verdict:
    """Whether a binary symmetric channel makes every (level, delta)-DP bit purely private.

    For p <= E p' + delta the cleaned p~ = phi + (1 - 2 phi) p has p~ - E p~' <= phi (1 - E) +
    (1 - 2 phi) delta, which p' = 0, p = delta attains. So the claim holds iff this is <= 0.

    Raises:
        InputError: if delta is outside [0, 1) or the crossover outside [0, 1/2].
    """
    require(0 <= delta < 1, f"delta: {delta} is outside 0 <= delta < 1")
    require(0 <= 2 * crossover <= 1, f"crossover: {crossover} is outside 0 <= crossover <= 1/2")
    status = Status.REJECTED if delta else Status.ACCEPTED
    if crossover:
        status = level.allows(1 + (1 - 2 * crossover) * delta / crossover)
    if status is Status.ACCEPTED:
        return accepted("the cleaned bit is pure")
    reason = f"purification: the crossover {crossover} is not known to suffice for delta {delta}"
    return Verdict(status, reason, {"witness": (delta, 0)})


def check_round(round_: Round, shared_shift: Fraction, shift: Fraction) -> Verdict:
    """Whether the shifts cover an acceptance of the round; S -> S + 1 covers its rejection."""
    if round_.at_least != (round_.sign == 1) or (round_.monotone and not round_.at_least):
        return rejected("the acceptance does not increase in Y - S: wrong sign for its direction")
    needed = shared_shift if round_.monotone else shared_shift + 1
    if shift < needed:
        return rejected(f"the shift Y -> Y + {shift} does not cover an acceptance; needs {needed}")
    return accepted("the shifts cover the round")


def acceptance_cost(round_: Round, shift: Fraction) -> Fraction:
    """What one acceptance costs beyond the shared noise, given shifts that ``check_round`` accepts.

    With ln(p')/eps_t moved by d, the shift shift - 1 - d suffices (shift - 1 + d when -1 is
    counted, shift - d when monotone), and a released sample costs released * (1 + d) (released when
    d >= 0, else 2 released, when -1 is counted; released * d when monotone). The sum is linear in d
    and largest at an end. The reverse direction of a monotone round costs no shared shift, Y -> Y+d
    and released * (1 - d), hence not more.
    """
    full = round_.rate * shift
    if round_.monotone:
        return max(full, round_.rate * (shift - 1) + round_.released)
    if round_.at_least:
        return max(full, round_.rate * (shift - 2) + 2 * round_.released)
    return max(full + round_.released, round_.rate * (shift - 1) + 2 * round_.released)


def tail_cost(scale: Fraction, block: int, shared_shift: Fraction) -> Fraction:
    """What all levels j >= 2**block cost together, in direct rounds with boxes not above the rate.

    Level j in [2**i, 2**(i+1)) has the rate scale / (2**i (i+1) (i+2)), and a block's rates sum
    to scale / ((i+1) (i+2)); the sum over i >= block telescopes to scale / (block + 1).

    Raises:
        InputError: for a negative scale.
    """
    require(scale >= 0, "tail: the scale is negative")
    return (shared_shift + 1) * scale / (block + 1)
