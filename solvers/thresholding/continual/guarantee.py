"""What the ladder promises before it runs, and the parameters that the promise needs.

With a box of sensitivity Delta, selection of k steps among at most n options with rate epsilon_A
and a check with rate epsilon_T: with probability at least 1 - beta - beta', at all times at once,
u(X_t, S_t) >= (alpha OPT(X_t) - eta_A) / (1 + zeta) - max(b, theta_1 / (1 + zeta)).
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from solvers.thresholding.continual.budget import BoundedBudget, bounded_budget
from solvers.thresholding.continual.ladder import Ladder
from solvers.thresholding.continual.objective import Objective
from solvers.thresholding.continual.threshold_box import ThresholdBox, UtilityScores
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.randomness import BitSource, system_bits
from verify.kernel.exact import as_rational

__all__ = ["Guarantee", "utility_box", "utility_ladder"]

_MOST_LEVELS = 100_000
_MARGIN = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class Guarantee:
    """u(X_t, S_t) >= factor OPT(X_t) - loss at every t, with probability >= 1 - failure.

    Args:
        factor: alpha / (1 + zeta), *exact*.
        loss: an *upper bound* of the additive loss, rounded up.
        failure: beta + beta', *exact*.
        recomputations: R, the most there can be.
        first_level: theta_1, *exact*.
        growth: zeta, *exact*.
        soundness_slack: b; a released sample is not further below its level.
        selection_slack: eta_A.
    """

    factor: Fraction
    loss: Fraction
    failure: Fraction
    recomputations: int
    first_level: Fraction
    growth: Fraction
    soundness_slack: Fraction
    selection_slack: Fraction

    def __str__(self) -> str:
        """The promise in one line."""
        return (
            f"at every time u >= {float(self.factor):.4g} OPT - {float(self.loss):.4g} with "
            f"probability {float(1 - self.failure):.4g}, at most {self.recomputations} "
            "recomputations"
        )


def _up(number: float) -> Fraction:
    """A short rational above the float, with a margin for rounding."""
    return Fraction(math.ceil(number * _MARGIN * 1024), 1024)


def _most_options(objective: Objective) -> int:
    """The largest number of children of one set."""
    return max(int(np.bincount(parents).max()) for parents in objective.family.parents)


def utility_box(
    objective: Objective,
    budget: BoundedBudget,
    box: Fraction,
    selection_share: Fraction = Fraction(1, 2),
) -> ThresholdBox:
    """The box with selection and noisy check on u, of privacy ``box`` (a multiple of epsilon)."""
    return ThresholdBox(
        UtilityScores(objective),
        budget.rate(selection_share * box),
        budget.rate((1 - selection_share) * box),
        objective.sensitivity,
    )


def _slacks(
    objective: Objective, budget: BoundedBudget, selection_share: Fraction
) -> tuple[Fraction, Fraction]:
    """B and eta_A for this budget."""
    box = float(budget.rate(budget.level(1, 1).box))
    sensitivity, steps = float(objective.sensitivity), objective.family.n_steps
    ratio = float(budget.p_star) / float(budget.gamma * budget.expansion)
    failure = float(budget.release_failure(1)) * ratio
    soundness = sensitivity / ((1 - float(selection_share)) * box) * math.log(1 / (2 * failure))
    step = sensitivity * steps / (float(selection_share) * box)
    step *= math.log(2 * _most_options(objective) * steps)
    return _up(soundness), _up(float(objective.alpha) * steps * step)


def utility_ladder(
    objective: Objective,
    epsilon: object,
    beta: object,
    *,
    horizon: int,
    value_bound: object,
    growth: object = 1,
    beta_release: object = None,
    expansion: object = 7,
    gamma: object = 13,
    selection_share: object = "1/2",
    first_level: object = None,
    acceptances: int | None = None,
    bits: BitSource = system_bits,
) -> tuple[Ladder, Guarantee]:
    """The ladder for an objective of bounded sensitivity, and its guarantee.

    Args:
        objective: the data; insert each event before ``update``.
        epsilon: privacy of the whole output.
        beta: failure probability of the tests.
        horizon: T.
        value_bound: V, a public bound on OPT, never read off the data.
        growth: zeta.
        beta_release: failure probability of the releases; beta by default.
        expansion: L.
        gamma: resolution of the counting test.
        selection_share: share of the box's privacy that the selection gets.
        first_level: theta_1; (1 + zeta) b by default, which minimises the loss.
        acceptances: R; by default the least for which theta_1 (1 + zeta)^R > V.
        bits: source of fair bits.

    Raises:
        ParameterError: for a number outside its range.
    """
    zeta, bound = as_rational(growth, "growth"), as_rational(value_bound, "value_bound")
    share = as_rational(selection_share, "selection_share")
    if zeta <= 0 or bound <= 0 or not 0 < share < 1:
        raise ParameterError(
            f"growth, value_bound, selection_share: {zeta}, {bound}, {share} are out of range"
        )
    start = None if first_level is None else as_rational(first_level, "first_level")
    make = partial(
        bounded_budget,
        epsilon,
        beta,
        horizon=horizon,
        beta_release=beta_release,
        expansion=expansion,
        gamma=gamma,
    )
    for count in range(1, _MOST_LEVELS) if acceptances is None else (acceptances,):
        budget = make(acceptances=count)
        soundness, selection = _slacks(objective, budget, share)
        theta = (1 + zeta) * soundness if start is None else start
        if theta * (1 + zeta) ** count > objective.alpha * bound - selection:
            break
    else:
        raise ParameterError(f"acceptances: too few for values up to {bound}; raise them")
    guarantee = Guarantee(
        objective.alpha / (1 + zeta),
        selection / (1 + zeta) + max(soundness, theta / (1 + zeta)),
        budget.beta + budget.beta_release,
        count,
        theta,
        zeta,
        soundness,
        selection,
    )

    def box_of(box: Fraction) -> ThresholdBox:
        return utility_box(objective, budget, box, share)

    return Ladder(budget, box_of, first_level=theta, growth=zeta, bits=bits), guarantee
