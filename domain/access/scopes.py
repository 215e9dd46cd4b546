"""Where powers hold: everywhere, in a tournament, at one of its tables, or in a game."""

from typing import TypeAlias
from uuid import UUID

from msgspec import Struct


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
