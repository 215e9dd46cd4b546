"""Choosing how pages look: a plain form."""

from typing import Annotated

from msgspec import Meta

from api.common.pages.appearance import Appearance, Spoken, Suits, Theme
from api.http.decoding import convert_value, read_form
from api.http.fields import Incoming
from api.http.guards import own_pages
from api.http.operations import PAGES, Content, Operation, writes
from api.http.own_paths import LONGEST, own_path
from api.http.request import Request
from api.http.response import Response

FORM = "application/x-www-form-urlencoded"


class Chosen(Incoming, frozen=True, kw_only=True):
    language: Annotated[Spoken, Meta(description="of pages; `system`: as the browser says")] = "system"
    theme: Annotated[Theme, Meta(description="light or dark; `system`: as the device says")] = "system"
    suits: Annotated[Suits, Meta(description="how many colours the suits of cards have")] = "four"
    next: Annotated[str, Meta(max_length=LONGEST, description="where to go on: a path of this service")] = "/"


@writes(
    "/appearance",
    Operation(
        id="choose_appearance",
        tag=PAGES,
        summary="Choose language, colours and suits of the pages",
        description="Only from a page of this service. The answer sets a cookie that says nothing else.",
        body={FORM: Chosen},
        responses={303: Content("back to the page", {}, headers=("Location", "Set-Cookie"))},
        refuses=(403, 422, 429),
        role="anybody",
    ),
    admit=own_pages,
)
async def choose_appearance(request: Request) -> Response:
    chosen = convert_value(await read_form(request), Chosen)
    cookie = Appearance(chosen.language, chosen.theme, chosen.suits).cookie()
    return Response(b"", status=303, headers=[("location", own_path(chosen.next) or "/"), ("cache-control", "no-store"), cookie])
