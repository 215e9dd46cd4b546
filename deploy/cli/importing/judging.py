"""What a process does with a batch of records. It needs no store, and loads nothing that only a store needs."""

from collections.abc import Sequence
from typing import NamedTuple

from api.records.accepted import Accepted
from deploy.cli.bulk.batches import Placed
from deploy.cli.importing.report import Subject, subject_of
from deploy.imports import Imported, judge, refused


class Judged(NamedTuple):
    """``file`` and ``done`` as in ``Placed``."""

    file: int
    done: int
    subject: Subject
    found: Accepted | Imported


def judge_batch(by: str, language: str, batch: Sequence[Placed]) -> list[Judged]:
    """``by`` is who records."""
    found = []
    for one in batch:
        entry = one.entry.decoded
        judged = refused(entry.problem, language) if entry.problem else judge(entry.record, by, language)
        found.append(Judged(one.file, one.done, subject_of(entry), judged))
    return found
