"""Is this sampler private? An answer for a black box: proof where all its randomness can be tried.

Two ways. *Exact*: the sampler takes its randomness from a source that can be replaced, and makes
finitely many draws with finitely many outcomes; then every course of draws is tried, the law of the
output is an exact table of rationals, and the largest ratio is exact: a proof either way.
*Statistical*: otherwise the sampler is run many times, an event is chosen on one half of the runs
and tested on the other by Clopper-Pearson bounds. Then a ratio above E is shown at the stated
confidence: evidence, not proof; and no evidence of a flaw is no evidence of privacy.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from verify.kernel.channel import Channel
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import Extended, Infinity, as_rational, excerpt
from verify.kernel.ldp import largest_column_ratio
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import Status

__all__ = ["AuditReport", "EnumeratedSource", "NotPrivateError", "audit_sampler", "enumerate_law"]

MAX_COURSES = 200_000
"""Most courses of draws that the exact way tries for one input."""
_LARGEST_DRAW = 1 << 20


class NotPrivateError(Exception):
    """A sampler was found not to keep its level of privacy; the message names the witness."""


class EnumeratedSource:
    """A source of random numbers whose every outcome can be tried in turn.

    Offers the draws that samplers need: ``randbelow``, ``randrange``, ``randint``, ``choice``,
    ``getrandbits``, ``bernoulli``, ``shuffle`` and ``sample``. ``random()`` has 2^53 outcomes and
    is refused; compare ``randbelow(n)`` with an integer, or use ``bernoulli``, instead.
    """

    def __init__(self, prefix: Sequence[int] = ()) -> None:
        self._prefix = list(prefix)
        self._taken: list[int] = []
        self._sizes: list[int] = []
        self._weights: list[Fraction] = []

    def _draw(self, chances: Sequence[Fraction]) -> int:
        place = len(self._taken)
        outcome = self._prefix[place] if place < len(self._prefix) else 0
        self._taken.append(outcome)
        self._sizes.append(len(chances))
        self._weights.append(chances[outcome])
        return outcome

    def randbelow(self, n: int) -> int:
        """An integer 0..n-1, each alike."""
        if not 1 <= n <= _LARGEST_DRAW:
            raise LimitError(f"a draw with {n} outcomes cannot be enumerated")
        return self._draw([Fraction(1, n)] * n)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """One of ``range(start, stop, step)``, each alike."""
        values = range(start) if stop is None else range(start, stop, step)
        return values[self.randbelow(len(values))]

    def randint(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return self.randrange(low, high + 1)

    def choice(self, values: Sequence[Any]) -> Any:
        """One of the values, each alike."""
        return values[self.randbelow(len(values))]

    def getrandbits(self, k: int) -> int:
        """An integer of k bits."""
        return self.randbelow(1 << k)

    def bernoulli(self, probability: object) -> bool:
        """True with an exact probability: an int, a Fraction or text such as '1/3'."""
        chance = as_rational(probability, "probability")
        if not 0 <= chance <= 1:
            raise InputError(f"probability: {excerpt(str(chance))} is outside [0, 1]")
        if chance in (0, 1):
            return chance == 1
        return self._draw([1 - chance, chance]) == 1

    def shuffle(self, values: list[Any]) -> None:
        """Put the list in one of its orders, each alike."""
        for i in range(len(values) - 1, 0, -1):
            j = self.randbelow(i + 1)
            values[i], values[j] = values[j], values[i]

    def sample(self, values: Sequence[Any], k: int) -> list[Any]:
        """K different places of the values in random order."""
        left = list(values)
        return [left.pop(self.randbelow(len(left))) for _ in range(k)]

    def random(self) -> float:
        """Refused: a float has too many outcomes.

        Raises:
            LimitError: always.
        """
        raise LimitError("random() has 2^53 outcomes; use randbelow or bernoulli to be enumerated")

    @property
    def probability(self) -> Fraction:
        """The probability of the course of draws so far, *exact*."""
        return prod(self._weights, start=Fraction(1))

    def next_course(self) -> list[int] | None:
        """The draws of the next course in lexicographic order, or None after the last."""
        course = list(self._taken)
        while course:
            course[-1] += 1
            if course[-1] < self._sizes[len(course) - 1]:
                return course
            course.pop()
        return None


def enumerate_law(
    sampler: Callable[[Any, EnumeratedSource], Any], value: Any, *, max_courses: int = MAX_COURSES
) -> dict[Hashable, Fraction]:
    """The law of the sampler's output for one input, *exact*, by all courses of its draws.

    Raises:
        LimitError: for more courses than that, or a draw that cannot be enumerated.
    """
    law: Counter[Hashable] = Counter()
    prefix: list[int] | None = []
    for _ in range(max_courses):
        source = EnumeratedSource(prefix or ())
        output = _hashable(sampler(value, source))
        law[output] += source.probability  # type: ignore[assignment]
        prefix = source.next_course()
        if prefix is None:
            return dict(law)  # type: ignore[arg-type]
    raise LimitError(f"the sampler makes more than {max_courses} courses of draws for one input")


def _hashable(output: Any) -> Hashable:
    """Lists, sets and arrays as tuples and frozen sets, so that outputs can be counted."""
    if isinstance(output, set):
        return frozenset(output)
    if hasattr(output, "tolist"):
        output = output.tolist()
    if isinstance(output, list):
        return tuple(map(_hashable, output))
    return output  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What the audit found.

    Args:
        status: ACCEPTED (proved private), REJECTED (a ratio above E, proved or at the confidence)
            or UNDECIDED (no evidence of a flaw, which proves nothing).
        is_proof: whether the answer is exact; otherwise it is statistical evidence.
        exp_epsilon: the claimed E.
        ratio: the exact largest ratio, or a *lower bound* on it at the confidence.
        event: the output or event that has this ratio.
        likelier_input: the input that makes it likelier.
        less_likely_input: the other.
        confidence: of the lower bound; 1 for a proof.
        runs: how often the sampler was run.
        reason: all of it in one line.
    """

    status: Status
    is_proof: bool
    exp_epsilon: Fraction
    ratio: Extended
    event: str
    likelier_input: Any
    less_likely_input: Any
    confidence: float
    runs: int
    reason: str

    @property
    def is_flagged(self) -> bool:
        """Whether the sampler was found not to be private at its level."""
        return self.status is Status.REJECTED

    def require_private(self) -> None:
        """Raise unless the sampler is proved private.

        Raises:
            NotPrivateError: naming the witness, or saying that nothing was proved.
        """
        if self.status is not Status.ACCEPTED:
            raise NotPrivateError(self.reason)


