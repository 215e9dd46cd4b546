"""The rounds of a tournament as a calendar file (iCalendar, RFC 5545), and when they begin as pages show it.

It is written here: icalendar, the library for it, brings two more for a dozen lines of text.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from litestar.params import FromPath

from api.common.pages.assets import page_language
from api.common.pages.internal_api import fetch_value
from api.common.pages.shell import words
from api.common.service_address import service_address
from api.http.media_types import CALENDAR
from api.http.operations import PAGES, Content, Operation, reads
from api.http.request import Request
from api.http.response import Response, build_etag_response, content_hash
from domain.texts import Texts
from domain.time_zones import to_local
from domain.tournament.tournament import tournament_stream

_LAST = timedelta(hours=1)
"""How long a round lasts in a calendar, unless the next one begins before."""


@reads(
    "/t/{tournament:str}/rounds.ics",
    Operation(
        id="round_schedule",
        tag=PAGES,
        summary="Show the scheduled rounds of a tournament as a calendar file",
        responses={200: Content("a calendar", {CALENDAR: {"type": "string"}}, headers=("ETag",))},
    ),
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
    rounds = about["rounds"] or about["paired"] + 1
    return starts + [""] * (rounds - len(starts))


def _list_lines(about: Mapping[str, Any], home: str, said: Texts) -> Iterator[str]:
    title = about["title"] or about["id"]
    yield from ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kiebitz//EN", f"X-WR-CALNAME:{_escape(title)}")
    starts = [datetime.fromisoformat(one) for one in about["starts"]]
    ends = [min(next, start + _LAST) for start, next in pairwise(starts)] + [one + _LAST for one in starts[-1:]]
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
        yield from (
            "BEGIN:VEVENT",
            f"UID:{tournament_stream(about['id'])}-{number}@kiebitz",
            f"DTSTAMP:{_format_time(start)}",
            f"DTSTART:{_format_time(start)}",
            f"DTEND:{_format_time(end)}",
            f"SUMMARY:{_escape(title)}\\, {_escape(said['tournament.round'].format(round=number))}",
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
