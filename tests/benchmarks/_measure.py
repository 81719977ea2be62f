"""Seconds of wall clock and of processor time, peak memory, and rows of a table."""

import resource
from time import perf_counter, process_time


def measured(function, repeat=1):
    """(result, wall seconds, processor seconds) of one call, averaged over some."""
    wall, processor = perf_counter(), process_time()
    for _ in range(repeat):
        result = function()
    return result, (perf_counter() - wall) / repeat, (process_time() - processor) / repeat


def peak_megabytes():
    """The largest resident size of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def row(*cells):
    """Print one row of right-aligned cells of twelve places."""
    print("".join(f"{cell:>13}" for cell in cells), flush=True)
