"""A request for each operation, with the stage that it is asked on."""

from typing import NamedTuple

from tests.evening.chapters.stages import NEWS, TAKEN, WHOLE, WRONG, trailing

PLAN = {"id": "{free}", "ruleset": "casino", "seats": 2, "format": "manual"}
RECORD = {"ruleset": "casino", "seats": 2, "hands": [{"dealer": 1, "deck": ["QC"], "fill": "sorted", "moves": []}]}
POINTS = [{"party": 0, "points": -1}]
_TABLE = "/v1/tournaments/{tournament}/rounds/1/tables/1"


class Request(NamedTuple):
    """``{names}`` in target and body are filled in from the stage. A POST and a DELETE may take no body."""

    stage: str
    target: str
    body: object = None
    method: str = "POST"


def _get(stage: str, target: str) -> Request:
    return Request(stage, target, None, "GET")


READS = (
    *(
        _get("nothing", path)
        for path in ("/in", "/assets/before/sign_in.js", "/assets/before/words/en.js", "/sw.js", "/offline", "/v1/sessions", "/v1/codes")
    ),
    *(_get("nothing", path) for path in ("/", "/openapi.json", "/docs", "/schemas/record.json", "/v1/schemas/scores")),
    *(_get("nothing", f"/docs/{page}") for page in ("verifier", "games", "schemas", "schemas/EventView")),
    *(_get("players", f"/v1/log/{what}") for what in ("checkpoint", "keys", "consistency", "tile/0/000.p/1", "tile/entries/000.p/1")),
    _get("dealt", "/v1/games/{game}/proof"),
    *(_get("nothing", path) for path in ("/health/live", "/health/ready", "/metrics", "/v1/rulesets", "/v1/rulesets/casino")),
    *(_get("nothing", path) for path in ("/rules", "/rules/casino", "/rulings", "/ratings", "/statistics/casino", "/new", "/players")),
    *(
        _get("nothing", f"/v1/{what}?limit=2")
        for what in ("games", "players", "clubs", "tournaments", "rulings", "disputes", "scores", "results", "feed", "series")
    ),
    *(_get("nothing", path) for path in ("/me", "/v1/me", "/v1/tokens?limit=2")),
    _get("token", "/v1/tokens/{token}"),
    _get("nothing", "/v1/webhooks"),
    _get("webhook", "/v1/webhooks/{webhook}"),
    _get("tested", "/v1/webhooks/{webhook}/deliveries?limit=2"),
    *(_get("series", f"/s/{{series}}{what}") for what in ("", "/wall", "/desk")),
    _get("nothing", "/new?what=series"),
    *(_get("nothing", f"/v1/{what}?ruleset=casino") for what in ("ratings", "statistics")),
    _get("listed", "/v1/ratings/casino/audit"),
    *(_get("listed", f"/v1/ratings/lists{what}") for what in ("", "/casino/{number}", "/casino/{number}/diff?new={number}")),
    *(_get("ruled", f"/v1/tables/{what}") for what in ("hands", "moves?lines=true", "standings")),
    _get("nothing", "/v1/tables/looks"),
    *(
        _get("series", f"/v1/series/{{series}}{what}")
        for what in ("", "/history", "/notes", "/audit", "/standings", "/standings/diff?old=sequence:1")
    ),
    *(_get("ruled", f"/v1/games/{{game}}{what}") for what in ("", "/table", "/replay", "/history", "/score-sheet", "/legal-moves")),
    _get("shuffling", "/v1/games/{game}/shuffles"),
    _get("dealt", "/v1/games/{game}/rewinds"),
    _get("shuffling", "/g/{game}/shuffle"),
    _get("ruled", "/g/{game}"),
    _get("ruled", "/g/{game}/record"),
    _get("ruled", "/g/{game}/devices"),
    _get("ruled", "/g/{game}/form?kind=appeal&dispute=1"),
    _get("closed", "/t/{tournament}"),
    _get("closed", "/t/{tournament}/1"),
    _get("closed", "/t/{tournament}/wall?show=standings"),
    _get("closed", "/t/{tournament}/summary"),
    _get("closed", "/t/{tournament}/results.atom"),
    _get("closed", "/t/{tournament}/rounds.ics"),
    _get("closed", "/t/{tournament}/desk"),
    _get("merged", "/p/{player}"),
    _get("ruled", "/v1/games/{game}/stream?follow=false"),
    _get("closed", "/v1/tournaments/{tournament}/stream?follow=false&after=0"),
    _get("closed", "/v1/tournaments/{tournament}/wall/stream?follow=false"),
    *(_get("ruled", f"/v1/games/{{game}}/{what}") for what in ("audit", "disputes", "looks", "notes", "record")),
    *(_get("merged", f"/v1/players/{{player}}{what}") for what in ("", "/data", "/scores", "/ratings", "/audit")),
    *(
        _get("closed", f"/v1/tournaments/{{tournament}}{what}")
        for what in ("", "/entries", "/history", "/looks", "/notes", "/rounds", "/rounds/1", "/boards", "/wishes", "/audit")
    ),
    *(
        _get("closed", f"/v1/tournaments/{{tournament}}/{what}")
        for what in ("rounds/1/seating", "bracket", "tables/1", "wall", "prizes", "standings", "standings/diff?old=round:1")
    ),
)

