"""Forms of the desk about players: substitutes of the round in play, members entered by mistake, and who sat at a game."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from api.common.names import name_places
from api.pages.directing.evening import Evening, Told
from api.pages.names import line_up_in


class NamedPlayers(Struct, frozen=True):
    """Players with their names, for fields that name others in their place. ``round``: from which they are meant."""

    round: int
    players: Sequence[str]
    shown: Sequence[str]


class SeatField(Struct, frozen=True):
    """A seat of a game: its place in words, and the player who sits there last."""

    place: str
    player: str | None
    name: str


class GameSeats(Struct, frozen=True):
    """The seats of a game of a table. ``number`` counts the games that were not annulled."""

    game: str
    number: int
    seats: Sequence[SeatField]


def find_current_players(evening: Evening, entrant: Told) -> NamedPlayers:
    """Return the players whose place substitutes would take: those of the round in play, or of the next one."""
    about = evening.about
    round = max(about["paired"] if about["paired"] > about["closed"] else about["paired"] + 1, entrant["from_round"])
    return _view_line_up(round, line_up_in(entrant, round))


def list_entered(entrant: Told) -> list[NamedPlayers]:
    """Return the line-ups of an entrant, in each of which somebody may have been entered by mistake; each players once."""
    stretches: Sequence[Told] = entrant.get("line_ups", [entrant])
    first = {tuple(one["players"]): one for one in reversed(stretches)}
    return [_view_line_up(one["from_round"], one) for one in reversed(first.values())]


def _view_line_up(round: int, line_up: Told) -> NamedPlayers:
    return NamedPlayers(round, line_up["players"], line_up["shown"])


def list_game_seats(evening: Evening, table: Told, language: str) -> list[GameSeats]:
    """Return the seats of the games of a table, to be put right."""
    names = _names(evening, table)
    places = name_places(evening.about["seats"], language)
    games = [one for one in table["games"] if one["standing"] != "annulled"]
    return [GameSeats(game["game"], number, _seats(game["players"], places, names)) for number, game in enumerate(games, 1)]


def _seats(players: Sequence[str | None], places: Sequence[str], names: Mapping[str, str]) -> list[SeatField]:
    return [SeatField(place, player, names.get(player or "", "")) for place, player in zip(places, players, strict=False)]


def _names(evening: Evening, table: Told) -> dict[str, str]:
    """Return the names of all who stood for an entrant, or sat at the table."""
    names: dict[str, str] = {}
    for entrant in evening.entrants:
        listed: list[Any] = [*entrant.get("replaced", ())]
        names |= {one["player"]: one["shown"] for one in listed} | dict(zip(entrant["players"], entrant["shown"], strict=True))
    for seat in table["seats"]:
        names |= {one["player"]: one["shown"] for one in (*seat.get("earlier", ()), seat)}
    return names
