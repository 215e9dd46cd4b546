"""A whole store from one end to the other."""

from collections.abc import Iterator
from itertools import islice

from deploy.stores.transferring.digests import Contents, contents
from deploy.stores.transferring.ends import End, Row, Tell, counted
from deploy.stores.transferring.tables import EVENTS, MARK, REGISTERS

BATCH = 10_000
"""Events of a transaction: so many are copied again, at most, if the transfer breaks off."""


class Differs(Exception):
    """The two ends do not hold the same. ``names`` are the streams and registers."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(", ".join(names))
        self.names = names


def begin(target: End, epoch: str) -> None:
    """From here on nobody serves the target, until ``finish``."""
    with target.transaction():
        target.run(f"CREATE TABLE {MARK} (epoch TEXT NOT NULL)")
        target.run(f"INSERT INTO {MARK} (epoch) VALUES (?)", (epoch,))


def copy(source: End, target: End, tell: Tell, batch: int = BATCH) -> None:
    """Events from the last one on that is there; registers anew, because what is in them changes."""
    tell(target.count(EVENTS))
    with source.rows(source.table(EVENTS), target.last_sequence()) as rows:
        for events in _batches(rows, batch):
            with target.transaction():
                target.append(target.table(EVENTS), events)
            tell(len(events))
    for name in REGISTERS:
        with source.rows(source.table(name)) as rows, target.transaction():
            target.run(f"DELETE FROM {name}")
            target.append(target.table(name), counted(rows, tell))
    target.filled()


def _batches(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    while batch := list(islice(rows, size)):
        yield batch


def compare(source: End, target: End, tell: Tell) -> Contents:
    """What both hold. Raises ``Differs``."""
    there = contents(source, tell)
    with target.transaction():
        here = contents(target, tell)
    if differences := there.differences(here):
        raise Differs(differences)
    return here


def finish(target: End) -> None:
    """The epoch goes on here, once it does no more where it came from."""
    place = target.place
    with target.transaction():
        target.put(place)
        target.run(f"DROP TABLE {MARK}")