GAMES = (
    Request("nothing", "/v1/games", {"ruleset": "casino", "seats": 2, "players": ["anna", None], "happened_at": "2026-11-21T17:00:00Z"}),
    Request("opened", "/v1/games/{game}/hands", {"dealer": 1}),
    Request("dealt", "/v1/games/{game}/moves", trailing(0, "QC")),
    Request("untold", "/v1/games/{game}/tellings", {"known": {"hand:1": ["TD"]}}),
    Request("shuffling", "/v1/games/{game}/shuffles", {"dealer": 1, "dice": 8}),
    Request("shuffling", "/v1/games/{game}/shuffles/joining", {"commitment": "e5" * 32}),
    Request("shuffling", "/v1/games/{game}/shuffles/opening", {"chance": "11" * 16}),
    Request("shuffling", "/v1/games/{game}/shuffles/dice", {"dice": "6 3 1 1 5 2 4 6"}),
    Request("played", "/v1/games/{game}/rewinds", {"to": 2, "reason": "entered the wrong card"}),
    Request("dealt", "/v1/games/{game}/legal-moves", trailing(0, "KC")),
    Request("dealt", "/v1/games/{game}/branches", {"position": 2, "moves": [trailing(0, "QC"), trailing(1, "QC"), trailing(1, "TD")]}),
    Request("dealt", "/v1/games/{game}/players", {"seat": 1, "player": "cora"}),
    Request("dealt", "/v1/games/{game}/seating", {"players": ["cora", "anna"], "reason": "the table was entered the wrong way round"}),
    Request("dealt", "/v1/games/{game}/disputes", {"position": 2, "seat": 1, "claim": "The deal was wrong.", "suspends": True}),
    Request("ruled", "/v1/games/{game}/disputes/1/appeals", {"seat": 0, "reason": "No.", "deadline": "2026-11-21T23:00:00+01:00"}),
    Request("disputed", "/v1/games/{game}/disputes/1/withdrawal", {"reason": "settled"}),
    Request(
        "disputed",
        "/v1/games/{game}/rulings",
        {"dispute": 1, "decision": "penalty", "adjustments": POINTS, "reason": "late", "rules": ["CNO-7"]},
    ),
    Request("dealt", "/v1/games/{game}/rectifications", {"effects": [["moved", ["5S"], "board", "hand:1"]], "reason": "dealt too few"}),
    Request("dealt", "/v1/games/{game}/stood-moves", {**WRONG, "effects": TAKEN, "reason": "nobody saw it"}),
    Request("dealt", "/v1/games/{game}/adjustments", {"adjustments": POINTS, "reason": "late"}),
    Request("dealt", "/v1/games/{game}/disclosure", {"reason": "for the press"}),
    Request("dealt", "/v1/games/{game}/suspension", {"reason": "fire alarm"}, "PUT"),
    Request("suspended", "/v1/games/{game}/suspension", {"reason": "a false alarm"}, "DELETE"),
    Request("dealt", "/v1/games/{game}/stoppage", {"reason": "time is up"}),
    Request("scored", "/v1/games/{game}/signatures", {"party": 1, "position": 3}),
    Request("signed", "/v1/games/{game}/signatures/4/withdrawal", {}),
    Request("scored", "/v1/games/{game}/reconciliation", {"hands": [{"points": [1, 0]}, {"points": [2, 3]}], "totals": [1, 0]}),
    Request("dealt", "/v1/games/{game}/abandonment", {"reason": "a player left"}),
    Request("dealt", "/v1/games/{game}/annulment", {"reason": "two packs were mixed up"}),
    Request("dealt", "/v1/games/{game}/notes", {"text": "Seat 1 hesitated.", "position": 2}),
    Request("noted", "/v1/games/{game}/notes/3", None, "DELETE"),
    Request("nothing", "/v1/records", RECORD),
    Request("dealt", "/v1/games/{game}/meta", None, "DELETE"),
)

