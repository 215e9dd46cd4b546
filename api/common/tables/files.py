"""Exports of lists as files: their formats, the request to the export process, and the response."""

import asyncio
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args, get_type_hints
from urllib.parse import quote

from msgspec import UNSET, Meta, Struct, UnsetType

from api.common.consistency import check_recorded, wait_for_head, wait_for_sequence, wait_for_visibility
from api.common.exporting import Exporting
from api.common.lists import Page, page_response
from api.common.names import NameViewer
from api.common.tables.columns import (
    Column,
    CsvDialect,
    DialectName,
    Make,
    Pieces,
    Row,
    Table,
    encode_csv,
    flatten_cells,
    row_of,
    through_a_file,
)
from api.common.tables.encoders import check_parquet, write_parquet, write_xlsx
from api.common.texts import tournament_title
from api.common.time_zone import Times, read_times
from api.http.decoding import Cursor, Incoming, MinSequence, ShortLimit
from api.http.errors import BadRequest, NotAcceptable, say
from api.http.guards import stream_response
from api.http.media_types import JSON, NDJSON, PARQUET, XLSX
from api.http.paging import name_epoch
from api.http.places import publication_of, visibility_of
from api.http.request import Request, language_of, part_of, services_of
from api.http.response import CSV, NO_CACHE, Format, Response, binary_format, choose_format, encode_lines
from api.services import Export, Sources
from domain.access import VisibilityScope
from domain.texts import load_catalog, words_of
from projections.models.score_lines.score_list import latest

# File formats of exported tables, and the encoding of rows in each.


# Tables as text: NDJSON and JSON for programs; for CSV see ``dialects``.


def objects_of(columns: Sequence[Column], steps: Iterable[Sequence[Row]]) -> Iterator[Sequence[Any]]:
    """Yield the rows as objects, by the names of the columns."""
    names = [column.name for column in columns]
    for rows in steps:
        yield [dict(zip(names, row, strict=True)) for row in rows]


