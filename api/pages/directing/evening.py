"""Data of the director's desk for an evening, read from the API with the rights of its director."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct

from api.common.pages.shell import fetch_value
from api.http.request import Request, Role
from api.pages.names import Side, is_over, line_up_in, list_sides, name_entrants, name_sides
from api.sessions.entering import DEVICES
from api.sessions.responses import GoodFor
from domain.standings.tie_breaks import TIE_BREAKS
from domain.texts import Texts

Told = Mapping[str, Any]
_MOST = 200


class Evening(Struct, frozen=True):
    """The state of the tournament.

    ``round`` is the newest paired one, ``looked`` the one whose tables are shown; ``games``: the newest game of each of its tables;
    ``disputes`` are undecided ones, the oldest first. ``conflicts``: entrants of a knock-out who are paired
    and are out by the results. ``begun``: how often the last fair deck was begun, by game.
    """

    about: Told
    entrants: Sequence[Told]
    round: Told | None
    looked: Told | None
    games: Mapping[str, Told]
    strays: Sequence[Told]
    conflicts: Sequence[Told]
    disputes: Sequence[Told]
    standings: Told
    wall: Told
    begun: Mapping[str, int] = {}

    @property
    def names(self) -> dict[int, str]:
        return name_entrants(self.entrants)

    @property
    def names_in_round(self) -> dict[int, str]:
        """The names of those who stood for the entrants in the round that is looked at."""
        return name_entrants(self.entrants, self.looked["round"] if self.looked else None)

    @property
    def waiting(self) -> list[Told]:
        """The missing results of the round, table by table; adjourned tables do not hold it up."""
        tables = self.round["tables"] if self.round and not self.round["closed"] else ()
        return [one for table in tables if not table["adjourned"] for one in table["waiting"]]

    @property
    def conflicting_tables(self) -> list[Told]:
        """The tables of the newest round whose sides entered different results."""
        return [one for one in (self.round["tables"] if self.round else ()) if "differing" in one and one["points"] is None]

    @property
    def calling_tables(self) -> list[Told]:
        """The tables of the newest round whose players call the director."""
        return [one for one in (self.round["tables"] if self.round else ()) if one["calls"]]

    @property
    def is_over(self) -> bool:
        return is_over(self.about)

    @property
    def started(self) -> bool:
        """True if at any table of the round a game was opened, or there is a result."""
        return self.round is not None and any(one["games"] or one["how"] != "open" or one["entered"] for one in self.round["tables"])


async def evening(request: Request, tournament: str, looked: int | None = None) -> Evening:
    path = f"/v1/tournaments/{tournament}"
    about = await fetch_value(request, path)
    newest, number = about["paired"], looked or about["paired"]
    disputes = await fetch_value(request, "/v1/disputes", tournament=tournament, undecided=True, limit=_MOST)
    at = await fetch_value(request, f"{path}/rounds/{number}") if number else None
    round = at if number == newest else await fetch_value(request, f"{path}/rounds/{newest}")
    rounds = await fetch_value(request, f"{path}/rounds")
    games = (await fetch_value(request, "/v1/games", tournament=tournament, round=number, limit=_MOST))["items"] if number else ()
    return Evening(
        about=about,
        entrants=(await fetch_value(request, f"{path}/entries"))["entrants"],
        round=round,
        looked=at,
        games={one["table"]: one for one in reversed(games) if one["table"] is not None},
        strays=rounds["strays"],
        conflicts=rounds.get("conflicts", ()),
        disputes=list(reversed(disputes["items"])),
        standings=await fetch_value(request, f"{path}/standings", explain=False),
        wall=await fetch_value(request, f"{path}/wall"),
        begun={game["id"]: await _count_started_decks(request, game["id"]) for game in games} if about["shuffle"] else {},
    )


async def _count_started_decks(request: Request, game: str) -> int:
    """Return how often the deck of the hand in progress, or of the next one, was begun."""
    tries = (await fetch_value(request, f"/v1/games/{game}/shuffles"))["shuffles"]
    return sum(one["hand"] == tries[-1]["hand"] for one in tries)


def list_tied(standings: Told) -> list[list[Told]]:
    """Return the rows that share a score and all tie-breaks but the lots, group by group."""
    found: dict[object, list[Told]] = {}
    for line in standings["lines"]:
        values = [(one["tie_break"], one["value"]) for one in line["tie_breaks"] if not TIE_BREAKS[one["tie_break"]].drawn]
        if not line["taken_out"]:
            found.setdefault((line["score"], *values), []).append(line)
    return [group for group in found.values() if len(group) > 1]


# A tile for each table of the round: players, points, and the time of the last event.


State = Literal["playing", "suspended", "differing", "unconfirmed", "nobody", "adjourned", "forfeited", "done"]


class Claim(Struct, frozen=True):
    """A result that sides of a table have entered or confirmed, while others hold to another one."""

    names: str
    points: str


class Tile(Struct, frozen=True):
    """A table. ``heard``: the time of the last event of its game; ``game``: the newest; ``begun``: how often its last
    fair deck was begun.
    """

    table: str
    state: State
    sides: Sequence[Side]
    hand: int
    heard: str | None
    game: str | None
    begun: int
    waiting: Sequence[str]
    claims: Sequence[Claim]
    told: Told


def tiles(evening: Evening) -> list[Tile]:
    if evening.looked is None:
        return []
    return [_tile(evening, one, evening.games.get(one["table"])) for one in evening.looked["tables"]]


def _tile(evening: Evening, table: Told, row: Told | None) -> Tile:
    state = _state(table, row)
    return Tile(
        table=table["table"],
        state=state,
        sides=list_sides(table, evening.about),
        hand=row["hand"] if row else 0,
        heard=row["updated_at"] if row and state in ("playing", "suspended") else None,
        game=table["games"][-1]["game"] if table["games"] else None,
        begun=evening.begun.get(row["id"], 0) if row else 0,
        waiting=[one["sentence"] for one in table["waiting"]],
        claims=list_claims(table),
        told=table,
    )


def list_claims(table: Told) -> list[Claim]:
    """Return the results of the sides where they differ, the oldest first."""
    if "differing" not in table:
        return []
    named = list(zip(table["parties"], name_sides(table), strict=True))
    return [
        Claim(" / ".join(name for party, name in named if {*party} & {*one["sides"]}), " : ".join(map(str, one["points"])))
        for one in (*table["differing"], table["entered"])
    ]


def _state(table: Told, row: Told | None) -> State:
    codes = {one["code"] for one in table["waiting"]}
    if table["adjourned"]:
        return "adjourned"
    if table["how"] == "forfeited":
        return "forfeited"
    if table["points"] is not None and not codes:
        return "done"
    if "differing" in table and table["points"] is None:
        return "differing"
    if "result_unconfirmed" in codes or table["entered"]:
        return "unconfirmed"
    if "game_suspended" in codes or (row is not None and row["state"] == "suspended"):
        return "suspended"
    return "playing" if row is not None else "nobody"


# Join codes that the desk offers, with the durations of each.


_ROLES: Sequence[Role] = sorted((role for role in get_args(Role) if role != "player"), key="director".__eq__)
"""Directors come last, so that a code for a director has to be chosen on purpose. Players are named one by one."""


class CodeKind(Struct, frozen=True):
    """An option of the form. ``value``: a table or a player is named after a colon. ``good_for``: the durations to choose from, the usual
    first.
    """

    value: str
    label: str
    good_for: tuple[GoodFor, ...]


def code_kinds(evening: Evening, said: Texts) -> list[CodeKind]:
    """Return the options of the form. Once the tournament is over, there are none for recorders."""
    tables: list[str] = [] if evening.is_over or not evening.round else [str(one["table"]) for one in evening.round["tables"]]
    kinds = [CodeKind("tables", said["code.tables"], _code_validity("recorder"))] if tables else []
    kinds += [CodeKind(f"table:{table}", said["code.table"].format(table=table), _code_validity("recorder")) for table in tables]
    kinds += [CodeKind(role, said[f"code.{role}"], _code_validity(role)) for role in _ROLES if role != "recorder" or not evening.is_over]
    kinds.append(CodeKind("players", said["code.players"], _code_validity("player")))
    return kinds + [CodeKind(f"player:{id}", name, _code_validity("player")) for id, name in _players(evening)]


def _code_validity(role: Role) -> tuple[GoodFor, ...]:
    """Return the durations for a role. A code for viewers is for any number of them; one for ten minutes is for one device."""
    if role not in DEVICES:
        return ("screen",)
    return ("tournament",) if DEVICES[role] is None else ("tournament", "screen")


def _players(evening: Evening) -> Iterator[tuple[str, str]]:
    """Yield the players of each entrant, with substitutes of the round in play."""
    for one in evening.entrants:
        in_play = line_up_in(one, evening.about["paired"])
        yield from dict(zip((*one["players"], *in_play["players"]), (*one["shown"], *in_play["shown"]), strict=True)).items()


# The steps of an evening; the current one follows from the state of the tournament.


Name = Literal["announce", "enter", "draw", "start", "playing", "close", "standings", "publish"]
Aside = Literal["results", "reconcile", "hall", "devices", "log"]
Place = Name | Aside
"""A view of the desk: a step, or something that is needed all evening."""
ASIDES: tuple[Aside, ...] = get_args(Aside)
STEPS: tuple[Name, ...] = get_args(Name)


class Step(Struct, frozen=True):
    name: Name
    state: Literal["done", "now", "later"]


def current(evening: Evening) -> Name:
    """Return the current step."""
    about, round = evening.about, evening.round
    if evening.is_over:
        return "publish"
    if round is None:
        return "draw" if about["entered"] else "enter"
    if round["closed"]:
        return "standings" if about["rounds"] is not None and about["closed"] >= about["rounds"] else "draw"
    if not evening.started:
        return "start"
    return "playing" if evening.waiting else "close"


def strip(evening: Evening) -> list[Step]:
    now = STEPS.index(current(evening))
    return [Step(name, "done" if place < now else "now" if place == now else "later") for place, name in enumerate(STEPS)]
