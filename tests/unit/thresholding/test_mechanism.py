"""The running mechanism: decisions, states, errors, laziness, the guard."""

import random
from fractions import Fraction

import numpy as np
import pytest

from solvers.thresholding import (
    BlackBoxError,
    CostlyStepError,
    Direction,
    GeneralizedThresholding,
    MechanismStateError,
    ParameterError,
    State,
    StepOutcome,
)
from solvers.thresholding.black_box import run_round
from solvers.thresholding.purification import BinarySymmetricChannel
from tests.support.black_boxes import CountingBernoulli, FailingBox, bernoulli
from verify.kernel.errors import InexactNumberError

CONTINUE, STOP = StepOutcome


def mechanism(seed=1, **more):
    parameters = {"epsilon": 1, "beta": "1/10", "epsilon_t": "1/20", "p_star": "1/2", **more}
    return GeneralizedThresholding(**parameters, bits=random.Random(seed).getrandbits)


def test_it_stops_at_the_good_box_and_then_refuses():
    with mechanism() as gtm:
        assert gtm.state is State.READY
        assert gtm.step(bernoulli(0.001)) is CONTINUE
        assert gtm.step(CountingBernoulli(0.001)) is CONTINUE
        assert gtm.step(bernoulli(0.9)) is STOP
        assert gtm.state is State.STOPPED
        assert gtm.steps_done == 3
        with pytest.raises(MechanismStateError, match="stopped after 3 steps"):
            gtm.step(bernoulli(0.9))


def test_flipped_steps_accept_the_nearly_perfect():
    gtm = mechanism(p_star="999/1000", epsilon_t="1/50")
    assert gtm.calibrate().direction is Direction.FLIPPED
    assert gtm.step(CountingBernoulli(0.5)) is CONTINUE
    assert gtm.step(CountingBernoulli(1.0)) is STOP


def test_parameters_of_a_step_may_follow_past_outcomes():
    gtm = GeneralizedThresholding(1, "1/10", bits=random.Random(3).getrandbits)
    outcome, target = CONTINUE, Fraction(9, 10)
    for _ in range(6):
        outcome = gtm.step(
            CountingBernoulli(0.6), epsilon_t="1/50", p_star=target, delta_t="1/1000"
        )
        if outcome is STOP:
            break
        target -= Fraction(1, 10)
    assert outcome is STOP
    assert gtm.steps_done >= 1


@pytest.mark.parametrize("box", [FailingBox(), FailingBox(30)])
def test_a_box_that_raises_ends_the_run(box):
    gtm = mechanism()
    with pytest.raises(BlackBoxError, match="OSError; its budget is spent") as caught:
        gtm.step(box)
    assert isinstance(caught.value.__cause__, OSError)
    assert gtm.state is State.FAILED
    assert gtm.steps_done == 1
    with pytest.raises(MechanismStateError, match="failed"):
        gtm.step(bernoulli(0.9))


@pytest.mark.parametrize("outcome", [0, 2, "1", True, 1.5, (), float("nan"), None.__class__])
def test_a_box_that_returns_something_else_ends_the_run(outcome):
    gtm = mechanism()
    with pytest.raises(BlackBoxError, match="not \\+1 or -1"):
        gtm.step(FailingBox(3, outcome))
    assert gtm.state is State.FAILED


@pytest.mark.parametrize("count", [-1, 10**9, 2.5, "7", None, True])
def test_counts_that_cannot_be_are_refused(count):
    class Liar:
        def count_successes(self, _trials):
            return count

    gtm = mechanism()
    with pytest.raises(BlackBoxError, match="its budget is spent"):
        gtm.step(Liar())
    assert gtm.state is State.FAILED


def test_an_interrupt_ends_the_run_too():
    def box():
        raise KeyboardInterrupt

    gtm = mechanism()
    with pytest.raises(KeyboardInterrupt):
        gtm.step(box)
    assert gtm.state is State.FAILED


def test_closing_ends_the_run():
    with mechanism() as gtm:
        gtm.step(bernoulli(0.001))
    assert gtm.state is State.CLOSED
    with pytest.raises(MechanismStateError):
        gtm.step(bernoulli(0.9))


def test_misuse_before_any_data_spends_nothing():
    gtm = mechanism(horizon=1)
    with pytest.raises(ParameterError):
        gtm.step("not a mechanism")
    with pytest.raises(ParameterError):
        gtm.step(bernoulli(0.5), p_star=1)
    with pytest.raises(InexactNumberError):
        gtm.step(bernoulli(0.5), p_star=0.5)
    assert gtm.state is State.READY
    assert gtm.step(bernoulli(0.001)) is CONTINUE
    with pytest.raises(ParameterError, match="step 2"):
        gtm.step(bernoulli(0.001))
    with pytest.raises(ParameterError, match="give both"):
        GeneralizedThresholding(1, "1/10").step(bernoulli(0.5))


def test_the_guard_refuses_before_data():
    gtm = mechanism(epsilon_t=20)

    def box():
        raise AssertionError("the guard must come first")

    with pytest.raises(CostlyStepError, match="more than 1000000000 evaluations"):
        gtm.step(box)
    assert gtm.state is State.READY
    lower = mechanism(evaluation_limit=10)
    with pytest.raises(CostlyStepError):
        lower.step(box)


def test_the_repr_tells_only_what_is_public():
    gtm = mechanism()
    gtm.step(bernoulli(0.001))
    assert repr(gtm) == (
        "<GeneralizedThresholding epsilon=1 beta=1/10 theta=1 gamma=2 horizon=None: "
        "running, 1 steps>"
    )


@pytest.mark.parametrize("p_star", ["1/2", "999/1000"])
@pytest.mark.parametrize("p", [0.1, 0.6, 0.9985, 1.0])
def test_laziness_never_changes_a_decision(p_star, p):
    """The same outcomes in the same order give the same decision, with fewer evaluations."""
    step = mechanism(p_star=p_star).calibrate(1)
    channel = BinarySymmetricChannel(Fraction(0))
    rng = np.random.default_rng(4)
    saved = 0
    for trials in rng.integers(0, 3 * float(step.rate) + 5, 30):
        outcomes = np.where(rng.random(trials) < p, 1, -1).tolist()
        used = []
        decisions = []
        for lazy in (False, True):
            left = list(outcomes)
            decisions.append(
                run_round(
                    step.round, int(trials), lambda left=left: left.pop(), channel, None, lazy=lazy
                )
            )
            used.append(trials - len(left))
        assert decisions[0] == decisions[1]
        assert used[0] == trials
        saved += used[0] - used[1]
    assert saved > 0


def test_lazy_runs_of_counting_boxes():
    gtm = mechanism(lazy=True)
    assert gtm.step(CountingBernoulli(0.0)) is CONTINUE
    assert gtm.step(CountingBernoulli(0.9)) is STOP


def test_the_loss_of_what_was_published():
    gtm = mechanism()
    assert gtm.loss == gtm.parameters.shared_rate
    assert gtm.step(CountingBernoulli(0.9)) is STOP
    assert gtm.loss.multiple == 1


def test_the_ex_post_variant_runs_and_says_its_loss():
    gtm = mechanism(ex_post=True)
    assert float(gtm.loss) == 1
    first = gtm.calibrate(1)
    assert gtm.step(CountingBernoulli(0.001)) is CONTINUE
    assert gtm.step(CountingBernoulli(0.9)) is STOP
    assert float(first.loss) < float(gtm.loss) < 2
    law = mechanism(ex_post=True).stopping_law([Fraction(1, 1000), Fraction(9, 10)])
    assert law.stop[1].lower > Fraction(9, 10)
