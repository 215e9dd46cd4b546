"""The list of games as an exported table."""

from typing import Self
from uuid import UUID

from api.common.tables.columns import Column, Row, Table, row_of
from api.common.tables.files import FileInfo, FormName, TableFile
from api.common.time_zone import Times
from api.games.requests import GamesQuery
from api.http.decoding import copy_fields
from api.http.errors import BadRequest, say
from api.http.response import encode
from api.services import Sources
from domain.events.game import OpensAt
from domain.journal.commits import ForeignRef
from domain.journal.registers import Registers
from projections.models.game_index import GAME_INDEX, GameFilters, GameRow, GamesPage, games_page

GAMES = Table(
    "games",
    "kiebitz-games/2",
    "games, newest first",
    (
        Column("game", "string", "id of the game (a UUID)", required=True),
        Column("opened_at", "datetime", "when it was opened (UTC)", required=True),
        Column("ruleset", "string", "what is played", required=True),
        Column("options", "string", "the options of the ruleset, as JSON", required=True),
        Column("seats", "integer", "how many seats there are", required=True),
        Column("players", "strings", "ids of the players from seat 0 on; null where none is known", required=True),
        Column("tournament", "string", "id of the tournament, if the game belongs to one"),
        Column("round", "integer", "round of the tournament"),
        Column("table", "string", "table of the tournament"),
        Column(
            "openness",
            "string",
            "when its hidden cards may be told: hand_over, game_over, round_over, tournament_over, at (a moment) or never",
            required=True,
        ),
        Column("phase", "string", "where the hand is", required=True),
        Column("hand", "integer", "number of the hand that was dealt last, 0 before the first", required=True),
        Column("totals", "integers", "points of the parties", required=True),
        Column("finished", "boolean", "whether it is over", required=True),
        Column("winners", "integers", "the parties that have won, from 0"),
        Column("state", "string", "whether moves may be made: open, suspended, abandoned or annulled", required=True),
        Column("position", "integer", "position of its last event", required=True),
        Column("sequence", "integer", "sequence of its last event in the whole store", required=True),
        Column("updated_at", "datetime", "when that was recorded (UTC)", required=True),
        Column(
            "played_at",
            "datetime",
            "when it was played (UTC): what was said of it or of its first hand, else when it was opened",
            required=True,
        ),
        Column("opens_at", "datetime", "the moment at which its hidden cards may be told (UTC), where openness is at"),
        Column("live", "boolean", "whether the public sees it while it is played", required=True),
        Column("disclosed", "boolean", "whether an official has opened it to everybody", required=True),
    ),
    ("game",),
)


class GamesFile(TableFile, frozen=True, kw_only=True):
    full_table = GAMES
    query = GamesQuery
    projections = (GAME_INDEX.name,)
    filters: GameFilters

    @classmethod
    def make(cls, sources: Sources, query: GamesQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        opened = {name: times.get(name) for name in ("opened_from", "opened_to")}
        played = {"played_from": times.get("from_"), "played_before": times.get("to")}
        game = _find_by_ref(sources.registers, query.ref_system, query.ref_id)
        return cls(form=form, about=about, filters=copy_fields(query, GameFilters, game=game, **opened, **played))

    def found(self, sources: Sources, cursor: str | None, limit: int) -> GamesPage:
        return games_page(sources.store, self.about.reach, self.filters, cursor, limit, public=self.about.public)

    def row(self, one: GameRow) -> Row:
        openness, opens_at = ("at", one.openness.at) if isinstance(one.openness, OpensAt) else (one.openness, None)
        return row_of(
            GAMES,
            one,
            game=str(one.id),
            options=encode(one.options).decode(),
            openness=openness,
            opens_at=opens_at,
        )


def _find_by_ref(registers: Registers, system: str | None, id: str | None) -> UUID | None:
    """Return the game of a ref; an id that no game has, where there is none. Raises ``BadRequest`` for half of a ref."""
    if system is None and id is None:
        return None
    if system is None or id is None:
        raise BadRequest("bad_parameter", say("half_a_ref"), "ref_system" if system is None else "ref_id")
    found = registers.find_by_ref(ForeignRef(system, id))
    return found[0] if found else UUID(int=0)