_PAST = [{"player": name, "score": score} for name, score in (("Anna", 31), ("Bert", 17))]
PAST = {"lines": [{"tournament": "Autumn", "date": "2019-10-05", "ruleset": "casino", **line} for line in _PAST]}

PLAYERS = (
    Request("nothing", "/v1/players", {"id": "{free}", "name": "Zoë Überall", "alias": "Uhu", "club": "celle"}),
    Request("players", "/v1/players/{player}/name", {"name": "Anna Meier"}),
    Request("players", "/v1/players/{player}/transfer", {"club": "peine"}),
    Request("players", "/v1/players/{player}/merger", {"into": "{other}"}),
    Request("merged", "/v1/players/{player}/separation", {}),
    Request("players", "/v1/players/{player}/erasure", {"confirm": "{player}"}),
)

TOURNAMENTS = (
    Request("nothing", "/v1/tournaments", {**PLAN, "title": "Spring Open"}),
    Request("closed", "/v1/tournaments/{tournament}/ending", {"reason": "that was it"}),
    Request("ended", "/v1/tournaments/{tournament}/reopening", {"reason": "one more round"}),
    Request("nothing", "/v1/past-results", PAST),
    Request("imported", "/v1/tournaments/{tournament}/withdrawal", {"reason": "the wrong list"}),
    Request("closed", "/v1/tournaments/{tournament}/publication", {"publication": "aliases"}),
    Request("closed", "/v1/tournaments/{tournament}/hall-names", {"hall_names": "aliases"}),
    Request("closed", "/v1/tournaments/{tournament}/schedule", {"starts": ["2026-11-21T19:30", "2026-11-21T20:30"]}),
    Request("closed", "/v1/tournaments/{tournament}/time-zone", {"time_zone": "Europe/Berlin"}),
    Request("entered", "/v1/tournaments/{tournament}/notes/1", None, "DELETE"),
    Request("entered", "/v1/tournaments/{tournament}/entries", {"players": ["late"], "rating": 1612}),
    Request("entered", "/v1/tournaments/{tournament}/entries/1/substitution", {"players": ["x"]}),
    Request("paired", "/v1/tournaments/{tournament}/entries/1/rectification", {"players": ["x"], "reason": "the wrong member was entered"}),
    Request("entered", "/v1/tournaments/{tournament}/correction", {"title": "Clubabend", "rounds": 4}),
    Request("paired", "/v1/tournaments/{tournament}/correction", {"rounds": 4}),
    Request("entered", "/v1/tournaments/{tournament}/entries/1/rating", {"rating": 1612}),
    Request("paired", "/v1/tournaments/{tournament}/entries/1/rating", {"rating": None}),
    Request("entered", "/v1/tournaments/{tournament}/entries/1/withdrawal", {"reason": "ill"}),
    Request("withdrawn", "/v1/tournaments/{tournament}/entries/4/return", {}),
    Request("entered", "/v1/tournaments/{tournament}/wishes", {"kind": "apart", "entrants": [1, 2]}),
    Request("wished", "/v1/tournaments/{tournament}/wishes/1/withdrawal", {}),
    Request("entered", "/v1/tournaments/{tournament}/presence", {"absent": [1]}),
    Request("drawn", "/v1/tournaments/{tournament}/rounds", {}),
    Request("paired", "/v1/tournaments/{tournament}/unpairing", {"reason": "two more came"}),
    Request("paired", "/v1/tournaments/{tournament}/rounds/1/change", {"tables": [{"table": "1", "parties": [[2], [1]]}]}),
    Request("decided", "/v1/tournaments/{tournament}/rounds/1/closing", {}),
    Request("paired", "/v1/tournaments/{tournament}/rounds/1/games", {}),
    Request("paired", "/v1/tournaments/{tournament}/boards", {"round": 1, "board": 7, "deck": WHOLE}),
    Request("paired", f"{_TABLE}/result", {"points": [21, 17], "side": 2}, "PUT"),
    Request("said", f"{_TABLE}/confirmation", {"side": 2}),
    Request("paired", f"{_TABLE}/forfeit", {"absent": [2], "reason": "not there"}),
    Request("paired", f"{_TABLE}/adjournment", {"reason": "the hall closes"}),
    Request("paired", f"{_TABLE}/notice", {"calls": True}),
    Request("said", f"{_TABLE}/result", {"reason": "a slip"}, "DELETE"),
    Request("paired", "/v1/tournaments/{tournament}/wall", {"show": "notice", "message": "Soup is ready.", "round": 1}, "PUT"),
)

