"""The columns of the long table of score lines, in the order of every format. ``docs/score-histories.md`` describes them for people."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from api.common.tables.columns import Column, Table
from projections.models.score_lines.score_list import GameEntries, How, ScoreEntry, ScoreStatus
from projections.values import to_datetime

SCHEMA = "kiebitz-score-lines/2"
"""The version. It rises when a column is removed or changes its meaning, type or name. Columns may be added at the end without it."""

Names: TypeAlias = Mapping[tuple[str, str | None], str | None]
"""The names to show for players in a tournament, or in games of none."""


COLUMNS = (
    Column("game", "string", "id of the game (a UUID); empty for the result of a table"),
    Column("ruleset", "string", "what is played", required=True),
    Column("tournament", "string", "id of the tournament, if the game belongs to one"),
    Column("round", "integer", "round of the tournament"),
    Column("table", "string", "table of the tournament"),
    Column("opened_at", "datetime", "when the game was opened (UTC); empty for the result of a table"),
    Column(
        "played_at",
        "datetime",
        "when it was played (UTC): what was said of the hand, else of the game, else when it was recorded",
        required=True,
    ),
    Column(
        "position",
        "integer",
        "position of the event in the game that wrote the line; a hand that is dealt anew has another one; empty for the result of a table",
    ),
    Column("hand", "integer", "number of the hand, from 1; empty for what belongs to no hand"),
    Column("written_at", "datetime", "when that event was recorded: for a hand, when it was finished (UTC)", required=True),
    Column("party", "integer", "party at the table, from 0", required=True),
    Column("seat", "integer", "seat at the table, from 0; each partner has the lines of the party", required=True),
    Column("player", "string", "id of the player for whom the line counts, after mergers; empty where none is known"),
    Column("recorded_player", "string", "id of the player who was recorded at that seat"),
    Column("club", "string", "club of the player"),
    Column("how", "string", "recorded as a game, entered as a result, or forfeited", required=True),
    Column(
        "row",
        "string",
        "row of the score sheet; adjustment: points given or taken by an official; start: brought along; result: of a whole table,"
        " or of a hand of which the rows are not known",
        required=True,
    ),
    Column("points", "integer", "points in this row", required=True),
    Column(
        "state",
        "string",
        "counted, struck (out by a ruling), superseded (the result of the table counts instead) or withdrawn (stands no more; only with"
        " changed_since)",
        required=True,
    ),
    Column("ruling", "integer", "number of the ruling in the game that struck the line out"),
    Column("sequence", "integer", "since which event of the whole store the line stands like this", required=True),
)
KEY = ("tournament", "round", "table", "game", "position", "seat", "row")
"""The columns that identify a line. Some of them may be empty."""
PLAYER_NAME = Column("player_name", "string", "what may stand for the player before whoever asks; only with names=true")


class ScoreLine(Struct, frozen=True, gc=False):
    """One line of a score sheet, or of a result of a table: see ``/v1/schemas/scores``."""

    game: Annotated[str, Meta(extra_json_schema={"format": "uuid"})] | None
    ruleset: str
    tournament: str | None
    round: int | None
    table: str | None
    opened_at: datetime | None
    played_at: datetime
    position: int | None
    hand: int | None
    written_at: datetime
    party: int
    seat: int
    player: str | None
    recorded_player: str | None
    club: str | None
    how: How
    row: str
    points: int
    state: ScoreStatus
    ruling: int | None
    sequence: int
    player_name: str | None | UnsetType = UNSET


def score_lines(found: GameEntries, names: Names | None) -> Iterator[ScoreLine]:
    """Yield the lines. With ``names`` each line has a name, or null."""
    game = found.game
    place = (
        game.id,
        game.ruleset,
        game.tournament,
        game.round,
        game.table,
        None if game.opened_at is None else to_datetime(game.opened_at),
    )
    for one in found.entries:
        when = (to_datetime(one.played_at), one.position or None, one.hand, to_datetime(one.at))
        head = (*place, *when, one.party, one.seat, one.player, one.recorded, one.club, one.how)
        tail = (one.status, one.ruling, one.sequence, UNSET if names is None else name_of(found, one, names))
        for row, points in one.rows.items():
            yield ScoreLine(*head, row, points, *tail)


def name_of(found: GameEntries, one: ScoreEntry, names: Names) -> str | None:
    return None if one.player is None else names[one.player, found.game.tournament]


def columns(named: bool) -> tuple[Column, ...]:
    return (*COLUMNS, PLAYER_NAME) if named else COLUMNS


SCORES = Table("scores", SCHEMA, "lines of score sheets, and results of tables", columns(named=True), KEY)
