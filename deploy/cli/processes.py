"""Batches of work in as many processes as there are processors; the answers come in the order of the batches."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
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
_AHEAD = 2  # batches that wait for each process

jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), default=lambda: os.cpu_count() or 1, show_default="one a processor", help="Processes."
)


def in_order(
    here: Callable[[Batch], Answer], there: Callable[[Batch], Answer], batches: Iterable[Batch], processes: int
) -> Iterator[Answer]:
    """What becomes of each batch: of the first ``FEW`` in this process, which answers at once, of the others in processes of their own.

    ``there`` and batches are sent to them; what is not a module's function, or bound to much, cannot be. Raises what they raise, and
    ``Failure`` if one of them is ended from outside.
    """
    waiting = iter(batches)
    yield from map(here, waiting if processes < 2 else islice(waiting, FEW))
    more = list(islice(waiting, 1))
    if more:
        yield from _spread(there, chain(more, waiting), processes)


def _spread(work: Callable[[Batch], Answer], batches: Iterable[Batch], processes: int) -> Iterator[Answer]:
    # Imported here: most commands are through before there is anything to share.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    with ProcessPoolExecutor(processes, get_context("spawn"), _leave_interrupts) as pool:
        begun: deque[Future[Answer]] = deque()
        try:
            for batch in batches:
                begun.append(pool.submit(work, batch))
                if len(begun) > processes * _AHEAD:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        except BrokenProcessPool as error:
            raise Failure(say("process_ended"), say("process_ended_jobs")) from error
        finally:
            pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C goes to all processes of a terminal. The one that started the others says what became of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
