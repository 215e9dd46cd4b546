"""The list of tournaments, also as a table to take home."""

from collections.abc import Sequence

from api.common.tables.columns import Column, Row, Table
from api.common.tables.files import ROWS_A_STEP, TableFile
from api.http.fields import alike
from api.tournaments.responses import Tournaments, TournamentSummary
from domain.access.reach import Reach
from domain.journal.registers import Registers
from projections.engine.store import Store
from projections.models.tournaments.projection import TournamentRow
from projections.models.tournaments.tournament_list import TournamentFilters, tournaments_page

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


def tournaments_found(
    registers: Registers, store: Store, reach: Reach, filters: TournamentFilters, cursor: str | None, limit: int
) -> Tournaments:
    """A page, with titles. To be called in a thread. Raises ``BadCursor``."""
    found = tournaments_page(store, reach, filters, cursor, limit)
    titled = [alike(row, TournamentSummary, id=row.tournament, title=_title(registers, row)) for row in found.rows]
    return Tournaments(tournaments=titled, next=found.next)


def _title(registers: Registers, row: TournamentRow) -> str | None:
    return None if row.title is None else registers.text(row.title)


class TournamentsFile(TableFile, frozen=True, kw_only=True):
    filters: TournamentFilters

    @property
    def table(self) -> Table:
        return TOURNAMENTS

    def page(self, registers: Registers, store: Store, cursor: str | None) -> tuple[Sequence[Row], str | None]:
        found = tournaments_found(registers, store, self.about.reach, self.filters, cursor, ROWS_A_STEP)
        return [_row(one) for one in found.tournaments], found.next


def _row(one: TournamentSummary) -> Row:
    what = (one.id, one.title, one.ruleset, one.format, one.state, one.announced_at)
    return (*what, one.entrants, one.rounds, one.closed, one.position, one.sequence, one.updated_at, one.publication)
