"""Key files of the log, private to their owner and outside of every database, and the folder in which they are.

They are created at the first start. Several PostgreSQL databases may be served from one data folder, so each has a subfolder there. It is
named after the first epoch of its store, which does not change when the store is restored, transferred, or served under another address.

Beside the keys is the newest checkpoint that was signed. Setting a store back does not set back this file, so the store cannot sign another
history under the same name.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

from msgspec.structs import replace

from deploy.config.failures import Failure, say, system_problem
from deploy.config.settings import Settings
from deploy.system.private import FILE, make_secret, secret
from domain.journal.log import LogEpoch
from domain.journal.store import EventStore
from replay.proof.checkpoints import Checkpoint, Signer, VerificationError, read_checkpoint
from replay.proof.making import receipt_key_name

SEED = 32
_IN_NAME = 8  # digits of the store's id


class SignedFile:
    """File of the newest signed checkpoint. The signer writes it to the disk before anybody else gets the signature."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def note(self) -> str | None:
        """Return the text of the file, or ``None``. Raises OSError if it cannot be read, and ``VerificationError`` if it is not text."""
        try:
            return self._path.read_text(encoding="utf-8") if self._path.exists() else None
        except UnicodeDecodeError:
            raise VerificationError("note_malformed") from None

    def checkpoint(self) -> Checkpoint | None:
        """Return the checkpoint in the file, or ``None``. Raises ``VerificationError`` if it contains none."""
        note = self.note()
        return None if note is None else read_checkpoint(note)

    def write(self, note: str) -> None:
        """Write the note, unless the file has a larger checkpoint of the same log: then another log writer is further."""
        with _lock_folder(self._path.parent) as folder:
            if _is_older(read_checkpoint(note), self.checkpoint()):
                return
            partial = self._path.with_name(f".{self._path.name}.{token_hex(8)}")
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE)
            with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
                opened.write(note)
                opened.flush()
                os.fsync(opened.fileno())
            partial.replace(self._path)
            os.fsync(folder)  # so that the rename survives a power cut


def _is_older(checkpoint: Checkpoint, there: Checkpoint | None) -> bool:
    return there is not None and there.origin == checkpoint.origin and there.size > checkpoint.size


@contextmanager
def _lock_folder(folder: Path) -> Iterator[int]:
    """Open the folder with an exclusive lock, so that no other log writer writes meanwhile."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield opened
    finally:
        os.close(opened)


class LogFiles(NamedTuple):
    """Paths of a log's files: ``key`` signs checkpoints, ``told`` signs views; ``signed`` is the newest signed checkpoint."""

    key: Path
    told: Path
    signed: Path


class Seeds(NamedTuple):
    """Secrets of both keys."""

    log: bytes
    told: bytes


def log_files(settings: Settings) -> LogFiles:
    return files_in(settings.log_keys)


def files_in(folder: Path) -> LogFiles:
    return LogFiles(folder / "log.key", folder / "told.key", folder / "log.signed")


def keys_exist(settings: Settings) -> bool:
    return all(file.exists() for file in log_files(settings)[:2])


def open_signed_file(settings: Settings) -> SignedFile:
    return SignedFile(log_files(settings).signed)


def signer_at(file: Path, epoch: LogEpoch) -> Signer | None:
    """Return the key that signs the epoch at present, if it is here or about to replace the old one (``epochs.py``).

    Raises OSError and ``Failure``.
    """
    # A rotation changes the register first and the file last. If it is interrupted, the next key already signs.
    for place in (next_key_file(file), file):
        signer = Signer(epoch.origin, read_seed(place)) if place.exists() else None
        if signer is not None and str(signer.key) == epoch.key:
            if place != file:
                replace_key(file)
            return signer
    return None


def require_no_other_keys(source: Settings, target: Settings) -> None:
    """Raise ``Failure`` if the folder of a store that is to be filled contains keys of another log."""
    for here, there in zip(log_files(source)[:2], log_files(target)[:2], strict=True):
        if here.is_file() and there.exists() and there.read_bytes() != here.read_bytes():
            raise Failure(say("log_keys_of_another", file=there), say("log_keys_move"))


