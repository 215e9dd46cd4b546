"""The keys of the log: files for their owner only, outside of every database. They are made at the first start."""

from pathlib import Path
from typing import NamedTuple

from deploy.failures import Failure, system_problem
from deploy.language import say
from deploy.log.keeper.signed_file import SignedFile
from deploy.private import make_secret, secret
from deploy.settings import Settings
from domain.journal.log.register import LogEpoch
from replay.proof.notes import Signer

SEED = 32


class LogFiles(NamedTuple):
    """``key`` signs checkpoints, ``told`` what views are told; ``signed`` is the newest checkpoint that was signed."""

    key: Path
    told: Path
    signed: Path


class Seeds(NamedTuple):
    """The secrets of both keys."""

    log: bytes
    told: bytes


def log_files(settings: Settings) -> LogFiles:
    return files_in(settings.log_keys)


def files_in(folder: Path) -> LogFiles:
    return LogFiles(folder / "log.key", folder / "told.key", folder / "log.signed")


def are_there(settings: Settings) -> bool:
    return all(file.exists() for file in log_files(settings)[:2])


def signed_file(settings: Settings) -> SignedFile:
    return SignedFile(log_files(settings).signed)


def signer_at(file: Path, epoch: LogEpoch) -> Signer | None:
    """The key that signs the epoch at present, if it lies there or is about to (``rotation.py``). Raises OSError and ``Failure``."""
    for place in (next_of(file), file):
        signer = Signer(epoch.origin, read_seed(place)) if place.exists() else None
        if signer is not None and str(signer.key) == epoch.key:
            if place != file:
                take_over(file)
            return signer
    return None


def require_no_other_keys(source: Settings, target: Settings) -> None:
    """Raises ``Failure`` where keys of another log lie in the folder of a store that is to be filled."""
    for here, there in zip(log_files(source)[:2], log_files(target)[:2], strict=True):
        if here.is_file() and there.exists() and there.read_bytes() != here.read_bytes():
            raise Failure(say("log_keys_of_another", file=there), say("log_keys_move"))


def take_log_files(source: Settings, target: Settings) -> None:
    """The same keys for the data folder of a store that was transferred, and what was signed last: the log goes on there."""
    here, there = log_files(source), log_files(target)
    for key, taken in zip(here[:2], there[:2], strict=True):
        if key.is_file() and not taken.exists():
            make_secret(taken, key.read_bytes())
    note = SignedFile(here.signed).note()
    if note is not None and here != there:
        SignedFile(there.signed).write(note)


def made_anew(file: Path, name: str) -> Signer:
    """A new key that lies beside the file until ``take_over``. Raises OSError."""
    next_of(file).unlink(missing_ok=True)
    make_secret(next_of(file), secret(SEED))
    return Signer(name, read_seed(next_of(file)))


def take_over(file: Path) -> None:
    """The new key lies where the old one lay, and that one is gone."""
    next_of(file).replace(file)


def next_of(file: Path) -> Path:
    """Where a key lies until it is the one that signs."""
    return file.with_name(f"{file.name}.next")


def seeds(settings: Settings) -> Seeds:
    """Makes what is not there. Raises ``Failure``."""
    files = log_files(settings)
    return Seeds(read_or_make_seed(files.key), read_or_make_seed(files.told))


def read_or_make_seed(file: Path) -> bytes:
    """Raises ``Failure``."""
    try:
        if not file.exists():
            make_secret(file, secret(SEED))
        return read_seed(file)
    except OSError as error:
        problem = system_problem(error.errno)
        raise Failure(say("log_key_unusable", folder=file.parent, problem=problem), say("log_key_advice")) from error


def read_seed(file: Path) -> bytes:
    """Raises OSError, and ``Failure`` for what is no key."""
    read = file.read_bytes().strip()
    try:
        seed = bytes.fromhex(read.decode())
    except ValueError:
        seed = b""
    if len(seed) != SEED:
        raise Failure(say("log_key_short", file=file), say("log_key_anew"))
    return seed
