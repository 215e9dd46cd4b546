"""The log of an evening: who recorded what, and when, in words, the newest first."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from api.common.lists import number
from api.common.pages.shell import call_api, fetch_value
from api.http.request import Request
from api.pages.directing.evening import Evening, Told
from api.pages.names import name_entrant
from domain.texts import Texts

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
