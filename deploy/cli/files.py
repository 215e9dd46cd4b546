"""Files of records: one JSON record, or NDJSON with a record on each line. Read line by line, so that a file may be of any size."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias

from msgspec import Struct

from deploy.config.failures import system_problem
from deploy.system.language import say
from deploy.system.private import private_opener
from domain.errors import Malformed
from domain.texts import Saying
from replay.elsewhere import ref_in

STDIN = Path("-")


class FileEntry(Struct, frozen=True):
    """A record as it stands in a file, undecoded beyond JSON; or why there is none. ``end`` is the number of bytes up to its end, ``line``
    is 0 for a file that cannot be read.
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
    def problem(self) -> Malformed | None:
        return Malformed("malformed_record", self.unread, self.place) if self.unread else None

    @property
    def name(self) -> str | None:
        """What the record calls itself, if it says so."""
        name = self.record.get("name") if isinstance(self.record, dict) else None
        return name if isinstance(name, str) else None

    @property
    def ref(self) -> dict[str, str] | None:
        """What the record is called where it comes from, if it says so."""
        return ref_in(self.record)

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else str(self.file)


class RawEntry(Struct, frozen=True):
    """A record in its bytes, which begin on ``line`` of the file and end after ``end`` bytes of it."""

    file: Path
    line: int
    end: int
    text: bytes

    @property
    def decoded(self) -> FileEntry:
        # The standard library's decoder, because its messages tell line and column.
        try:
            return FileEntry(self.file, self.line, self.end, json.loads(self.text, parse_constant=_refuse_constant))
        except RecursionError:
            problem = say("nested_too_deeply")
        except json.JSONDecodeError as error:
            problem = say("not_json_from", line=self.line + error.lineno - 1, column=error.colno)
        except ValueError as error:
            problem = say("not_json", problem=str(error))
        return FileEntry(self.file, self.line, self.end, unread=problem)


Entry: TypeAlias = FileEntry | RawEntry


def is_stream(file: Path) -> bool:
    """Whether somebody may be writing it at this moment, and waits for answers."""
    return file == STDIN or (file.exists() and not file.is_file())


def total_size(files: Iterable[Path]) -> int:
    """Bytes in the files that can be measured, for a progress bar."""
    return sum(file.stat().st_size for file in files if file != STDIN and file.is_file())


def records_in(file: Path) -> Iterator[FileEntry]:
    """Everything in the file, in order. Raises nothing: what cannot be read is a ``problem`` in its place."""
    return (entry.decoded for entry in raw_records_in(file))


def raw_records_in(file: Path) -> Iterator[Entry]:
    """The same, undecoded."""
    try:
        with opened(file) as lines:
            yield from _entries(file, lines)
    except OSError as error:
        yield unread_file(file, error)


def unread_file(file: Path, error: OSError) -> FileEntry:
    """In the place of the records of a file that cannot be read."""
    return FileEntry(file, 0, 0, unread=say("unread_file", problem=system_problem(error.errno)))


@contextmanager
def open_output(file: Path | None) -> Iterator[Callable[[bytes], object]]:
    """Answers how to write to standard output, or to a file that appears when all is written, so that nobody takes a half for the whole.

    It is for its owner only: it may hold hidden cards.
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
def opened(file: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, or of standard input. Raises ``OSError``."""
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
            # A record that is written over several lines, then; it has to be read whole.
            rest = lines.read()
            yield RawEntry(file, number, end + len(rest), line + rest)
            return
        one_a_line = True
        yield entry


def _refuse_constant(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON value")
