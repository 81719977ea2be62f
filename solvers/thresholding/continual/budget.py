"""The budget of the reduction: rates of all noises, and what the whole stream costs.

Letters: epsilon_0 rate of the shared noise, epsilon_1 of a round, epsilon_r level of a box; R
acceptances at most; T horizon; beta_r failure budget of round r; L bound on Lambda_r. Rates are
multiples of epsilon, *exact*: epsilon_0 + 2 R epsilon_1 = epsilon (epsilon_0 + R epsilon_1 for
monotone boxes), epsilon_r <= epsilon_1, so released samples cost nothing more. Without a horizon,
level j in [2^i, 2^(i+1)) has the rate epsilon_1 = c / (2^i (i+1) (i+2)), and the rates of all
infinitely many levels sum to c.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from solvers.backend import arb, ball, working_precision
from solvers.epsilon import Epsilon
from solvers.thresholding.calibration import PRECISION
from solvers.thresholding.certificate import RoundKind, coupling_certificate
from solvers.thresholding.counting_test import CountingTest, quantile_test, round_significant
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.parameters import positive_epsilon
from solvers.thresholding.rates import Rate
from solvers.thresholding.rounds import CountingRound, Direction
from verify.kernel.certificate import Certificate
from verify.kernel.exact import as_rational

__all__ = [
    "BoundedBudget",
    "Budget",
    "LevelRates",
    "UnboundedBudget",
    "bounded_budget",
    "unbounded_budget",
]

_GRID = 1 << 64
_CERTIFIED_BLOCKS = 6
_TAIL_STEPS = 16


@dataclass(frozen=True, slots=True)
class LevelRates:
    """Rates at one level, as multiples of epsilon.

    Args:
        own: epsilon_1.
        box: epsilon_r <= epsilon_1.
    """

    own: Fraction
    box: Fraction


@dataclass(frozen=True, slots=True)
class Budget:
    """What both kinds of budget share.

    Args:
        epsilon: privacy of the whole output.
        beta: failure probability of the tests.
        beta_release: failure probability of the released samples.
        expansion: L, the bound on Lambda_r: more evaluations, larger epsilon_r.
        gamma: resolution of the counting test, > 1.
        p_star: success probability that completeness grants.
        shared: epsilon_0 as a multiple of epsilon.
        monotone: whether more data can only raise the probability of every accepted outcome.
    """

    epsilon: Epsilon
    beta: Fraction
    beta_release: Fraction
    expansion: Fraction
    gamma: Fraction
    p_star: Fraction
    shared: Fraction
    monotone: bool

    def rate(self, multiple: Fraction) -> Rate:
        """The multiple of epsilon as a rate."""
        return Rate(multiple, self.epsilon.level)

    def counting_round(self, rates: LevelRates, tail: Fraction) -> CountingRound:
        """The direct round that accepts when the box succeeds with probability p_star."""
        test: CountingTest = quantile_test(tail, self.gamma)
        shared, scale = self.rate(self.shared), self.rate(rates.box)
        with working_precision(PRECISION):
            log_shared = (4 / ball(self.beta)).log()
            rho = ball(test.high_mean / self.p_star) * (scale.ratio_ball(shared) * log_shared).exp()
            rounded = round_significant(rho, up=True)
        own = self.rate(rates.own)
        return CountingRound(Direction.DIRECT, test.count, rounded, scale, shared, own)

    def kind(self, rates: LevelRates) -> RoundKind:
        """The kind of a round, for the certificate."""
        return RoundKind(
            Direction.DIRECT, rates.own, rates.box, released=True, monotone=self.monotone
        )

    def box_rate(self, own: Fraction, log_tail: arb) -> Fraction:
        """epsilon_r = min(epsilon_1, ln L / (ln(4/beta)/epsilon_0 + ln(4/beta_r)/epsilon_1)).

        All as multiples of epsilon; rounded down, so that Lambda_r <= L.
        """
        with working_precision(PRECISION):
            log_beta = (4 / ball(self.beta)).log()
            allowed = ball(self.expansion).log() / (
                log_beta / ball(self.shared) + log_tail / ball(own)
            )
            lower = round_significant(allowed, up=False, bits=64)
        return min(own, lower)


@dataclass(frozen=True, slots=True)
class BoundedBudget(Budget):
    """A known horizon and at most R acceptances.

    Args:
        horizon: T.
        acceptances: R.
    """

    horizon: int
    acceptances: int

    @property
    def tail(self) -> Fraction:
        """beta_r / 4 with beta_r = beta / (T + R)."""
        return self.beta / (4 * (self.horizon + self.acceptances))

    def level(self, j: int, r: int) -> LevelRates:  # noqa: ARG002
        """The rates, the same at each level j <= R and round r."""
        return _bounded_level(self)

    def round(self, j: int, r: int) -> CountingRound:
        """Round r, which tests level j."""
        if r > self.horizon + self.acceptances or j > self.acceptances:
            raise ParameterError(f"round {r}: beyond the horizon of {self.horizon} events")
        return _bounded_round(self)

    def release_failure(self, j: int) -> Fraction:  # noqa: ARG002
        """The failure budget of one release, beta' / R."""
        return self.beta_release / self.acceptances

    def certificate(self) -> Certificate:
        """The claim that the whole output is epsilon-DP."""
        kinds = [[self.kind(self.level(1, 1))]] * self.acceptances
        return coupling_certificate(self.epsilon.level, self.shared, kinds)


