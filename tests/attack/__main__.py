"""Run the attack campaign: `python -m tests.attack --count 1000 --kind testing --seed 1`.

With `--write docs/trust.md` the rows of these kinds replace those on the page. The exit code is 1
if a false claim was accepted or the kernel raised anything but its own errors.
"""

import argparse
import json
import sys
from pathlib import Path

from tests.attack.bases import KINDS
from tests.attack.campaign import run_all
from tests.attack.table import markdown, with_kinds


def main(arguments=None):
    """Run it; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="forgeries of each kind")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="default: every kind")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="figures as JSON instead of a table")
    parser.add_argument(
        "--write", type=Path, help="the page whose rows of these kinds are replaced"
    )
    options = parser.parse_args(arguments)
    kinds = options.kind or list(KINDS)
    tally = run_all(kinds, options.count, options.seed, options.processes)
    if options.write:
        page = options.write.read_text(encoding="utf-8")
        text = with_kinds(page, tally.rows(), options.count, options.seed)
        options.write.write_text(text, encoding="utf-8")
    if options.json:
        keys = ("kind", "class", "tried", "answers", "slowest_seconds")
        figures = [dict(zip(keys, row, strict=True)) for row in tally.rows()]
        print(json.dumps({"seed": options.seed, "rows": figures, "finds": tally.finds}, indent=1))
    else:
        print(markdown(tally.rows(), options.count, options.seed))
        for find in tally.finds[:20]:
            print(json.dumps(find)[:2000])
    return 1 if tally.finds else 0


if __name__ == "__main__":
    sys.exit(main())
