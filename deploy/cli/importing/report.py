"""The report of an import: a file of JSON lines that grows with it, so that an import which broke off goes on where it was.

The first line says where the records go, the last one counts them; a report without its last line is that of an import that broke off. What
it reports is held against the file again, line by line: from the first record that is another one on, everything is imported anew.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from deploy.cli.files import FileEntry
from deploy.failures import Failure, system_problem
from deploy.imports import Imported, Outcome
from deploy.language import say
from deploy.private import private_opener


class Header(Struct, frozen=True, kw_only=True):
    """``store`` is the epoch of the store, from which no other store has one (docs/decisions/0013-epoch.md)."""

    format: Literal["kiebitz-import/1"] = "kiebitz-import/1"
    store: str | None
    dry_run: bool
    files: tuple[str, ...]


class Line(Struct, frozen=True, kw_only=True):
    """What became of a record (COM-69). ``digest`` is that of the record as it was read, ``content`` that of its content, if it is known
    by that."""

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
    """What a report says of a record, besides what became of it."""

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
    """``past``: what an import that broke off had done by then, each line with where it ends; ``end``: where these lines begin."""

    def __init__(self, stream: BinaryIO, past: Iterator[tuple[int, Line]], end: int) -> None:
        self._stream = stream
        self._past: Iterator[tuple[int, Line]] | None = past
        self._end = end

    def done(self, entry: FileEntry) -> Line | None:
        """What became of the record before the import broke off. ``None``: it is to be imported, and so is all that follows."""
        end, line = next(self._past, (0, None)) if self._past else (0, None)
        if line and (line.file, line.line, line.digest) == (str(entry.file), entry.line, subject_of(entry).digest):
            self._end = end
            return line
        self._go_on()
        return None

    def write(self, subject: Subject, imported: Imported) -> None:
        """At once: what was recorded is reported, but for the batch of records at which an import breaks off."""
        line = Line(
            file=subject.file,
            line=subject.line,
            name=subject.name,
            ref=subject.ref,
            outcome=imported.outcome,
            game=imported.game,
            events=imported.events,
            error=imported.error,
            digest=subject.digest,
            content=imported.content,
        )
        _write(self._stream, line)

    def close(self, counts: Counter[Outcome]) -> None:
        self._go_on()
        _write(self._stream, Ending(counts["recorded"], counts["already"], counts["refused"]))

    def _go_on(self) -> None:
        """From here on lines are added; a torn one, and those that report another file, are taken away."""
        if self._past:
            self._past = None
            self._stream.truncate(self._end)


@contextmanager
def open_report(path: Path, header: Header) -> Iterator[Report]:
    """Goes on with the report of an import that broke off, or begins one. Raises ``Failure`` where the file is something else."""
    try:
        stream = open(path, "a+b", opener=private_opener)  # noqa: SIM115  # closed below, where errors are no longer those of the opening
    except OSError as error:
        raise Failure(say("report_unwritable", file=path, problem=system_problem(error.errno))) from error
    with stream:
        yield _going_on(path, stream, header) or _begun(stream, header)


def _going_on(path: Path, stream: BinaryIO, header: Header) -> Report | None:
    """``None``: a report begins. Raises ``Failure``."""
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


def _begun(stream: BinaryIO, header: Header) -> Report:
    stream.truncate(0)
    _write(stream, header)
    return Report(stream, iter(()), stream.tell())


def _lines(path: Path, start: int) -> Iterator[tuple[int, Line]]:
    """Each line with where it ends. A torn one ends them."""
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
