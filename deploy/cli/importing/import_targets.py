"""Import targets: the local store, with records evaluated in parallel, or a server, record by record."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from api.records.accepted import Accepted
from deploy.cli.bulk import Placed, in_order
from deploy.cli.importing.record_check import Imported, describe_refusal, judge
from deploy.cli.importing.record_targets import Door
from deploy.cli.importing.report import Subject, subject_of
from deploy.cli.journal import CALL
from deploy.config.failures import Failure, explain_error, refusal_in_words
from domain.journal.commits import Copies
from replay.record import is_full_record

if TYPE_CHECKING:
    from deploy.cli.client import Remote


# Work of a process on a batch of records. It needs no store, and loads nothing that only a store needs.


class Judged(NamedTuple):
    """Evaluated record. ``file`` and ``done`` as in ``Placed``."""

    file: int
    done: int
    subject: Subject
    found: Accepted | Imported


def judge_batch(by: str, language: str, batch: Sequence[Placed]) -> list[Judged]:
    """Evaluate a batch of records; ``by`` is the recorder."""
    found = []
    for one in batch:
        entry = one.entry.decoded
        judged = describe_refusal(entry.problem, language) if entry.problem else judge(entry.record, by, language)
        found.append(Judged(one.file, one.done, subject_of(entry), judged))
    return found


Batches: TypeAlias = Iterator[Sequence[Placed]]


class RecordResult(NamedTuple):
    """Outcome of a record."""

    done: int
    subject: Subject
    imported: Imported


class ImportAbortedError(Exception):
    """Raised when the import cannot continue. This record and those after it were not recorded."""

    def __init__(self, place: str, failure: Failure) -> None:
        super().__init__(place)
        self.place = place
        self.failure = failure


class CopiesByFile:
    """Counter of equal records, which starts again with each file."""

    def __init__(self) -> None:
        self._file, self._copies = 0, Copies()

    def of(self, file: int) -> Copies:
        """Return the counter of the file with this number. Files come one after another."""
        if file != self._file:
            self._file, self._copies = file, Copies()
        return self._copies


class LocalTarget(NamedTuple):
    """Import into the local store.

    ``store`` is the epoch of the store; ``None`` if there is none yet. ``jobs``: processes that evaluate records.
    """

    store: str | None
    door: Door
    jobs: int

    def take(self, batches: Batches, copies: CopiesByFile, language: str) -> Iterator[RecordResult]:
        """Yield the outcome of each record, in order. Raises ``ImportAbortedError``."""
        work = partial(judge_batch, CALL.by, language)
        for batch in in_order(work, work, batches, self.jobs):
            yield from self._record_batch(batch, copies, language)

    def _record_batch(self, batch: Sequence[Judged], copies: CopiesByFile, language: str) -> Iterator[RecordResult]:
        accepted = [(one.found, one.file) for one in batch if isinstance(one.found, Accepted)]
        known = [(found, found.ref(copies.of(file))) for found, file in accepted]
        outcomes = self.door.take(known, language)
        for one in batch:
            imported = one.found if isinstance(one.found, Imported) else _run_or_abort(one.subject, lambda: next(outcomes))
            yield RecordResult(one.done, one.subject, imported)


class RemoteTarget(NamedTuple):
    """Import through a server."""

    store: str | None
    remote: "Remote"
    dry_run: bool

    def take(self, batches: Batches, copies: CopiesByFile, language: str) -> Iterator[RecordResult]:
        for batch in batches:
            for one in batch:
                yield self._take_entry(one, copies, language)

    def _take_entry(self, one: Placed, copies: CopiesByFile, language: str) -> RecordResult:
        entry = one.entry.decoded
        subject = subject_of(entry)
        if entry.problem:
            return RecordResult(one.done, subject, describe_refusal(entry.problem, language))
        sent = partial(self._send_record, entry.record, copies.of(one.file), language)
        return RecordResult(one.done, subject, _run_or_abort(subject, sent))

    def _send_record(self, record: object, copies: Copies, language: str) -> Imported:
        found = None if is_full_record(record) else judge(record, CALL.by, language)  # the server judges it anyway
        ref = found.ref(copies) if isinstance(found, Accepted) else None
        taken = self.remote.import_record(record, ref.copy if ref else 1, dry_run=self.dry_run)
        if error := taken.error:
            return Imported(error=refusal_in_words(error, error.message, language))
        return Imported(taken.game, taken.position, already=taken.already, content=ref.digest if ref else None)


ImportTarget: TypeAlias = LocalTarget | RemoteTarget


def _run_or_abort(subject: Subject, take: Callable[[], Imported]) -> Imported:
    try:
        return take()
    except Exception as error:
        failure = explain_error(error)
        if failure is None:
            raise
        raise ImportAbortedError(subject.place, failure) from error
