"""Authorization scopes and roles: powers hold everywhere, in a tournament, at one of its tables, or in a game."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.errors import Refused

WRITERS = ("director", "recorder")
ARBITERS = ("director", "arbiter")
JUDGES = (*ARBITERS, "committee")
OFFICIALS = (*WRITERS, "arbiter", "committee")
"""Roles by the acts that are open to them."""


class Place(Struct, frozen=True):
    """The place of an act, or of cards. Without a tournament, a game and a series it is the house itself."""

    tournament: str | None = None
    round: int | None = None
    table: str | None = None
    game: UUID | None = None
    series: str | None = None


HOUSE = Place()
"""The place of all that belongs to no tournament, no game and no series: the directory of players, tokens, the service itself."""


class Everything(Struct, frozen=True, tag="everything"):
    """The whole store."""

    @property
    def place(self) -> Place:
        return HOUSE


class OfTournament(Struct, frozen=True, tag="tournament"):
    """All that belongs to a tournament."""

    tournament: str

    @property
    def place(self) -> Place:
        return Place(self.tournament)


class OfTable(Struct, frozen=True, tag="table", omit_defaults=True):
    """A table of a tournament: its games from round ``since`` on, the round in which this was given.

    ``in_play``: of these only the games of the round that is in play, which the tournament knows.
    """

    tournament: str
    table: str
    since: int
    in_play: bool = False

    @property
    def place(self) -> Place:
        return Place(self.tournament, self.since, self.table)


class OfGame(Struct, frozen=True, tag="game"):
    """One game, and where it is played; that never changes."""

    game: UUID
    tournament: str | None = None
    round: int | None = None
    table: str | None = None

    @property
    def place(self) -> Place:
        return Place(self.tournament, self.round, self.table, self.game)


class OfSeries(Struct, frozen=True, tag="series"):
    """A series of tournaments: its plan, members and table, and nothing of its tournaments themselves."""

    series: str

    @property
    def place(self) -> Place:
        return Place(series=self.series)


Scope: TypeAlias = Everything | OfTournament | OfTable | OfGame | OfSeries

EVERYTHING = Everything()


def covers(scope: Scope, place: Place) -> bool:
    """Return whether powers of this scope hold at the place. A place lies in a scope only as a whole: a tournament does not lie in one of
    its tables.

    The caller has to ask the tournament whether the round of a place is in play.
    """
    match scope:
        case Everything():
            return True
        case OfTournament(tournament):
            return place.tournament == tournament
        case OfTable(tournament=tournament, table=table, since=since):
            return (place.tournament, place.table) == (tournament, table) and place.round is not None and place.round >= since
        case OfGame(game):
            return place.game == game
        case OfSeries(series):
            return place.series == series


def is_within(inner: Scope, outer: Scope) -> bool:
    """Return whether a holder of the outer scope may give the inner one. A holder of a table cannot give it from an earlier round on."""
    return covers(outer, inner.place)


# Limits on the tokens, codes and webhooks in force: per giver, and in all.


Given: TypeAlias = Literal["tokens", "codes", "webhooks"]


class Bound(NamedTuple):
    """Limits: ``each`` of one giver, ``in_all`` of everybody."""

    each: int
    in_all: int


BOUNDS: dict[Given, Bound] = {"tokens": Bound(1_000, 10_000), "codes": Bound(1_000, 10_000), "webhooks": Bound(20, 200)}
"""A large tournament has a code for each of several hundred seats. A webhook costs work for every event, a token or code is only a row."""


def check_token_limit(given: Given, giver: str, givers: Iterable[str | None]) -> None:
    """Raise ``Refused`` if one more token, code or webhook would exceed a limit. ``givers``: for each one in force, its giver.

    The check is not atomic: several that are given at the same moment may all pass, so there may be a few more.
    """
    bound, known = BOUNDS[given], list(givers)
    if known.count(giver) >= bound.each or len(known) >= bound.in_all:
        raise Refused(f"too_many_{given}", each=bound.each, in_all=bound.in_all)


# A grant binds a role: to a scope, to how much of the cards in it may be seen, and for a player to their id or seat.


Sees: TypeAlias = Literal["all", "public"]


class Grant(Struct, frozen=True, omit_defaults=True):
    """The limits of a role. ``sees``: all hidden cards that the role may see, or only what the public sees.

    A player has ``player``, their id in the tournament of the scope, or ``seat``, their seat in the game of the scope. A seat is given to
    the person who sat there at position ``since``.
    """

    scope: Scope = EVERYTHING
    sees: Sees = "all"
    player: str | None = None
    seat: int | None = None
    since: int = 0


UNBOUND = Grant()


# The contents of lists, by caller: everything, or what is their own and what is published.


class VisibilityScope(Struct, frozen=True):
    """The visibility of lists for a caller. ``whole``: everything. Otherwise the games of the caller's own tournament, or their own game
    that belongs to none, and of all published tournaments; of players and clubs those that appear there. Of series their own, and those
    that are published.
    """

    whole: bool = False
    tournament: str | None = None
    game: UUID | None = None
    series: str | None = None


WHOLE = VisibilityScope(whole=True)
PUBLISHED = VisibilityScope()
"""The reach of an anonymous reader."""


def visibility_within(scope: Scope) -> VisibilityScope:
    """Return the reach of a scope. A table, and a game of a tournament, reach as far as their tournament."""
    if isinstance(scope, Everything):
        return WHOLE
    own = scope.place
    return VisibilityScope(tournament=own.tournament, game=own.game if own.tournament is None else None, series=own.series)