_CARD = {"role": "recorder", "scope": {"tournament": "{tournament}", "table": "1", "since": 1}, "good_for": "round", "label": "Table 1"}

ACCESS = (
    Request("nothing", "/v1/tokens", {"role": "recorder", "scope": "everything", "label": "table 3"}),
    Request("token", "/v1/tokens/{token}", None, "DELETE"),
    Request("token", "/v1/tokens/{token}/rotation", {"grace": 60}),
    Request("nothing", "/v1/codes", {"role": "viewer", "scope": "everything", "good_for": "many"}),
    Request("paired", "/v1/codes", _CARD),
    Request("dealt", "/v1/games/{game}/handover"),
    Request("coded", "/in", {"secret": "{code}"}),
    Request("nothing", "/out", {}),
    Request("nothing", "/appearance", {}),
    Request("signed_in", "/v1/sessions/{session}", None, "DELETE"),
    Request("coded", "/v1/codes/{id}", None, "DELETE"),
)

TRIAL = {"game": "00000000-0000-4000-8000-000000000000", "totals": [3, 4], "places": [2, 1]}
STANDINGS = (
    Request("closed", "/v1/tournaments/{tournament}/standings/trial", TRIAL),
    Request("closed", "/v1/tournaments/{tournament}/prizes", {"funds": [{"amounts": [100, 60]}, {"category": "junior", "amounts": [20]}]}),
    Request("entered", "/v1/tournaments/{tournament}/entries/1/labels", {"club": "chess-club", "category": "junior"}),
    Request("entered", "/v1/tournaments/{tournament}/standings/order", {"entrants": [4, 3, 2, 1], "reason": "a play-off"}),
)

SERIES = (
    Request("nothing", "/v1/series", {"id": "{free}", "title": "Cup 2026", "points": {"by": "place", "table": [3, 2, 1]}, "best": 5}),
    Request("series", "/v1/series/{series}/tournaments", {"tournament": "{other}", "weight": "1.5"}),
    Request("series", "/v1/series/{series}/removals", {"tournament": "{added}", "reason": "played by other rules"}),
    Request("series", "/v1/series/{series}/corrections", {"title": "Grand Prix", "minimum": 2}),
    Request("series", "/v1/series/{series}/adjustments", {"player": "p1", "points": -2, "reason": "came late"}),
    Request("series", "/v1/series/{series}/categories", {"player": "p1", "category": "junior"}),
    Request("series", "/v1/series/{series}/notes/1", None, "DELETE"),
    Request("series", "/v1/series/{series}/publication", {"publication": "aliases"}),
    Request("finale", "/v1/series/{series}/ending", {"reason": "the season is over"}),
)

RATINGS = (Request("listed", "/v1/ratings/lists", {"ruleset": "casino", "publication": "aliases"}),)

_FOLLOWED = {"topic": "t", "stream": "/v1/tournaments/{tournament}/stream?follow=false&after=0"}
STREAMS = (Request("closed", "/v1/streams", {"topics": [_FOLLOWED]}),)

WEBHOOKS = (
    Request("nothing", "/v1/webhooks", {**NEWS, "label": "federation"}),
    Request("webhook", "/v1/webhooks/{webhook}", {"enabled": False}, "PATCH"),
    *(Request("webhook", f"/v1/webhooks/{{webhook}}/{what}", {}) for what in ("rotation", "test")),
    Request("webhook", "/v1/webhooks/{webhook}", None, "DELETE"),
    Request("tested", "/v1/webhooks/{webhook}/deliveries/{message}/redelivery", {}),
)

WRITES = (*GAMES, *PLAYERS, *TOURNAMENTS, *STANDINGS, *SERIES, *RATINGS, *STREAMS, *ACCESS, *WEBHOOKS)
