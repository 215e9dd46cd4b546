"""The log of an evening: who recorded what, and when, in words, the newest first; and sheets of paper beside the record."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from msgspec import Struct

from api.common.lists import number
from api.common.pages.shell import call_api, fetch_value
from api.http.request import Request
from api.pages.directing.evening import Evening, Told
from api.pages.names import name_entrant
from api.services import Services
from domain.errors import Unavailable
from domain.journal.commits import StoreUnavailableError
from domain.texts import Texts
from replay.proof.witnesses import Standing

_PAGE, _MOST = 200, 400


class LogEntry(Struct, frozen=True):
    """An act. ``by``: the label of the token or code with which it was recorded, if it is known; ``reason``: as it was given."""

    at: str
    by: str | None
    text: str
    reason: str | None


async def list_log(request: Request, evening: Evening, said: Texts) -> Sequence[LogEntry]:
    """Return the newest acts of the tournament."""
    path = f"/v1/tournaments/{evening.about['id']}"
    notes = await fetch_value(request, f"{path}/notes")
    reasons = {one["position"]: one["text"] for one in notes["notes"]}
    events, after = list[Told](), max(0, notes["position"] - _MOST)
    while after is not None:
        page = await fetch_value(request, f"{path}/history", after=after, limit=_PAGE)
        events, after = [*events, *page["events"]], page["after"]
    labels = await _find_labels(request)
    return [*describe_events(evening, _join_entries(events), labels, reasons, said)][::-1]


async def _find_labels(request: Request) -> Mapping[str, str]:
    """Return the labels of tokens and of devices, by principal."""
    found = dict[str, str]()
    for path in ("/v1/sessions", "/v1/tokens"):
        answer = await call_api(request, path, limit=_PAGE)
        found |= {one["principal"]: one["label"] for one in answer.value["items"] if one["label"]} if answer.status == 200 else {}
    return found


def _join_entries(events: Sequence[Told]) -> list[Told]:
    """Return the events, with entries of one act as one event about all of them."""
    joined = list[Told]()
    for event in events:
        if event["name"] == "entry.accepted/1":
            last = joined[-1] if joined else None
            if last and last["name"] == event["name"] and (last["at"], last["by"]) == (event["at"], event["by"]):
                together = [*last["body"]["entrants"], event["body"]["entrant"]]
                joined[-1] = {**last, "body": {**last["body"], "entrants": together}}
                continue
            event = {**event, "body": {"entrants": [event["body"]["entrant"]], "from_round": event["body"]["from_round"]}}
        joined.append(event)
    return joined


def describe_events(
    evening: Evening, events: Sequence[Told], labels: Mapping[str, str], reasons: Mapping[int, str], said: Texts
) -> Iterator[LogEntry]:
    """Yield an entry for each event that a director would look for."""
    called, points = _names_of_players(evening), dict[tuple[int, str], str]()
    for event in events:
        name, body = event["name"].partition("/")[0], event["body"]
        values = _list_values(evening, called, body, said)
        at = body.get("round"), body.get("table")
        key = f"log.{name}{_variant_of(name, body, at in points)}"
        if key not in said:
            continue
        text = said[key].format(**values, before=points.get(at, ""))
        if name == "result.entered":
            points[at] = values["points"]
        reason = reasons.get(event["position"]) if body.get("reason") else None
        yield LogEntry(event["at"], labels.get(event["by"]), text, reason)


def _variant_of(name: str, body: Told, again: bool) -> str:
    """Return the ending of the key of the words."""
    variants = {
        "round.paired": "" if body.get("drawn") else ".by_hand",
        "round.changed": ".as_played" if body.get("as_played") else "" if body.get("tables") or body.get("dissolved") else ".byes",
        "result.entered": ".side" if body.get("side") is not None else ".again" if again else "",
        "presence.checked": "" if body.get("absent") else ".all",
        "entry.changed": ".once" if "back_from" in body else "",
        "table.notified": ".called" if body.get("called") else ".calls" if body.get("calls") else "",
        "tournament.ended": ".cancelled" if body.get("how") == "cancelled" else "",
    }
    return variants.get(name, "")


def _list_values(evening: Evening, called: Mapping[str, str], body: Told, said: Texts) -> dict[str, Any]:
    """Return what the words of an event may name."""
    named = [body[one] for one in ("entrant", "side") if body.get(one) is not None]
    tables = [*(one["table"] for one in body.get("tables", ())), *body.get("dissolved", ())]
    numbers = [*named, *body.get("entrants", ()), *body.get("absent", ()), *(() if tables else body.get("byes", ()))]
    round, entrants = body.get("round") or body.get("from_round"), {one["entrant"]: one for one in evening.entrants}
    return {
        "names": ", ".join(name_entrant(entrants[one], round) for one in numbers if one in entrants),
        "players": " & ".join(called.get(one, "–") for one in body.get("players", ())),
        "round": round,
        "table": body.get("table"),
        "tables": ", ".join(tables),
        "points": " : ".join(number(one, decimal=said["decimal"]) for one in body.get("points", ())),
        "rating": body.get("rating") if body.get("rating") is not None else "–",
        "wish": body.get("wish"),
        "minutes": body.get("extra_minutes"),
    }


def _names_of_players(evening: Evening) -> dict[str, str]:
    stretches = (one for entrant in evening.entrants for one in (entrant, *entrant.get("line_ups", ())))
    return {player: shown for one in stretches for player, shown in zip(one["players"], one["shown"], strict=True)}


def list_failing_witnesses(services: Services) -> list[Standing]:
    """Return the witnesses of the log that do not sign; none where the store does not answer."""
    try:
        return [one for one in services.log.standings() if one.trouble] if services.log else []
    except (Unavailable, StoreUnavailableError):
        return []


# Reconciliation of paper and record: what was typed for each table of a round beside what was recorded at it, and what to do with each.


Finding: TypeAlias = Literal[
    "typed_counts",
    "record_counts",
    "forfeited",
    "unconfirmed",
    "unfinished",
    "nothing",
    "typed_only",
    "recorded_only",
    "same",
]
"""The comparison of a table, in the order in which tables are shown: differences, what is missing, what is in order.

