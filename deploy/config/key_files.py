"""Key files of a service: the TLS certificate and key for HTTPS without a proxy, and the key that seals cached game states."""

import logging
import ssl
from pathlib import Path
from secrets import token_bytes
from typing import NoReturn

from deploy.config.failures import Failure, say, system_problem
from deploy.config.settings import Settings
from deploy.system.private import make_secret, secret
from domain.journal.snapshots import KEY_LENGTH


def tls_context(settings: Settings) -> ssl.SSLContext | None:
    """Return the TLS context, or ``None`` for plain HTTP.

    Raises ``Failure`` for files that do not exist, cannot be read or do not match.
    """
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    for file in (settings.tls_cert, settings.tls_key):
        _check_readable(file)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(settings.tls_cert, settings.tls_key, password=lambda: _raise_locked_key(settings.tls_key))
    except ssl.SSLError as error:
        key = "tls_mismatch" if error.reason == "KEY_VALUES_MISMATCH" else "tls_no_pem"
        raise Failure(say(key, cert=settings.tls_cert, key=settings.tls_key), say("tls_made")) from error
    return context


def _check_readable(file: Path) -> None:
    try:
        file.read_bytes()
    except OSError as error:
        raise Failure(say("file_problem", file=file, problem=system_problem(error.errno))) from error


def _raise_locked_key(key: Path | None) -> NoReturn:
    """Refuse a key with a passphrase: a service starts without a person who could type it."""
    raise Failure(say("tls_locked", key=key), say("tls_unlock", key=key))


# Secret HMAC key that seals cached game states, in a file beside the embedded database, never in a database.


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
