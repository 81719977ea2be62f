"""Drawn instances by Hypothesis: a seed, a number of examples, and the shrunk one if any fails."""

from collections.abc import Callable
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.strategies import SearchStrategy

from verify.claims.claim import spell

__all__ = ["draw"]


class _Refuted(Exception):  # noqa: N818 - it is a result on its way out, not an error
    """A drawn instance fails."""


def draw(
    strategy: SearchStrategy[Any], holds: Callable[[Any], str], *, examples: int, seed: int
) -> tuple[int, str, str]:
    """How many instances were drawn, what is wrong, and the shrunk instance; empty texts if none.

    Args:
        strategy: draws instances.
        holds: an instance to the empty text, or to what is wrong.
        examples: how many to draw.
        seed: the same seed draws the same instances.
    """
    drawn, last = 0, ("", "")

    def trial(instance: Any) -> None:
        nonlocal drawn, last
        drawn += 1
        failure = holds(instance)
        if failure:
            last = (failure, spell(instance))
            raise _Refuted

    quiet = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.target, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    test = hypothesis.seed(seed)(quiet(hypothesis.given(strategy)(trial)))
    try:
        test()
    except _Refuted:
        return drawn, *last
    return drawn, "", ""
