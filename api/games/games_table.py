"""The list of games as a table to take home."""

from collections.abc import Sequence

from api.common.tables.columns import Column, Row, Table
from api.common.tables.files import ROWS_A_STEP, TableFile
from api.http.response import encode
from domain.events.game import OpensAt
from domain.journal.registers import Registers
from projections.engine.store import Store
from projections.models.game_index import GameFilters, GameRow, games_page

GAMES = Table(
    "games",
    "kiebitz-games/1",
    "games, newest first",
    (
        Column("game", "string", "id of the game (a UUID)", required=True),
        Column("opened_at", "datetime", "when it was opened (UTC)", required=True),
        Column("ruleset", "string", "what is played", required=True),
        Column("options", "string", "the options of the ruleset, as JSON", required=True),
        Column("seats", "integer", "how many seats there are", required=True),
        Column("players", "string", "ids of the players from seat 0 on, with commas between; empty where none is known", required=True),
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
        Column("totals", "string", "points of the parties, with commas between", required=True),
        Column("finished", "boolean", "whether it is over", required=True),
        Column("winners", "string", "the parties that have won, from 0, with commas between"),
        Column("standing", "string", "whether moves may be made: open, suspended, abandoned or annulled", required=True),
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
        Column("live", "boolean", "whether the public is told of it while it is played", required=True),
        Column("disclosed", "boolean", "whether an official has opened it to everybody", required=True),
    ),
    ("game",),
)


class GamesFile(TableFile, frozen=True, kw_only=True):
    filters: GameFilters

    @property
    def table(self) -> Table:
        return GAMES

    def page(self, registers: Registers, store: Store, cursor: str | None) -> tuple[Sequence[Row], str | None]:
        found = games_page(store, self.about.reach, self.filters, cursor, ROWS_A_STEP, public=self.about.public)
        return [_row(game) for game in found.games], found.next


def _row(game: GameRow) -> Row:
    openness, opens_at = ("at", game.openness.at) if isinstance(game.openness, OpensAt) else (game.openness, None)
    place = (game.tournament, game.round, game.table, openness, game.phase, game.hand, _listed(game.totals), game.finished)
    over = (
        None if game.winners is None else _listed(game.winners),
        game.standing,
        game.position,
        game.sequence,
        game.updated_at,
        game.played_at,
        opens_at,
        game.live,
        game.disclosed,
    )
    players = ",".join(player or "" for player in game.players)
    return (str(game.id), game.opened_at, game.ruleset, encode(game.options).decode(), game.seats, players, *place, *over)


def _listed(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))
