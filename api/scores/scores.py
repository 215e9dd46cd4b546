"""Score histories: every line of every sheet, filtered, as pages or as a whole file, in several formats."""

import asyncio

from msgspec.structs import replace

from api.common.consistency import check_recorded, wait_for_head, wait_for_sequence, wait_for_visibility
from api.common.exporting import Exporting
from api.common.names import load_display_names, name_viewer_of, wait_for_names
from api.common.tables.files import AS_OF, LABELS, FormatName, FormName, attachment, check_installed
from api.common.time_zone import read_times
from api.http.decoding import read_query
from api.http.errors import BadRequest, say
from api.http.guards import stream_response
from api.http.operations import Content, reads
from api.http.paging import cursor_in_epoch, link, name_epoch, same_epoch
from api.http.places import visibility_of
from api.http.request import Request, part_of, services_of
from api.http.response import NO_CACHE, Response, build_etag_response, choose_format, content_hash, encode, schemas
from api.scores.files import ScoreFile, score_filters
from api.scores.formats import FORMATS, NamesOf, Start, page, start_of
from api.scores.responses import PlayerScoresQuery, ScoresQuery
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_list import ScoreFilters, latest

VARY = "accept, accept-language, authorization"
_DESCRIBED = '</v1/schemas/scores>; rel="describedby"'


@reads(
    "/v1/scores",
    "list_scores",
    "List the lines of all score sheets, oldest game first",
    description=(
        "There is a line for each game, hand, party, player and row, and for each player of a table whose result was "
        f"entered. JSON comes page by page (`Link`); {', '.join(LABELS[:-1])} and {LABELS[-1]} come whole, from `cursor` on "
        f"if it is given. All lines are as of one sequence, which `{AS_OF}` names: no line is skipped or repeated while "
        "others record."
    ),
    query=ScoresQuery,
    responses={200: Content("score lines", schemas(FORMATS), headers=("ETag", "Link", "Kiebitz-As-Of"))},
    refuses=(406,),
    within="lists",
)
async def list_scores(request: Request) -> Response:
    query = read_query(request, ScoresQuery)
    filters, form = score_filters(query, await read_times(request, query)), form_of(request, query.format)
    if query.changed_since:
        await name_epoch(request)
    start = await _start(request, query)
    if query.names:
        await wait_for_names(request)
    if form is not None:
        return await full_response(request, form, query, filters, start)
    look_up = names_of(request) if query.names else None
    found = await asyncio.to_thread(page, services_of(request).store, visibility_of(request), filters, start, query.limit, look_up)
    await same_epoch(request)
    found = replace(found, next=cursor_in_epoch(request, found.next))
    links = [_DESCRIBED, *([link(request, "next", cursor=found.next)] if found.next else [])]
    headers, told = [(AS_OF, str(found.as_of)), ("link", ", ".join(links))], encode(found)
    return build_etag_response(request, f"{found.as_of}.{content_hash(told)}.json", lambda: told, headers=headers, vary=VARY)


def form_of(request: Request, named: FormName | None) -> FormatName | None:
    """Return the format of the file; ``None`` for JSON, which comes in pages. Raises ``NotAcceptable``."""
    form = choose_format(request, named, FORMATS)
    return None if form == "json" else form


async def full_response(
    request: Request, form: FormatName, query: ScoresQuery | PlayerScoresQuery, filters: ScoreFilters, start: Start
) -> Response:
    """Return all lines from the start on. Raises ``NotInstalled``."""
    check_installed(form)
    audience, at = name_viewer_of(request), services_of(request).clock()
    file = ScoreFile(
        form=form,
        reach=visibility_of(request),
        filters=filters,
        start=start,
        dialect=query.dialect,
        named=query.names,
        audience=audience,
        at=at,
    )
    headers = [("cache-control", NO_CACHE), ("vary", VARY), (AS_OF, str(start.as_of)), ("link", _DESCRIBED)]
    if form != "ndjson":
        headers.append(await attachment(request, "scores", form, filters.tournament))
    pieces = part_of(request.app, Exporting).pieces(request.user, file)
    return stream_response(request, pieces, media_type=FORMATS[form].content_type, headers=headers)


def names_of(request: Request) -> NamesOf:
    """Return a function that looks up the names that this caller may see. Call that in a thread."""
    services, audience = services_of(request), name_viewer_of(request)
    return lambda players: load_display_names(services.registers, services.store, players, audience)


async def _start(request: Request, query: ScoresQuery) -> Start:
    """Return the start of the page.

    Raises ``BadRequest``, ``BadCursor``, ``FuturePositionError``, ``ProjectionLagError`` and ``Building``.
    """
    begins = start_of(query.cursor) if query.cursor is not None else None
    if begins and query.as_of not in (None, begins.as_of):
        raise BadRequest("bad_parameter", say("cursor_as_of", as_of=begins.as_of), "as_of")
    as_of = begins.as_of if begins else query.as_of
    named = {"changed_since": query.changed_since, "cursor" if begins else "as_of": as_of, "min_sequence": query.min_sequence}
    await check_recorded(request, named)
    await wait_for_sequence(request, SCORE_LINES.name, max(as_of or 0, query.min_sequence or 0))
    await wait_for_visibility(request)
    if as_of is None:
        return await start_now(request)
    return begins or Start(as_of)


async def start_now(request: Request, head: int | None = None) -> Start:
    """Return the beginning, as of everything recorded before the request. ``head``: as of ``wait_for_head``."""
    await wait_for_head(request, SCORE_LINES.name, head)
    return Start(await asyncio.to_thread(latest, services_of(request).store, visibility_of(request)))
