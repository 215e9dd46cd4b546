"""Tables as files: as the process that makes exports is asked for them, and as the answer to a request."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from api.common.exporting import exporting_of
from api.common.freshness import wait_for_head, wait_for_sequence
from api.common.lists import Page, page_response
from api.common.names import Audience
from api.common.reaching import wait_for_reach
from api.common.tables.columns import Pieces, Row, Table, row_of
from api.common.tables.formats import FILES, FormatName, FormName, check_installed, list_formats, pieces
from api.http.errors import BadRequest, NotAcceptable, say
from api.http.etag import NO_CACHE
from api.http.formats import Format, choose_format
from api.http.guards import streamed
from api.http.places import reach_of
from api.http.request import Request, language_of, services_of
from api.http.response import Response
from api.services import Export
from domain.access import Reach
from domain.journal.registers import Registers
from projections.engine.store import Store

Steps: TypeAlias = Iterator[Sequence[Row]]
"""Some rows at a time."""
ROWS_A_STEP = 500
WHOLE = (
    "JSON comes page by page; NDJSON, CSV, XLSX and Parquet come whole, by `Accept` or by `format`; `/v1/tables` says what the columns are."
)
"""For the description of a list that is there as a table, too."""


_FORMS: Mapping[FormName, Format] = list_formats(dict)


class TableQuery(Protocol):
    """The parameters of a list that is there as a table, too."""

    @property
    def format(self) -> FormName | None: ...

    @property
    def cursor(self) -> str | None: ...

    @property
    def limit(self) -> int: ...

    @property
    def min_sequence(self) -> int | None: ...


class FileInfo(Struct, frozen=True):
    """``reach``: how far whoever asked may read; ``public``: before whom names may be told; ``at``: when the file was
    asked for, ``None`` of a page; ``language``: of the words in the place of names.
    """

    reach: Reach
    public: bool
    at: datetime | None
    language: str

    @property
    def audience(self) -> Audience:
        return Audience(not self.public, self.reach.tournament, self.language)


class TableFile(Export, frozen=True, kw_only=True):
    """The base of what comes whole as a table."""

    form: FormName
    about: FileInfo

    @property
    def lane(self) -> str:
        """Text is written in a moment, and need not wait for spreadsheets."""
        return "tables" if self.form in ("xlsx", "parquet") else "text"

    @property
    def table(self) -> Table:
        raise NotImplementedError

    def found(self, registers: Registers, store: Store, cursor: str | None, limit: int) -> Page:
        """A page of the list, as JSON tells it: what the rows are made of has the name of the table. To be called in a thread or in another
        process. Raises ``BadCursor``, and ``BadRequest`` for what cannot be searched for.
        """
        raise NotImplementedError

    def row(self, one: Any) -> Row:
        return row_of(self.table, one)

    def page(self, registers: Registers, store: Store, cursor: str | None) -> tuple[Sequence[Row], str | None]:
        """The rows after a cursor, and the next cursor. To be called in a thread or in another process."""
        found = self.found(registers, store, cursor, ROWS_A_STEP)
        return list(map(self.row, getattr(found, self.table.name))), found.next

    def steps(self, registers: Registers, store: Store) -> Steps:
        """The rows of all pages. To be called in a thread or in another process."""
        rows, cursor = self.page(registers, store, None)
        yield rows
        while cursor is not None:
            rows, cursor = self.page(registers, store, cursor)
            yield rows


def table_pieces(file: TableFile, registers: Registers, store: Store, watched: Callable[[Steps], Steps] = iter) -> Pieces:
    """What the file consists of. ``watched`` lets the steps through for as long as somebody wants them. Raises ``NotInstalled``."""
    assert file.about.at is not None  # a page is no file
    return pieces(file.table, file.form, file.about.at, watched(file.steps(registers, store)))


async def list_or_file(request: Request, projection: str, query: TableQuery, file: Callable[[FormName, FileInfo], TableFile]) -> Response:
    """A page of JSON, or the whole table in another form. ``Accept`` that fits nothing is answered with JSON.

    Raises what ``page_response`` and ``table_response`` raise, and ``BadRequest`` for a cursor where there are no pages.
    """
    form = query.format or _accepted(request)
    services, asked = services_of(request), file(form, file_info(request, dated=form != "json"))
    read = partial(asked.found, services.registers, services.store, query.cursor, query.limit)
    if form == "json":
        return await page_response(request, projection, query.min_sequence, read)
    if query.cursor is not None:
        raise BadRequest("bad_parameter", say("no_pages"), "cursor")
    await wait_for_sequence(request, projection, query.min_sequence)
    await wait_for_head(request, projection)
    await wait_for_reach(request)
    await asyncio.to_thread(read)  # refuses what cannot be searched for before the answer begins
    return table_response(request, asked, form)


def _accepted(request: Request) -> FormName:
    with suppress(NotAcceptable):
        return choose_format(request, None, _FORMS)
    return "json"


def file_info(request: Request, *, dated: bool = True) -> FileInfo:
    at = services_of(request).clock() if dated else None
    return FileInfo(reach=reach_of(request), public=not request.user.sees_all, at=at, language=language_of(request))


def table_response(request: Request, file: TableFile, form: FormatName) -> Response:
    """The whole table. Raises ``NotInstalled``."""
    check_installed(form)
    headers = [
        ("cache-control", NO_CACHE),
        ("vary", "accept, accept-language, authorization"),
        ("link", f'</v1/tables/{file.table.name}>; rel="describedby"'),
    ]
    if form != "ndjson":
        headers.append(("content-disposition", f'attachment; filename="{file.table.name}.{form}"'))
    return streamed(request, exporting_of(request).pieces(request.user, file), media_type=FILES[form].content_type, headers=headers)
