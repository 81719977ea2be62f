"""What one check of a hostile certificate costs: processor seconds and peak memory, in a process.

`python -m tests.attack.resource_use [NAME ...]` prints a table: every generator of
``tests.attack.hostile`` from 1 MB down, by halves, and as near as an eighth to the largest size
that is within the limits; and how the seconds grow with the size. With `--write docs/trust.md` the
table replaces the one on the page.
"""

import json
import math
import resource
import subprocess
import sys
from pathlib import Path
from time import process_time

from tests.attack.hostile import HOSTILE
from tests.attack.table import with_region
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.errors import InexactNumberError, InputError

ROOT = Path(__file__).parents[2]
LARGEST, SMALLEST = 1_000_000, 500
LIMIT = "LimitError"


def cost(name, size):
    """(bytes, seconds, megabytes beyond those at rest, answer) of one check, measured here."""
    content = HOSTILE[name](size)
    at_rest, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, process_time()
    try:
        answer = check_certificate(decode(content)).status.name
    except (InputError, InexactNumberError) as error:
        answer = type(error).__name__
    seconds = process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return len(content), seconds, (peak - at_rest) / 1024, answer


def measured(name, size, timeout=300):
    """The same in a process of its own, so that the peak is its own."""
    command = [sys.executable, "-m", "tests.attack.resource_use", "--one", name, str(size)]
    run = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=timeout, check=True
    )
    return tuple(json.loads(run.stdout))


def growth(points):
    """The least-squares slope of log seconds against log bytes, where there is time to see.

    In files below a few thousand bytes most of them are names of keys.
    """
    seen = [(size, seconds) for size, seconds in points if seconds > 0.05 and size > 4000]
    logs = [(math.log(size), math.log(seconds)) for size, seconds in seen]
    xs = {x for x, _ in logs}
    if len(xs) < 3 or max(xs) - min(xs) < math.log(2):
        return None
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    above = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return above / sum((x - mean_x) ** 2 for x, _ in logs)


def sizes_measured(name, measure=measured):
    """[(bytes, seconds, megabytes, answer)] from 1 MB down, and near the largest within limits."""
    found, size, over, within = [], LARGEST, None, {}
    while size >= SMALLEST and len(within) < 4:
        found.append(measure(name, size))
        if found[-1][-1] != LIMIT:
            within[found[-1][0]] = size
        elif not within:
            over = size
        size //= 2
    if within and over:
        low, high = max(within.values()), over
        for _ in range(3):
            middle = (low + high) // 2
            found.append(measure(name, middle))
            low, high = (low, middle) if found[-1][-1] == LIMIT else (middle, high)
    return found


def rows(names=()):
    """(name, [(bytes, seconds, megabytes, answer) at each size], exponent) of each generator."""
    for name in names or HOSTILE:
        found = sizes_measured(name)
        within = [(size, seconds) for size, seconds, _, answer in found if answer != LIMIT]
        yield name, found, growth(within)


def table(names=()):
    """The lines of a Markdown table."""
    yield "| certificate | bytes | answer | CPU s | MB | exponent |"
    yield "|---|---:|---|---:|---:|---:|"
    for name, found, exponent in rows(names):
        size, seconds, memory, answer = max(found, key=lambda point: point[1])
        slope = "" if exponent is None else f"{exponent:.1f}"
        label = name.replace("_", " ")
        yield f"| {label} | {size:,} | {answer} | {seconds:.2f} | {memory:.0f} | {slope} |"


def main(arguments):
    """Print or write the table; the exit code."""
    if arguments[:1] == ["--one"]:
        print(json.dumps(cost(arguments[1], int(arguments[2]))))
        return 0
    page = Path(arguments[1]) if arguments[:1] == ["--write"] else None
    lines = []
    for line in table(() if page else arguments):
        print(line, flush=True)
        lines.append(line)
    if page:
        text = with_region(page.read_text(encoding="utf-8"), "resources", "\n".join(lines))
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
