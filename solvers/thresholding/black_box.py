"""Evaluating a black box in a round: outcomes +1 and -1, or counts, purified and guarded."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from solvers.thresholding.errors import BlackBoxError
from solvers.thresholding.purification import BinarySymmetricChannel
from solvers.thresholding.randomness import BitSource
from solvers.thresholding.rounds import CountingRound, Direction
from verify.kernel.exact import excerpt

__all__ = ["BlackBox", "CountingBlackBox", "run_round"]


@runtime_checkable
class CountingBlackBox(Protocol):
    """A black box that can be evaluated many times at once, each time with fresh randomness."""

    def count_successes(self, trials: int) -> int:
        """The number of outcomes +1 among so many independent evaluations."""
        ...


BlackBox = Callable[[], int] | CountingBlackBox
"""A call returns +1 or -1, each time with fresh randomness."""


def run_round(
    round_: CountingRound,
    trials: int,
    black_box: BlackBox,
    channel: BinarySymmetricChannel,
    bits: BitSource,
    *,
    lazy: bool = False,
) -> bool:
    """Whether the round accepts after so many evaluations of the black box.

    Raises:
        BlackBoxError: if the black box raises or returns something that is no outcome.
    """
    if isinstance(black_box, CountingBlackBox) and not lazy:
        return round_.accepts(_count_at_once(round_, trials, black_box, channel, bits))
    if isinstance(black_box, CountingBlackBox):
        batch = black_box

        def evaluate() -> int:
            return 2 * _guarded_count(batch, 1) - 1
    else:
        evaluate = black_box
    count, sign = 0, round_.direction.sign
    for done in range(trials):
        if lazy and round_.accepts(count) == round_.accepts(count + trials - done):
            break  # the decision is monotone in the count, so it is fixed
        count += channel.apply(_guarded_outcome(evaluate), bits) == sign
    return round_.accepts(count)


def _count_at_once(
    round_: CountingRound,
    trials: int,
    black_box: CountingBlackBox,
    channel: BinarySymmetricChannel,
    bits: BitSource,
) -> int:
    successes = channel.apply_to_count(_guarded_count(black_box, trials), trials, bits)
    return successes if round_.direction is Direction.DIRECT else trials - successes


def _guarded_outcome(black_box: Callable[[], int]) -> int:
    try:
        outcome = black_box()
    except Exception as error:
        raise BlackBoxError(
            f"the black box raised {type(error).__name__}; its budget is spent"
        ) from error
    if isinstance(outcome, bool) or outcome not in (1, -1):
        raise BlackBoxError(
            f"the black box returned {excerpt(outcome)}, not +1 or -1; its budget is spent"
        )
    return outcome


def _guarded_count(black_box: CountingBlackBox, trials: int) -> int:
    try:
        count = black_box.count_successes(trials)
    except Exception as error:
        raise BlackBoxError(
            f"the black box raised {type(error).__name__}; its budget is spent"
        ) from error
    try:
        number = int(count)
    except (TypeError, ValueError):
        number = -1
    if isinstance(count, bool) or number != count or not 0 <= number <= trials:
        raise BlackBoxError(
            f"the black box counted {excerpt(count)} successes in {trials} trials; "
            "its budget is spent"
        )
    return number