``typed_counts``: the typed result goes before another one that was recorded; ``record_counts``: a record goes before what sides typed;
``forfeited``: without regard to a record; ``unconfirmed``: typed by one side, not by the others; ``unfinished``: a record that is not over.
"""
_DIFFER: Sequence[Finding] = ("typed_counts", "record_counts", "forfeited", "unconfirmed", "unfinished")
_ORDER: Sequence[Finding] = get_args(Finding)


class ComparedSide(Struct, frozen=True):
    """A side of a table with its points: as typed, as recorded, as counted."""

    names: str
    typed: int | None
    recorded: int | None
    counts: float | None


class ComparedTable(Struct, frozen=True):
    """A table. ``game``: the newest game with anything recorded in it."""

    table: str
    finding: Finding
    sides: Sequence[ComparedSide]
    game: str | None

    @property
    def is_mismatch(self) -> bool:
        return self.finding in _DIFFER


def compare_round(evening: Evening) -> list[ComparedTable]:
    """Return the tables of the round that is looked at, differences first."""
    compared = [_compare(evening, table) for table in evening.looked["tables"]] if evening.looked else []
    return sorted(compared, key=lambda one: _ORDER.index(one.finding))


def _compare(evening: Evening, table: Told) -> ComparedTable:
    games = [game for game in table["games"] if game["state"] != "annulled" and (any(game["totals"]) or game["places"])]
    typed = table["entered"]["points"] if table["entered"] else None
    recorded = [sum(points) for points in zip(*(game["totals"] for game in games), strict=True)] or None
    sides = [
        ComparedSide(
            names=" & ".join(evening.names_in_round.get(one, str(one)) for one in party),
            typed=typed[place] if typed else None,
            recorded=recorded[place] if recorded else None,
            counts=table["points"][place] if table["points"] else None,
        )
        for place, party in enumerate(table["parties"])
    ]
    return ComparedTable(table["table"], _find(table, typed, recorded), sides, games[-1]["game"] if games else None)


def _find(table: Told, typed: Sequence[int] | None, recorded: Sequence[int] | None) -> Finding:
    if table["how"] == "forfeited":
        return "forfeited" if recorded else "same"
    if typed is None:
        return "nothing" if recorded is None else "recorded_only" if table["how"] == "games" else "unfinished"
    if table["how"] == "open":
        return "unconfirmed" if recorded is None else "unfinished"
    if recorded is None:
        return "typed_only"
    if list(typed) == list(recorded):
        return "same"
    return "typed_counts" if table["how"] == "entered" else "record_counts"
