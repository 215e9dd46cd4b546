"""The list of tournaments as an exported table."""

from typing import Self

from api.common.tables.columns import Column, Row, Table, row_of
from api.common.tables.files import FileInfo, FormName, TableFile
from api.common.time_zone import Times
from api.http.decoding import copy_fields
from api.services import Sources
from api.tournaments.requests import TournamentsQuery
from api.tournaments.responses import Tournaments, TournamentSummary
from domain.journal.registers import Registers
from projections.models import tournaments
from projections.models.tournaments import TournamentFilters, TournamentRow, tournaments_page

TOURNAMENTS = Table(
    "tournaments",
    "kiebitz-tournaments/1",
    "tournaments, newest first",
    (
        Column("tournament", "string", "id of the tournament", required=True),
        Column("title", "string", "its title; empty if there is none, or it was erased"),
        Column("ruleset", "string", "what is played", required=True),
        Column("format", "string", "how its rounds are paired", required=True),
        Column("state", "string", "announced, running, finished or cancelled", required=True),
        Column("announced_at", "datetime", "when it was announced (UTC)", required=True),
        Column("entrants", "integer", "how many have entered and not withdrawn", required=True),
        Column("rounds", "integer", "how many rounds were paired", required=True),
        Column("closed", "integer", "how many of them are closed", required=True),
        Column("position", "integer", "position of its last event", required=True),
        Column("sequence", "integer", "sequence of its last event in the whole store", required=True),
        Column("updated_at", "datetime", "when that was recorded (UTC)", required=True),
        Column("publication", "string", "whether everybody may read it: no, aliases or names", required=True),
    ),
    ("tournament",),
)


def _title(registers: Registers, row: TournamentRow) -> str | None:
    return None if row.title is None else registers.text(row.title)


class TournamentsFile(TableFile, frozen=True, kw_only=True):
    full_table = TOURNAMENTS
    query = TournamentsQuery
    projections = (tournaments.TOURNAMENTS.name,)
    filters: TournamentFilters

    @classmethod
    def make(cls, sources: Sources, query: TournamentsQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        announced = {name: times.get(name) for name in ("announced_from", "announced_to")}
        return cls(form=form, about=about, filters=copy_fields(query, TournamentFilters, tournament=None, **announced))

    def found(self, sources: Sources, cursor: str | None, limit: int) -> Tournaments:
        """Return a page with titles."""
        page = tournaments_page(sources.store, self.about.reach, self.filters, cursor, limit)
        titled = [copy_fields(row, TournamentSummary, id=row.tournament, title=_title(sources.registers, row)) for row in page.rows]
        return Tournaments(items=titled, next=page.next)

    def row(self, one: TournamentSummary) -> Row:
        return row_of(TOURNAMENTS, one, tournament=one.id)
