"""A tournament for other programs of its readers: results as an Atom feed (RFC 4287), and its rounds as a calendar.

The feed is made with ``xml.etree``: feedgen, the library for it, needs lxml, and is no longer maintained.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

from litestar.params import FromPath

from api.common.lists import number
from api.common.pages.shell import fetch_value, page_language, words
from api.common.service_address import service_address
from api.http.media_types import ATOM, CALENDAR
from api.http.operations import PAGES, Content, reads
from api.http.request import Request
from api.http.response import Response, build_etag_response, content_hash
from api.pages.names import list_sides
from domain.texts import Texts
from domain.time_zones import to_local
from domain.tournament.tournament import tournament_stream

_NAMESPACE = "http://www.w3.org/2005/Atom"
_ROUNDS, _ROWS = 2, 200
register_namespace("", _NAMESPACE)


@reads(
    "/t/{tournament:str}/results.atom",
    "results_feed",
    "Show the results of the two newest rounds as an Atom feed",
    tag=PAGES,
    responses={200: Content("a feed", {ATOM: {"type": "string"}}, headers=("ETag",))},
)
async def results_feed(request: Request, tournament: FromPath[str]) -> Response:
    path, said = f"/v1/tournaments/{quote(tournament, safe='')}", words(page_language(request))
    about = await fetch_value(request, path)
    paired = range(max(1, about["paired"] - _ROUNDS + 1), about["paired"] + 1)
    rounds = [await fetch_value(request, f"{path}/rounds/{number}") for number in paired]
    times = await _read_times(request, tournament)
    begun = await fetch_value(request, f"{path}/history", limit=1)
    home = f"{service_address(request)}/t/{quote(tournament, safe='')}"
    entries = sorted(_list_entries(home, about, rounds, times, said), key=lambda one: one["updated"], reverse=True)
    updated = entries[0]["updated"] if entries else begun["events"][0]["at"]
    feed = Element(f"{{{_NAMESPACE}}}feed", {"{http://www.w3.org/XML/1998/namespace}lang": page_language(request)})
    _add(feed, id=home, title=about["title"] or about["id"], updated=updated)
    _link(feed, home)
    _link(feed, f"{home}/results.atom", rel="self")
    _add(SubElement(feed, f"{{{_NAMESPACE}}}author"), name=said["brand"])
    for one in entries:
        entry = SubElement(feed, f"{{{_NAMESPACE}}}entry")
        _add(entry, id=uuid5(NAMESPACE_URL, one["link"]).urn, title=one["title"], updated=one["updated"])
        _link(entry, one["link"])
    body: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return build_etag_response(request, content_hash(body), lambda: body, media_type=ATOM, vary=_VARIES)


_VARIES = "cookie, accept-language, authorization"


async def _read_times(request: Request, tournament: str) -> Mapping[tuple[int, str], str]:
    """Return when the results of tables were last changed: of a game with its last event, else as entered."""
    entered = (await fetch_value(request, "/v1/results", tournament=tournament, limit=_ROWS))["items"]
    games = (await fetch_value(request, "/v1/games", tournament=tournament, limit=_ROWS))["items"]
    times = [*((one, one["updated_at"]) for one in reversed(games)), *((one, one["played_at"]) for one in entered if one["game"] is None)]
    return {(one["round"], one["table"]): at for one, at in times}


def _list_entries(
    home: str, about: Mapping[str, Any], rounds: list[Mapping[str, Any]], times: Mapping[tuple[int, str], str], said: Texts
) -> Iterator[Mapping[str, str]]:
    """Yield an entry for each table that is over."""
    for round in rounds:
        for table in round["tables"]:
            at = times.get((round["round"], table["table"]))
            if table["how"] in ("open", "adjourned") or at is None:
                continue
            sides = [(side.names, number(side.points, said["decimal"])) for side in list_sides(table, about)]
            place = f"{said['tournament.round'].format(round=round['round'])}, {said['tournament.table'].format(table=table['table'])}"
            yield {
                "title": f"{place}: {' – '.join(f'{names} {points}' for names, points in sides)}",
                "updated": at,
                "link": f"{home}?round={round['round']}#table-{quote(table['table'])}",
            }


def _add(to: Element, **texts: str) -> None:
    for name, text in texts.items():
        SubElement(to, f"{{{_NAMESPACE}}}{name}").text = text


def _link(to: Element, address: str, rel: str = "alternate") -> None:
    SubElement(to, f"{{{_NAMESPACE}}}link", {"rel": rel, "href": address})


# The rounds of a tournament as a calendar file (iCalendar, RFC 5545), and when they begin as pages show it.
#
# It is written here: icalendar, the library for it, brings two more for a dozen lines of text.


_LAST = timedelta(hours=1)
"""How long a round lasts in a calendar, unless the next one begins before."""


@reads(
    "/t/{tournament:str}/rounds.ics",
    "round_schedule",
    "Show the scheduled rounds of a tournament as a calendar file",
    tag=PAGES,
    responses={200: Content("a calendar", {CALENDAR: {"type": "string"}}, headers=("ETag",))},
)
async def round_schedule(request: Request, tournament: FromPath[str]) -> Response:
    about = await fetch_value(request, f"/v1/tournaments/{quote(tournament, safe='')}")
    home, said = f"{service_address(request)}/t/{quote(tournament, safe='')}", words(page_language(request))
    body = "".join(f"{folded}\r\n" for line in _list_lines(about, home, said) for folded in fold(line)).encode()
    vary = "cookie, accept-language, authorization"
    return build_etag_response(request, content_hash(body), lambda: body, media_type=f"{CALENDAR}; charset=utf-8", vary=vary)


def list_starts(about: Mapping[str, Any]) -> list[str]:
    """Return when each round begins, in the zone of the tournament; empty texts for rounds of which that is not scheduled."""
    starts = [f"{to_local(datetime.fromisoformat(at), about['time_zone']):%Y-%m-%dT%H:%M}" for at in about["starts"]]
    rounds: int = about["rounds"] or about["paired"] + 1
    return starts + [""] * (rounds - len(starts))


def _list_lines(about: Mapping[str, Any], home: str, said: Texts) -> Iterator[str]:
    title = about["title"] or about["id"]
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kiebitz//EN", f"X-WR-CALNAME:{_escape(title)}")
    starts = [datetime.fromisoformat(one) for one in about["starts"]]
    ends = [min(next, start + _LAST) for start, next in pairwise(starts)] + [one + _LAST for one in starts[-1:]]
    for round, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
        yield from (
            "BEGIN:VEVENT",
            f"UID:{tournament_stream(about['id'])}-{round}@kiebitz",
            f"DTSTAMP:{_format_time(start)}",
            f"DTSTART:{_format_time(start)}",
            f"DTEND:{_format_time(end)}",
            f"SUMMARY:{_escape(title)}\\, {_escape(said['tournament.round'].format(round=round))}",
            f"URL:{home}",
            "END:VEVENT",
        )
    yield "END:VCALENDAR"


def _format_time(at: datetime) -> str:
    return f"{at:%Y%m%dT%H%M%SZ}"


def _escape(text: str) -> str:
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", "\\n")


def fold(line: str) -> list[str]:
    """Return a line in parts of at most 75 octets; the parts after the first begin with a space, which counts."""
    parts = [""]
    for sign in line:
        if len((parts[-1] + sign).encode()) > 75:
            parts.append(" ")
        parts[-1] += sign
    return parts
