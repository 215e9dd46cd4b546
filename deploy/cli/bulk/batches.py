"""The records of files in batches that are worth sending to a process."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deploy.cli.files import Entry, is_stream, raw_records_in, total_size

_BATCH = 128 * 1024
"""Bytes: about a tenth of a second of judging."""
MOST = 64
"""Records of a batch: so many are recorded together, and reported after that."""


class Placed(NamedTuple):
    """An entry, the number of its file among those that were named, and the bytes of all files read by then."""

    file: int
    done: int
    entry: Entry


def placed_in(files: Iterable[Path], read: Callable[[Path], Iterator[Entry]] = raw_records_in) -> Iterator[Placed]:
    """All entries of all files, in order."""
    before = 0
    for number, file in enumerate(files):
        for entry in read(file):
            yield Placed(number, before + entry.end, entry)
        before += total_size([file])


def batched(entries: Iterable[Placed]) -> Iterator[Sequence[Placed]]:
    """Somebody may wait for what becomes of the last record of a stream before he sends the next: each is a batch of its own."""
    batch: list[Placed] = []
    begin = 0
    for one in entries:
        batch.append(one)
        if one.done - begin >= _BATCH or len(batch) == MOST or is_stream(one.entry.file):
            yield batch
            batch, begin = [], one.done
    if batch:
        yield batch


def jobs_for(files: Iterable[Path], jobs: int) -> int:
    """Processes that work ahead would keep the answers of a stream back."""
    return 1 if any(map(is_stream, files)) else jobs
