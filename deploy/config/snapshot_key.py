"""Secret HMAC key that seals cached game states, in a file beside the embedded database, never in a database.

Somebody who can write to the database but cannot read this file cannot forge a snapshot.
"""

import logging
from pathlib import Path
from secrets import token_bytes

from deploy.config.failures import Failure, system_problem
from deploy.config.settings import Settings
from deploy.system.language import say
from deploy.system.private import make_secret, secret
from domain.journal.snapshots import KEY_LENGTH

_LOG = logging.getLogger("kiebitz")


def snapshot_key(settings: Settings, *, create: bool = True) -> bytes:
    """Return the key; it is created at the first start. Raises ``Failure`` if its file cannot be used.

    Without ``create`` no file is made; if none can be read, the key is random and no stored snapshot is trusted. PostgreSQL needs no data
    folder: if there is none and no key file is named, the key is random and lasts as long as the process.
    """
    file = _file_of(settings)
    try:
        if create and not file.exists():
            make_secret(file, secret(KEY_LENGTH))
        key = file.read_bytes().strip()
    except OSError as error:
        if not create:
            return token_bytes(KEY_LENGTH)
        if not settings.embedded and settings.snapshot_key_file is None:
            _LOG.warning("the snapshot key cannot be stored (%s): this process trusts only its own snapshots", error)
            return token_bytes(KEY_LENGTH)
        raise Failure(say("key_unusable", file=file, problem=system_problem(error.errno)), say("key_advice")) from error
    if len(key) < KEY_LENGTH:
        raise Failure(say("key_short", file=file), say("key_anew"))
    return key


def take_snapshot_key(source: Settings, target: Settings) -> None:
    """Copy the key to the data folder of a transferred store, so that its snapshots stay valid. An existing key there is kept."""
    if _file_of(source).is_file() and not _file_of(target).exists():
        make_secret(_file_of(target), _file_of(source).read_bytes())


def _file_of(settings: Settings) -> Path:
    return settings.snapshot_key_file or settings.data / "snapshots.key"