def audit_sampler(
    sampler: Callable[..., Any],
    inputs: Iterable[Any],
    exp_epsilon: object,
    *,
    batch: Callable[[Any, int, Any], Any] | None = None,
    runs: int = 4_000_000,
    confidence: float = 0.999,
    seed: int = 0,
    max_courses: int = MAX_COURSES,
) -> AuditReport:
    """Whether a sampler is log(E)-private between these inputs: exactly if possible, else by runs.

    Args:
        sampler: called as ``sampler(input, source)``; the source has the methods of
            ``EnumeratedSource``, or those of ``numpy.random.Generator`` in the statistical way.
        inputs: at least two.
        exp_epsilon: E, an exact number.
        batch: ``batch(input, n, generator)`` gives n outputs at once, for samplers that are
            vectorised; outputs may be rows of an array of 0 and 1, or of symbols.
        runs: most runs for each input in the statistical way.
        confidence: of the statistical answer.
        seed: of the generator of the statistical way.
        max_courses: most courses of draws for each input in the exact way.

    Returns:
        A proof when the draws can be enumerated; otherwise evidence, labelled so.

    Raises:
        InputError: for fewer than two inputs, E < 1 or a confidence outside (0, 1).

    >>> def response(x, rng):
    ...     return x if rng.bernoulli("1/2") else rng.randbelow(2)
    >>> audit_sampler(response, [0, 1], 3).ratio
    Fraction(3, 1)
    """
    values, level = list(inputs), as_rational(exp_epsilon, "exp_epsilon")
    if len(values) < 2 or level < 1:
        raise InputError(f"audit: needs two inputs and E >= 1, not {len(values)} and {level}")
    if not 0 < confidence < 1:
        raise InputError(f"confidence: {confidence} is outside (0, 1)")
    if batch is None:
        try:
            laws = [enumerate_law(sampler, value, max_courses=max_courses) for value in values]
        except (LimitError, AttributeError, TypeError):
            pass  # not enumerable: it draws too much, or needs a source of another kind
        else:
            return _exact_report(values, laws, level)
    from verify.audit_runs import audit_by_runs  # noqa: PLC0415 - needs numpy and scipy

    return audit_by_runs(
        sampler, values, level, batch=batch, runs=runs, confidence=confidence, seed=seed
    )


def _exact_report(
    values: Sequence[Any], laws: Sequence[dict[Hashable, Fraction]], level: Fraction
) -> AuditReport:
    outputs = sorted({output for law in laws for output in law}, key=repr)
    channel = Channel([[law.get(y, Fraction(0)) for y in outputs] for law in laws])
    worst = largest_column_ratio(channel)
    status = PrivacyLevel(exp_epsilon=level).allows(worst.exp_epsilon)
    event = repr(outputs[worst.output])
    likelier, other = values[worst.likelier_input], values[worst.less_likely_input]
    times = (
        "infinitely" if isinstance(worst.exp_epsilon, Infinity) else f"{worst.exp_epsilon} times"
    )
    reason = f"output {event} is {times} likelier from input {likelier!r} than from {other!r}"
    return AuditReport(
        status=status,
        is_proof=True,
        exp_epsilon=level,
        ratio=worst.exp_epsilon,
        event=f"output {event}",
        likelier_input=likelier,
        less_likely_input=other,
        confidence=1.0,
        runs=0,
        reason=f"{reason}; proved, E = {level}",
    )
