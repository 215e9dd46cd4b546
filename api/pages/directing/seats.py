"""The seats of a round that a director changes by name: of the round in play, or of the next one that is paired by hand."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from api.pages.directing.evening import Evening, Told
from domain.standings.plan import FORMATS


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
    return bool(table["entered"] or table["points"] is not None or (row and row["hand"] and row["standing"] != "annulled"))


def _shape(about: Told) -> Sequence[int]:
    return [1 if about["entrants"] == "parties" else len(party) for party in about["parties"]]


def is_gone(entrant: Told, round: int) -> bool:
    return entrant["until"] is not None and entrant["until"] <= round


def plays(entrant: Told, round: int) -> bool:
    away: Iterator[Any] = (gap for gap in entrant.get("absences", ()) if gap["from_round"] <= round < gap["back_from"])
    there = entrant["from_round"] <= round and not is_gone(entrant, round) and next(away, None) is None
    return there and round not in entrant.get("half_byes", ())
