"""Import sinks for accepted records: the local store, or none in a dry run."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from api.records.accepted import Accepted
from deploy.cli.importing.record_check import Imported, describe_refusal
from domain.errors import Exists, RefInUse
from domain.journal.archive import Archive
from domain.journal.commits import Commit, CommitOutcome, Conflict, DuplicateRefError, OutcomeUnknownError, Ref, StoreUnavailableError
from domain.journal.store import EventStore

Known: TypeAlias = tuple[Accepted, Ref | None]
"""A record, and which of the equal ones in its file it is."""


class StoreTarget(NamedTuple):
    """Sink that records into the store, each record whole or not at all."""

    archive: Archive

    def take(self, records: Sequence[Known], language: str) -> Iterator[Imported]:
        """Yield the outcome of each record, in order. Raises the store's errors; then none of the records that follow was recorded."""
        commits = [accepted.commit(ref) for accepted, ref in records]
        for known, outcome in zip(records, _commit_all(self.archive.store, commits), strict=True):
            if isinstance(outcome, tuple):
                yield Imported(known[0].game, len(outcome), content=known[0].content)
            else:
                yield _found(self.archive, known, language) or _raise_conflict(outcome)


class DryRunTarget(NamedTuple):
    """Sink that records nothing. Without an archive there are no games yet."""

    archive: Archive | None

    def take(self, records: Sequence[Known], language: str) -> Iterator[Imported]:
        for known in records:
            accepted, _ = known
            here = _found(self.archive, known, language) if self.archive else None
            yield here or Imported(None, len(accepted.events), content=accepted.content)


Door: TypeAlias = StoreTarget | DryRunTarget


def _commit_all(store: EventStore, commits: Sequence[Commit]) -> Iterator[CommitOutcome]:
    try:
        yield from store.commit_group(commits) if commits else ()
    except (StoreUnavailableError, OutcomeUnknownError):
        raise
    except Exception:
        if len(commits) < 2:
            raise
        for commit in commits:  # one of them contains a value that the database refuses; record the others alone
            yield from store.commit_group([commit])


def _found(archive: Archive, known: Known, language: str) -> Imported | None:
    """Return the outcome if this game, or another one with its reference, exists already."""
    accepted, ref = known
    try:
        game = archive.find_imported(accepted.commit(ref), whole=accepted.whole)
    except (Exists, RefInUse) as problem:
        return describe_refusal(problem, language)
    return Imported(game, already=True, content=accepted.content) if game else None


def _raise_conflict(outcome: CommitOutcome) -> Imported:
    assert isinstance(outcome, Conflict | DuplicateRefError), outcome
    raise outcome
