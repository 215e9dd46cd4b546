"""Lifecycle of a log: begin, adoption by a moved store, fork into the next log, key rotation."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from secrets import token_bytes

import msgspec

from deploy.config.failures import Failure, say
from deploy.config.settings import Settings
from deploy.log.writer.key_files import SEED, Seeds, SignedFile, host_of, log_files, open_signed_file, read_or_make_seed, signer_at
from deploy.log.writer.log_rebuild import compute_marks
from deploy.log.writer.verification import compute_roots
from domain.journal.log import FORKED, ROTATED, BlindingKey, LogEpoch, LogRegister, OwnEntry
from domain.journal.registers import Duplicate, stamp
from domain.journal.store import EventStore
from replay.proof.checkpoints import Signer, read_checkpoint
from replay.proof.log import LogTree, mark_at
from replay.proof.making import receipt_key_name
from replay.proof.tiles import TilesMissing

_BY = "kiebitz"


def begin_log(settings: Settings, events: EventStore, now: datetime) -> LogEpoch:
    """Return the present epoch of the log; begin the first one if there is none. The key that signs views is registered from here on.

    A log that has begun gets no second signing key: if the first one is not here, nothing is signed here. Raises ``Failure`` if a key that
    is here cannot be used.
    """
    files, has_begun = log_files(settings), bool(events.log_epochs())
    if not has_begun or files.key.exists():
        seed = read_or_make_seed(files.key)
        if not has_begun:
            _begin(events, 1, host_of(settings, events, socket.gethostname().lower()), seed, now)
    return _latest_epoch(events, read_or_make_seed(files.told), now)


def fork(events: EventStore, tree: LogTree, keys: Seeds, signed: str | None, now: datetime) -> LogEpoch:
    """Begin the next epoch. Its first entry names what was signed last, ``signed``, and how many entries both logs have in common."""
    before = events.log_epochs()[-1]
    common = _common(events, tree, before) if signed else None
    if signed and common is not None:
        common = min(common, read_checkpoint(signed).size)
    state = own_state({"before": signed, "common": common}, now)
    _begin(events, before.number + 1, before.origin.rpartition("/log/")[0], keys.log, now, state)
    return _latest_epoch(events, keys.told, now)


def own_state(body: Mapping[str, object], now: datetime) -> str:
    """Return the bytes of an entry of the log about itself, in the form of an event."""
    return msgspec.json.encode({"at": now, "by": _BY, "link": None, "body": body}).decode()


def _begin(events: EventStore, number: int, host: str, seed: bytes, now: datetime, forked: str | None = None) -> None:
    origin = f"{host}/log/{number}"
    epoch = LogEpoch(number, origin, str(Signer(origin, seed).key), events.epochs()[-1].id, stamp(now))
    first = () if forked is None else (OwnEntry(number, 0, 1, FORKED, forked),)
    with suppress(Duplicate):  # another process was first: continue with its epoch
        events.begin_log(epoch, token_bytes(SEED), *first)


def _latest_epoch(events: EventStore, told: bytes, now: datetime) -> LogEpoch:
    epoch = events.log_epochs()[-1]
    events.keep_log_key(str(Signer(receipt_key_name(epoch.origin), told).key), stamp(now))
    return epoch


def _common(events: EventStore, tree: LogTree, epoch: LogEpoch) -> int | None:
    """Return how many leading entries the store still reproduces; ``None`` if the tree of that epoch is not here."""
    head = tree.head()
    if head is None or head.epoch != epoch.number:
        return None
    common = 0
    try:
        for mark in compute_marks(events, epoch):
            if common == head.size or mark != mark_at(tree, common):
                break
            common += 1
    except TilesMissing:
        return None
    return common


def require_moved(settings: Settings, events: EventStore) -> LogEpoch:
    """Return the log if this store may continue it.

    Raises ``Failure``, which names what is missing; OSError and ``VerificationError`` for the file of what was signed last. ``settings``:
    as ``with_key_folder`` returns them.
    """
    epoch, files = events.log_epochs()[-1], log_files(settings)
    if epoch.store == events.epochs()[-1].id:
        raise Failure(say("log_adopt_not_moved", origin=epoch.origin))
    if signer_at(files.key, epoch) is None:
        raise Failure(say("log_key_elsewhere", origin=epoch.origin, file=files.key), say("log_adopt_bring"))
    signed = open_signed_file(settings).checkpoint()
    if signed is None or signed.origin != epoch.origin:
        raise Failure(say("log_adopt_unsigned", origin=epoch.origin, file=files.signed), say("log_adopt_bring"))
    entries, roots = compute_roots(compute_marks(events, epoch), {signed.size})
    if signed.root != roots.get(signed.size):
        raise Failure(say("log_adopt_differs", signed=signed.size, entries=entries), say("log_adopt_lost"))
    return epoch


def bind_store(events: EventStore, epoch: LogEpoch) -> None:
    """Let the log follow this store from now on. Its writer compares the tree with what was signed before it signs anything."""
    events.track_store(epoch.number, events.epochs()[-1].id)


class IncompleteTreeError(Exception):
    """Raised when the tree is behind what was signed: it is being rebuilt, or its store was set back."""


def write_key_change_note(origin: str, old: Signer, new: Signer) -> str:
    """Return the note of a key rotation, signed by both keys."""
    text = f"kiebitz-rotated/1\n{origin}\n{old.key}\n{new.key}\n"
    return f"{text}\n{old.line(text)}{new.line(text)}"


def rotate(register: LogRegister, tree: LogTree, signed: SignedFile, old: Signer, new: Signer, now: datetime) -> LogEpoch:
    """Replace the signing key by a new one of the same name. Raises ``IncompleteTreeError``."""
    with _next_leaf(register, tree, signed) as (epoch, leaf):
        position = len(register.own_entries(epoch.number)) + 1
        state = own_state({"note": write_key_change_note(epoch.origin, old, new)}, now)
        signs = str(old.key) == epoch.key
        register.rotate_log(OwnEntry(epoch.number, leaf, position, ROTATED, state), str(new.key), stamp(now), signs=signs)
    return register.log_epochs()[-1]


def change_key(register: LogRegister, tree: LogTree, signed: SignedFile) -> int:
    """Change the key that blinds commitments; return the first leaf that it applies to. Raises ``IncompleteTreeError``."""
    with _next_leaf(register, tree, signed) as (epoch, leaf):
        register.add_key(BlindingKey(epoch.number, leaf, token_bytes(SEED)))
    return leaf


@contextmanager
def _next_leaf(register: LogRegister, tree: LogTree, signed: SignedFile) -> Iterator[tuple[LogEpoch, int]]:
    [*_, epoch] = register.log_epochs()
    then = signed.checkpoint()
    if tree.head() is None:
        raise IncompleteTreeError
    with tree.lock() as held:
        head = held.head
        least = then.size if then is not None and then.origin == epoch.origin else 0
        if head is None or head.epoch != epoch.number or head.size < least:
            raise IncompleteTreeError
        taken = [own.leaf for own in register.own_entries(epoch.number)] + [key.leaf for key in register.blinding_keys(epoch.number)]
        yield epoch, max(head.size, *(leaf + 1 for leaf in taken))
