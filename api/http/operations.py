"""What a route says about itself: enough to write the OpenAPI document from it, so that nothing is described twice."""

from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType
from typing import Any, Literal

from litestar import post, put, route
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct
from msgspec.structs import replace

from api.http.decoding import Nothing, read_query
from api.http.guards import admitting, readers
from api.http.limits import check_room
from api.http.media_types import HTML, JSON, PARQUET
from api.http.paging import in_present_epoch
from api.http.places import Within, enter, within_of
from api.http.request import Request, check_headers, check_path
from api.http.tokens import Need
from api.threads import use_pool


class Content(Struct, frozen=True):
    """What a response holds: a type, or a JSON Schema where no type can say it; of JSON, or by media type.

    ``creates``: what is new, by the name that it has in paths; where the answer tells it (a JSON pointer).
    """

    says: str
    types: Any = {}
    headers: tuple[str, ...] = ()
    creates: Mapping[str, str] = {}


def by_media_type(types: Any) -> Mapping[str, Any]:
    """The types of a body or response by their media types; a type that stands alone is of JSON."""
    return types if isinstance(types, Mapping) and all("/" in media for media in types) else {JSON: types}


PAGES = "Pages"
"""The tag of what is for people with a browser: it says what the API says, is promised to no program, and stands in no description."""


_TAGS = {"tokens": "Access", "codes": "Access", "sessions": "Access", "clubs": "Players", "results": "Scores", "disputes": "Rulings"}
"""By the first part of the path; others are called like it."""


HEAVY = 5
"""As so many requests counts what may take the processor for long."""


class Operation(Struct, frozen=True, kw_only=True):
    """What the route tells, as ``completed`` says, is left out: the ``tag``, where it is the first part of the path; of ``refuses`` the
    statuses of problems that it makes possible; of ``headers`` those for conditions and repetitions. ``keyed``: the command may have an
    Idempotency-Key. ``within``: how it lies in the house, where its path does not tell. ``weight``: as how many requests it counts.
    """

    id: str
    tag: str = ""
    summary: str
    description: str = ""
    query: type[Struct] = Nothing
    weight: int = 1
    body: Any = {}
    responses: Mapping[int, Content]
    refuses: tuple[int, ...] = ()
    headers: tuple[str, ...] = ()
    keyed: bool = True
    role: Need | Literal["anybody", "viewer"] = "viewer"
    within: Within | None = None


def page(id: str, summary: str, **more: Any) -> Operation:
    """Of what is for people with a browser."""
    return Operation(id=id, tag=PAGES, summary=summary, responses={200: Content("a page", {HTML: {"type": "string"}})}, **more)


def tells_what_is_published(path: str, operation: Operation) -> bool:
    """Whether it answers nobody in particular, too, of a published tournament: of that in its path, or of one that its query names."""
    if operation.role != "viewer":
        return False
    within = operation.within or within_of(path)
    return within in ("path", "published") or (within == "lists" and bool({"tournament", "game"} & set(operation.query.__struct_fields__)))


Admit = Callable[[Request], Awaitable[None]]
Decorator = Callable[[Any], HTTPRouteHandler]


def reads(path: str, operation: Operation, admit: Admit | None = None) -> Decorator:
    """A GET handler; HEAD gets the same response without its body. Unless ``admit`` lets others in, for who may read it."""
    return route(path, http_method=["GET", "HEAD"], status_code=200, **_options(path, operation, admit, "GET"))


def writes(path: str, operation: Operation, admit: Admit | None = None, **options: Any) -> Decorator:
    """A POST handler; unless ``admit`` lets others in, for the roles that the operation names."""
    return post(path, **_options(path, operation, admit, "POST"), **options)


def replaces(path: str, operation: Operation) -> Decorator:
    """A PUT handler: what is sent takes the place of what stands there. For what is no event; sent again it changes nothing more."""
    return put(path, **_options(path, operation, None, "PUT"))


def _options(path: str, operation: Operation, admit: Admit | None, method: str) -> dict[str, Any]:
    guard = admit or _guard(operation.role)
    before = _before(path, operation, guard, reading=method == "GET" or guard is readers)
    return {"before_request": before, "opt": {"operation": completed(path, operation, method)}}


def _guard(role: Need | Literal["anybody", "viewer"]) -> Admit | None:
    match role:
        case "anybody":
            return None
        case "viewer":
            return readers
        case need:
            return admitting(need)


def completed(path: str, operation: Operation, method: str) -> Operation:
    """With what follows from its route, for the description.

    What names one thing may name none (404), and who commits to it may say where he saw it stand (412); what waits for a projection may
    wait too long (503); Parquet needs what may not be installed (501).
    """
    one, etags = "{" in path, {status for status, content in operation.responses.items() if "ETag" in content.headers}
    commits = method == "POST" and one and 201 in etags
    tables = any(PARQUET in by_media_type(content.types) for content in operation.responses.values())
    waits = "min_sequence" in operation.query.__struct_fields__
    refuses = [status for status, may_be in ((404, one), (412, commits), (501, tables), (503, waits)) if may_be]
    asks = (("If-None-Match", method == "GET" and etags), ("If-Match", commits), ("Idempotency-Key", method == "POST" and operation.keyed))
    return replace(
        operation,
        tag=operation.tag or _TAGS.get(part := path.split("/")[2], part.capitalize()),
        refuses=(*refuses, *operation.refuses),
        headers=(*(name for name, may_be in asks if may_be), *operation.headers),
    )


def handlers_in(*modules: ModuleType) -> tuple[HTTPRouteHandler, ...]:
    """All that stand in these modules, singly or in a table of acts, each once."""
    values = (value for module in modules for value in vars(module).values())
    found = (one for value in values for one in (value if isinstance(value, tuple) else (value,)))
    return tuple(dict.fromkeys(one for one in found if isinstance(one, HTTPRouteHandler)))


def _before(path: str, operation: Operation, admit: Admit | None, *, reading: bool) -> Admit:
    """What happens before the handler: the caller is admitted, his epoch looked at, and where no parameter is known none may be given."""
    # What was read as the id of a game holds nothing that ``check_path`` would find.
    to_check, within = "{" in path.replace("{game:uuid}", ""), operation.within or within_of(path)

    async def before(request: Request) -> None:
        use_pool("reading" if reading else "recording")
        check_headers(request)
        if admit is not None:
            await admit(request)
            if reading:
                check_room(request)
        if to_check:
            check_path(request)
        if admit is not None and operation.role != "anybody":
            await enter(request, within, powers=admit is not readers)
            await in_present_epoch(request)
        if operation.query is Nothing:
            read_query(request, Nothing)

    return before
