"""Requests about tournaments. Values that the rules of a game judge are ``Any`` and stay undecoded."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import UNSET, Meta, UnsetType

from api.common.tables.files import ListQuery
from api.http.decoding import (
    FairShuffle,
    FreeText,
    HappenedAt,
    Id,
    Incoming,
    IsLive,
    LocalTime,
    Name,
    Number,
    OpenWhen,
    Options,
    PlayersMove,
    RulesetKey,
    Seats,
    copy_fields,
)
from domain.events.tournament import HallNames, WishKind
from domain.name_validation import check_signs
from domain.opening import encode_live
from domain.shuffling import MOST_DICE
from domain.standings.plan import Entrants, Format, PairingRules, ScoredBy, ScoringInput
from domain.standings.tie_breaks import TieBreak
from domain.tournament.announcement import AnnouncementInput

MOST_ENTRIES = 1000
"""Most entries in one request; longer lists are sent in parts."""
MOST_BOARDS = 200
"""Most boards in one request."""
Rating: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
MaybeRating: TypeAlias = Annotated[Rating | None, Meta(description="the strength as a number: the format ranks the first draw by it")]
MaybeReason: TypeAlias = Annotated[FreeText | None, Meta(description="the reason, in words")]
FirstRound: TypeAlias = Annotated[Number | None, Meta(description="the first round that is played; left out: the next that is paired")]
Side: TypeAlias = Annotated[Number, Meta(description="an entrant of the party that says so")]
_Points: TypeAlias = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
PartyPoints: TypeAlias = Annotated[
    list[_Points],
    Meta(max_length=64, description="game points of each party, in their order"),
]
Players: TypeAlias = Annotated[
    list[Id],
    Meta(min_length=1, max_length=64, description="the ids of a partnership in the order of their seats, or of one player; no names"),
]
Numbers: TypeAlias = Annotated[list[Number], Meta(max_length=10_000)]


TournamentId: TypeAlias = Annotated[Id, Meta(description="the id that its games carry as `tournament`")]
NamesInTheHall: TypeAlias = Annotated[
    HallNames,
    Meta(
        description=(
            "how players are named on the wall and to callers who are signed in within the tournament: by `names` (this states "
            "that the players know that their names are shown in the hall), `initials` or `aliases`; a player who has none or "
            "objects appears by the number of the entrant"
        )
    ),
]
Title: TypeAlias = Annotated[FreeText, Meta(description="the name for people")]
TableSeats: TypeAlias = Annotated[Seats, Meta(description="seats of a table")]
DrawnBy: TypeAlias = Annotated[Format, Meta(description="how rounds are drawn; `manual`: by hand")]
WhoMeet: TypeAlias = Annotated[Entrants, Meta(description="partnerships that keep together, or players whose partners rotate")]
TieBreaks: TypeAlias = Annotated[
    list[TieBreak], Meta(max_length=len(get_args(TieBreak)), description="tie-breaks for equal scores, the most important one first")
]
RoundsPlanned: TypeAlias = Annotated[int, Meta(ge=1, le=1000, description="rounds that are planned, where the format does not say it")]
GamesEach: TypeAlias = Annotated[int, Meta(ge=1, le=100, description="games that a table plays in a round")]
SmallerTables: TypeAlias = Annotated[bool, Meta(description="single players may also sit at tables with one seat less")]
HalfRequired: TypeAlias = Annotated[bool, Meta(description="a round robin does not count who withdraws before half of it is played")]
_FROM_SEED = "lots and draws follow from it alone, in the open"
_Seed: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
PromisedDice: TypeAlias = Annotated[
    int,
    Meta(ge=0, le=MOST_DICE, description="the number of dice that will be thrown for the lots after the last entry, 8 or more; 0: none"),
]

ForThirdPlace: TypeAlias = Annotated[
    bool, Meta(description="of a knock-out: with the final, the losers of the semi-finals play for the third place, for half the points")
]
ByPlayers: TypeAlias = Annotated[bool, Meta(description="players enter the results of their tables, and the other sides confirm them")]
ThrownDice: TypeAlias = Annotated[
    str,
    Meta(max_length=200, description="for the lots: the promised dice as they lie, with single spaces", examples=["6 3 1 1 5 2 4 6"]),
]


class ScoringBody(Incoming, frozen=True, kw_only=True):
    """The scoring: by `match_points` (one number for each place at a table; parties with the same place share their sum) or by game
    `points`.
    """

    by: Annotated[ScoredBy, Meta(description="the unit of the sum: points of the games, or match points")]
    places: (
        Annotated[
            tuple[_Points, ...],
            Meta(
                max_length=64,
                description="match points by place, the best first. By default two for each party that is behind: 2 and 0 for two parties",
            ),
        ]
        | UnsetType
    ) = UNSET
    bye: Annotated[
        _Points | Literal["average"] | None,
        Meta(
            description=(
                "points for a bye, in the unit of `by`: a number, or the average of those who played in that round. The "
                "default is 2 match points (with the default `places` those of the first place), for game points the average"
            )
        ),
    ] = None
    forfeit: Annotated[
        tuple[_Points | Literal["bye"], _Points],
        Meta(
            description=(
                "at a forfeited table: game points of each entrant who came, and of each who did not; `bye`: as much as a bye brings"
            )
        ),
    ] = ("bye", 0)
    draw: (
        Annotated[_Points, Meta(description="match points of each side of a drawn table of two; by default half the sum of `places`")]
        | UnsetType
    ) = UNSET

    def to_input(self) -> ScoringInput:
        return copy_fields(self, ScoringInput, places=None if self.places is UNSET else self.places)


class PairingBody(Incoming, frozen=True, kw_only=True):
    """The rules of the draw: where tables begin, and what is kept apart and made up for."""

    first_table: Annotated[int, Meta(ge=1, le=10_000, description="the number of the top table")] = 1
    apart: Annotated[Literal["club"] | None, Meta(description="`club`: entrants of the same club are kept apart as far as possible")] = None
    late: Annotated[
        Literal["half_bye"] | None,
        Meta(description="`half_bye`: a late entrant has a half-point bye for the last round that they missed; null: nothing"),
    ] = None

    def to_rules(self) -> PairingRules:
        return copy_fields(self, PairingRules)


PairingField: TypeAlias = Annotated[PairingBody, Meta(description="rules of the draw")]
TimeZone: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, description="an IANA time zone", examples=["Europe/Berlin"])]


class AnnounceTournament(Incoming, frozen=True, kw_only=True):
    """A tournament. A missing ``id`` is made here; other missing fields have their default.

    Without a ``seed`` the service binds itself to a secret, from which lots and draws follow, mixed with the entries and the ``dice``.
    """

    id: TournamentId | None = None
    title: Title | None = None
    ruleset: RulesetKey
    options: Options = {}
    seats: TableSeats
    format: DrawnBy
    entrants: WhoMeet = "parties"
    scoring: (
        Annotated[
            ScoringBody,
            Meta(description=("scoring of the standings; by default match points, and points of the games if entrants play alone")),
        ]
        | UnsetType
    ) = UNSET
    tie_breaks: TieBreaks = []
    rounds: RoundsPlanned | None = None
    games: GamesEach = 1
    openness: OpenWhen = "game_over"
    live: IsLive = True
    own_moves: PlayersMove = False
    shuffle: FairShuffle = None
    third_place: ForThirdPlace = False
    own_results: ByPlayers = False
    smaller_tables: SmallerTables = False
    pairing: PairingField | UnsetType = UNSET
    half_required: HalfRequired = True
    seed: Annotated[_Seed | None, Meta(description=f"{_FROM_SEED}; left out: nobody can try it out")] = None
    dice: PromisedDice = 0
    hall_names: NamesInTheHall = "names"
    time_zone: Annotated[TimeZone | None, Meta(description="of its days and months; by default that of the house")] = None
    happened_at: HappenedAt = None

    def __post_init__(self) -> None:
        check_signs(self.options, "options")


class CorrectAnnouncement(Incoming, frozen=True, kw_only=True):
    """The corrected fields; what is left out stays. ``id``, ``seed`` and ``dice`` never change, and may only be given unchanged.

    ``options`` and ``scoring`` are replaced whole. Without ``options`` the present ones stay, for another ruleset its defaults apply.
    """

    corrects = True

    id: TournamentId | UnsetType = UNSET
    seed: Annotated[str, Meta(max_length=200, description=_FROM_SEED)] | UnsetType = UNSET
    dice: PromisedDice | UnsetType = UNSET
    title: Title | None | UnsetType = UNSET
    ruleset: RulesetKey | UnsetType = UNSET
    options: Options = UNSET
    seats: TableSeats = UNSET
    format: DrawnBy | UnsetType = UNSET
    entrants: WhoMeet | UnsetType = UNSET
    scoring: Annotated[ScoringBody, Meta(description="scoring of the standings")] | UnsetType = UNSET
    tie_breaks: TieBreaks | UnsetType = UNSET
    rounds: RoundsPlanned | None | UnsetType = UNSET
    games: GamesEach | UnsetType = UNSET
    openness: OpenWhen | UnsetType = UNSET
    live: IsLive | UnsetType = UNSET
    own_moves: PlayersMove | UnsetType = UNSET
    shuffle: FairShuffle | UnsetType = UNSET
    third_place: ForThirdPlace | UnsetType = UNSET
    own_results: ByPlayers | UnsetType = UNSET
    smaller_tables: SmallerTables | UnsetType = UNSET
    pairing: PairingField | UnsetType = UNSET
    half_required: HalfRequired | UnsetType = UNSET
    happened_at: HappenedAt = None

    def __post_init__(self) -> None:
        check_signs(self.options, "options")


def announcement_input(
    body: AnnounceTournament | CorrectAnnouncement, stays: Mapping[str, Any] = MappingProxyType({"scoring": ScoringInput()})
) -> AnnouncementInput:
    """Return what the body proposes. ``stays``: the fields that count where the body leaves them out."""
    fields = AnnouncementInput.__struct_fields__
    told = {name: _plan_value(name, value) for name in fields if (value := getattr(body, name)) is not UNSET}
    return AnnouncementInput(**{**{name: value for name, value in stays.items() if name in fields}, **told})


def _plan_value(name: str, value: Any) -> Any:
    """Return the value of a field as the plan has it. Options and seats stay as they came: the ruleset judges them."""
    match name, value:
        case "live", _:
            return encode_live(value)
        case "shuffle", _:
            return value or UNSET
        case "tie_breaks", _:
            return tuple(value)
        case _, ScoringBody():
            return value.to_input()
        case _, PairingBody():
            return value.to_rules()
        case _:
            return value


class EntryBody(Incoming, frozen=True, kw_only=True):
    """An entry: a player or a partnership."""

    players: Players
    rating: MaybeRating = None
    from_round: FirstRound = None


class EnterTournament(Incoming, frozen=True, kw_only=True):
    """One entry (``players``), or ``entries``: several, all or none."""

    players: Players | None = None
    rating: MaybeRating = None
    from_round: FirstRound = None
    entries: Annotated[list[EntryBody], Meta(min_length=1, max_length=MOST_ENTRIES, description="several, all or none")] | None = None


BackFrom: TypeAlias = Annotated[
    Number | None, Meta(description="the round from which those play again who were named before; left out: they do not")
]


class SubstitutePlayers(Incoming, frozen=True, kw_only=True):
    """The players who stand for the entrant from a round on, by default from the one in play; for good, or up to the one before
    `back_from`.
    """

    players: Players
    from_round: Annotated[Number | None, Meta(description="the first round that they play; left out: the one in play")] = None
    back_from: BackFrom = None
    happened_at: HappenedAt = None


class CorrectEntry(Incoming, frozen=True, kw_only=True):
    """The players who really stood for the entrant, in the place of those who were entered by mistake."""

    players: Players
    from_round: Annotated[Number | None, Meta(description="the first round that they played; left out: the entrant's first")] = None
    back_from: BackFrom = None
    exchange: Annotated[
        bool, Meta(description="whether players named here who were entered for others change places with those whom they replace")
    ] = False
    reason: MaybeReason = None
    happened_at: HappenedAt = None


class WithdrawEntry(Incoming, frozen=True, kw_only=True):
    """A withdrawal, permanent or for some rounds."""

    from_round: Annotated[Number | None, Meta(description="the first round without the entrant; left out: the next that is paired")] = None
    back_from: Annotated[Number | None, Meta(description="the first round after the return, for an entrant who only sits some out")] = None
    reason: MaybeReason = None
    happened_at: HappenedAt = None


class ReturnEntry(Incoming, frozen=True, kw_only=True):
    """The return of an entrant who has withdrawn, or who comes later."""

    from_round: FirstRound = None
    players: Annotated[Players | None, Meta(description="the players of the entrant from then on; by default those of earlier rounds")] = (
        None
    )
    happened_at: HappenedAt = None


class RecordWish(Incoming, frozen=True, kw_only=True):
    """A wish that draws heed: a half-point bye, a fixed table, entrants kept apart, or two who meet."""

    kind: Annotated[
        WishKind,
        Meta(
            description=(
                "`half_bye`: no table in a round, and half the score of a bye; `table`: always at this table; `apart`: not paired with "
                "one another; `meet`: paired with one another"
            )
        ),
    ]
    entrants: Annotated[list[Number], Meta(min_length=1, max_length=200, description="by number: one, two to meet, two or more kept apart")]
    round: Annotated[
        Number | None,
        Meta(description="the only round; left out: the next one for `half_bye` and `meet`, every round for `table` and `apart`"),
    ] = None
    table: Annotated[Id | None, Meta(description="the name of the fixed table")] = None
    happened_at: HappenedAt = None


class WithdrawWish(Incoming, frozen=True, kw_only=True):
    happened_at: HappenedAt = None


class CheckPresence(Incoming, frozen=True, kw_only=True):
    """The absent of a round. All others who may play in it are there, also if they were absent before."""

    absent: Annotated[list[Number], Meta(max_length=10_000, description="entrants by number; empty: all are there")]
    round: Annotated[Number | None, Meta(description="the round; left out: the next that is paired")] = None
    happened_at: HappenedAt = None


class TablePairing(Incoming, frozen=True, kw_only=True):
    """A table paired by hand: the entrants of each party in the order of their seats, a partnership once. Tables are named 1, 2 …"""

    table: Annotated[Id | None, Meta(description="the name of the table; left out: its number")] = None
    parties: Annotated[
        list[Numbers], Meta(min_length=1, max_length=64, description="of each party the entrants, by number", examples=[[[1], [2]]])
    ]


class PairRound(Incoming, frozen=True, kw_only=True):
    """A round: drawn by the format, or with ``tables`` by hand. With the first one the lots are drawn, unless a seed was announced."""

    tables: Annotated[list[TablePairing], Meta(max_length=10_000, description="by hand: who meets whom")] | None = None
    byes: Annotated[Numbers, Meta(description="by hand: the entrants who have no table")] = []
    dice: ThrownDice | None = None
    seed: Annotated[_Seed | None, Meta(description="for the lots, in the open: only where the secret was lost (`lots_secret_lost`)")] = None
    happened_at: HappenedAt = None


class ChangeRound(Incoming, frozen=True, kw_only=True):
    """A change of the round in play: the named tables as they are from now on; all others stay. Or ``take_back``, and nothing else."""

    tables: Annotated[
        list[TablePairing], Meta(max_length=10_000, description="tables that change, by name, and new ones, with or without one")
    ] = []
    dissolve: Annotated[list[Id], Meta(max_length=10_000, description="tables that are no more, by name")] = []
    byes: Annotated[Numbers, Meta(description="entrants of these tables, or late ones, who have a bye now; who is seated loses it")] = []
    absent: Annotated[Numbers, Meta(description="entrants who do not play in this round, and get nothing for it")] = []
    take_back: Annotated[bool, Meta(description="takes back the last change of the round")] = False
    as_played: Annotated[
        bool, Meta(description="it was really so that they sat: also for tables with an entered result, a closed round, and after the end")
    ] = False
    reason: MaybeReason = None
    happened_at: HappenedAt = None


class EnterResult(Incoming, frozen=True, kw_only=True):
    """The result of a table."""

    points: PartyPoints
    side: Annotated[
        Number | None, Meta(description="an entrant of the party that says so, for the others to confirm; left out: the director's word")
    ] = None
    happened_at: HappenedAt = None


class ConfirmResult(Incoming, frozen=True, kw_only=True):
    side: Side
    happened_at: HappenedAt = None


class ForfeitTable(Incoming, frozen=True, kw_only=True):
    """The entrants who did not come, or were sent away."""

    absent: Annotated[list[Number], Meta(min_length=1, max_length=64, description="the entrants, by number")]
    reason: MaybeReason = None
    happened_at: HappenedAt = None


class EndTournament(Incoming, frozen=True, kw_only=True):
    how: Annotated[Literal["finished", "cancelled"], Meta(description="played to its end, or called off")] = "finished"
    reason: MaybeReason = None
    happened_at: HappenedAt = None


class OpenRoundGames(Incoming, frozen=True, kw_only=True):
    """The tables to open games at: all that lack one, or those that are named."""

    tables: Annotated[list[Id], Meta(min_length=1, max_length=10_000, description="these tables only, by name")] | None = None


RoundNumber: TypeAlias = Annotated[Number, Meta(description="the round whose tables play it")]
BoardNumber: TypeAlias = Annotated[Number, Meta(description="its number in the round")]
Deck: TypeAlias = Annotated[
    Any,
    Meta(
        description="the whole deck of the ruleset, the first card is dealt first; no answer contains it",
        examples=[["3H", "8C"]],
        extra_json_schema={"type": "array", "items": {"type": "string"}},
    ),
]


class BoardBody(Incoming, frozen=True, kw_only=True):
    round: RoundNumber
    board: BoardNumber
    deck: Deck


class PrepareBoards(Incoming, frozen=True, kw_only=True):
    """One board (`round`, `board`, `deck`), or `boards`: several, all or none."""

    round: RoundNumber | UnsetType = UNSET
    board: BoardNumber | UnsetType = UNSET
    deck: Deck = UNSET
    boards: (
        Annotated[list[BoardBody], Meta(min_length=1, max_length=MOST_BOARDS, description="several: all are kept or none")] | UnsetType
    ) = UNSET
    replace: Annotated[bool, Meta(description="also replace a board that is there and was not dealt yet")] = False


class TournamentsQuery(ListQuery, frozen=True, kw_only=True):
    ruleset: Annotated[Name | None, Meta(description="tournaments of this ruleset")] = None
    state: Annotated[
        Literal["announced", "running", "finished", "cancelled"] | None, Meta(description="tournaments that have come so far")
    ] = None
    announced_from: Annotated[LocalTime, Meta(description="announced at this moment or later")] | None = None
    announced_to: Annotated[LocalTime, Meta(description="announced before this moment")] | None = None


SeatingFormat: TypeAlias = Literal["json", "html"]


class SeatingQuery(Incoming, frozen=True, kw_only=True):
    checkpoint: Annotated[bool, Meta(description="of a page: with the newest checkpoint of the log (docs/proof.md)")] = False
    slips: Annotated[bool, Meta(description="of a page: instead of the plan a score slip for each table, to write on")] = False
    format: Annotated[SeatingFormat | None, Meta(description="takes precedence over `Accept`")] = None
