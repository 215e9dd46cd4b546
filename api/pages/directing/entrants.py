"""Forms of the desk about entrants: seats of a round, presence and wishes before a draw, and who plays for whom."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from api.common.names import name_places
from api.pages.directing.evening import Evening, Told
from api.pages.names import line_up_in
from domain.events.tournament import WishKind
from domain.standings.plan import FORMATS, Format
from domain.texts import Texts


def seats_in_play(evening: Evening) -> str:
    """Return the tables, byes and everybody else who could play in the round, as JSON for ``seats.js``; ``kept``: it cannot change."""
    round = evening.round
    assert round is not None
    tables = [{"table": one["table"], "parties": one["parties"], "kept": _is_started(evening, one)} for one in round["tables"]]
    return _seats_of(evening, round, tables, False)


def _seats_of(evening: Evening, round: Told, tables: Sequence[Told], as_played: bool) -> str:
    placed = {*round["byes"], *(entrant for one in round["tables"] for party in one["parties"] for entrant in party)}
    rest = [one["entrant"] for one in evening.entrants if one["entrant"] not in placed and not is_gone(one, round["round"])]
    given = {"shape": _shape(evening.about), "tables": tables, "byes": round["byes"], "rest": rest}
    return json.dumps({**given, "as_played": as_played})


def seats_as_played(evening: Evening) -> str:
    """Return the tables of the round that is looked at, for saying who really sat there; ``kept``: without an entered result."""
    round = evening.looked
    assert round is not None
    tables = [{"table": one["table"], "parties": one["parties"], "kept": one["how"] != "entered"} for one in round["tables"]]
    return _seats_of(evening, round, tables, True)


def seats_to_pair(evening: Evening) -> str:
    """Return the entrants of the next round in the order of the standings, in which they are seated where there is no draw."""
    number = evening.about["paired"] + 1
    places = {line["entrant"]: line["place"] for line in evening.standings["lines"]}
    there = [one["entrant"] for one in evening.entrants if plays(one, number)]
    order = sorted(there, key=lambda entrant: (places.get(entrant, 0), entrant))
    out = FORMATS[evening.about["format"]].loser_is_out and number > 1
    return json.dumps({"shape": _shape(evening.about), "parties": evening.about["parties"], "order": order, "rest": order if out else []})


def _is_started(evening: Evening, table: Told) -> bool:
    row = evening.games.get(table["table"])
    return bool(table["entered"] or table["points"] is not None or (row and row["hand"] and row["state"] != "annulled"))


def _shape(about: Told) -> Sequence[int]:
    return [1 if about["entrants"] == "parties" else len(party) for party in about["parties"]]


def is_gone(entrant: Told, round: int) -> bool:
    return entrant["until"] is not None and entrant["until"] <= round


def plays(entrant: Told, round: int) -> bool:
    away: Iterator[Any] = (gap for gap in entrant.get("absences", ()) if gap["from_round"] <= round < gap["back_from"])
    there = entrant["from_round"] <= round and not is_gone(entrant, round) and next(away, None) is None
    return there and round not in entrant.get("half_byes", ())


# Presence and wishes before a draw, as the desk shows them: a tick for each entrant, a sentence for each wish.


class Tick(Struct, frozen=True):
    """An entrant who may play in the next round. ``there``: drawn for it, as far as is known."""

    entrant: int
    name: str
    there: bool


def list_ticks(evening: Evening) -> list[Tick]:
    """Return the entrants by name; none where nobody may miss the next round without withdrawing."""
    number, rule = evening.about["paired"] + 1, FORMATS[evening.about["format"]]
    if rule.loser_is_out or (rule.one_field and number == 1):
        return []
    coming = [one for one in evening.entrants if one["from_round"] <= number and not is_gone(one, number)]
    asked = [one for one in coming if number not in one.get("half_byes", ())]
    ticks = [Tick(one["entrant"], evening.names[one["entrant"]], plays(one, number)) for one in asked]
    return sorted(ticks, key=lambda tick: tick.name.casefold())


_NAMES: Mapping[WishKind, int] = {"half_bye": 1, "table": 1, "apart": 4, "meet": 2}
"""How many names the form of a wish takes. More are for the API."""


def list_wish_forms(format: Format) -> list[tuple[WishKind, int]]:
    """Return the kinds of wishes that can be recorded in this format, with the number of names."""
    rule = FORMATS[format]
    return [(kind, names) for kind, names in _NAMES.items() if kind != "half_bye" or not (rule.all_meet or rule.loser_is_out)]


class WishLine(Struct, frozen=True):
    number: int
    sentence: str


def list_wish_lines(evening: Evening, wishes: Sequence[Told], said: Texts) -> list[WishLine]:
    """Return the wishes for the next rounds in words."""
    coming = (one for one in wishes if one["round"] is None or one["round"] > evening.about["paired"])
    return [WishLine(one["wish"], _sentence(evening, one, said)) for one in coming]


def _sentence(evening: Evening, wish: Told, said: Texts) -> str:
    names = " – ".join(evening.names[entrant] for entrant in wish["entrants"])
    about = said[f"wish.told.{wish['kind']}"].format(names=names, table=wish["table"])
    return about if wish["round"] is None else f"{about}, {said['draw.round'].format(round=wish['round'])}"


# Forms of the desk about players: substitutes of the round in play, members entered by mistake, and who sat at a game.


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
    games = [one for one in table["games"] if one["state"] != "annulled"]
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
