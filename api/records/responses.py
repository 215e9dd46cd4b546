"""Reports on imported records."""

from uuid import UUID

from msgspec import UNSET, UnsetType

from api.http.decoding import ResponseModel


class RefusedRecord(ResponseModel, frozen=True, kw_only=True):
    """The place where a record is refused: hand and move from 0, −1 for the start of a hand, twice −1 for the set-up; nulls if it is no
    record.
    """

    hand: int | None
    index: int | None
    code: str
    rules: tuple[str, ...]
    message: str
    where: str | UnsetType = UNSET


class ExternalName(ResponseModel, frozen=True, kw_only=True):
    """The name of the record in the system where it comes from."""

    system: str
    id: str


class ImportedRecord(ResponseModel, frozen=True, kw_only=True):
    """One record of an import.

    ``already``: its game was here before, and nothing was added. ``game`` is the one that was recorded, or was here before; null where
    there is none. ``position`` and ``sequence`` are null where nothing was recorded, but a dry run gives the position that there would be.
    ``name`` and ``ref`` are given where the record has them, also if it cannot be read any further.
    """

    line: int
    name: str | None
    ref: ExternalName | None
    already: bool = False
    game: UUID | None
    position: int | None
    sequence: int | None
    error: RefusedRecord | None


class MetaErased(ResponseModel, frozen=True, kw_only=True):
    """The result of an erasure. ``erased`` is false if there was nothing beside the record, or it had been erased before."""

    game: UUID
    erased: bool


class ImportReport(ResponseModel, frozen=True, kw_only=True):
    """A report. ``recorded`` counts the games that were recorded, or would be (``dry_run``), ``already`` those that were here before."""

    dry_run: bool
    recorded: int
    already: int
    refused: int
    records: list[ImportedRecord]
