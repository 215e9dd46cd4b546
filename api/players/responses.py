"""Responses about players and clubs."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from api.common.access_audit import AccessView
from api.common.event_views import EventView
from api.http.decoding import ResponseModel
from api.http.lists import LineProblem, ListRemark
from domain.events.ratings import ListedRating
from domain.journal.registers import Person
from projections.models.player_places import PlayerEntry
from projections.models.players import Club
from projections.models.score_lines.score_list import How


class SeatAssignment(ResponseModel, frozen=True, kw_only=True):
    """A seat, the id under which the person took it, and since which position of the game."""

    player: str
    seat: int
    position: int


class GamePlayed(ResponseModel, frozen=True, kw_only=True):
    """A game that names the person. ``party`` is that of their last seat, ``points`` and ``place`` are its; null before there are any."""

    game: UUID
    ruleset: str
    opened_at: datetime
    tournament: str | None
    round: int | None
    table: str | None
    finished: bool
    sat: list[SeatAssignment]
    party: int | None
    points: int | None
    place: int | None


class TableScored(ResponseModel, frozen=True, kw_only=True):
    """A table whose result was entered or forfeited, with the person's points; no game contains it."""

    tournament: str | None
    round: int | None
    table: str | None
    played_at: datetime
    points: int
    place: int | None
    how: How


class RatingAfterGame(ResponseModel, frozen=True, kw_only=True):
    """The rating of the person after a game or an entered result."""

    ruleset: str
    played_at: datetime
    rating: int
    uncertainty: int
    games: int


class IdHistory(ResponseModel, frozen=True, kw_only=True):
    """The events of an id in the directory."""

    player: str
    events: list[EventView]


class SeriesEvents(ResponseModel, frozen=True, kw_only=True):
    """The events of a series that name the person: bonus and penalty points, and categories."""

    series: str
    events: list[EventView]


class RatingListed(ResponseModel, frozen=True, kw_only=True):
    """A line of the person in a published rating list, by the number of the list."""

    ruleset: str
    number: int
    line: ListedRating


class PersonData(ResponseModel, frozen=True, kw_only=True):
    """All data of a person. ``register`` are names and aliases with who changed them last; who has read them is not recorded.

    ``looks``: where the person looked at hidden cards as an official, in the last year, as far as a principal is known to be the person.
    """

    person: str
    ids: list[str]
    register: tuple[Person, ...]
    histories: list[IdHistory]
    games: list[GamePlayed]
    tables: list[TableScored]
    ratings: list[RatingAfterGame]
    rating_lists: list[RatingListed]
    entries: tuple[PlayerEntry, ...]
    series: list[SeriesEvents]
    looks: list[AccessView]


class MemberLine(ResponseModel, frozen=True, kw_only=True):
    """A line of the list. ``player`` is null where nothing was registered, and for one who would get a new id.

    ``namesakes`` are players of the same name and club, ``same_as`` is an earlier line with both. ``skipped``: not registered for that.
    """

    line: int
    player: str | None
    error: LineProblem | None
    namesakes: list[str]
    same_as: int | None
    skipped: bool


class MemberReport(ResponseModel, frozen=True, kw_only=True):
    """A report on a list. ``registered`` counts the players who were registered, or would be (``dry_run``), ``skipped`` the namesakes who
    were not.
    """

    dry_run: bool
    registered: int
    refused: int
    skipped: int
    players: list[MemberLine]
    remarks: list[ListRemark] | UnsetType = UNSET


class Clubs(ResponseModel, frozen=True, kw_only=True):
    """A page of clubs. ``next`` is the cursor of the following page, null on the last."""

    items: tuple[Club, ...]
    next: str | None


class Erased(ResponseModel, frozen=True, kw_only=True):
    """The ids of the person whose names were erased: this one and those merged into it."""

    player: str
    erased: list[str]


class PlayerView(ResponseModel, frozen=True, kw_only=True):
    """A player. ``shown`` is the name that this caller may see: name or alias, else words that say that it is a player.

    For one who is merged into another id, ``shown`` is the name of that one.
    """

    id: str
    shown: str
    name: Annotated[str | None, Meta(description="for officials only; null where none is known, or it was erased")] | UnsetType = UNSET
    alias: Annotated[str | None, Meta(description="the alias, which the public sees")]
    objects_to_names: Annotated[bool, Meta(description="for officials only; the name is shown to officials alone")] | UnsetType = UNSET
    club: str | None
    merged_into: str | None
    person: Annotated[str, Meta(description="the id that the person is known by, after all mergers")]
    erased: bool
    registered_at: datetime
    position: int
    sequence: int


class Players(ResponseModel, frozen=True, kw_only=True):
    """A page of players. ``next`` is the cursor of the following page, null on the last."""

    items: list[PlayerView]
    next: str | None


class PlayerDryRun(ResponseModel, frozen=True, kw_only=True):
    """The events of a player that would be recorded, and the position after them."""

    player: str
    position: int
    events: list[EventView]


class PlayerCommandResponse(ResponseModel, frozen=True, kw_only=True):
    """The recorded events of a player, and the position for the next ``If-Match``."""

    player: str
    position: int
    sequence: int
    events: list[EventView]
    namesakes: Annotated[list[str], Meta(description="for a new player: others of the same name and club")] | UnsetType = UNSET