def take_log_files(source: Settings, target: Settings) -> None:
    """Copy the keys and what was signed last to the data folder of a transferred store: the log continues there."""
    here, there = log_files(source), log_files(target)
    for key, taken in zip(here[:2], there[:2], strict=True):
        if key.is_file() and not taken.exists():
            make_secret(taken, key.read_bytes())
    note = SignedFile(here.signed).note()
    if note is not None and here != there:
        SignedFile(there.signed).write(note)


def make_next_key(file: Path, name: str) -> Signer:
    """Create a new key that stays beside the file until ``replace_key``. Raises OSError."""
    next_key_file(file).unlink(missing_ok=True)
    make_secret(next_key_file(file), secret(SEED))
    return Signer(name, read_seed(next_key_file(file)))


def replace_key(file: Path) -> None:
    """Replace the old key by the new one."""
    next_key_file(file).replace(file)


def next_key_file(file: Path) -> Path:
    """Return the path of a key until it becomes the signing one."""
    return file.with_name(f"{file.name}.next")


def seeds(settings: Settings) -> Seeds:
    """Return both secrets; create those that do not exist. Raises ``Failure``."""
    files = log_files(settings)
    return Seeds(read_or_make_seed(files.key), read_or_make_seed(files.told))


def read_or_make_seed(file: Path) -> bytes:
    """Return the secret in a file; create it if it does not exist. Raises ``Failure``."""
    try:
        if not file.exists():
            make_secret(file, secret(SEED))
        return read_seed(file)
    except OSError as error:
        problem = system_problem(error.errno)
        raise Failure(say("log_key_unusable", folder=file.parent, problem=problem), say("log_key_advice")) from error


def read_seed(file: Path) -> bytes:
    """Return the secret in a file. Raises OSError, and ``Failure`` if it is not a key."""
    read = file.read_bytes().strip()
    try:
        seed = bytes.fromhex(read.decode())
    except ValueError:
        seed = b""
    if len(seed) != SEED:
        raise Failure(say("log_key_short", file=file), say("log_key_anew"))
    return seed


def with_key_folder(settings: Settings, events: EventStore) -> Settings:
    """Return the settings with the folder of the keys in ``log_folder``, if it does not follow from the settings alone."""
    if settings.embedded or settings.log_folder is not None:
        return settings
    return replace(settings, log_folder=_folder(settings.data, events))


def host_of(settings: Settings, events: EventStore, machine: str) -> str:
    """Return the name of a new log, unless one is configured: the machine, with part of the store's id so that databases differ."""
    return settings.log_host or (machine if settings.embedded else f"{machine}-{_identity(events)[:_IN_NAME]}")


def list_key_files(settings: Settings) -> frozenset[Path]:
    """Return the existing key files of logs in their usual places."""
    return frozenset((*settings.log_keys.glob("log.key"), *settings.data.glob("log-*/log.key")))


def _identity(events: EventStore) -> str:
    return events.epochs()[0].id


def _folder(data: Path, events: EventStore) -> Path:
    """Return the folder of the store; the data folder itself if older keys of its log are there."""
    own, epochs = data / f"log-{_identity(events)}", events.log_epochs()
    for folder in (own, data) if epochs else ():
        if _signs(files_in(folder).key, epochs[-1]):
            return folder
    return data if epochs and not own.is_dir() and _is_of(files_in(data), events, epochs) else own


def _signs(file: Path, epoch: LogEpoch) -> bool:
    try:
        return epoch.key in _keys_at(file, [epoch.origin])
    except (OSError, Failure):
        return False


def _is_of(files: LogFiles, events: EventStore, epochs: Iterable[LogEpoch]) -> bool:
    """Return whether any of the files belongs to a log of this store."""
    origins = [epoch.origin for epoch in epochs]
    try:
        signed = SignedFile(files.signed).checkpoint()
        keys = {*_keys_at(files.key, origins), *_keys_at(files.told, map(receipt_key_name, origins))}
        return not keys.isdisjoint(events.log_keys()) or (signed is not None and signed.origin in origins)
    except (OSError, Failure, VerificationError):
        return True  # the caller that uses the files will report the problem


def _keys_at(file: Path, names: Iterable[str]) -> Iterator[str]:
    """Yield the verifier keys, under these names, of the key in the file and of its successor (``epochs.py``)."""
    seeds = [read_seed(place) for place in (file, next_key_file(file)) if place.exists()]
    return (str(Signer(name, seed).key) for name in names for seed in seeds)
