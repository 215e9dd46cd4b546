"""Private files and folders: access for their owner only, because they contain hidden cards, names and secrets.

This holds for any umask and for folders that existed before.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE

FILE, FOLDER = 0o600, 0o700
BESIDE = ("", "-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database, with the same permissions as the database."""


OURS = (
    *("journal.db", "projections.db", "log.db", "witness.db", "monitor.db"),
    *("serve.lock", "snapshots.key", "log.key", "told.key", "witness.key", "log.signed", ".writable"),
)
"""Prefixes of the file names in a data folder."""


def private_folder(folder: Path) -> None:
    """Create the folder and its parents if they do not exist; remove access for others from an existing one and from its files.

    A folder that also holds other files keeps its own permissions: it may be a home folder or ``/tmp``.
    """
    with suppress(FileExistsError):
        folder.mkdir(mode=FOLDER, parents=True)
    inside = list(folder.iterdir())
    ours = [path for path in inside if path.name.startswith(OURS)]
    restrict(ours)
    if ours == inside:
        with suppress(PermissionError):
            _restrict(folder, FOLDER)


def private_file(file: Path) -> None:
    """Create the file, empty, if it does not exist; remove access for others from an existing one and from SQLite's files beside it.

    An existing file is not opened: closing a database's file would release SQLite's locks. Files of other accounts are left as they are.
    """
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))
    restrict(file.with_name(file.name + suffix) for suffix in BESIDE)


def restrict(files: Iterable[Path]) -> None:
    """Remove access for others from those files that exist and belong to this account."""
    for file in files:
        with suppress(FileNotFoundError, PermissionError):
            _restrict(file, FILE)


def private_opener(name: str, flags: int) -> int:
    """Open a file for ``open``: a new file is private from its creation, an existing one from now on."""
    opened = os.open(name, flags, FILE)
    with suppress(PermissionError):
        os.fchmod(opened, FILE)
    return opened


def secret(length: int) -> bytes:
    """Return ``length`` random bytes as a line in hexadecimal."""
    return token_hex(length).encode() + b"\n"


def make_secret(file: Path, content: bytes) -> None:
    """Create a secret file unless it exists.

    The file appears complete or not at all. If several processes create it at once, all of them read the same content.
    """
    file.parent.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    partial = file.with_name(f".{file.name}.{token_hex(8)}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
            if os.geteuid() == 0:  # the owner of the folder has to read a key that root created there
                owner = file.parent.stat()
                os.fchown(opened.fileno(), owner.st_uid, owner.st_gid)
        with suppress(FileExistsError):
            os.link(partial, file)
    finally:
        partial.unlink()


def list_readable_by_others(paths: Iterable[Path]) -> list[Path]:
    """Return those paths that exist and that another account may read or write."""
    return [path for path in paths if path.exists() and path.stat().st_mode & 0o077]


def _restrict(path: Path, mode: int) -> None:
    if S_IMODE(path.stat().st_mode) != mode:
        path.chmod(mode)
