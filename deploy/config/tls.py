"""TLS certificate and key, for a service that speaks HTTPS without a proxy."""

import ssl
from pathlib import Path
from typing import NoReturn

from deploy.config.failures import Failure, system_problem
from deploy.config.settings import Settings
from deploy.system.language import say


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
