"""One function over many arguments: in this process, on the cores of this machine, or on a cluster.

Results come as they are ready, in any order.
"""

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from typing import TypeVar

from joblib import Parallel, delayed

from verify.kernel.errors import InputError

__all__ = ["results"]

_WATCH_SECONDS = 1.0
"""How often a worker looks whether its parent still lives."""

Argument = TypeVar("Argument")
Result = TypeVar("Result")


def results(
    function: Callable[[Argument], Result],
    arguments: Sequence[Argument],
    *,
    jobs: int = 1,
    scheduler: str | None = None,
) -> Generator[Result, None, None]:
    """The values of the function.

    Args:
        function: a function of a module, so that other processes find it.
        arguments: what to give it.
        jobs: number of processes on this machine.
        scheduler: address of a dask scheduler, such as ``tcp://10.0.0.1:8786``; its workers need
            this program too, and ``jobs`` is then not used.

    Raises:
        InputError: for fewer jobs than one, no such scheduler, or dask not installed.
    """
    if jobs < 1:
        raise InputError(f"jobs = {jobs}: at least one process is needed")
    if scheduler is not None:
        return _on_cluster(function, arguments, scheduler)
    if jobs == 1 or len(arguments) < 2:
        return (function(argument) for argument in arguments)
    return _on_cores(function, arguments, jobs)


def _on_cores(
    function: Callable[[Argument], Result], arguments: Sequence[Argument], jobs: int
) -> Generator[Result, None, None]:
    parallel = Parallel(
        n_jobs=jobs,
        backend="loky",
        return_as="generator_unordered",
        initializer=_begin_worker,
        initargs=(os.getpid(),),
    )
    with warnings.catch_warnings():
        # Where the caller stops early, that is because of an error, which says enough.
        warnings.filterwarnings("ignore", "[0-9]+ tasks", UserWarning)
        yield from parallel(delayed(function)(argument) for argument in arguments)


def _begin_worker(parent: int) -> None:
    """Lets this worker end when its parent does: a killed parent cannot end its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupted parent ends its workers itself
    if os.name == "posix":  # elsewhere a parent that has ended keeps its number
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os._exit(1)


def _on_cluster(
    function: Callable[[Argument], Result], arguments: Sequence[Argument], address: str
) -> Generator[Result, None, None]:
    try:
        distributed = import_module("distributed")
    except ModuleNotFoundError:
        raise InputError(
            "a scheduler needs dask: pip install 'exactdp[cluster]', here and on the workers"
        ) from None
    try:
        client = distributed.Client(address, timeout=5, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"scheduler {address}: does not answer ({error})") from None
    with client:
        futures = client.map(function, arguments, pure=False)
        for future, result in distributed.as_completed(
            futures, with_results=True, loop=client.loop
        ):
            future.release()
            yield result
