"""Batches of work in as many processes as there are processors; the answers come in the order of the batches."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

import click

from deploy.failures import Failure
from deploy.language import say

if TYPE_CHECKING:
    from concurrent.futures import Future

Batch = TypeVar("Batch")
Answer = TypeVar("Answer")

FEW = 6
"""Batches of about a tenth of a second that are done by the time that processes would have started."""
_AHEAD = 2  # batches that are handed to each process: one that it works on, and the next
_MOST = 64  # answers that wait for one before them

jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), default=lambda: os.cpu_count() or 1, show_default="one a processor", help="Processes."
)


def in_order(
    here: Callable[[Batch], Answer], there: Callable[[Batch], Answer], batches: Iterable[Batch], processes: int
) -> Iterator[Answer]:
    """What becomes of each batch, in as many processes: of the first ``FEW`` in this one, while the others start; after that this one
    takes part where it would wait for another's answer. One process answers to each batch before it takes the next.

    ``there`` and batches are sent to them; what is not a module's function, or bound to much, cannot be. Raises what they raise, and
    ``Failure`` if one of them is ended from outside.
    """
    if processes < 2:
        yield from map(here, batches)
        return
    waiting = iter(batches)
    first, more = list(islice(waiting, FEW)), list(islice(waiting, 1))
    if more:
        yield from _spread(here, first, there, chain(more, waiting), processes - 1)
    else:
        yield from map(here, first)


def _spread(
    here: Callable[[Batch], Answer], first: Iterable[Batch], there: Callable[[Batch], Answer], others: Iterator[Batch], more: int
) -> Iterator[Answer]:
    # Imported here: most commands are through before there is anything to share.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    def hand_out() -> None:
        free = more * _AHEAD - sum(not one.done() for one in begun)
        begun.extend(pool.submit(there, batch) for batch in islice(others, free))

    begun: deque[Future[Answer]] = deque()
    with ProcessPoolExecutor(more, get_context("spawn")) as pool:
        try:
            with _interrupts_left_alone():
                hand_out()
            for batch in first:  # while the processes start
                yield here(batch)
                hand_out()
            while begun:
                hand_out()
                if begun[0].done() or len(begun) >= _MOST or not (own := list(islice(others, 1))):
                    yield begun.popleft().result()
                else:
                    begun.append(_answered(here, own[0]))
        except BrokenProcessPool as error:
            raise Failure(say("process_ended"), say("process_ended_jobs")) from error
        finally:
            pool.shutdown(cancel_futures=True)


def _answered(here: Callable[[Batch], Answer], batch: Batch) -> "Future[Answer]":
    """In this process; what is raised waits until the answers before it have been told."""
    from concurrent.futures import Future

    answer: Future[Answer] = Future()
    try:
        answer.set_result(here(batch))
    except Exception as error:
        answer.set_exception(error)
    return answer


@contextmanager
def _interrupts_left_alone() -> Iterator[None]:
    """For processes that start meanwhile: Ctrl-C goes to all of a terminal, and the one that started the others says what became of it."""
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
