"""Files and folders for their owner only, whatever the umask and whoever made the folder: they tell hidden cards, names and secrets."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE

FILE, FOLDER = 0o600, 0o700
BESIDE = ("", "-wal", "-shm", "-journal")
"""What SQLite lays beside a database; it gives these files the rights of the database."""


OURS = (
    *("journal.db", "projections.db", "log.db", "witness.db", "monitor.db"),
    *("serve.lock", "snapshots.key", "log.key", "told.key", "witness.key", "log.signed", ".writable"),
)
"""What the names of files in a data folder begin with."""


def private_folder(folder: Path) -> None:
    """Makes the folder and those above it, if they are not there. One that was there loses the rights of others, and its files do.

    But not a folder that holds other things, too: somebody may have named his home or ``/tmp``.
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
    """Makes the file, empty, if it is not there; one that is there, and what SQLite laid beside it, loses the rights of others.

    Not opened if it is there: closing a database's file would take SQLite's locks away. Files of other accounts are left as they are.
    """
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))
    restrict(file.with_name(file.name + suffix) for suffix in BESIDE)


def restrict(files: Iterable[Path]) -> None:
    """Takes the rights of others from those files that are there and are this account's."""
    for file in files:
        with suppress(FileNotFoundError, PermissionError):
            _restrict(file, FILE)


def private_opener(name: str, flags: int) -> int:
    """For ``open``: a new file is its owner's only from the start, and an old one from now on."""
    opened = os.open(name, flags, FILE)
    with suppress(PermissionError):
        os.fchmod(opened, FILE)
    return opened


def secret(length: int) -> bytes:
    """So many bytes of chance, as a line in hexadecimal."""
    return token_hex(length).encode() + b"\n"


def make_secret(file: Path, content: bytes) -> None:
    """Unless there is one. A file that is there is whole: of several who make it at once all read the same."""
    file.parent.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    partial = file.with_name(f".{file.name}.{token_hex(8)}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
            if os.geteuid() == 0:  # whose folder it is has to read the key that root made there
                owner = file.parent.stat()
                os.fchown(opened.fileno(), owner.st_uid, owner.st_gid)
        with suppress(FileExistsError):
            os.link(partial, file)
    finally:
        partial.unlink()


def seen_by_others(paths: Iterable[Path]) -> list[Path]:
    """Those that are there and that another account may read or write."""
    return [path for path in paths if path.exists() and path.stat().st_mode & 0o077]


def _restrict(path: Path, mode: int) -> None:
    if S_IMODE(path.stat().st_mode) != mode:
        path.chmod(mode)
