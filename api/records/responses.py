"""What became of records on their way in."""

from uuid import UUID

from msgspec import UNSET, UnsetType

from api.http.fields import Outgoing


class RefusedRecord(Outgoing, frozen=True, kw_only=True):
    """Where a record is refused: hand and move from 0, −1 for the start of a hand, twice −1 for the set-up; nulls where it is no record."""

    hand: int | None
    index: int | None
    code: str
    rules: tuple[str, ...]
    message: str
    where: str | UnsetType = UNSET


class ImportedRecord(Outgoing, frozen=True, kw_only=True):
    """One record of an import. ``game`` is null where nothing was recorded."""

    line: int
    name: str | None
    game: UUID | None
    position: int | None
    sequence: int | None
    error: RefusedRecord | None


class ImportReport(Outgoing, frozen=True, kw_only=True):
    """``recorded`` counts the games that were recorded, or would be (``dry_run``)."""

    dry_run: bool
    recorded: int
    refused: int
    records: list[ImportedRecord]
