"""Monitor of a log over HTTP: fetches what is new, verifies it against what was seen before, and stores it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
from msgspec import Struct

from deploy.config.failures import Failure, say
from deploy.stores.witness import MonitorStore, MonitorTransaction
from deploy.system.private import private_folder
from replay.proof.checkpoints import COSIGNATURE, Checkpoint, Signed, VerificationError, VerifierKey, read_checkpoint, verify_witnessed
from replay.proof.making import hashes
from replay.proof.monitoring import LogConflictError, check_continued, check_leaves, needs_path
from replay.proof.tiles import WIDTH, Tile, build_tree_reader, grow_tiles, split_bundle
from replay.proof.tree import root_of

TRIES = 10
"""Maximum fetches of a checkpoint, a second apart, until every witness has signed the newest one."""


_TIMEOUT = 30.0
_LARGEST = 1 << 20  # bytes of an answer; a bundle has 23 kB


class _Path(msgspec.Struct, frozen=True):
    path: tuple[str, ...]


class LogReader:
    """HTTP reader of a log. ``url``: of the service, or of a log elsewhere. Entries need a token. Raises ``Failure``, and
    httpx's errors.
    """

    def __init__(self, url: str, token: str | None) -> None:
        own = not urlsplit(url).path.strip("/")
        self.url = url.rstrip("/") + ("/v1/log" if own else "")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.reads_entries = token is not None
        self._http = httpx.Client(headers=headers, timeout=_TIMEOUT)

    def close(self) -> None:
        self._http.close()

    def checkpoint(self) -> str:
        try:
            return self._get("checkpoint").decode()
        except UnicodeDecodeError:
            raise Failure(say("monitor_no_log", url=self.url), exit_code=2) from None

    def path(self, old: int, new: int) -> tuple[bytes, ...]:
        """Return the consistency path; empty for an invalid one, which proves nothing."""
        try:
            said = msgspec.json.decode(self._get("consistency", {"old": old, "new": new}), type=_Path)
            return hashes(said.path, "path")
        except (msgspec.MsgspecError, VerificationError):
            return ()

    def entries(self, index: int, width: int) -> list[bytes]:
        """Return the first ``width`` entries of a bundle. A log need not keep partial bundles once there is a full one."""
        answer = self._get_bundle(index, width)
        if answer.status_code == 404 and width != WIDTH:
            answer = self._get_bundle(index, WIDTH)
        try:
            return split_bundle(self._read(answer))[:width]
        except ValueError:
            return []

    def _get(self, path: str, query: dict[str, Any] | None = None) -> bytes:
        return self._read(self._http.get(f"{self.url}/{path}", params=query))

    def _get_bundle(self, index: int, width: int) -> httpx.Response:
        return self._http.get(f"{self.url}/tile/entries/{Tile(0, index, width).place}")

    def _read(self, answer: httpx.Response) -> bytes:
        if answer.status_code in (401, 403):
            raise Failure(say("monitor_denied", url=self.url), exit_code=2)
        if not answer.is_success or len(answer.content) > _LARGEST:
            raise Failure(say("monitor_refused", url=answer.url, status=answer.status_code), exit_code=2)
        return answer.content


@contextmanager
def open_monitor(folder: Path) -> Iterator[MonitorStore]:
    """Open the store of what was seen of a log, in a folder that is created if necessary."""
    private_folder(folder)
    with closing(MonitorStore(folder / "monitor.db")) as store:
        yield store


class MonitorResult(Struct, frozen=True):
    """Result of an observation. ``before``: the last checkpoint seen before. ``read``: entries read so far, of ``streams`` streams."""

    checkpoint: Checkpoint
    before: Checkpoint | None
    witnessed: tuple[tuple[str, int], ...]
    read: int
    streams: int


def observe(reader: LogReader, store: MonitorStore, keys: Sequence[VerifierKey], sleep: Callable[[float], object]) -> MonitorResult:
    """Fetch the newest checkpoint, verify that it continues the last one, and read the new entries.

    ``keys``: of the log, and of witnesses that have to have signed. Raises ``LogConflictError``, after it has stored both notes,
    ``VerificationError`` if not all of them signed, and ``Failure``.
    """
    note, checkpoint, signed = _fetch_checkpoint(reader, keys, sleep)
    kept, read = store.read_progress()
    before = read_checkpoint(kept) if kept else None
    if before and before.origin != checkpoint.origin:
        raise Failure(say("monitor_other_log", before=before.origin, origin=checkpoint.origin), say("monitor_other_folder"))
    try:
        if before and needs_path(before, checkpoint):
            check_continued(before, checkpoint, reader.path(before.size, checkpoint.size))
        with store.transaction() as following:
            if reader.reads_entries:
                _read_on(following, reader, read, checkpoint)
                read = checkpoint.size
            streams = following.keep(note, read)
    except LogConflictError as error:
        store.record_conflict(note, kept or "", error.what)
        raise
    return MonitorResult(checkpoint, before, tuple((key.name, at) for key, at in signed.items() if key.kind == COSIGNATURE), read, streams)


def _fetch_checkpoint(reader: LogReader, keys: Sequence[VerifierKey], sleep: Callable[[float], object]) -> tuple[str, Checkpoint, Signed]:
    left = TRIES
    while True:
        note = reader.checkpoint()
        try:
            return note, *verify_witnessed(note, keys)
        except VerificationError as error:
            left -= 1
            if error.fault != "not_witnessed" or not left:
                raise
        sleep(1)


def _read_on(following: MonitorTransaction, reader: LogReader, begin: int, checkpoint: Checkpoint) -> None:
    """Read the entries after those that were read, and check the tree that they make."""
    for index in range(begin // WIDTH, -(-checkpoint.size // WIDTH)):
        first = index * WIDTH
        entries = reader.entries(index, min(WIDTH, checkpoint.size - first))
        if first + len(entries) < min(first + WIDTH, checkpoint.size):
            raise LogConflictError("no_entry", first + len(entries))
        new = max(begin, first)
        marks = check_leaves(entries[new - first :], new, following.lasts)
        following.lay(grow_tiles(following.tile, new, marks))
    if root_of(build_tree_reader(following.tile), 0, checkpoint.size) != checkpoint.root:
        raise LogConflictError("other_root")
