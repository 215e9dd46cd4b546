"""How a log begins, and how another one begins where the first can go on no more."""

import socket
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from secrets import token_bytes

import msgspec

from deploy.log.keeper.key_files import SEED, Seeds, log_files, read_or_make_seed
from deploy.log.keeper.key_folder import host_of
from deploy.log.keeper.recomputation import marks
from deploy.settings import Settings
from domain.journal.log.own import FORKED
from domain.journal.log.register import LogEpoch, OwnEntry
from domain.journal.registers import Duplicate, stamp
from domain.journal.store import EventStore
from replay.proof.checkpoints import read_checkpoint
from replay.proof.files import told_key
from replay.proof.log import LogTree, mark_at
from replay.proof.notes import Signer
from replay.proof.tiles import TilesMissing

_BY = "kiebitz"


def begun(settings: Settings, events: EventStore, now: datetime) -> LogEpoch:
    """The present epoch of the log; the first one is begun where there is none. The key that signs what is told is known from here on.

    A log that has begun gets no second key to sign with: where the first one is not here, nothing is signed here. Raises ``Failure``
    where a key that is here cannot be used.
    """
    files, has_begun = log_files(settings), bool(events.log_epochs())
    if not has_begun or files.key.exists():
        seed = read_or_make_seed(files.key)
        if not has_begun:
            _begin(events, 1, host_of(settings, events, socket.gethostname().lower()), seed, now)
    return _known(events, read_or_make_seed(files.told), now)


def fork(events: EventStore, tree: LogTree, keys: Seeds, signed: str | None, now: datetime) -> LogEpoch:
    """Begins the next epoch. Its first entry names what was signed last, ``signed``, and how many entries both logs have in common."""
    before = events.log_epochs()[-1]
    common = _common(events, tree, before) if signed else None
    if signed and common is not None:
        common = min(common, read_checkpoint(signed).size)
    state = own_state({"before": signed, "common": common}, now)
    _begin(events, before.number + 1, before.origin.rpartition("/log/")[0], keys.log, now, state)
    return _known(events, keys.told, now)


def own_state(body: Mapping[str, object], now: datetime) -> str:
    """The bytes of an entry of the log about itself: like those of an event."""
    return msgspec.json.encode({"at": now, "by": _BY, "link": None, "body": body}).decode()


def _begin(events: EventStore, number: int, host: str, seed: bytes, now: datetime, forked: str | None = None) -> None:
    origin = f"{host}/log/{number}"
    epoch = LogEpoch(number, origin, str(Signer(origin, seed).key), events.epochs()[-1].id, stamp(now))
    first = () if forked is None else (OwnEntry(number, 0, 1, FORKED, forked),)
    with suppress(Duplicate):  # another process was first: it goes on with that one
        events.begin_log(epoch, token_bytes(SEED), *first)


def _known(events: EventStore, told: bytes, now: datetime) -> LogEpoch:
    epoch = events.log_epochs()[-1]
    events.keep_log_key(str(Signer(told_key(epoch.origin), told).key), stamp(now))
    return epoch


def _common(events: EventStore, tree: LogTree, epoch: LogEpoch) -> int | None:
    """How many entries from the first one on the store would come to again; ``None`` where the tree of that epoch does not lie here."""
    head = tree.head()
    if head is None or head.epoch != epoch.number:
        return None
    common = 0
    try:
        for mark in marks(events, epoch):
            if common == head.size or mark != mark_at(tree, common):
                break
            common += 1
    except TilesMissing:
        return None
    return common
