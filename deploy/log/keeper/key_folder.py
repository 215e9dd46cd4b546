"""Where the keys of the log of a store lie: apart from those of every other store that is served from the same data folder.

That may be several databases of PostgreSQL. So each has a folder of its own there, named after the first epoch of its store: this stays as
it is where the store is restored, transferred, or served under another address.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from deploy.failures import Failure
from deploy.log.keeper.key_files import LogFiles, files_in, next_of, read_seed
from deploy.log.keeper.signed_file import SignedFile
from deploy.settings import Settings
from domain.journal.log.register import LogEpoch
from domain.journal.store import EventStore
from replay.proof.exact import Unproven
from replay.proof.files import told_key
from replay.proof.notes import Signer

_IN_NAME = 8  # digits of the store


def placed(settings: Settings, events: EventStore) -> Settings:
    """The settings with the folder of the keys in ``log_folder``, where it does not follow from the settings alone."""
    if settings.embedded or settings.log_folder is not None:
        return settings
    return replace(settings, log_folder=_folder(settings.data, events))


def host_of(settings: Settings, events: EventStore, machine: str) -> str:
    """By what a new log is named, if nobody says otherwise: after the machine, and no two databases alike."""
    return settings.log_host or (machine if settings.embedded else f"{machine}-{_identity(events)[:_IN_NAME]}")


def keys_below(settings: Settings) -> frozenset[Path]:
    """The keys of logs that lie where they are looked for."""
    return frozenset((*settings.log_keys.glob("log.key"), *settings.data.glob("log-*/log.key")))


def _identity(events: EventStore) -> str:
    return events.epochs()[0].id


def _folder(data: Path, events: EventStore) -> Path:
    """That of the store; the data folder itself, where keys of its log lie from before."""
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
    """Whether anything there is of a log of this store."""
    origins = [epoch.origin for epoch in epochs]
    try:
        signed = SignedFile(files.signed).checkpoint()
        keys = {*_keys_at(files.key, origins), *_keys_at(files.told, map(told_key, origins))}
        return not keys.isdisjoint(events.log_keys()) or (signed is not None and signed.origin in origins)
    except (OSError, Failure, Unproven):
        return True  # whoever goes on with it says what is wrong


def _keys_at(file: Path, names: Iterable[str]) -> Iterator[str]:
    """The verifier keys, under these names, of what lies there or is about to (``rotation.py``)."""
    seeds = [read_seed(place) for place in (file, next_of(file)) if place.exists()]
    return (str(Signer(name, seed).key) for name in names for seed in seeds)
