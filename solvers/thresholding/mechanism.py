"""The running mechanism: stop at the first black box that succeeds often enough, privately.

Letters and calibration: see ``parameters`` and ``calibration``. What is published is only
"continue" and "stop": the numbers of evaluations and successes, and the running time of a step,
depend on the data. There is no cap on the evaluations of a step, since a cap would break privacy;
instead a step whose evaluations are likely to pass a limit is refused beforehand.
"""

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from types import TracebackType
from typing import TYPE_CHECKING, Self

from solvers.thresholding.black_box import BlackBox, CountingBlackBox, run_round
from solvers.thresholding.calibration import CalibratedStep, CalibrationMethod, Calibrator
from solvers.thresholding.errors import MechanismStateError, ParameterError
from solvers.thresholding.ex_post import ExPostStep, calibrate_ex_post
from solvers.thresholding.noisy_rounds import EVALUATION_LIMIT, NoisyRounds, require_affordable
from solvers.thresholding.parameters import Parameters, StepParameters
from solvers.thresholding.randomness import BitSource, system_bits
from solvers.thresholding.rates import Rate
from solvers.thresholding.stopping_law import StoppingLaw, stopping_law
from verify.kernel.exact import as_rational

if TYPE_CHECKING:
    from solvers.thresholding.rounds import CountingRound

__all__ = ["GeneralizedThresholding", "State", "StepOutcome"]


class StepOutcome(Enum):
    """What a step publishes."""

    CONTINUE = "continue"
    STOP = "stop"


class State(Enum):
    """READY: no step yet. RUNNING. STOPPED: accepted. FAILED: a black box failed. CLOSED."""

    READY = "ready"
    RUNNING = "running"
    STOPPED = "stopped"
    FAILED = "failed"
    CLOSED = "closed"


