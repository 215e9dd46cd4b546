"""Random announcements: formats, scorings and tables of every kind."""

from random import Random
from typing import Any

_DUEL = {"ruleset": "casino", "seats": 2}
_PAIRS = {"ruleset": "casino", "seats": 4, "options": {"partners": True}}
_TABLES = {"ruleset": "alcasan", "seats": 4}

_MATCH_POINTS: tuple[dict[str, Any], ...] = (
    {"by": "match_points"},
    {"by": "match_points", "places": [3, 0], "draw": 1},
    {"by": "match_points", "places": [2, 0], "bye": 1},
)
_POINTS: tuple[dict[str, Any], ...] = (
    {"by": "points"},
    {"by": "points", "bye": 0, "forfeit": [10, -5]},
    {"by": "points", "bye": 12, "forfeit": ["bye", 0]},
)
_TIE_BREAKS: tuple[list[str], ...] = ([], ["lots"], ["wins"], ["score_difference", "lots"])

KINDS = ("swiss", "swiss by points", "pairs", "changing partners", "tables of four", "round robin", "knock-out", "by hand")


def announcement(kind: str, chance: Random) -> dict[str, Any]:
    """Return the body of an announcement of this kind, without its id."""
    pairing = {"first_table": chance.choice((1, 1, 11)), "apart": chance.choice((None, None, "club"))}
    late = {**pairing, "late": chance.choice((None, "half_bye"))}
    more: dict[str, Any] = {"tie_breaks": chance.choice(_TIE_BREAKS), "games": chance.choice((1, 1, 1, 2)), "seed": str(chance.random())}
    rounds = chance.randint(3, 5)
    match kind:
        case "swiss":
            return {**_DUEL, **more, "format": "swiss", "rounds": rounds, "scoring": chance.choice(_MATCH_POINTS), "pairing": late}
        case "swiss by points":
            return {**_DUEL, **more, "format": "swiss", "rounds": rounds, "scoring": chance.choice(_POINTS), "pairing": late}
        case "pairs":
            return {**_PAIRS, **more, "format": "swiss", "rounds": rounds, "scoring": chance.choice(_MATCH_POINTS), "pairing": late}
        case "changing partners":
            scoring = chance.choice((*_MATCH_POINTS[:1], *_POINTS))
            return {**_PAIRS, **more, "format": "swiss", "entrants": "players", "rounds": rounds, "scoring": scoring, "pairing": late}
        case "tables of four":
            format, smaller = chance.choice(("swiss", "round_robin")), chance.random() < 0.6
            rules = late if format == "swiss" else pairing
            by = {"scoring": chance.choice((_MATCH_POINTS[0], *_POINTS)), "pairing": rules}
            return {**_TABLES, **more, "format": format, "rounds": 3, "smaller_tables": smaller, **by}
        case "round robin":
            by = {"scoring": chance.choice((*_MATCH_POINTS, *_POINTS)), "pairing": {"first_table": pairing["first_table"]}}
            return {**_DUEL, **more, "format": "round_robin", "half_required": chance.random() < 0.5, **by}
        case "knock-out":
            return {**_DUEL, **more, "format": "knockout", "third_place": chance.random() < 0.5, "tie_breaks": []}
        case _:
            return {**_DUEL, **more, "format": "manual", "rounds": rounds, "scoring": chance.choice((*_MATCH_POINTS, *_POINTS))}
