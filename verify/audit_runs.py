"""The statistical way of the audit: many runs, an event, and Clopper-Pearson bounds.

In each round the runs are split. On a first part an event is chosen: an output, the set of all
outputs that look too likely, or - for outputs that are sets or rows of bits - that one symbol is in
and another out. On fresh runs the event's probabilities are bounded, below for one input and above
for the other, each at half the allowance of the round; the allowances of the rounds add up to
1 - confidence. So a flagged sampler is one whose ratio exceeds E at that confidence.

Reference: Clopper, Pearson 1934.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import permutations
from math import isnan, ulp
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray
from scipy.special import betainccinv, betaincinv

from verify.audit import AuditReport, _hashable
from verify.kernel.verdict import Status

__all__ = ["audit_by_runs", "clopper_pearson_lower", "clopper_pearson_upper"]

_FIRST_RUNS = 4000
_CHOOSING_RUNS = 50_000
_CHUNK = 100_000
_MAX_PAIRS = 6
_BITS = 192
Mask = NDArray[np.bool_]


def clopper_pearson_lower(hits: int, runs: int, error: float) -> float:
    """A *lower bound* on a probability, wrong with probability at most ``error``.

    At the bound, or below it, so many hits or more have a chance of at most ``error``.
    """
    if not hits:
        return 0.0
    guess = betaincinv(hits, runs - hits + 1, error)
    return _outward(float(guess), 0.0, lambda p: _reaches(p, hits, runs), error)


def clopper_pearson_upper(hits: int, runs: int, error: float) -> float:
    """An *upper bound* on a probability, wrong with probability at most ``error``.

    At the bound, or above it, so few hits or fewer have a chance of at most ``error``.
    """
    if hits == runs:
        return 1.0
    guess = betainccinv(hits + 1, runs - hits, error)
    return _outward(float(guess), 1.0, lambda p: _reaches(1 - p, runs - hits, runs), error)


def _reaches(probability: arb, hits: int, runs: int) -> arb:
    """The chance of so many hits or more, a value of the beta law, as a ball."""
    return probability.beta_lower(arb(hits), arb(runs - hits + 1), 1)


def _outward(guess: float, end: float, chance: Callable[[arb], arb], error: float) -> float:
    """The first float from the guess towards the end whose chance is proved to be small enough."""
    if isnan(guess):  # no guess at all
        return end
    p, step = min(max(guess, 0.0), 1.0), ulp(guess)
    with ctx.workprec(_BITS):  # balls are right at any precision
        while p != end and not chance(arb(p)) <= arb(error):  # unlike balls that overlap
            p = max(p - step, end) if end < guess else min(p + step, end)
            step *= 2
    return p


@dataclass(frozen=True, slots=True)
class _Event:
    """A set of outputs: which rows of a sample lie in it, and its name."""

    name: str
    mask: Callable[[Any], Mask]


@dataclass(frozen=True, slots=True)
class _Choice:
    """An event for a pair of inputs, and how surely the ratio seems to exceed E."""

    event: _Event
    likelier: int
    less_likely: int
    score: float


def audit_by_runs(
    sampler: Callable[..., Any],
    values: Sequence[Any],
    level: Fraction,
    *,
    batch: Callable[[Any, int, Any], Any] | None,
    runs: int,
    confidence: float,
    seed: int,
) -> AuditReport:
    """Evidence that a sampler is not log(E)-private, or UNDECIDED; see ``verify.audit``."""
    generator = np.random.default_rng(seed)
    chosen = list(values)
    if len(chosen) * (len(chosen) - 1) > 2 * _MAX_PAIRS:
        chosen = [chosen[0], chosen[len(chosen) // 2], chosen[-1]]

    def draw(value: Any, n: int) -> Any:
        if batch is not None:
            return np.asarray(batch(value, n, generator))
        return [_hashable(sampler(value, generator)) for _ in range(n)]

    allowance, done, n = (1 - confidence) / 2, 0, min(_FIRST_RUNS, runs)
    best: AuditReport | None = None
    while done < runs:
        n = min(n, runs - done)
        report = _one_round(chosen, draw, level, n, allowance, confidence)
        done += n
        report = _with_runs(report, done * len(chosen))
        if report.is_flagged:
            return report
        best = report if best is None or _number(report) > _number(best) else best
        allowance, n = allowance / 2, 2 * n
    if best is None:
        raise ValueError("audit: runs must be positive")
    return _with_runs(best, done * len(chosen))


def _number(report: AuditReport) -> Fraction:
    return report.ratio if isinstance(report.ratio, Fraction) else Fraction(0)


def _with_runs(report: AuditReport, runs: int) -> AuditReport:
    from dataclasses import replace  # noqa: PLC0415 - a small thing of the standard library

    return replace(report, runs=runs)


def _one_round(
    values: Sequence[Any],
    draw: Callable[[Any, int], Any],
    level: Fraction,
    n: int,
    allowance: float,
    confidence: float,
) -> AuditReport:
    choosing = max(1, min(n // 8, _CHOOSING_RUNS))
    samples = [draw(value, choosing) for value in values]
    choice = _chosen(values, samples, level)
    high, low = values[choice.likelier], values[choice.less_likely]
    n = max(1, n - choosing)

    def count(value: Any) -> int:
        sizes = (min(_CHUNK, n - start) for start in range(0, n, _CHUNK))
        return sum(int(choice.event.mask(draw(value, size)).sum()) for size in sizes)

    hits, misses = count(high), count(low)
    above = clopper_pearson_lower(hits, n, allowance / 2)
    below = clopper_pearson_upper(misses, n, allowance / 2)
    ratio = Fraction(above) / Fraction(below)
    flagged = ratio > level
    shown = f"{float(ratio):.4f}"
    evidence = f"evidence at confidence {confidence}, not proof"
    reason = (
        f"{choice.event.name} is at least {shown} times likelier from input {high!r} than from "
        f"{low!r}, over E = {level}; {evidence}"
        if flagged
        else f"no evidence of a ratio above E = {level}; this does not prove privacy"
    )
    return AuditReport(
        status=Status.REJECTED if flagged else Status.UNDECIDED,
        is_proof=False,
        exp_epsilon=level,
        ratio=ratio,
        event=choice.event.name,
        likelier_input=high,
        less_likely_input=low,
        confidence=confidence,
        runs=0,
        reason=reason,
    )


def _chosen(values: Sequence[Any], samples: Sequence[Any], level: Fraction) -> _Choice:
    """The event and pair of inputs whose ratio seems to exceed E most surely."""
    found = []
    for i, j in permutations(range(len(values)), 2):
        for event in _events(values[i], values[j], samples[i], samples[j], float(level)):
            p, q = (float(event.mask(samples[x]).mean()) for x in (i, j))
            n = len(samples[i])
            spread = np.sqrt((p * (1 - p) + float(level) ** 2 * q * (1 - q)) / n + 1 / n**2)
            found.append(_Choice(event, i, j, float((p - float(level) * q) / spread)))
    return max(found, key=lambda choice: choice.score)


def _events(x: Any, z: Any, first: Any, second: Any, level: float) -> Iterator[_Event]:
    if isinstance(first, np.ndarray) and first.ndim == 2:
        yield from _row_events(x, z, first)
        return
    left, right = _counted(first), _counted(second)
    n, m = len(first), len(second)
    likely = {y for y, count in left.items() if count / n > level * right.get(y, 0) / m}
    yield _Event("a set of outputs", lambda sample: _inside(sample, frozenset(likely)))
    top = max(left, key=lambda y: left[y] / n - level * right.get(y, 0) / m)
    yield _Event(f"output {top!r}", lambda sample: _inside(sample, frozenset((top,))))
    if all(isinstance(y, frozenset | tuple) for y in (*list(left)[:50], *list(right)[:50])):
        for a, b in ((x, z), (z, x)):
            yield _Event(
                f"symbol {a!r} in the output and {b!r} not",
                partial(_members, a, b),
            )


def _row_events(x: Any, z: Any, sample: NDArray[Any]) -> Iterator[_Event]:
    """Rows of bits: bit a set and bit b not. Rows of symbols: a among them and b not."""
    is_bits = sample.dtype == bool or bool(np.isin(sample[:100], (0, 1)).all())

    def has(rows: NDArray[Any], symbol: Any) -> Mask:
        found: Mask = rows[:, symbol].astype(bool) if is_bits else (rows == symbol).any(axis=1)
        return found

    for a, b in ((x, z), (z, x)):
        yield _Event(
            f"symbol {a!r} in the output and {b!r} not",
            partial(_apart, has, a, b),
        )


def _members(a: Any, b: Any, sample: Any) -> Mask:
    return np.array([a in y and b not in y for y in sample], dtype=bool)


def _apart(has: Callable[[Any, Any], Mask], a: Any, b: Any, rows: Any) -> Mask:
    return has(rows, a) & ~has(rows, b)


def _counted(sample: Any) -> Counter[Hashable]:
    return Counter(sample.tolist() if isinstance(sample, np.ndarray) else sample)


def _inside(sample: Any, outputs: frozenset[Hashable]) -> Mask:
    rows = sample.tolist() if isinstance(sample, np.ndarray) else sample
    return np.fromiter((y in outputs for y in rows), dtype=bool, count=len(rows))
