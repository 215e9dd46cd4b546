"""Tournaments played over HTTP: announced, entered, paired, and games with the totals that a test wants."""

import random
from typing import Any
from uuid import uuid4

from tests.api.conftest import Caller
from tests.api.play import finish_hand


def announced(director: Caller, **wanted: Any) -> str:
    """Answers the address of a Swiss tournament of Casino for two with a seed in the open, unless something else is wanted."""
    plan = {"id": f"t-{uuid4().hex[:8]}", "ruleset": "casino", "seats": 2, "format": "swiss", "seed": "kiebitz", **wanted}
    answer = director.post("/v1/tournaments", plan)
    assert answer.status_code == 201, answer.text
    return f"/v1/tournaments/{plan['id']}"


def entered(recorder: Caller, tournament: str, count: int) -> None:
    """Players p1, p2 … as entrants 1, 2 …"""
    entries = [{"players": [f"p{number}"]} for number in range(1, count + 1)]
    answer = recorder.post(f"{tournament}/entries", {"entries": entries})
    assert answer.status_code == 201, answer.text


def paired(director: Caller, tournament: str, *tables: list[list[int]], byes: list[int] | None = None) -> dict[str, Any]:
    """By hand where tables are named, else drawn."""
    given = {"tables": [{"parties": parties} for parties in tables], "byes": byes or []} if tables else {}
    answer = director.post(f"{tournament}/rounds", given)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def opened(recorder: Caller, tournament: str, round: int = 1) -> dict[str, str]:
    """Opens what games are lacking; answers the game of each table."""
    answer = recorder.post(f"{tournament}/rounds/{round}/games", {})
    assert answer.status_code == 200, answer.text
    return {table["table"]: table["game"] for table in answer.json()["tables"]}


def scored(director: Caller, game: str, *points: int) -> None:
    """Ends a game with these totals: by points that an arbiter gives, so that nobody has to play it out."""
    given = [{"party": party, "points": one} for party, one in enumerate(points)]
    assert director.post(f"/v1/games/{game}/adjustments", {"adjustments": given, "reason": "as on paper"}).status_code == 201
    assert director.post(f"/v1/games/{game}/abandonment", {"reason": "as on paper"}).status_code == 201


def played_out(recorder: Caller, game: str, chance: random.Random) -> dict[str, Any]:
    """Plays a game to its end, hand by hand; answers its score sheet."""
    dealer = 0
    while recorder.get(f"/v1/games/{game}").json()["phase"] != "game_over":
        recorder.deal(game, dealer=dealer)
        finish_hand(recorder, game, chance)
        dealer = 1 - dealer
    return dict(recorder.get(f"/v1/games/{game}/score-sheet").json())


def table_of(caller: Caller, tournament: str, table: str = "1", round: int = 1) -> dict[str, Any]:
    (found,) = [one for one in caller.get(f"{tournament}/rounds/{round}").json()["tables"] if one["table"] == table]
    return dict(found)
