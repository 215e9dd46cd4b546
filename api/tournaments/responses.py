"""Responses about tournaments. An entrant is a number; its players are ids."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from api.common.event_views import EventView, RemarkView
from api.common.lists import LotsFrom
from api.http.decoding import ResponseModel
from api.http.lists import LineProblem
from api.http.problems import MissingResultView
from domain.effects import Plain
from domain.events.game import Openness
from domain.events.tournament import HallNames, Publication, WishKind
from domain.standings.plan import Entrants, Format, Origin, Scoring
from domain.standings.tie_breaks import TieBreak
from domain.tournament.publication import ClockCounts, PairingsBy, Shown
from projections.models.tournaments import TournamentState


class SideView(ResponseModel, frozen=True, kw_only=True):
    """A party of a table: its entrants and their players, by the names that this caller may see.

    ``points`` are those entered for it, ``waits`` says that the result waits for its confirmation.
    """

    entrants: tuple[int, ...]
    players: tuple[str, ...]
    shown: tuple[str, ...]
    points: int | None
    waits: bool


class TableResultView(ResponseModel, frozen=True, kw_only=True):
    """A table with its result. ``points`` are what counts now, null while there is no result; ``how`` says where they come from."""

    round: int
    table: str
    sides: list[SideView]
    points: tuple[int, ...] | None
    how: Origin


class LotsView(ResponseModel, frozen=True, kw_only=True):
    """The source of lots and draws.

    *open*: from a seed that was announced in the open. *bound*: the service is bound to a secret, and the first pairing draws. *drawn*:
    from that secret, the entries and the dice. *given*: the secret was lost, and the first pairing brought a seed in the open. Digests and
    secrets are hexadecimal.
    """

    how: LotsFrom
    commitment: Annotated[
        str | None, Meta(description="of the service to its secret; null where the seed was announced, and where nothing was recorded")
    ]
    digits: Annotated[str | None, Meta(description="40 digits of it, to compare by eye or aloud")]
    dice: Annotated[int, Meta(description="the number of dice that was promised")]
    thrown: Annotated[str | None, Meta(description="the dice, once they are typed")]
    secret: Annotated[str | None, Meta(description="once the lots are drawn")]
    unpaired: Annotated[int, Meta(description="how often the pairing of a round was taken back")]


class TournamentCommandResponse(ResponseModel, frozen=True, kw_only=True):
    """The recorded events of a tournament. ``round``: the one that was paired. ``dry_run``: nothing was recorded."""

    tournament: str
    position: int
    sequence: int | UnsetType = UNSET
    events: list[EventView]
    round: int | UnsetType = UNSET
    table: Annotated[TableResultView, Meta(description="after an entered result: the table with both sides")] | UnsetType = UNSET
    remarks: list[RemarkView] | UnsetType = UNSET
    dry_run: bool | UnsetType = UNSET


class TournamentSummary(ResponseModel, frozen=True, kw_only=True):
    """A tournament in short. ``entrants`` counts those who have not withdrawn; ``rounds`` are paired, ``closed`` are closed."""

    id: str
    title: Annotated[str | None, Meta(description="null if there is none, or it was erased")]
    ruleset: str
    format: Format
    state: TournamentState
    announced_at: datetime
    entrants: int
    rounds: int
    closed: int
    position: int
    sequence: int
    updated_at: datetime
    publication: Publication


class Tournaments(ResponseModel, frozen=True, kw_only=True):
    """A page, newest first. ``next`` is the cursor of the following page, null on the last."""

    items: list[TournamentSummary]
    next: str | None


class PairingView(ResponseModel, frozen=True, kw_only=True):
    """The rules of the draw."""

    first_table: Annotated[int, Meta(description="the number of the top table")]
    apart: Annotated[Literal["club"] | None, Meta(description="`club`: entrants of the same club are kept apart as far as possible")]
    late: Annotated[
        Literal["half_bye"] | None, Meta(description="`half_bye`: late entrants have a half-point bye for the last round that they missed")
    ]


class TournamentView(ResponseModel, frozen=True, kw_only=True):
    """The announcement of a tournament, and its progress. ``rounds`` were planned, null where the format does not say it before."""

    id: str
    title: str | None
    position: int
    state: TournamentState
    ruleset: str
    options: dict[str, Plain]
    seats: int
    parties: Annotated[tuple[tuple[int, ...], ...], Meta(description="seats of each party at a table")]
    format: Format
    entrants: Entrants
    scoring: Scoring
    tie_breaks: tuple[TieBreak, ...]
    rounds: int | None
    games: int
    openness: Openness
    live: bool
    own_moves: Annotated[bool, Meta(description="the players may make their own moves")]
    own_results: Annotated[bool, Meta(description="the players may enter the results of their tables")]
    shuffle: Annotated[Literal["fair"] | None, Meta(description="`fair`: its hands are dealt from fair shuffles")]
    smaller_tables: Annotated[bool, Meta(description="tables may have one seat less")]
    pairing: PairingView
    imported: Annotated[bool, Meta(description="its results come from a list of an earlier season")]
    half_required: Annotated[bool, Meta(description="a round robin does not count who withdraws before half of it is played")]
    third_place: Annotated[bool, Meta(description="the losers of the semi-finals play for the third place")]
    seed: Annotated[str, Meta(description="the seed of lots and draws; empty until the lots are drawn")]
    lots: LotsView
    entered: Annotated[int, Meta(description="entrants who have not withdrawn")]
    paired: Annotated[int, Meta(description="rounds that were paired")]
    closed: Annotated[int, Meta(description="rounds that were closed")]
    publication: Annotated[Publication, Meta(description="whether everybody may read it, and how its players are named there")]
    hall_names: Annotated[
        HallNames | None,
        Meta(
            description=(
                "how players are named to callers who are signed in within it; null without a choice: by alias, else by the "
                "number of the entrant"
            )
        ),
    ]
    time_zone: Annotated[str, Meta(description="the IANA zone of the days and months of games that are opened from now on")]
    starts: Annotated[tuple[str, ...], Meta(description="when its rounds begin (UTC), from round 1 on, as far as that is scheduled")]
    remarks: Annotated[list[RemarkView], Meta(description="of a dry run of the announcement")] | UnsetType = UNSET


class EntrantView(ResponseModel, frozen=True, kw_only=True):
    """An entrant. ``players`` stand for the entrant now, ``shown`` are the names that this caller may see.

    ``until`` is the first round in which a withdrawn one does not play, ``absences`` are the rounds after which they are to return.
    """

    entrant: int
    players: tuple[str, ...]
    shown: tuple[str, ...]
    rating: int | None
    from_round: int
    until: int | None
    substitutions: list["Substitution"] | UnsetType = UNSET
    absences: list["SkippedRoundsView"] | UnsetType = UNSET
    half_byes: Annotated[tuple[int, ...], Meta(description="rounds in which they asked for a half-point bye")] | UnsetType = UNSET
    line_ups: Annotated[list["LineUpView"], Meta(description="its players by round, where they were not the same in all")] | UnsetType = (
        UNSET
    )
    replaced: Annotated[list["ReplacedPlayer"], Meta(description="earlier players of the entrant")] | UnsetType = UNSET
    club: Annotated[str, Meta(description="the club of the entrant")] | UnsetType = UNSET
    team: Annotated[str, Meta(description="the team of the entrant")] | UnsetType = UNSET
    category: Annotated[str, Meta(description="the category in which the entrant can win prizes")] | UnsetType = UNSET


class LineUpView(ResponseModel, frozen=True, kw_only=True):
    """The players of an entrant from a round on, up to one; ``until`` is null where they still play."""

    from_round: int
    until: int | None
    players: tuple[str, ...]
    shown: tuple[str, ...]


class ReplacedPlayer(ResponseModel, frozen=True, kw_only=True):
    player: str
    shown: str


class Substitution(ResponseModel, frozen=True, kw_only=True):
    from_round: int
    back_from: Annotated[int, Meta(description="the round from which those replaced play again")] | UnsetType = UNSET
    players: tuple[str, ...]


class SkippedRoundsView(ResponseModel, frozen=True, kw_only=True):
    """An absence from one round to the one before ``back_from``."""

    from_round: int
    back_from: int


class Entries(ResponseModel, frozen=True, kw_only=True):
    tournament: str
    position: int
    entrants: list[EntrantView]


class WishView(ResponseModel, frozen=True, kw_only=True):
    """A wish that draws heed. ``round`` is null for every round, ``table`` unless it is about a fixed table."""

    wish: Annotated[int, Meta(description="its number in the tournament")]
    kind: WishKind
    entrants: tuple[int, ...]
    round: int | None
    table: str | None


class WishList(ResponseModel, frozen=True, kw_only=True):
    tournament: str
    position: int
    wishes: list[WishView]


class EntryLine(ResponseModel, frozen=True, kw_only=True):
    """The report on a line. ``entrant`` and ``from_round``, the first round in which it plays, are null where nothing was recorded."""

    line: int
    entrant: int | None
    players: tuple[str, ...]
    from_round: int | None
    error: LineProblem | None
    unregistered: Annotated[tuple[str, ...], Meta(description="players who are not in the directory: a slip of the pen?")] | UnsetType = (
        UNSET
    )


class EntryReport(ResponseModel, frozen=True, kw_only=True):
    """A report. ``recorded`` counts the entries that were recorded, or would be (``dry_run``); ``position`` is that of the tournament after
    it.
    """

    tournament: str
    position: int
    dry_run: bool
    recorded: int
    refused: int
    lines: list[EntryLine]
    remarks: list[RemarkView] | UnsetType = UNSET


class SeatView(ResponseModel, frozen=True, kw_only=True):
    """A seat with the player who sat there in that round, last; ``earlier`` are those who sat there before. ``shown`` is the name that this
    caller may see.
    """

    seat: int
    entrant: int
    player: str
    shown: str
    earlier: list["ReplacedPlayer"] | UnsetType = UNSET


class TableSummary(ResponseModel, frozen=True, kw_only=True):
    """A table in short. ``points`` of each party in the order of ``parties``, null while there is no result; ``how`` says where they come
    from.
    """

    table: str
    parties: tuple[tuple[int, ...], ...]
    points: tuple[int, ...] | None
    how: Origin


class EnteredResultView(ResponseModel, frozen=True, kw_only=True):
    """An entered result. ``sides`` are the entrants who confirm it; none where the director entered it."""

    points: tuple[int, ...]
    sides: tuple[int, ...]


class TableGameView(ResponseModel, frozen=True, kw_only=True):
    """A recorded game of the table. ``totals`` of each of its parties, ``places`` once it is over."""

    game: UUID
    players: tuple[str | None, ...]
    totals: tuple[int, ...]
    places: tuple[int | None, ...] | None
    state: str


class TableView(TableSummary, frozen=True, kw_only=True):
    """A table: its seats, its games, the entered result, and what a result still lacks."""

    seats: list[SeatView]
    games: list[TableGameView]
    entered: EnteredResultView | None
    differing: Annotated[list[EnteredResultView], Meta(description="other results to which sides hold: nothing counts")] | UnsetType = UNSET
    absent: tuple[int, ...]
    adjourned: bool
    waiting: list[MissingResultView]
    extra_minutes: Annotated[int, Meta(description="beyond the time of the round")]
    called: Annotated[bool, Meta(description="whether the director waits for its players")]
    calls: Annotated[bool, Meta(description="whether its players wait for the director")]


class GameNow(ResponseModel, frozen=True, kw_only=True):
    """The state of a game, as far as this caller may know.

    ``board`` is the prepared one of its hand; ``recorded_by`` are the principals who recorded in it last, the newest first, for officials.
    """

    game: UUID
    ruleset: str
    state: str
    position: int
    phase: Annotated[str, Meta(description="covered while the hand is hidden")]
    hand: int
    turn: int | None
    to_act: tuple[int, ...]
    totals: tuple[int, ...]
    winners: Annotated[tuple[int, ...] | None, Meta(description="the parties that won; null while it is not over")]
    board: int | UnsetType = UNSET
    recorded_by: tuple[str, ...] | UnsetType = UNSET


class TableNow(TableView, frozen=True, kw_only=True):
    """A table in the last round for which it was paired.

    ``playing``: ``game`` is in progress. ``paired``: none was opened yet. ``over``: ``game`` is the last one of the round; null if it had
    none. A table that lacks a further game is ``over`` until that is opened: see ``waiting``.
    """

    tournament: str
    position: Annotated[int, Meta(description="of the tournament")]
    round: int
    closed: Annotated[bool, Meta(description="whether the round is closed")]
    state: Literal["playing", "paired", "over"]
    game: GameNow | None


class NamedCheckpointView(ResponseModel, frozen=True, kw_only=True):
    """The number of entries of the log when the round was closed, and the root over them (docs/proof.md)."""

    origin: str
    size: int
    root: Annotated[str, Meta(description="in base64")]
    digits: Annotated[str, Meta(description="forty of them, by which people compare it")]


Named: TypeAlias = Annotated[NamedCheckpointView, Meta(description="the newest checkpoint of the log when it was closed")] | UnsetType


class RoundSummary(ResponseModel, frozen=True, kw_only=True):
    round: int
    drawn: Annotated[bool, Meta(description="by the format; else by hand")]
    closed: bool
    tables: list[TableSummary]
    byes: tuple[int, ...]
    half_byes: Annotated[tuple[int, ...], Meta(description="entrants with half the score of a bye, on request or for a late entry")]
    checkpoint: Named = UNSET


class UnlinkedGame(ResponseModel, frozen=True, kw_only=True):
    game: UUID
    round: int
    table: str


class Rounds(ResponseModel, frozen=True, kw_only=True):
    tournament: str
    position: int
    rounds: list[RoundSummary]
    strays: list[UnlinkedGame]
    conflicts: (
        Annotated[list[RemarkView], Meta(description="entrants of a knock-out who are paired, and are out by the results")] | UnsetType
    ) = UNSET


class RoundView(ResponseModel, frozen=True, kw_only=True):
    tournament: str
    position: int
    round: int
    drawn: Annotated[bool, Meta(description="by the format; else by hand")]
    closed: bool
    changed: Annotated[bool, Meta(description="whether tables were changed afterwards; the last change can be taken back while it is open")]
    tables: list[TableView]
    byes: tuple[int, ...]
    half_byes: Annotated[tuple[int, ...], Meta(description="entrants with half the score of a bye, on request or for a late entry")]
    checkpoint: Named = UNSET


class OpenedTableGame(ResponseModel, frozen=True, kw_only=True):
    """A table. ``state``: opened now, or open before; *complete* where the table lacks no game, *refused* where its games do not fit
    together.
    """

    table: str
    state: Literal["opened", "running", "complete", "refused"]
    game: UUID | None


class RoundGames(ResponseModel, frozen=True, kw_only=True):
    tournament: str
    round: int
    tables: list[OpenedTableGame]


class SeatedPlayer(ResponseModel, frozen=True, kw_only=True):
    """A player with their seat. ``shown`` is the name that this caller may see. ``table`` and ``seat`` are null for a bye; ``half_bye``: of
    half the score.
    """

    entrant: int
    player: str
    shown: str
    table: str | None
    seat: int | None
    partners: Annotated[list[str], Meta(description="the partners in this round, by the names that this caller may see")]
    club: Annotated[str, Meta(description="the club of the entrant")] | UnsetType = UNSET
    team: Annotated[str, Meta(description="the team of the entrant")] | UnsetType = UNSET
    half_bye: bool | UnsetType = UNSET


class SeatingTable(ResponseModel, frozen=True, kw_only=True):
    table: str
    seats: list[SeatedPlayer]


class SeatingPlan(ResponseModel, frozen=True, kw_only=True):
    """The tables, and all players in alphabetical order."""

    tournament: str
    round: int
    position: int
    tables: list[SeatingTable]
    players: list[SeatedPlayer]


class TournamentHistory(ResponseModel, frozen=True, kw_only=True):
    tournament: str
    position: Annotated[int, Meta(description="of the last event of the tournament")]
    events: list[EventView]
    after: Annotated[int, Meta(description="`after` of the next page; null on the last")] | None


class BoardView(ResponseModel, frozen=True, kw_only=True):
    """A prepared board, without its cards: they are shown when it is dealt."""

    round: int
    board: Annotated[int, Meta(description="its number in the round")]
    at: Annotated[str, Meta(description="when it was prepared (UTC)", extra_json_schema={"format": "date-time"})]
    by: Annotated[str, Meta(description="the principal who prepared it")]
    dealt: Annotated[bool, Meta(description="whether any table was dealt it; then its deck cannot be replaced")]


class PreparedBoards(ResponseModel, frozen=True, kw_only=True):
    tournament: str
    boards: list[BoardView]


class WallPhaseView(ResponseModel, frozen=True, kw_only=True):
    counts: ClockCounts
    seconds: int


class WallClockView(ResponseModel, frozen=True, kw_only=True):
    """A clock. ``until`` where it runs, ``left`` where it stands still: null the other one."""

    counts: ClockCounts
    until: Annotated[str | None, Meta(description="the moment at which it ends (UTC)", extra_json_schema={"format": "date-time"})]
    left: Annotated[int | None, Meta(description="seconds that are left")]
    phases: Annotated[tuple[WallPhaseView, ...], Meta(description="they follow the first time, one after the other")]


class WallView(ResponseModel, frozen=True, kw_only=True):
    """The content of the screens in the hall. ``version`` rises with every change; 0 where nobody has chosen anything yet."""

    tournament: str
    version: int
    show: Shown
    by: PairingsBy | None
    round: int | None
    message: str | None
    clock: WallClockView | None
    turn: int | None
    hidden: int | None
    changed_at: Annotated[str | None, Meta(description="when it was chosen (UTC)", extra_json_schema={"format": "date-time"})]
    changed_by: Annotated[str | None, Meta(description="the principal who chose it, for officials")] | UnsetType = UNSET
