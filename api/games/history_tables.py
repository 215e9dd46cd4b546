"""Bulk tables of hands and moves, read from the histories of games: everything as everybody may see it now.

The rows come from the events and not from a projection, so that the one redaction of histories decides what they show. An official gets no
more than the public: a whole table would be a look at every hidden card. Games that are not live are missing until they are over.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Annotated, Any, NamedTuple, Self, cast
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import astuple, replace

from api.common.reading import read_openness_context
from api.common.tables.columns import Row, Table, columns_of, row_of
from api.common.tables.files import WHOLE, FileInfo, FormName, TableFile, list_formats, list_or_file
from api.common.time_zone import Times
from api.games.replay_starts import find_rulebook, write_visible_move
from api.games.requests import HistoryQuery, MovesQuery
from api.http.decoding import ResponseModel, copy_fields, read_query
from api.http.operations import Content, reads
from api.http.request import Request
from api.http.response import Response, encode, schemas
from api.services import Sources
from domain.effects import HandClosed
from domain.events import effects_of
from domain.events.game import HandDealt, HandReported, IllegalMoveAccepted, MovePlayed, RewindRecorded
from domain.game import Game, fold_event
from domain.games import RULESETS
from domain.opening import OpennessContext
from projections.models.game_index import GAME_INDEX, GameFilters, GameRow, games_page
from replay.game_frames import redacted
from replay.past import GameStep

_MOVES = MovePlayed, IllegalMoveAccepted
GAMES_A_STEP = 50
"""Games of a step of a file; each has about a hundred moves."""


_GameId = Annotated[UUID, Meta(description="id of the game")]
_Ruleset = Annotated[str, Meta(description="the ruleset")]
_Tournament = Annotated[str | None, Meta(description="id of the tournament, if the game belongs to one")]
_Round = Annotated[int | None, Meta(description="round of the tournament")]
_TableName = Annotated[str | None, Meta(description="table of the tournament")]
_Sequence = Annotated[int, Meta(description="sequence of the game's last event in the whole store: go on with it as changed_since")]


class HandRow(ResponseModel, frozen=True, kw_only=True):
    """A hand that stands. One that was dealt anew is there once, as it was dealt last."""

    game: _GameId
    ruleset: _Ruleset
    tournament: _Tournament
    round: _Round
    table: _TableName
    hand: Annotated[int, Meta(description="number of the hand, from 1")]
    position: Annotated[int, Meta(description="position of its deal, or of its report, in the game")]
    dealer: Annotated[int, Meta(description="seat of the dealer, from 0")]
    reported: Annotated[bool, Meta(description="whether only its result is known")]
    recorder: Annotated[str, Meta(description="the principal who recorded the deal, an opaque id")]
    dealt_at: Annotated[datetime, Meta(description="when it was dealt (UTC): what was said of it, else when that was recorded")]
    finished_at: Annotated[datetime | None, Meta(description="the same of its end; empty while it is played")]
    end: Annotated[str | None, Meta(description="how it ended, a word of the ruleset; empty while it is played")]
    points: Annotated[tuple[int, ...] | None, Meta(description="points by party; empty while it is played, and where it was struck out")]
    moves: Annotated[int, Meta(description="moves that stand")]
    rewinds: Annotated[int, Meta(description="how often something was taken back in it")]
    sequence: _Sequence


class MoveRow(ResponseModel, frozen=True, kw_only=True):
    """A move, also one that was taken back. Cells are empty until everybody may see them."""

    game: _GameId
    ruleset: _Ruleset
    hand: Annotated[int, Meta(description="number of the hand, from 1")]
    position: Annotated[int, Meta(description="position of the move in the game")]
    seat: Annotated[int, Meta(description="the seat that moved, from 0")]
    type: Annotated[str | None, Meta(description="kind of the move, a word of the ruleset; empty while nothing may be known of it")]
    move: Annotated[dict[str, Any] | None, Meta(description="the move; empty until it may be seen")]
    stood: Annotated[bool, Meta(description="whether the rules forbid it, and it was let stand")]
    void: Annotated[bool, Meta(description="whether it was taken back")]
    at: Annotated[datetime, Meta(description="when it was made (UTC): what was said of it, else when it was recorded")]
    by: Annotated[str, Meta(description="the principal who recorded it, an opaque id")]
    sequence: _Sequence
    line: Annotated[str | None, Meta(description="the move in full notation; only with lines=true")] | UnsetType = UNSET


class HandRows(ResponseModel, frozen=True, kw_only=True):
    """The hands of some games, the game opened last first. ``next`` is the cursor of the following page, null on the last."""

    items: list[HandRow]
    next: str | None


class MoveRows(ResponseModel, frozen=True, kw_only=True):
    """The moves of some games, the game opened last first. ``next`` is the cursor of the following page, null on the last."""

    items: list[MoveRow]
    next: str | None


HANDS = Table("hands", "kiebitz-hands/1", "hands, those of the game opened last first", columns_of(HandRow), ("game", "hand"))
MOVES = Table("moves", "kiebitz-moves/1", "moves, those of the game opened last first", columns_of(MoveRow), ("game", "position"))


_GAME, _MOVE = MoveRow.__struct_fields__.index("game"), MoveRow.__struct_fields__.index("move")


class GameHistory(NamedTuple):
    """The history of a game, with its row in the list of games, and what decides which cards are open."""

    row: GameRow
    steps: list[GameStep]
    around: OpennessContext

    @property
    def now(self) -> Game:
        return self.steps[-1].after


def load_games(sources: Sources, games: Iterable[GameRow]) -> Iterator[GameHistory]:
    """Yield the histories of the games that the public may see."""
    for row in games:
        steps = list(_fold(sources, row.id))
        if steps and not steps[-1].after.is_hidden_until_over:
            yield GameHistory(row, steps, read_openness_context(sources, steps[-1].after))


def _fold(sources: Sources, id: UUID) -> Iterator[GameStep]:
    game: Game | None = None
    for recorded in sources.journal.history(id):
        after = fold_event(game, recorded)
        yield GameStep(game, recorded, after)
        game = after


def list_hands(of: GameHistory) -> Iterator[HandRow]:
    """Yield the hands that stand, in their order."""
    now = of.now
    deals: dict[int, tuple[GameStep, HandDealt | HandReported]] = {}
    ends: dict[int, tuple[datetime, str]] = {}
    moves, rewinds = Counter[int](), Counter[int]()
    for step in of.steps:
        event, hand = step.recorded.event, step.after.table.hand
        if isinstance(event, RewindRecorded) and step.before:
            rewinds[step.before.table.hand] += 1
        if now.is_void(step.recorded.position):
            continue
        if isinstance(event, HandDealt | HandReported):
            deals[hand] = step, event
        moves[hand] += isinstance(event, _MOVES)
        for effect in effects_of(event):
            if isinstance(effect, HandClosed):
                ends[hand] = _time(step), effect.end
    points = {sheet.hand: sheet.points for sheet in now.table.score.hands}
    for hand, (step, event) in deals.items():
        finished_at, end = ends.get(hand, (None, None))
        yield copy_fields(
            of.row,
            HandRow,
            game=of.row.id,
            hand=hand,
            position=step.recorded.position,
            dealer=event.dealer,
            reported=isinstance(event, HandReported),
            recorder=step.recorded.stamp.by,
            dealt_at=_time(step),
            finished_at=finished_at,
            end=end,
            points=points.get(hand),
            moves=moves[hand],
            rewinds=rewinds[hand],
        )


def list_moves(of: GameHistory, language: str | None = None) -> Iterator[MoveRow]:
    """Yield the moves in their order. ``language``: also as lines, with the letters of this language."""
    now, rulebook = of.now, None if language is None else find_rulebook(RULESETS, of.now)
    for step in of.steps:
        recorded, event = step.recorded, step.recorded.event
        if not isinstance(event, _MOVES) or step.before is None:
            continue
        shown = redacted(now.viewer("public", recorded.position, of.around), step.before.table, event)
        move = cast("dict[str, Any] | None", shown.move) if isinstance(shown, _MOVES) else None
        yield MoveRow(
            game=of.row.id,
            ruleset=of.row.ruleset,
            hand=step.before.table.hand,
            position=recorded.position,
            seat=event.seat,
            type=move.get("type") if move else None,
            move=move,
            stood=isinstance(event, IllegalMoveAccepted),
            void=now.is_void(recorded.position),
            at=_time(step),
            by=recorded.stamp.by,
            sequence=of.row.sequence,
            line=UNSET if language is None else write_visible_move(rulebook, step, shown, language) or None,
        )


def _time(step: GameStep) -> datetime:
    stamp = step.recorded.stamp
    return stamp.happened_at or stamp.at


def load_game_page(
    sources: Sources, about: FileInfo, filters: GameFilters, cursor: str | None, limit: int
) -> tuple[Iterator[GameHistory], str | None]:
    """Return the histories of a page of games, and the next cursor."""
    page = games_page(sources.store, about.reach, filters, cursor, limit, public=True)
    return load_games(sources, page.items), page.next


class HandsFile(TableFile, frozen=True, kw_only=True):
    a_step = GAMES_A_STEP
    full_table = HANDS
    query = HistoryQuery
    projections = (GAME_INDEX.name,)
    filters: GameFilters

    @classmethod
    def make(cls, sources: Sources, query: HistoryQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        return cls(form=form, about=about, filters=_filters(query, times))

    def found(self, sources: Sources, cursor: str | None, limit: int) -> HandRows:
        found, next = load_game_page(sources, self.about, self.filters, cursor, limit)
        return HandRows(items=[row for one in found for row in list_hands(one)], next=next)

    def row(self, one: HandRow) -> Row:
        return row_of(HANDS, one, game=str(one.game))


class MovesFile(TableFile, frozen=True, kw_only=True):
    """The export. ``lines``: with a column of lines."""

    a_step = GAMES_A_STEP
    full_table = MOVES
    query = MovesQuery
    projections = (GAME_INDEX.name,)
    filters: GameFilters
    lines: bool

    @classmethod
    def make(cls, sources: Sources, query: MovesQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        return cls(form=form, about=about, filters=_filters(query, times), lines=query.lines)

    @property
    def table(self) -> Table:
        return MOVES if self.lines else replace(MOVES, columns=MOVES.columns[:-1])

    def found(self, sources: Sources, cursor: str | None, limit: int) -> MoveRows:
        found, next = load_game_page(sources, self.about, self.filters, cursor, limit)
        language = self.about.language if self.lines else None
        return MoveRows(items=[row for one in found for row in list_moves(one, language)], next=next)

    def row(self, one: MoveRow) -> Row:
        cells = list(astuple(one))  # a third of the time of a look-up for each column
        cells[_GAME], cells[_MOVE] = str(one.game), one.move and encode(one.move).decode()
        return [*cells[:-1], cells[-1] or None] if self.lines else cells[:-1]


_WHAT = (
    "It shows what everybody may see now, to officials too; games that are not live are missing until they are over. With "
    "`changed_since` all rows of the games come in which something was recorded since: put them in the place of those that you have. "
    f"`Kiebitz-As-Of` is the sequence to go on with. `limit` counts games. {WHOLE}"
)


@reads(
    "/v1/tables/hands",
    "list_hands",
    "List the hands of all games, with dealer, end and duration",
    tag="Scores",
    description=_WHAT,
    query=HistoryQuery,
    responses={200: Content("a page of hands", schemas(list_formats(HandRows)), headers=("ETag", "Link", "Kiebitz-As-Of"))},
    within="lists",
)
async def list_all_hands(request: Request) -> Response:
    return await list_or_file(request, HandsFile, read_query(request, HistoryQuery))


@reads(
    "/v1/tables/moves",
    "list_moves",
    "List the moves of all games",
    tag="Scores",
    description=f"A move is whole once its cards are open. {_WHAT}",
    query=MovesQuery,
    responses={200: Content("a page of moves", schemas(list_formats(MoveRows)), headers=("ETag", "Link", "Kiebitz-As-Of"))},
    within="lists",
)
async def list_all_moves(request: Request) -> Response:
    return await list_or_file(request, MovesFile, read_query(request, MovesQuery))


def _filters(query: HistoryQuery, times: Times) -> GameFilters:
    return GameFilters(
        ruleset=query.ruleset,
        tournament=query.tournament,
        round=query.round,
        table=query.table,
        game=query.game,
        player=query.player,
        played_from=times.get("from_"),
        played_before=times.get("to"),
        changed_since=query.changed_since,
    )
