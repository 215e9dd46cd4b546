"""Recorded games in a tournament: their tables, their players, and their results."""

from collections.abc import Callable, Sequence
from typing import TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.dispute import Standing
from domain.effects import Plain
from domain.tournament.state import RoundTable
from domain.tournament.tournament import Tournament

PersonOf: TypeAlias = Callable[[str], str]
"""Maps the id of a player to the one that they count under: two ids that were merged are one person."""


def keep_id(player: str) -> str:
    """Return the id itself: no id is merged with another one."""
    return player


class SeatedHands(Struct, frozen=True):
    """The hands of a game from ``hand`` on in which the same players sat there, and the points of each of its parties in them, with the
    adjustments of that time.
    """

    hand: int
    players: tuple[str | None, ...]
    points: tuple[int, ...]


class TableGame(Struct, frozen=True):
    """A game that names a tournament, a round and a table, as it stood at some moment.

    ``opened`` is the sequence of its opening, by which the games of a table are ordered; ``since`` that of the event after which it
    stood so. ``players`` sit there last; ``seated`` tells who sat there before, in order, where others did. ``totals`` are those of its
    score sheet, ``places`` are there once it is over.
    """

    game: UUID
    opened: int
    since: int
    round: int
    table: str
    ruleset: str
    options: dict[str, Plain]
    players: tuple[str | None, ...]
    parties: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    places: tuple[int | None, ...] | None
    standing: Standing
    seated: tuple[SeatedHands, ...] = ()

    @property
    def all_seated(self) -> tuple[SeatedHands, ...]:
        """Who sat there in which hands, in order."""
        return self.seated or (SeatedHands(1, self.players, self.totals),)

    @property
    def all_players(self) -> frozenset[str]:
        """All who sat there in any hand."""
        return frozenset(player for hands in self.all_seated for player in hands.players if player is not None)

    @property
    def counts(self) -> bool:
        """Return whether the game counts. An abandoned game counts as far as it was scored, an annulled one not at all."""
        return self.standing == "abandoned" or (self.places is not None and self.standing != "annulled")


def parties_played(tournament: Tournament, table: RoundTable, game: TableGame, person_of: PersonOf) -> tuple[int, ...] | None:
    """Return for each party of the game the party of the table that sits there last: by the players where they are known, else by the
    seats.

    ``None`` if others played than were paired at the table, or partners sat apart.
    """
    return parties_seated(tournament, table, game, game.players, person_of)


def find_mismatch(tournament: Tournament, table: RoundTable, game: TableGame, person_of: PersonOf) -> tuple[str | None, ...] | None:
    """Return the players who do not make the parties of the table: those who sit there last, or partners who sat apart in some hands.
    ``None`` if all fit. Hands without points do not matter.
    """
    if parties_played(tournament, table, game, person_of) is None:
        return game.players
    paired = {person_of(player) for entrant in table.seats for player in tournament.entrant(entrant).all_players}
    for hands in (one for one in game.all_seated if any(one.points)):
        known = all(player is not None and person_of(player) in paired for player in hands.players)
        if known and parties_seated(tournament, table, game, hands.players, person_of) is None:
            return hands.players
    return None


def points_played(tournament: Tournament, table: RoundTable, game: TableGame, person_of: PersonOf) -> tuple[int, ...] | None:
    """Return the points of each party of the table in a game, hand by hand for those who sat there, as the score lines have them.

    ``None`` as for ``parties_played``. Hands in which somebody is unknown, or was not paired there, count for those who sit there last.
    """
    last = parties_played(tournament, table, game, person_of)
    if last is None:
        return None
    points = [0] * len(tournament.parties(table.seats))
    for hands in game.all_seated:
        known = None not in hands.players and parties_seated(tournament, table, game, hands.players, person_of)
        for number, party in enumerate(known or last):
            points[party] += hands.points[number]
    return tuple(points)


def change_sides(tournament: Tournament, table: RoundTable, game: TableGame, person_of: PersonOf) -> bool:
    """Return whether players of a game sat on one side of the table in some hands, and on another side in others."""
    parties = {parties_seated(tournament, table, game, one.players, person_of) for one in game.all_seated if None not in one.players}
    return len(parties - {None}) > 1


def parties_seated(
    tournament: Tournament, table: RoundTable, game: TableGame, players: Sequence[str | None], person_of: PersonOf
) -> tuple[int, ...] | None:
    """Return for each party of the game the party of the table that these players make: see ``parties_played``."""
    owners = {
        person_of(player): party
        for party, entrants in enumerate(tournament.parties(table.seats))
        for entrant in entrants
        for player in tournament.entrant(entrant).all_players
    }
    found: list[int] = []
    for number, seats in enumerate(game.parties):
        known = {owners.get(person_of(player)) for seat in seats if (player := players[seat]) is not None}
        party = known.pop() if known else number
        if known or party is None or party in found:
            return None
        found.append(party)
    return tuple(found) if len(found) == len(tournament.parties(table.seats)) else None
