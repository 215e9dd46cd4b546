"""Recorded games in a tournament: their tables, their players, and their results."""

from collections.abc import Callable
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


class TableGame(Struct, frozen=True):
    """A game that names a tournament, a round and a table, as it stood at some moment.

    ``opened`` is the sequence of its opening, by which the games of a table are ordered; ``since`` that of the event after which it
    stood so. ``totals`` are those of its score sheet, ``places`` are there once it is over.
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

    @property
    def counts(self) -> bool:
        """Return whether the game counts. An abandoned game counts as far as it was scored, an annulled one not at all."""
        return self.standing == "abandoned" or (self.places is not None and self.standing != "annulled")


def parties_played(tournament: Tournament, table: RoundTable, game: TableGame, person_of: PersonOf) -> tuple[int, ...] | None:
    """Return for each party of the game the party of the table that played it: by the players where they are known, else by the seats.

    ``None`` if others played than were paired at the table, or partners sat apart.
    """
    owners = {
        person_of(player): party
        for party, entrants in enumerate(tournament.parties(table.seats))
        for entrant in entrants
        for player in tournament.entrant(entrant).all_players
    }
    found: list[int] = []
    for number, seats in enumerate(game.parties):
        known = {owners.get(person_of(player)) for seat in seats if (player := game.players[seat]) is not None}
        party = known.pop() if known else number
        if known or party is None or party in found:
            return None
        found.append(party)
    return tuple(found) if len(found) == len(tournament.plan.parties) else None