@dataclass(frozen=True, slots=True)
class UnboundedBudget(Budget):
    """No horizon and no bound on the number of levels."""

    @property
    def scale(self) -> Fraction:
        """c: the rates epsilon_1 of all levels sum to it, and 2 c + epsilon_0 = epsilon."""
        return (1 - self.shared) / 2

    def level(self, j: int, r: int) -> LevelRates:
        """Rates of level j in round r, both counted from 1."""
        return _unbounded_level(self, j, self._tail_index(r))

    def _tail_index(self, r: int) -> int:
        log_tail = math.log(20 * r * math.log(r + 2) ** 3 / float(self.beta))
        return math.ceil(log_tail * _TAIL_STEPS / math.log(2) + 1e-6)

    def round(self, j: int, r: int) -> CountingRound:
        """Round r, which tests level j; the same for rounds with tails within 2^(1/16)."""
        return _unbounded_round(self, j, self._tail_index(r))

    def release_failure(self, j: int) -> Fraction:
        """The failure budget of the release at level j, beta' / (j (j + 1))."""
        return self.beta_release / (j * (j + 1))

    def certificate(self) -> Certificate:
        """The claim that the whole infinite output is epsilon-DP."""
        blocks = _CERTIFIED_BLOCKS
        kinds = [[self.kind(self.level(j, 1))] for j in range(1, 2**blocks)]
        tail = (blocks, self.scale)
        return coupling_certificate(self.epsilon.level, self.shared, kinds, tail=tail)


@lru_cache(maxsize=64)
def _bounded_level(budget: BoundedBudget) -> LevelRates:
    own = (1 - budget.shared) / ((1 if budget.monotone else 2) * budget.acceptances)
    with working_precision(PRECISION):
        return LevelRates(own, budget.box_rate(own, -ball(budget.tail).log()))


@lru_cache(maxsize=64)
def _bounded_round(budget: BoundedBudget) -> CountingRound:
    return budget.counting_round(_bounded_level(budget), budget.tail)


@lru_cache(maxsize=4096)
def _unbounded_level(budget: UnboundedBudget, j: int, index: int) -> LevelRates:
    i = j.bit_length() - 1
    own = budget.scale / (2**i * (i + 1) * (i + 2))
    with working_precision(PRECISION):
        return LevelRates(own, budget.box_rate(own, -ball(_grid_tail(index)).log()))


@lru_cache(maxsize=4096)
def _unbounded_round(budget: UnboundedBudget, j: int, index: int) -> CountingRound:
    return budget.counting_round(_unbounded_level(budget, j, index), _grid_tail(index))


@lru_cache(maxsize=4096)
def _grid_tail(index: int) -> Fraction:
    """2^(-index/16), rounded down."""
    with working_precision(PRECISION):
        return round_significant(arb(2) ** (-arb(index) / _TAIL_STEPS), up=False, bits=64)


def _common(
    epsilon: object,
    beta: object,
    beta_release: object,
    expansion: object,
    gamma: object,
    p_star: object,
) -> tuple[Epsilon, Fraction, Fraction, Fraction, Fraction, Fraction]:
    names = ("beta", "beta_release", "expansion", "gamma", "p_star")
    values = (beta, beta_release, expansion, gamma, p_star)
    numbers = [as_rational(value, name) for value, name in zip(values, names, strict=True)]
    ranges = [(0, 1), (0, 1), (1, None), (1, None), (0, 1)]
    for number, name, (low, high) in zip(numbers, names, ranges, strict=True):
        if number <= low or (high is not None and number >= high):
            raise ParameterError(f"{name}: {number} is not in ({low}, {high or 'infinity'})")
    first, second, third, fourth, fifth = numbers
    return positive_epsilon(epsilon, "epsilon"), first, second, third, fourth, fifth


def bounded_budget(
    epsilon: object,
    beta: object,
    *,
    horizon: int,
    acceptances: int,
    beta_release: object = None,
    expansion: object = 7,
    gamma: object = 13,
    p_star: object = "1/4",
    monotone: bool = False,
) -> BoundedBudget:
    """The budget with the split of the noise that minimises the tails.

    epsilon_0 : 2 R epsilon_1 = sqrt(ln(4/beta)) : sqrt(2 R ln(4 (T + R)/beta)), rounded to a
    rational.

    Raises:
        ParameterError: for a number outside its range.
    """
    released = beta if beta_release is None else beta_release
    common = _common(epsilon, beta, released, expansion, gamma, p_star)
    if horizon < 1 or acceptances < 1:
        raise ParameterError(
            f"horizon and acceptances: must be at least 1, not {horizon} and {acceptances}"
        )
    failure = float(common[1])
    left = math.sqrt(math.log(4 / failure))
    right = math.sqrt(
        (1 if monotone else 2) * acceptances * math.log(4 * (horizon + acceptances) / failure)
    )
    shared = Fraction(round(left / (left + right) * _GRID), _GRID)
    return BoundedBudget(*common, shared, monotone, horizon, acceptances)


def unbounded_budget(
    epsilon: object,
    beta: object,
    *,
    beta_release: object = None,
    expansion: object = 7,
    gamma: object = 13,
    p_star: object = "1/4",
    shared: object = "1/4",
) -> UnboundedBudget:
    """The budget for streams and values without bounds.

    Raises:
        ParameterError: for a number outside its range.
    """
    released = beta if beta_release is None else beta_release
    common = _common(epsilon, beta, released, expansion, gamma, p_star)
    share = as_rational(shared, "shared")
    if not 0 < share < 1:
        raise ParameterError(f"shared: {share} is not in (0, 1)")
    return UnboundedBudget(*common, share, monotone=False)
