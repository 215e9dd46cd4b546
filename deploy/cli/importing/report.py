"""Import report: a file of JSON lines that grows with the import, so that an interrupted import can continue.

The first line names the store, the last one counts the records; without its last line it is the report of an interrupted import. On
continuation each line is compared with the file again; from the first record that differs, everything is imported anew.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Literal
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from deploy.cli.files import FileEntry
from deploy.cli.importing.record_check import Imported, Outcome
from deploy.config.failures import Failure, say, system_problem
from deploy.system.private import private_opener


class Header(Struct, frozen=True, kw_only=True):
    """First line of a report. ``store`` is the epoch of the store, which is unique to it (docs/decisions/0013-epoch.md)."""

    format: Literal["kiebitz-import/1"] = "kiebitz-import/1"
    store: str | None
    dry_run: bool
    files: tuple[str, ...]


class Line(Struct, frozen=True, kw_only=True):
    """Outcome of a record (COM-69).

    ``digest`` is that of the record as it was read; ``content`` that of its content, if the game is recognised by that.
    """

    file: str
    line: int
    name: str | None
    ref: dict[str, str] | None
    outcome: Outcome
    game: UUID | None
    events: int | None
    error: str | None
    digest: str
    content: str | None


class Subject(Struct, frozen=True):
    """Description of a record in a report, without its outcome."""

    file: str
    line: int
    name: str | None
    ref: dict[str, str] | None
    digest: str
    place: str

    @property
    def title(self) -> str:
        return self.name or self.place


def subject_of(entry: FileEntry) -> Subject:
    digest = sha256(msgspec.json.encode(entry.record)).hexdigest()[:32]
    return Subject(str(entry.file), entry.line, entry.name, entry.ref, digest, entry.place)


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    recorded: int
    already: int
    refused: int


class Report:
    """Report of an import.

    ``past``: the lines of the interrupted import, each with its end in the file. ``end``: where these lines begin.
    """

    def __init__(self, stream: BinaryIO, past: Iterator[tuple[int, Line]], end: int) -> None:
        self._stream = stream
        self._past: Iterator[tuple[int, Line]] | None = past
        self._end = end

    def done(self, entry: FileEntry) -> Line | None:
        """Return the outcome from before the interruption; ``None`` if this record and all that follow are to be imported."""
        end, line = next(self._past, (0, None)) if self._past else (0, None)
        if line and (line.file, line.line, line.digest) == (str(entry.file), entry.line, subject_of(entry).digest):
            self._end = end
            return line
        self._go_on()
        return None

    def write(self, subject: Subject, imported: Imported) -> None:
        """Write the outcome at once. After an interruption, at most one batch was recorded without being reported."""
        told: dict[str, Any] = {**asdict(subject), **asdict(imported), "outcome": imported.outcome}
        _write(self._stream, Line(**{name: told[name] for name in Line.__struct_fields__}))

    def close(self, counts: Counter[Outcome]) -> None:
        self._go_on()
        _write(self._stream, Ending(counts["recorded"], counts["already"], counts["refused"]))

    def _go_on(self) -> None:
        """Begin to append lines; a torn line, and lines about other records, are removed."""
        if self._past:
            self._past = None
            self._stream.truncate(self._end)


@contextmanager
def open_report(path: Path, header: Header) -> Iterator[Report]:
    """Continue the report of an interrupted import, or begin one. Raises ``Failure`` if the file is something else."""
    try:
        stream = open(path, "a+b", opener=private_opener)  # noqa: SIM115  # closed below, outside of the handler for errors of opening
    except OSError as error:
        raise Failure(say("report_unwritable", file=path, problem=system_problem(error.errno))) from error
    with stream:
        yield _going_on(path, stream, header) or _begin_report(stream, header)


def _going_on(path: Path, stream: BinaryIO, header: Header) -> Report | None:
    """Return the report to continue; ``None`` if a new one begins. Raises ``Failure``."""
    stream.seek(0)
    first = stream.readline()
    if not first:
        return None
    try:
        before = msgspec.json.decode(first, type=Header)
    except msgspec.DecodeError as error:
        raise Failure(say("report_no_report", file=path), say("report_other_file")) from error
    if _is_complete(stream) or before.dry_run:
        return None
    if before != header:
        raise Failure(say("report_of_another", file=path), say("report_other_file"))
    return Report(stream, _lines(path, len(first)), len(first))


def _is_complete(stream: BinaryIO) -> bool:
    stream.seek(0, 2)
    stream.seek(max(0, stream.tell() - 4096))
    try:
        msgspec.json.decode(stream.read().split(b"\n")[-2], type=Ending)
    except (msgspec.DecodeError, IndexError):
        return False
    return True


def _begin_report(stream: BinaryIO, header: Header) -> Report:
    stream.truncate(0)
    _write(stream, header)
    return Report(stream, iter(()), stream.tell())


def _lines(path: Path, start: int) -> Iterator[tuple[int, Line]]:
    """Yield each line with its end in the file. A torn line ends them."""
    with path.open("rb") as stream:
        stream.seek(start)
        for line in stream:
            start += len(line)
            try:
                yield start, msgspec.json.decode(line, type=Line)
            except msgspec.DecodeError:
                return


def _write(stream: BinaryIO, what: Struct) -> None:
    stream.write(msgspec.json.encode(what) + b"\n")
    stream.flush()
