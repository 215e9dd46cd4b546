"""Score histories: every line of every sheet, filtered, as pages or whole, in the form that the caller's program reads."""

import asyncio
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from api.common.freshness import reach, reach_head
from api.common.reading import (
    NO_CACHE,
    mark,
    next_link,
    tagged,
)
from api.http.errors import BadRequest
from api.http.fields import Moment, Name, Whole
from api.http.negotiation import media_type
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
)
from api.http.query import Nothing, query
from api.http.response import (
    NDJSON,
    Answer,
    Asked,
    Streamed,
    encoded,
    header,
    house_of,
)
from api.players.directory import names
from api.scores.exports import begun, exported
from api.scores.formats import (
    CSV,
    MEDIA_TYPES,
    PARQUET,
    XLSX,
    About,
    FormatName,
    maker,
    named_steps,
)
from api.scores.pages import (
    NamesOf,
    ScorePage,
    Start,
    found_from,
    page,
    start_of,
)
from api.scores.schema import Line, table_schema
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_list import Filters, latest

AS_OF = "kiebitz-as-of"
"""A header: the lines of this answer are those that were true at this sequence."""
FORMS = {
    NDJSON: Line,
    CSV: {"type": "string"},
    XLSX: {"type": "string", "contentMediaType": XLSX},
    PARQUET: {"type": "string", "contentMediaType": PARQUET},
}
VARY = "accept, authorization"
_DESCRIBED = '</v1/scores/schema>; rel="describedby"'
_UTF8 = {CSV: "text/csv; charset=utf-8; header=present"}

FormName = Literal["json", "ndjson", "csv", "xlsx", "parquet"]


class ScoresQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All filters that are given must hold."""

    tournament: Name | None = None
    ruleset: Name | None = None
    player: Annotated[Name, Meta(description="lines that count for this player, those of ids merged into his included")] | None = None
    club: Annotated[Name, Meta(description="lines of those who are its members")] | None = None
    from_: Annotated[Moment, Meta(description="of games opened at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[Moment, Meta(description="of games opened before this moment")] | None = None
    changed_since: (
        Annotated[Whole, Meta(description="changed after this sequence; lines that stand no more are told as withdrawn")] | None
    ) = None
    as_of: Annotated[Whole, Meta(description="the lines that were true at this sequence; else those of now")] | None = None
    min_sequence: Whole | None = None
    names: Annotated[bool, Meta(description="with what may stand for the player before you, in a column more")] = False
    format: Annotated[FormName, Meta(description="goes before Accept")] | None = None
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=1000, description="lines on a page of JSON")] = 100


@reads(
    "/v1/scores",
    Operation(
        id="list_scores",
        tag="Scores",
        summary="The lines of all score sheets, oldest game first",
        description=(
            "A line for each game, hand, party, player and row. JSON comes page by page (`Link`); NDJSON, CSV, XLSX and Parquet come "
            "whole, from `cursor` on if there is one. Whatever is recorded meanwhile, no line is skipped or told twice: all are as of one "
            f"sequence, which `{AS_OF}` names."
        ),
        query=ScoresQuery,
        answers={200: Content("score lines", {JSON: ScorePage, **FORMS}, headers=("ETag", "Link", "Kiebitz-As-Of"))},
        refuses=(406, 422, 501, 503),
        headers=("If-None-Match",),
    ),
)
async def list_scores(request: Asked) -> Answer:
    wanted = query(request, ScoresQuery)
    filters, form = _filters(wanted), form_of(request, wanted.format)
    start = await _start(request, wanted)
    if form is not None:
        return await whole(request, form, filters, start, wanted.names)
    look_up = names_of(request) if wanted.names else None
    found = await asyncio.to_thread(page, house_of(request).store, filters, start, wanted.limit, look_up)
    links = [_DESCRIBED, *([next_link(request, cursor=found.next)] if found.next else [])]
    headers, told = [(AS_OF, str(found.as_of)), ("link", ", ".join(links))], encoded(found)
    return tagged(request, f"{found.as_of}.{mark(told)}.json", lambda: told, headers=headers, vary=VARY)


def form_of(asked: Asked, wanted: FormName | None) -> FormatName | None:
    """``None`` for JSON, which comes page by page. Raises ``NotAcceptable``."""
    if wanted is not None:
        return None if wanted == "json" else wanted
    kind = media_type(header(asked, b"accept"), (JSON, *FORMS))
    return next((name for name, media in MEDIA_TYPES.items() if media == kind), None)


async def whole(asked: Asked, form: FormatName, filters: Filters, start: Start, named: bool) -> Answer:
    """All lines from there on. Raises ``NotInstalled``."""
    house, media = house_of(asked), MEDIA_TYPES[form]
    make = maker(form, About(start.as_of, house.clock(), named))
    steps = named_steps(found_from(house.store, filters, start), names_of(asked) if named else None)
    pieces = exported(make, steps if asked.method == "HEAD" else await begun(steps))
    headers = [("cache-control", NO_CACHE), ("vary", VARY), (AS_OF, str(start.as_of)), ("link", _DESCRIBED)]
    if form != "ndjson":
        headers.append(("content-disposition", f'attachment; filename="scores.{form}"'))
    return Streamed(pieces, media_type=_UTF8.get(media, media), headers=headers)


def names_of(asked: Asked) -> NamesOf:
    """What may stand for players before the eyes of this caller. To be called in a thread."""
    house, public = house_of(asked), not asked.user.sees_all
    return lambda players: names(house.registers, house.store, players, public=public)


def _filters(wanted: ScoresQuery) -> Filters:
    return Filters(wanted.tournament, wanted.ruleset, wanted.player, wanted.club, wanted.from_, wanted.to, wanted.changed_since)


async def _start(asked: Asked, wanted: ScoresQuery) -> Start:
    """Raises ``BadRequest``, ``Malformed``, ``Behind`` and ``Building``."""
    begins = start_of(wanted.cursor) if wanted.cursor is not None else None
    if begins and wanted.as_of not in (None, begins.as_of):
        raise BadRequest("bad_parameter", f"the cursor is as of {begins.as_of}; leave as_of out, or begin without a cursor", "as_of")
    as_of = begins.as_of if begins else wanted.as_of
    await reach(asked, SCORE_LINES.name, max(as_of or 0, wanted.min_sequence or 0))
    if as_of is None:
        return await now(asked)
    return begins or Start(as_of)


async def now(asked: Asked) -> Start:
    """From the beginning, with what was recorded before the question came."""
    await reach_head(asked, SCORE_LINES.name)
    return Start(await asyncio.to_thread(latest, house_of(asked).store))


@reads(
    "/v1/scores/schema",
    Operation(
        id="read_score_schema",
        tag="Scores",
        summary="The columns of score lines, as a Table Schema",
        description="`version` rises when a column changes its name, type or meaning, or goes; columns may be added at the end without.",
        answers={200: Content("the schema", {JSON: {"type": "object"}})},
        role="anybody",
    ),
    admit=None,
)
async def read_score_schema(request: Asked) -> Answer:
    query(request, Nothing)
    return Answer(encoded(table_schema()), headers=[("cache-control", "public, max-age=3600")])
