"""Batches of work in as many processes as there are processors; the answers come in the order of the batches."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import TypeVar

import click

from deploy.failures import Failure
from deploy.language import say

Batch = TypeVar("Batch")
Answer = TypeVar("Answer")

FEW = 6
"""Batches of about a tenth of a second that are done by the time that processes would have started."""
_AHEAD = 2  # batches that wait for each process

jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), default=lambda: os.cpu_count() or 1, show_default="one a processor", help="Processes."
)


def in_order(
    here: Callable[[Batch], Answer], there: Callable[[Batch], Answer], batches: Iterable[Batch], processes: int
) -> Iterator[Answer]:
    """What becomes of each batch: of the first ``FEW`` in this process, of the others in processes of their own, which start meanwhile. One
    process answers to each batch before it takes the next.

    ``there`` and batches are sent to them; what is not a module's function, or bound to much, cannot be. Raises what they raise, and
    ``Failure`` if one of them is ended from outside.
    """
    if processes < 2:
        yield from map(here, batches)
        return
    waiting = iter(batches)
    first, more = list(islice(waiting, FEW)), list(islice(waiting, 1))
    if more:
        yield from _spread(here, first, there, chain(more, waiting), processes)
    else:
        yield from map(here, first)


def _spread(
    here: Callable[[Batch], Answer], first: Iterable[Batch], there: Callable[[Batch], Answer], others: Iterator[Batch], processes: int
) -> Iterator[Answer]:
    # Imported here: most commands are through before there is anything to share.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        try:
            ahead = list(islice(others, processes * _AHEAD))
            with _interrupts_left_alone():
                begun = deque(pool.submit(there, batch) for batch in ahead)
            yield from map(here, first)  # while the processes start
            while begun:
                yield begun.popleft().result()
                begun.extend(pool.submit(there, batch) for batch in islice(others, 1))
        except BrokenProcessPool as error:
            raise Failure(say("process_ended"), say("process_ended_jobs")) from error
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_left_alone() -> Iterator[None]:
    """For processes that start meanwhile: Ctrl-C goes to all of a terminal, and the one that started the others says what became of it."""
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
