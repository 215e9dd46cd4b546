"""Where powers hold: everywhere, in a tournament, at one of its tables, or in a game."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.errors import Refused

WRITERS = ("director", "recorder")
ARBITERS = ("director", "arbiter")
JUDGES = (*ARBITERS, "committee")
OFFICIALS = (*WRITERS, "arbiter", "committee")
"""Roles by what they may do."""


class Place(Struct, frozen=True):
    """Where something is done, or where cards lie. Without a tournament and without a game it is the house itself."""

    tournament: str | None = None
    round: int | None = None
    table: str | None = None
    game: UUID | None = None


HOUSE = Place()
"""What belongs to no tournament and no game: the directory of players, tokens, the service itself."""


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


Scope: TypeAlias = Everything | OfTournament | OfTable | OfGame

EVERYTHING = Everything()


def covers(scope: Scope, place: Place) -> bool:
    """Whether powers of this scope hold there. A place lies in a scope only as a whole: a tournament does not lie in one of its tables.

    Whether the round of a place is in play, the caller has to ask the tournament.
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


def lies_in(inner: Scope, outer: Scope) -> bool:
    """Whether who has the outer scope may give the inner one. Who has a table gives it from no earlier round on."""
    return covers(outer, inner.place)


# How many tokens, codes and webhooks may be in force: of one giver, and in all.


Given: TypeAlias = Literal["tokens", "codes", "webhooks"]


class Bound(NamedTuple):
    """``each``: of one giver; ``in_all``: of everybody."""

    each: int
    in_all: int


BOUNDS: dict[Given, Bound] = {"tokens": Bound(1_000, 10_000), "codes": Bound(1_000, 10_000), "webhooks": Bound(20, 200)}
"""A large tournament has a code for each of several hundred seats. A webhook is work for every event, a token or code is a row."""


def check_room(given: Given, giver: str, givers: Iterable[str | None]) -> None:
    """Raises ``Refused`` where one more would be too many. ``givers``: who gave those that are in force.

    Several who give at the same moment may pass together: so there may be a few more.
    """
    bound, known = BOUNDS[given], list(givers)
    if known.count(giver) >= bound.each or len(known) >= bound.in_all:
        raise Refused(f"too_many_{given}", each=bound.each, in_all=bound.in_all)


# What a role is bound to: a scope, how much of the cards in it may be seen, and for a player who he is.


Sees: TypeAlias = Literal["all", "public"]


class Grant(Struct, frozen=True, omit_defaults=True):
    """``sees``: of hidden cards all that the role may see, or nothing that the public does not see. A player has ``player``, his id in
    the tournament of the scope, or ``seat``, his seat in the game of the scope, which was given to whoever sat there at position ``since``.
    """

    scope: Scope = EVERYTHING
    sees: Sees = "all"
    player: str | None = None
    seat: int | None = None
    since: int = 0


UNBOUND = Grant()


# What stands in lists, by who asks: everything, or what is his own and what is published.


class Reach(Struct, frozen=True):
    """``whole``: everything. Else the games of one's own tournament, or one's own game that belongs to none, and of all tournaments that
    are published; of players and clubs those who appear there.
    """

    whole: bool = False
    tournament: str | None = None
    game: UUID | None = None


WHOLE = Reach(whole=True)
PUBLISHED = Reach()
"""What nobody in particular reads."""


def reach_within(scope: Scope) -> Reach:
    """A table, and a game of a tournament, reach as far as their tournament."""
    if isinstance(scope, Everything):
        return WHOLE
    own = scope.place
    return Reach(tournament=own.tournament, game=own.game if own.tournament is None else None)
