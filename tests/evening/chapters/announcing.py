"""Announcing tournaments: every format, scoring and tie-break, and all that makes no sense."""

from typing import Any

from tests.evening.book import Book

_CASINO = {"ruleset": "casino", "seats": 2}
_PAIRS = {"ruleset": "casino", "seats": 4, "options": {"partners": True}}
_ALONE = {"ruleset": "cascades", "seats": 1}
_EVERY_TIE_BREAK = ("direct_encounter", "buchholz", "buchholz_cut_1", "sonneborn_berger", "score_difference", "points", "wins", "lots")
_FORMATS = ("manual", "round_robin", "swiss", "knockout")

GOOD: tuple[dict[str, Any], ...] = (
    {**_CASINO, "format": "swiss", "tie_breaks": list(_EVERY_TIE_BREAK)},
    {**_CASINO, "format": "manual", "tie_breaks": ["wins", "lots"], "games": 2, "openness": "never", "title": "Frühling & Co"},
    {**_PAIRS, "format": "round_robin", "scoring": {"by": "points", "bye": 12, "forfeit": [21, 0]}, "tie_breaks": ["wins"]},
    {**_PAIRS, "format": "round_robin", "entrants": "players", "rounds": 3, "tie_breaks": ["score_difference"]},
    {**_CASINO, "format": "knockout", "openness": "hand_over", "happened_at": "2026-11-20T19:00:00+01:00"},
    {"ruleset": "casino", "seats": 3, "format": "swiss", "scoring": {"by": "match_points", "places": [5, 3, 1]}},
    {**_ALONE, "format": "swiss", "scoring": {"by": "points", "bye": 0}},
    {"ruleset": "canasta", "seats": 4, "options": {"end": "hands", "hand_count": 1}, "format": "round_robin"},
    {**_CASINO, "format": "swiss", "tie_breaks": ["lots"], "dice": 8},
    {**_CASINO, "format": "swiss", "tie_breaks": ["lots"], "seed": "in the open"},
    {"ruleset": "quartett-trumpf", "seats": 3, "format": "manual", "entrants": "players", "scoring": {"by": "points"}},
)
BAD: tuple[dict[str, Any], ...] = (
    {**_CASINO, "options": {"sweeps": 1}},
    {**_CASINO, "options": 7},
    {**_CASINO, "seats": 9},
    {**_CASINO, "ruleset": "bridge"},
    {**_CASINO, "id": "no/slash"},
    {**_CASINO, "format": "ladder"},
    {**_CASINO, "rounds": 0},
    {**_CASINO, "colour": "red"},
    {**_CASINO, "dice": 7},
    {**_CASINO, "dice": 41},
    {**_CASINO, "dice": 8, "seed": "s"},
    {**_CASINO, "scoring": {"by": "match_points", "places": [1, 2]}},
    {**_CASINO, "scoring": {"by": "match_points", "places": [3, 2, 1]}},
    {**_CASINO, "scoring": {"by": "luck"}},
    {**_CASINO, "tie_breaks": ["wins", "wins"]},
    {**_CASINO, "tie_breaks": ["lots", "wins"]},
    {**_CASINO, "tie_breaks": ["height"]},
    {**_CASINO, "scoring": {"by": "points"}, "tie_breaks": ["points"]},
    {**_CASINO, "format": "knockout", "scoring": {"by": "points"}},
    {**_CASINO, "format": "knockout", "scoring": {"by": "match_points", "bye": 1}},
    {**_CASINO, "seats": 3, "format": "knockout", "scoring": {"by": "match_points", "places": [3, 2, 1]}},
    {**_ALONE},
    {**_ALONE, "scoring": {"by": "points"}, "tie_breaks": ["wins"]},
    {**_ALONE, "scoring": {"by": "points"}, "tie_breaks": ["score_difference"]},
    *({**_CASINO, "format": "knockout", "tie_breaks": [name]} for name in _EVERY_TIE_BREAK),
    *({**_PAIRS, "format": "round_robin", "entrants": "players", "tie_breaks": [name]} for name in _EVERY_TIE_BREAK),
)


_SHAPES: tuple[dict[str, Any], ...] = (
    _CASINO,
    _PAIRS,
    {**_ALONE, "scoring": {"by": "points"}},
    {**_CASINO, "seats": 3, "scoring": {"by": "match_points", "places": [3, 2, 1]}},
)


def evening(book: Book) -> None:
    for number, plan in enumerate(GOOD):
        book.post("/v1/tournaments?dry_run=true", {"id": f"plan-{number}", **plan})
        book.did("/v1/tournaments", {"id": f"plan-{number}", **plan})
        book.post("/v1/tournaments", {"id": f"plan-{number}", **plan})
        book.get(f"/v1/tournaments/plan-{number}", "viewer")
    for plan in BAD:
        book.post("/v1/tournaments", {"format": "swiss", **plan})
    for shape in _SHAPES:
        for format in _FORMATS:
            for tie_break in _EVERY_TIE_BREAK:
                for entrants in ("parties", "players"):
                    plan = {"id": "tried", "seed": "s", "format": format, "entrants": entrants, "tie_breaks": [tie_break], **shape}
                    book.ask("director", "POST", "/v1/tournaments?dry_run=true", plan, accept_language="de")
    made = book.did("/v1/tournaments", {**_CASINO, "format": "manual"})["tournament"]
    book.post(f"/v1/tournaments/{made}/ending?dry_run=true", {"how": "cancelled"})
    book.did(f"/v1/tournaments/{made}/ending", {"how": "cancelled", "reason": "the hall is closed"})
    for body in ({"how": "finished"}, {"how": "lost"}):
        book.post(f"/v1/tournaments/{made}/ending", body)
    book.post(f"/v1/tournaments/{made}/entries", {"players": ["late"]})
    for query in ("limit=3", "state=cancelled", "ruleset=canasta", "state=announced&limit=2", "announced_to=2001-01-01T00:00:00Z"):
        list(book.pages(f"/v1/tournaments?{query}", "viewer"))
    for query in ("cursor=x", "state=lost", "announced_from=now", "limit=999"):
        book.get(f"/v1/tournaments?{query}")
