"""Record files: one JSON record, or NDJSON with a record on each line, read line by line so that a file may be of any size."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias

from msgspec import Struct

from deploy.config.failures import say, system_problem
from deploy.system.private import private_opener
from domain.errors import InvalidFormatError
from domain.texts import Saying
from replay.external_context import ref_in

STDIN = Path("-")


class FileEntry(Struct, frozen=True):
    """A record of a file, decoded from JSON only; or the reason why it cannot be read.

    ``end`` is the number of bytes up to its end. ``line`` is 0 for a file that cannot be read.
    """

    file: Path
    line: int
    end: int
    record: object = None
    unread: Saying | None = None

    @property
    def decoded(self) -> "FileEntry":
        return self

    @property
    def problem(self) -> InvalidFormatError | None:
        return InvalidFormatError("malformed_record", self.unread, self.place) if self.unread else None

    @property
    def name(self) -> str | None:
        """Return the name that the record contains, if any."""
        name = self.record.get("name") if isinstance(self.record, dict) else None
        return name if isinstance(name, str) else None

    @property
    def ref(self) -> dict[str, str] | None:
        """Return the reference of the record in the system it comes from, if it contains one."""
        return ref_in(self.record)

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else str(self.file)


class RawEntry(Struct, frozen=True):
    """A record as bytes, which begin on ``line`` of the file and end after ``end`` bytes of it."""

    file: Path
    line: int
    end: int
    text: bytes

    @property
    def decoded(self) -> FileEntry:
        # The standard library's decoder, because its errors contain line and column.
        try:
            return FileEntry(self.file, self.line, self.end, json.loads(self.text, parse_constant=_reject_constant))
        except RecursionError:
            problem = say("nested_too_deeply")
        except json.JSONDecodeError as error:
            problem = say("not_json_from", line=self.line + error.lineno - 1, column=error.colno)
        except ValueError as error:
            problem = say("not_json", problem=str(error))
        return FileEntry(self.file, self.line, self.end, unread=problem)


Entry: TypeAlias = FileEntry | RawEntry


def is_stream(file: Path) -> bool:
    """Return whether the file may still be written by a sender that waits for results."""
    return file == STDIN or (file.exists() and not file.is_file())


def total_size(files: Iterable[Path]) -> int:
    """Return the bytes in the files that can be measured, for a progress bar."""
    return sum(file.stat().st_size for file in files if file != STDIN and file.is_file())


def records_in(file: Path) -> Iterator[FileEntry]:
    """Yield the records of the file, in order. Raises nothing: an unreadable record is a ``problem`` in its place."""
    return (entry.decoded for entry in raw_records_in(file))


def raw_records_in(file: Path) -> Iterator[Entry]:
    """Yield the records of the file undecoded. Raises nothing, either."""
    try:
        with open_input(file) as lines:
            yield from _entries(file, lines)
    except OSError as error:
        yield build_unreadable_entry(file, error)


def build_unreadable_entry(file: Path, error: OSError) -> FileEntry:
    """Return the entry that stands for a file that cannot be read."""
    return FileEntry(file, 0, 0, unread=say("unread_file", problem=system_problem(error.errno)))


@contextmanager
def open_output(file: Path | None) -> Iterator[Callable[[bytes], object]]:
    """Yield a function that writes to standard output, or to a file that appears once it is complete.

    The file is private to its owner, because it may contain hidden cards.
    """
    if file is None:
        yield sys.stdout.buffer.write
        return
    partial = file.with_name(f".{file.name}.partial")
    try:
        with open(partial, "wb", opener=private_opener) as stream:
            yield stream.write
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def open_input(file: Path) -> Iterator[BinaryIO]:
    """Open a file, or standard input, as bytes. Raises ``OSError``."""
    if file == STDIN:
        yield sys.stdin.buffer
        return
    with file.open("rb") as lines:
        yield lines


def _entries(file: Path, lines: BinaryIO) -> Iterator[RawEntry]:
    end, one_a_line = 0, False
    for number, line in enumerate(lines, 1):
        end += len(line)
        if not line.strip():
            continue
        entry = RawEntry(file, number, end, line)
        if not one_a_line and entry.decoded.problem:
            # The record spans several lines, so it has to be read whole.
            rest = lines.read()
            yield RawEntry(file, number, end + len(rest), line + rest)
            return
        one_a_line = True
        yield entry


def _reject_constant(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON value")