def encode_json_lines(steps: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield one JSON object per line."""
    for some in steps:
        yield encode_lines(some)


def json(steps: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield one list of objects."""
    before = b"["
    for piece in encode_json_lines(steps):
        yield before + b",\n".join(piece.splitlines()) if piece else b""
        before = b",\n" if piece else before
    yield b"[]\n" if before == b"[" else b"]\n"


FormatName: TypeAlias = Literal["ndjson", "csv", "xlsx", "parquet"]
FormName: TypeAlias = Literal["json", FormatName]
"""Over HTTP JSON comes page by page."""

FILES: dict[Any, Format] = {
    "ndjson": Format(NDJSON, {"type": "string"}),
    "csv": CSV,
    "xlsx": binary_format(XLSX),
    "parquet": binary_format(PARQUET),
}
LABELS = ("NDJSON", "CSV", "XLSX", "Parquet")


def list_formats(page: type) -> dict[FormName, Format]:
    """Return the formats of a list whose JSON pages are of this type; NDJSON has their items."""
    (item, *_) = get_args(get_type_hints(page)["items"])
    return {"json": Format(JSON, page), **FILES, "ndjson": Format(NDJSON, item)}


def check_installed(format: FormName) -> None:
    """Raise ``NotInstalled`` if the library for this format is missing."""
    if format == "parquet":
        check_parquet()


def pieces(
    table: Table,
    format: Literal["csv", "xlsx", "parquet"],
    at: datetime,
    steps: Iterable[Sequence[Row]],
    dialect: DialectName | None = None,
) -> Pieces:
    """Yield the bytes of the file; ``at``: when it is made; ``dialect``: of CSV. Raises ``NotInstalled``."""
    check_installed(format)
    match format:
        case "csv":
            yield from encode_csv([column.name for column in table.columns], (map(flatten_cells, rows) for rows in steps), dialect)
        case "xlsx":
            make: Make[Sequence[Row]] = through_a_file(
                lambda file, some: write_xlsx(file, table.name, table.columns, _each(some), table.schema, at)
            )
            yield from make(iter(steps))
        case "parquet":
            make = through_a_file(lambda file, some: write_parquet(file, table.columns, some, table.schema, None))
            yield from make(iter(steps))


def _each(steps: Iterable[Sequence[Row]]) -> Iterator[Row]:
    return (flatten_cells(row) for rows in steps for row in rows)


Steps: TypeAlias = Iterator[Sequence[Any]]
"""Some rows, or objects of the JSON pages, at a time."""
ROWS_A_STEP = 500
WHOLE = (
    "JSON comes page by page. NDJSON, CSV, XLSX and Parquet come whole, by `Accept` or by `format`. NDJSON has the objects of the pages; "
    "`/v1/schemas/{schema}` has the columns of the others."
)
"""A sentence for the description of a list that is also available as a table."""


_FORMS: Mapping[FormName, Format] = {"json": Format(JSON, dict), **FILES}


class FileQuery(Incoming, frozen=True, kw_only=True):
    """The form of a list that is also available as a table."""

    format: Annotated[FormName | None, Meta(description="takes precedence over `Accept`; all but json come whole")] = None
    dialect: CsvDialect = None
    min_sequence: MinSequence = None


class ListQuery(FileQuery, frozen=True, kw_only=True):
    """The same of a list in pages."""

    cursor: Cursor = None
    limit: ShortLimit = 50


AS_OF = "kiebitz-as-of"
"""A header: the sequence from which a reader goes on with ``changed_since``; of score lines, that at which they were true."""


class FileInfo(Struct, frozen=True):
    """The reader of a file and its time.

    ``reach``: how far the caller may read; ``public``: names are shown as to the public; ``at``: when the file was requested, ``None`` for
    a page; ``language``: of the words in the place of names; ``dialect``: of CSV.
    """

    reach: VisibilityScope
    public: bool
    at: datetime | None
    language: str
    dialect: DialectName | None = None

    @property
    def name_viewer(self) -> NameViewer:
        return NameViewer(not self.public, self.reach.tournament, self.language)


class TableFile(Export, frozen=True, kw_only=True):
    """The base of exports of whole tables."""

    a_step: ClassVar[int] = ROWS_A_STEP
    """Entries of the list that a step of the file reads."""
    full_table: ClassVar[Table]
    """The table with every column that it may have."""
    query: ClassVar[type[Struct]]
    """The filters of the table, beside its form."""
    projections: ClassVar[tuple[str, ...]]
    """What it reads; the first is that of the list."""

    form: FormName
    about: FileInfo

    @classmethod
    def make(cls, sources: Sources, query: Any, times: Times, form: FormName, about: FileInfo) -> "TableFile":
        """Return the file that a query asks for. ``times``: the moments of the query. Call it in a thread.

        Raises ``BadRequest`` and ``Unknown``.
        """
        raise NotImplementedError

    @property
    def queue_name(self) -> str:
        """The queue of the export: text takes a moment and need not wait for spreadsheets."""
        return "tables" if self.form in ("xlsx", "parquet") else "text"

    @property
    def table(self) -> Table:
        return self.full_table

    def found(self, sources: Sources, cursor: str | None, limit: int) -> Page:
        """Return a page of the list in its JSON form.

        Call it in a thread or in another process. Raises ``BadCursor``, and ``BadRequest`` for an impossible search.
        """
        raise NotImplementedError

    def row(self, one: Any) -> Row:
        return row_of(self.table, one)

    def objects(self, sources: Sources) -> Steps:
        """Yield the objects of all JSON pages. Call it in a thread or in another process."""
        page = self.found(sources, None, self.a_step)
        yield page.items
        while page.next is not None:
            page = self.found(sources, page.next, self.a_step)
            yield page.items

    def steps(self, sources: Sources) -> Steps:
        """Yield the rows of all pages. Call it in a thread or in another process."""
        return (list(map(self.row, some)) for some in self.objects(sources))


def table_pieces(file: TableFile, sources: Sources, watched: Callable[[Steps], Steps] = iter) -> Pieces:
    """Yield the bytes of the file. ``watched`` passes the steps on for as long as the client reads. Raises ``NotInstalled``."""
    match file.form:
        case "json":
            yield from json(watched(file.objects(sources)))
        case "ndjson":
            yield from encode_json_lines(watched(file.objects(sources)))
        case form:
            assert file.about.at is not None  # a page is no file
            yield from pieces(file.table, form, file.about.at, watched(file.steps(sources)), file.about.dialect)


async def list_or_file(
    request: Request, kind: type[TableFile], query: FileQuery, make: Callable[[FormName, FileInfo], TableFile] | None = None
) -> Response:
    """Return a page of JSON, or the whole table in another format. An ``Accept`` that fits nothing is answered with JSON.

    ``make`` returns the file where the query alone does not say what it holds; it is called in a thread. The file is named after the
    tournament of the query.

    Raises what ``page_response`` and ``table_response`` raise, and ``BadRequest`` for a cursor in a format without pages.
    """
    form, headers = query.format or _choose_form(request), await _check_changes(request, getattr(query, "changed_since", UNSET))
    sources, about, projection = services_of(request).sources, file_info(request, form != "json", query.dialect), kind.projections[0]
    make = make or partial(kind.make, sources, query, await read_times(request, query))
    if form == "json":
        page = partial(_read_page, make, about, sources, query)
        return await page_response(request, projection, query.min_sequence, page, headers)
    if getattr(query, "cursor", None) is not None:
        raise BadRequest("bad_parameter", say("no_pages"), "cursor")
    await wait_for_sequence(request, projection, query.min_sequence)
    await wait_for_head(request, projection)
    await wait_for_visibility(request)
    file = await asyncio.to_thread(make, form, about)
    await asyncio.to_thread(file.found, sources, None, 1)  # refuse an impossible search before the response begins
    return await table_response(request, file, form, getattr(query, "tournament", None), headers)


def _read_page(make: Callable[[FormName, FileInfo], TableFile], about: FileInfo, sources: Sources, query: FileQuery) -> Page:
    return make("json", about).found(sources, getattr(query, "cursor", None), getattr(query, "limit", 0))


async def _check_changes(request: Request, since: int | None | UnsetType) -> Sequence[tuple[str, str]]:
    """Return the header by which a reader of changes goes on; none for a list without them.

    Who does not read everything gets the last change of a score that they may read: the newest sequence tells how much was recorded
    elsewhere. It may be earlier than the last change of the list: then some rows come again, and none is missed.

    Raises ``FuturePositionError`` and ``EpochChanged``.
    """
    if since is UNSET:
        return ()
    if since:
        await name_epoch(request)
    head, reach = await check_recorded(request, {"changed_since": since}), visibility_of(request)
    if not reach.whole:
        await wait_for_visibility(request)
        head = min(head, await asyncio.to_thread(latest, services_of(request).store, reach))
    return [(AS_OF, str(head))]


def _choose_form(request: Request) -> FormName:
    with suppress(NotAcceptable):
        return choose_format(request, None, _FORMS)
    return "json"


def file_info(request: Request, dated: bool = True, dialect: DialectName | None = None) -> FileInfo:
    at = services_of(request).clock() if dated else None
    public, language = not request.user.has_full_view, language_of(request)
    return FileInfo(reach=visibility_of(request), public=public, at=at, language=language, dialect=dialect)


async def table_response(
    request: Request, file: TableFile, form: FormatName, tournament: str | None = None, more: Iterable[tuple[str, str]] = ()
) -> Response:
    """Return the whole table. Raises ``NotInstalled``."""
    check_installed(form)
    headers = [
        *more,
        ("cache-control", NO_CACHE),
        ("vary", "accept, accept-language, authorization"),
        ("link", f'</v1/schemas/{file.table.name}>; rel="describedby"'),
    ]
    if form != "ndjson":
        headers.append(await attachment(request, file.table.name, form, tournament))
    pieces = part_of(request.app, Exporting).pieces(request.user, file)
    return stream_response(request, pieces, media_type=FILES[form].content_type, headers=headers)


# Names of downloaded files: the tournament's title and the table, as Content-Disposition says them (RFC 6266, RFC 5987).


_LONGEST = 100
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')
"""What some file system forbids."""
_LATIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


async def attachment(request: Request, table: str, ending: str, tournament: str | None = None) -> tuple[str, str]:
    """Return the header that names a file of this table: by the title of its tournament, if there is one that the caller may read."""
    title = await _readable_title(request, tournament) if tournament is not None else None
    if title is None:
        return "content-disposition", disposition(f"{table}.{ending}")
    word = words_of(load_catalog(__package__), language_of(request))[table]
    return "content-disposition", disposition(f"{_NOT_IN_NAMES.sub(' ', title)[:_LONGEST].strip(' .')} - {word}.{ending}")


def disposition(name: str) -> str:
    """Return the value of the header: the name in ASCII, and in full where that is another."""
    plain = unicodedata.normalize("NFKD", name.translate(_LATIN)).encode("ascii", "ignore").decode().strip(" -")
    full = f"; filename*=UTF-8''{quote(name, safe='!#$&+-.^_`|~')}" if plain != name else ""
    return f'attachment; filename="{plain}"{full}'


async def _readable_title(request: Request, id: str) -> str | None:
    reach = visibility_of(request)
    if not (reach.whole or reach.tournament == id) and await publication_of(request, id) == "no":
        return None
    return await tournament_title(request, id)