class GeneralizedThresholding:
    """Stops at the first step whose black box succeeds with probability above its target.

    The whole output, the outcomes of all steps, is purely epsilon-DP for every sequence of
    (epsilon_t, delta_t)-DP black boxes, chosen adaptively from past outcomes. With probability at
    least 1 - beta every p_t >= p_star is accepted and every p_t up to the rejection threshold of
    its calibration is rejected.

    Args:
        epsilon: privacy of the whole output, as ``parse_epsilon`` reads it.
        beta: failure probability in (0, 1).
        theta: split of the noise, > 0.
        gamma: resolution of the counting test in (1, 2].
        horizon: number of steps at most; None for an endless run.
        epsilon_t: default privacy of a black box; ``step`` and ``calibrate`` may override it.
        p_star: default target in (0, 1).
        delta_t: default delta of a black box.
        method: calibration by exact quantiles (default) or by the closed form.
        ex_post: charge the loss of the step that stops instead of epsilon: epsilon is then the loss
            of never stopping, Lambda_t at most e^2, theta unused; see ``loss``.
        lazy: stop evaluating when the decision of a step is fixed. The decision is the same, but
            the running time then tells more about the data: leave it off where time is observed.
        bits: source of fair bits, k -> an integer of k bits; cryptographic by default.
        evaluation_limit: the guard of each step.

    Raises:
        ParameterError: for a number outside its range.
        InexactNumberError: for floats.

    The shared noise is drawn at the first step, once; ``with`` closes the mechanism at its end.
    """

    def __init__(
        self,
        epsilon: object,
        beta: object,
        theta: object = 1,
        gamma: object = 2,
        horizon: int | None = None,
        *,
        epsilon_t: object = None,
        p_star: object = None,
        delta_t: object = 0,
        method: CalibrationMethod | str = CalibrationMethod.POISSON_QUANTILE,
        ex_post: bool = False,
        lazy: bool = False,
        bits: BitSource = system_bits,
        evaluation_limit: int = EVALUATION_LIMIT,
    ) -> None:
        self.parameters = Parameters.of(epsilon, beta, theta, gamma, horizon)
        self.state = State.READY
        self.steps_done = 0
        self._defaults = (epsilon_t, p_star, delta_t)
        self._default_step: StepParameters | None = None
        if epsilon_t is not None and p_star is not None:
            self._default_step = StepParameters.of(epsilon_t, p_star, delta_t)
        self._calibrator = Calibrator(self.parameters, CalibrationMethod(method))
        self._method = CalibrationMethod(method)
        self._ex_post = ex_post
        self._stopped_at: CalibratedStep | ExPostStep | None = None
        self._lazy = lazy
        self._bits = bits
        self._limit = evaluation_limit
        self._noise: NoisyRounds | None = None
        self._affordable: CountingRound | None = None

    def __repr__(self) -> str:
        """Parameters and state; nothing that depends on data beyond the outcomes."""
        p = self.parameters
        return (
            f"<GeneralizedThresholding epsilon={p.epsilon} beta={p.beta} theta={p.theta} "
            f"gamma={p.gamma} horizon={p.horizon}: {self.state.value}, {self.steps_done} steps>"
        )

    def __enter__(self) -> Self:
        """Begin a run."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the mechanism: the shared noise is forgotten."""
        self.close()

    def close(self) -> None:
        """Forget the shared noise; no step can follow."""
        self._noise = None
        if self.state in (State.READY, State.RUNNING):
            self.state = State.CLOSED

    def _step_parameters(
        self, epsilon_t: object, p_star: object, delta_t: object
    ) -> StepParameters:
        if epsilon_t is None and p_star is None and delta_t is None and self._default_step:
            return self._default_step
        default_epsilon, default_p, default_delta = self._defaults
        epsilon_t = default_epsilon if epsilon_t is None else epsilon_t
        p_star = default_p if p_star is None else p_star
        if epsilon_t is None or p_star is None:
            raise ParameterError("epsilon_t and p_star: give both, to the mechanism or to the step")
        return StepParameters.of(epsilon_t, p_star, default_delta if delta_t is None else delta_t)

    def calibrate(
        self,
        t: int | None = None,
        *,
        epsilon_t: object = None,
        p_star: object = None,
        delta_t: object = None,
    ) -> CalibratedStep | ExPostStep:
        """Direction, threshold, rate, Lambda_t, rejection threshold and cost of step t.

        Args:
            t: number of the step; the next one by default.
            epsilon_t: as for the mechanism.
            p_star: as for the mechanism.
            delta_t: as for the mechanism.

        Raises:
            ParameterError: for a number outside its range, or a step beyond the horizon.

        >>> gtm = GeneralizedThresholding(1, "0.1", epsilon_t="0.1", p_star="1/2")
        >>> gtm.calibrate(3).direction.value
        'direct'
        """
        number = self.steps_done + 1 if t is None else t
        return self._calibrated(self._step_parameters(epsilon_t, p_star, delta_t), number)

    def _calibrated(self, step: StepParameters, t: int) -> CalibratedStep | ExPostStep:
        if self._ex_post:
            return calibrate_ex_post(self.parameters, step, t, self._method)
        return self._calibrator(step, t)

    @property
    def loss(self) -> Rate:
        """Privacy loss of what has been published, *exact*: epsilon, or the ex-post loss."""
        if self._stopped_at is None:
            if self._ex_post:
                return Rate(Fraction(1), self.parameters.level)
            return self.parameters.shared_rate
        if isinstance(self._stopped_at, ExPostStep):
            return Rate.of_nats(self._stopped_at.loss)
        return Rate(Fraction(1), self.parameters.level)

    def stopping_law(
        self,
        probabilities: Sequence[object],
        steps: Sequence[StepParameters] | None = None,
        *,
        bits: int = 128,
    ) -> StoppingLaw:
        """Encloses P[tau = t] when the black box of step t succeeds with the given probability.

        Args:
            probabilities: p_1, p_2, ..., exact numbers in [0, 1], before purification.
            steps: parameters of each step; the defaults of the mechanism otherwise.
            bits: working precision.

        Raises:
            ParameterError: for a probability outside [0, 1], or missing parameters.
        """
        exact = [as_rational(p, f"probabilities[{i}]") for i, p in enumerate(probabilities)]
        if steps is None:
            steps = [self._step_parameters(None, None, None)] * len(exact)
        if len(steps) != len(exact):
            raise ParameterError(f"steps: {len(steps)} given for {len(exact)} probabilities")
        for i, p in enumerate(exact):
            if not 0 <= p <= 1:
                raise ParameterError(f"probabilities[{i}]: must lie in [0, 1], not {p}")
        made = [self._calibrated(step, t) for t, step in enumerate(steps, 1)]
        cleaned = [one.channel.clean(p) for one, p in zip(made, exact, strict=True)]
        return stopping_law([one.round for one in made], cleaned, bits=bits)

    def step(
        self,
        mechanism: BlackBox,
        *,
        epsilon_t: object = None,
        p_star: object = None,
        delta_t: object = None,
    ) -> StepOutcome:
        """Run the next step: CONTINUE, or STOP when the black box is accepted.

        Args:
            mechanism: returns +1 or -1, or counts successes of many trials; (epsilon_t, delta_t)-DP
                for one evaluation.
            epsilon_t: may depend on past outcomes and public values only, as the next two.
            p_star: the target of this step.
            delta_t: as epsilon_t.

        Raises:
            MechanismStateError: after a stop, a failure or the end of ``with``.
            ParameterError: for a number outside its range, or a step beyond the horizon.
            CostlyStepError: if the guard refuses the step; nothing has been spent.
            BlackBoxError: if the black box fails; the budget is spent and the run has ended.
        """
        if self.state not in (State.READY, State.RUNNING):
            raise MechanismStateError(
                f"the mechanism is {self.state.value} after {self.steps_done} steps; "
                "a new one needs a new budget"
            )
        calibrated = self.calibrate(epsilon_t=epsilon_t, p_star=p_star, delta_t=delta_t)
        if calibrated.round is not self._affordable:
            require_affordable(calibrated.round, self._limit, f"step {calibrated.t}")
            self._affordable = calibrated.round
        if not isinstance(mechanism, CountingBlackBox) and not callable(mechanism):
            raise ParameterError(f"mechanism: {type(mechanism).__name__} cannot be called")
        if self._noise is None:
            self._noise = NoisyRounds(self._bits)
        self.state = State.FAILED  # until the step has come to its end
        self.steps_done += 1
        trials = self._noise.draw_evaluations(calibrated.round)
        accepted = run_round(
            calibrated.round, trials, mechanism, calibrated.channel, self._bits, lazy=self._lazy
        )
        self.state = State.STOPPED if accepted else State.RUNNING
        if accepted:
            self._noise, self._stopped_at = None, calibrated
        return StepOutcome.STOP if accepted else StepOutcome.CONTINUE
