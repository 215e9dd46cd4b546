"""What both recorders share: the library's way of reading and appending, on top of a query, a change and a group commit."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from eventsourcing.persistence import IntegrityError, Notification, StoredEvent

from domain.events import player, tournament
from domain.journal.arrivals import Arrivals
from domain.journal.commits import CommandKey, Commit, Conflict, KeyTaken, Outcome, Text
from domain.journal.registers import Registers

PATIENCE = 10.0  # seconds an append may take, unless told otherwise


class Store(Registers):
    """Usable from any thread, and beside other processes that write to the same database."""

    def __init__(self) -> None:
        self.arrivals = Arrivals(self.max_notification_id)

    @abstractmethod
    def commit_group(self, commits: Sequence[Commit], patience: float = PATIENCE) -> list[Outcome]:
        """All commits in one transaction, in their order; those that something speaks against are left out whole.

        Raises Unavailable if nothing was stored, Unclear if that could not be found out within `patience` seconds,
        and whatever the driver says of values that it cannot store; then nothing was stored either.
        """

    @abstractmethod
    def interrupt(self) -> None:
        """Breaks off a commit_group that hangs, from another thread."""

    @abstractmethod
    def close(self) -> None:
        """Closes all connections. Nothing can be read or written afterwards."""

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, command: CommandKey | None = None, texts: Sequence[Text] = (), **_: Any
    ) -> Sequence[int]:
        """The synchronous door. Raises the library's IntegrityError for a conflict, KeyTaken, and what commit_group raises."""
        if not stored_events:
            return ()
        [outcome] = self.commit_group([Commit(tuple(stored_events), command, tuple(texts))])
        if isinstance(outcome, Conflict):
            raise IntegrityError(*outcome.args) from outcome
        if isinstance(outcome, KeyTaken):
            raise outcome
        return outcome

    def announce(self, outcomes: Sequence[Outcome]) -> None:
        """Wakes those who wait for events, once these are committed."""
        self.arrivals.announce(max((outcome[-1] for outcome in outcomes if isinstance(outcome, tuple)), default=0))

    def select_events(
        self, originator_id: UUID | str, *, gt: int | None = None, lte: int | None = None, desc: bool = False, limit: int | None = None
    ) -> list[StoredEvent]:
        id = originator_id if isinstance(originator_id, UUID) else UUID(originator_id)
        where, parameters = _conditions({"originator_id =": self.to_column(id), "originator_version >": gt, "originator_version <=": lte})
        order = f"originator_version {'DESC' if desc else 'ASC'}{_limit(limit)}"
        rows = self.query(f"SELECT originator_version, topic, state FROM events{where} ORDER BY {order}", parameters)
        return [StoredEvent(id, version, topic, state) for version, topic, state in rows]

    def select_notifications(
        self, start: int | None, limit: int, stop: int | None = None, topics: Sequence[str] = (), *, inclusive_of_start: bool = True
    ) -> list[Notification]:
        where, parameters = _conditions({f"sequence {'>=' if inclusive_of_start else '>'}": start, "sequence <=": stop})
        if topics:
            where += f"{' AND' if where else ' WHERE'} topic IN ({', '.join('?' * len(topics))})"
        sql = f"SELECT sequence, originator_id, originator_version, topic, state FROM events{where} ORDER BY sequence{_limit(limit)}"
        rows = self.query(sql, (*parameters, *topics))
        return [Notification(self.from_column(id), version, topic, state, sequence) for sequence, id, version, topic, state in rows]

    def games(self) -> list[UUID]:
        """Every game of which there is an event, whatever event it is, the oldest first."""
        others = (*tournament.NAMES.values(), *player.NAMES.values())
        where = f"topic NOT IN ({', '.join('?' * len(others))})"
        rows = self.query(f"SELECT originator_id FROM events WHERE {where} GROUP BY originator_id ORDER BY min(sequence)", others)
        return [self.from_column(id) for (id,) in rows]

    def max_notification_id(self) -> int | None:
        [(sequence,)] = self.query("SELECT max(sequence) FROM events")
        return None if sequence is None else int(sequence)

    def wait_for(self, after: int, timeout: float) -> bool:
        """True as soon as an event beyond the sequence `after` is stored, by this process or another; False when the time is up."""
        return self.arrivals.wait(after, timeout)


def _conditions(given: dict[str, Any]) -> tuple[str, list[Any]]:
    """A WHERE of those conditions that have a value, and the values."""
    present = {condition: value for condition, value in given.items() if value is not None}
    where = " AND ".join(f"{condition} ?" for condition in present)
    return (f" WHERE {where}" if present else ""), list(present.values())


def _limit(limit: int | None) -> str:
    return "" if limit is None else f" LIMIT {int(limit)}"
