"""The campaign: forge, check, and judge what is accepted; tallies by kind and class of forgery."""

import json
import random
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from tests.attack import form
from tests.attack.bases import KINDS
from tests.attack.generic_forgeries import GENERIC
from tests.attack.near_misses import NEAR_MISSES, SLOW
from tests.attack.oracle import flaw
from tests.attack.spellings import SPELLINGS
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.errors import InputError

ANSWERS = ("malformed", "REJECTED", "UNDECIDED", "true", "false", "crashed")
"""What became of a forgery: refused, answered, accepted and true, accepted and false, broken."""
FORGERIES_A_BASE = 40
UNCHANGED = "unchanged"
CHUNK = 2_500


def forgeries_of(kind):
    """The classes of forgeries of a kind: name to function."""
    return {**NEAR_MISSES[kind], **GENERIC, **SPELLINGS}


def schedule(kind):
    """The names of the classes, near misses three times as often as mere misspellings.

    The slow ones come once, at the end.
    """
    quick = [name for name in NEAR_MISSES[kind] if name not in SLOW]
    slow = [name for name in NEAR_MISSES[kind] if name in SLOW]
    return quick * 3 + [*GENERIC] * 2 + [*SPELLINGS] + slow


def kernel_answer(text):
    """The kernel's status for a file."""
    return check_certificate(decode(text)).status.value


@dataclass
class Tally:
    """Counts by (kind, class) and answer, the slowest check of each in seconds, and the finds.

    Args:
        counts: (kind, class, answer) to how many.
        slowest: (kind, class) to CPU seconds.
        finds: forgeries that were accepted though false, or that broke the kernel.
    """

    counts: Counter = field(default_factory=Counter)
    slowest: dict = field(default_factory=dict)
    finds: list = field(default_factory=list)

    def add(self, other):
        """Add up two tallies."""
        self.counts.update(other.counts)
        for key, seconds in other.slowest.items():
            self.slowest[key] = max(seconds, self.slowest.get(key, 0))
        self.finds += other.finds

    def rows(self):
        """(kind, class, tried, counts by answer, slowest seconds), in order of first appearance."""
        for kind, name in self.slowest:
            answers = {answer: self.counts[kind, name, answer] for answer in ANSWERS}
            yield kind, name, sum(answers.values()), answers, self.slowest[kind, name]

    def total(self, answer):
        """How many forgeries had this answer."""
        return sum(n for (_, _, found), n in self.counts.items() if found == answer)


def judged(text, answer_of=kernel_answer):
    """(what became of the file, why), by the kernel and, where it accepts, by the oracle."""
    try:
        status = answer_of(text)
    except InputError:
        return "malformed", ""
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is a find
        return "crashed", f"{type(error).__name__}: {error}"[:300]
    if status != "ACCEPTED":
        return status, ""
    try:
        content = form.read(text)
    except (form.FormError, ValueError, KeyError, RecursionError) as error:
        return "false", f"not of the form: {error}"[:300]
    found = flaw(content)
    return ("false", found) if found else ("true", "")


def run(kind, count, seed, answer_of=kernel_answer):
    """The tally of so many forgeries of one kind; the same for the same seed."""
    rng, tally, classes = random.Random(f"{kind} {seed}"), Tally(), forgeries_of(kind)
    names, base = schedule(kind), KINDS[kind](rng)
    done = 0
    while done < count:
        donor, base = base, KINDS[kind](rng)
        status, why = judged(json.dumps(base), answer_of)
        if status != "true" and answer_of is kernel_answer:
            raise AssertionError(f"a base of kind {kind} is {status}: {why}: {base}")
        for _ in range(min(FORGERIES_A_BASE, count - done)):
            name = names[done % len(names)]
            forged = classes[name](rng, base, donor)
            if forged is None or forged == base:
                name = rng.choice([*GENERIC, *SPELLINGS])
                forged = classes[name](rng, base, donor)
            if forged is None or forged == base:
                name, forged = "related number", classes["related number"](rng, base, donor)
            _count(tally, kind, name, forged if forged is not None else base, answer_of)
            done += 1
    return tally


def _count(tally, kind, name, forged, answer_of):
    text = forged if isinstance(forged, str | bytes) else json.dumps(forged)
    start = time.process_time()
    answer, why = judged(text, answer_of)
    seconds = time.process_time() - start
    tally.counts[kind, name, answer] += 1
    tally.slowest[kind, name] = max(seconds, tally.slowest.get((kind, name), 0))
    if answer in ("false", "crashed"):
        tally.finds.append({"kind": kind, "class": name, "why": why, "file": _shown(text)})


def _shown(text):
    return text if isinstance(text, str) else text.decode("latin-1")


def run_all(kinds, count, seed, processes=1):
    """The tally of ``count`` forgeries of each kind, in chunks with their own seeds."""
    tasks = [
        (kind, min(CHUNK, count - start), f"{seed}.{start // CHUNK}")
        for kind in kinds
        for start in range(0, count, CHUNK)
    ]
    total = Tally()
    if processes == 1:
        for task in tasks:
            total.add(run(*task))
        return total
    with ProcessPoolExecutor(processes) as pool:
        for part in pool.map(run, *zip(*tasks, strict=True)):
            total.add(part)
    return total
