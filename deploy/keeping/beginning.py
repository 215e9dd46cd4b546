"""How a log begins, and how another one begins where the first can go on no more."""

import socket
from collections.abc import Iterator
from datetime import datetime
from secrets import token_bytes

import msgspec

from api.http.decoding import stamp
from deploy.keeping.keeper import BATCH, FORKED, mark_at, stream_of_log
from deploy.keeping.keys import SEED, Seeds
from deploy.settings import Settings
from domain.journal.commits import StoredEvent
from domain.journal.log.register import LogEpoch
from domain.journal.registers import Duplicate
from domain.journal.store import EventStore
from replay.proof.checkpoints import read_checkpoint
from replay.proof.files import told_key
from replay.proof.log import LogTree
from replay.proof.marks import ZEROS, commitment_to, head_of, mark_of, salt_of
from replay.proof.notes import Signer

_BY = "kiebitz"


def begun(settings: Settings, events: EventStore, keys: Seeds, now: datetime) -> LogEpoch:
    """The present epoch of the log; the first one is begun where there is none. The key that signs what is told is known from here on."""
    if not events.log_epochs():
        _begin(events, 1, settings.log_host or socket.gethostname().lower(), keys, None, now)
    return _known(events, keys, now)


def fork(events: EventStore, tree: LogTree, keys: Seeds, signed: str | None, now: datetime) -> LogEpoch:
    """Begins the next epoch. Its first entry names what was signed last, ``signed``, and how many entries both logs have in common."""
    before = events.log_epochs()[-1]
    common = _common(events, tree, before) if signed else None
    if signed and common is not None:
        common = min(common, read_checkpoint(signed).size)
    body = {"before": signed, "common": common}
    first = msgspec.json.encode({"at": now, "by": _BY, "link": None, "body": body}).decode()
    _begin(events, before.number + 1, before.origin.rpartition("/log/")[0], keys, first, now)
    return _known(events, keys, now)


def _begin(events: EventStore, number: int, host: str, keys: Seeds, forked: str | None, now: datetime) -> None:
    origin = f"{host}/log/{number}"
    epoch = LogEpoch(number, origin, str(Signer(origin, keys.log).key), events.epochs()[-1].id, forked, stamp(now))
    try:
        events.begin_log(epoch, token_bytes(SEED))
    except Duplicate:
        return  # another process was first: it goes on with that one


def _known(events: EventStore, keys: Seeds, now: datetime) -> LogEpoch:
    epoch = events.log_epochs()[-1]
    events.keep_told_key(str(Signer(told_key(epoch.origin), keys.told).key), stamp(now))
    return epoch


def _common(events: EventStore, tree: LogTree, epoch: LogEpoch) -> int | None:
    """How many entries from the first one on the store would come to again; ``None`` where the tree of that epoch does not lie here."""
    head = tree.head()
    if head is None or head.epoch != epoch.number:
        return None
    common = 0
    for mark in marks(events, epoch):
        if common == head.size or mark != mark_at(tree, common):
            break
        common += 1
    return common


def marks(events: EventStore, epoch: LogEpoch) -> Iterator[bytes]:
    """What the store comes to now: the mark of every event, in the order of the log."""
    [blinding, *_] = events.blinding_keys(epoch.number)
    last: dict[object, bytes] = {}
    for event in _entries(events, epoch):
        salt, head = salt_of(blinding.key, event.stream, event.position), head_of(event.stream, event.position, event.name)
        mark = mark_of(event.stream, event.position, last.get(event.stream, ZEROS), commitment_to(salt, head, event.state))
        last[event.stream] = mark
        yield mark


def _entries(events: EventStore, epoch: LogEpoch) -> Iterator[StoredEvent]:
    if epoch.forked is not None:
        yield StoredEvent(stream_of_log(epoch.origin), 1, FORKED, epoch.forked.encode())
    after = 0
    while rows := events.events_after(after, BATCH):
        yield from (event for _, event in rows)
        after = rows[-1][0]
