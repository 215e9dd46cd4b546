"""What a browser shows of pages while there is no network; the worker keeps it."""

from api.common.pages.appearance import spoken_to
from api.common.pages.shell import Page, shown, words
from api.http.media_types import HTML
from api.http.operations import PAGES, Content, Operation, reads
from api.http.request import Request
from api.http.response import Response


@reads(
    "/offline",
    Operation(
        id="offline_page",
        tag=PAGES,
        summary="The page that browsers keep for when there is no network",
        responses={200: Content("a page", {HTML: {"type": "string"}}, headers=("ETag",))},
        headers=("If-None-Match", "Accept-Language"),
        role="anybody",
    ),
    admit=None,
)
async def offline_page(request: Request) -> Response:
    return await shown(request, Page(template="offline.html.j2", title=words(spoken_to(request))["offline.title"]))
