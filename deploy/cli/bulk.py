"""Parallel batches: distributes work over processes and returns the results in the order of the batches."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from deploy.cli.files import Entry, is_stream, raw_records_in, total_size
from deploy.config.failures import Failure, say

if TYPE_CHECKING:
    from concurrent.futures import Future

Batch = TypeVar("Batch")
Answer = TypeVar("Answer")

FEW = 6
"""Batches of about a tenth of a second that are done by the time that processes have started."""
_AHEAD = 2  # batches per process: the one that it works on, and the next
_MOST = 64  # results that wait for an earlier one

jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), default=lambda: os.cpu_count() or 1, show_default="one a processor", help="Processes."
)


def in_order(
    here: Callable[[Batch], Answer], there: Callable[[Batch], Answer], batches: Iterable[Batch], processes: int
) -> Iterator[Answer]:
    """Yield the result of each batch, in order, using this many processes.

    The first ``FEW`` are processed in this process while the others start; after that it takes part whenever it would wait for another's
    result. A single process yields each result before it takes the next batch.

    ``there`` and the batches are pickled, so ``there`` has to be a function of a module, bound to little. Raises the errors of ``here`` and
    ``there``, and ``Failure`` if a process is killed.
    """
    if processes < 2:
        yield from map(here, batches)
        return
    waiting = iter(batches)
    first, more = list(islice(waiting, FEW)), list(islice(waiting, 1))
    if more:
        yield from _dispatch_batches(here, first, there, chain(more, waiting), processes - 1)
    else:
        yield from map(here, first)


def _dispatch_batches(
    here: Callable[[Batch], Answer], first: Iterable[Batch], there: Callable[[Batch], Answer], others: Iterator[Batch], more: int
) -> Iterator[Answer]:
    # Imported here, because most commands end before there is anything to share.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    def free() -> int:
        return more * _AHEAD - sum(not one.done() for one in begun)

    def is_next_done() -> bool:
        return begun[0].done() or len(begun) >= _MOST

    def hand_out() -> None:
        for batch in islice(others, _defer_interrupt(free)):
            begun.append(_defer_interrupt(partial(pool.submit, there, batch)))

    begun: deque[Future[Answer]] = deque()
    pool = ProcessPoolExecutor(more, get_context("spawn"), _end_with_parent)
    try:
        hand_out()
        for batch in first:  # while the processes start
            yield here(batch)
            hand_out()
        while begun:
            hand_out()
            if _defer_interrupt(is_next_done) or not (own := list(islice(others, 1))):
                yield _defer_interrupt(begun.popleft().result)
            else:
                begun.append(_process_batch(here, own[0]))
    except BrokenProcessPool as error:
        raise Failure(say("process_ended"), say("process_ended_jobs")) from error
    finally:
        _defer_interrupt(partial(pool.shutdown, cancel_futures=True))


def _process_batch(here: Callable[[Batch], Answer], batch: Batch) -> "Future[Answer]":
    """Process the batch in this process; an exception is kept in the future until its turn comes."""
    from concurrent.futures import Future

    answer: Future[Answer] = Future()
    try:
        answer.set_result(here(batch))
    except Exception as error:
        answer.set_exception(error)
    return answer


def _end_with_parent() -> None:
    """End this process when its parent is killed; otherwise it would wait for work permanently."""
    from multiprocessing import parent_process
    from threading import Thread

    parent = parent_process()
    assert parent is not None
    Thread(target=_exit_after, args=[parent.join], daemon=True).start()


def _exit_after(wait: Callable[[], None]) -> None:
    wait()
    os._exit(1)


def _defer_interrupt(act: Callable[[], Answer]) -> Answer:
    """Run ``act`` and deliver an interrupt only after it.

    An interrupt in the middle of a call of the pool could leave one of its locks held, and block its thread permanently. Processes started
    meanwhile ignore interrupts: Ctrl-C reaches all processes of a terminal, and the parent reports it.
    """
    heard: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        return act()
    finally:
        signal.signal(signal.SIGINT, usual)
        if heard:  # the signal arrived in another thread
            signal.raise_signal(signal.SIGINT)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# Batches of records, large enough to be worth sending to a process.


_BATCH = 128 * 1024
"""Bytes: about a tenth of a second of judging."""
MOST = 64
"""Maximum number of records in a batch, which are recorded together and then reported."""


class Placed(NamedTuple):
    """An entry, the number of its file among the named ones, and the bytes of all files read by then."""

    file: int
    done: int
    entry: Entry


def place_entries(files: Iterable[Path], read: Callable[[Path], Iterator[Entry]] = raw_records_in) -> Iterator[Placed]:
    """Yield all entries of all files, in order."""
    before = 0
    for number, file in enumerate(files):
        for entry in read(file):
            yield Placed(number, before + entry.end, entry)
        before += total_size([file])


def batch_entries(entries: Iterable[Placed]) -> Iterator[Sequence[Placed]]:
    """Group the entries into batches.

    Each record of a stream is a batch of its own, since the sender may wait for its result before sending the next.
    """
    batch: list[Placed] = []
    begin = 0
    for one in entries:
        batch.append(one)
        if one.done - begin >= _BATCH or len(batch) == MOST or is_stream(one.entry.file):
            yield batch
            batch = []
            begin = one.done
    if batch:
        yield batch


def jobs_for(files: Iterable[Path], jobs: int) -> int:
    """Return the number of processes: one for streams, because processes that work ahead would delay the results."""
    return 1 if any(map(is_stream, files)) else jobs
