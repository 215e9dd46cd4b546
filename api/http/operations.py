"""Description of routes: an ``Operation`` holds all that the OpenAPI document says, so that nothing is described twice."""

from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType
from typing import Any, Concatenate, Literal, ParamSpec, TypeAlias

from litestar import route
from litestar.handlers import HTTPRouteHandler
from litestar.types import Empty
from msgspec import Struct
from msgspec.structs import replace

from api.http.decoding import Nothing, read_query
from api.http.deprecation import Deprecation
from api.http.guards import readers, require_role
from api.http.limits import check_load
from api.http.media_types import HTML, JSON, PARQUET
from api.http.paging import in_present_epoch
from api.http.places import Within, check_place_access, find_scope_relation
from api.http.request import Need, Request, check_headers, check_path
from api.threads import use_pool


class Content(Struct, frozen=True):
    """The content of a response: a type, or a JSON Schema where no type can express it; of JSON, or by media type.

    ``creates``: the names that the path of the new resource uses, each with the JSON pointer to its value in the response.
    """

    says: str
    types: Any = {}
    headers: tuple[str, ...] = ()
    creates: Mapping[str, str] = {}


def describe_responses(
    recorded: type[Struct],
    dry_run: type[Struct] | None = None,
    says: str = "recorded",
    result: str = "the result, not recorded",
    creates: Mapping[str, str] = {},
) -> Mapping[int, Content]:
    """Return the responses of a commit, and of its dry run."""
    made = Content(says, recorded, headers=("Location", "ETag"), creates=creates)
    return {201: made, 200: Content(f"a dry run: {result}", dry_run or recorded)}


def by_media_type(types: Any) -> Mapping[str, Any]:
    """Return the types of a body or response by their media types; a single type is of JSON."""
    return types if isinstance(types, Mapping) and all("/" in media for media in types) else {JSON: types}


PAGES = "Pages"
"""The tag of pages for people with a browser: they show the data of the API, are promised to no program, and are not in the OpenAPI
document.
"""


_TAGS = {"tokens": "Access", "codes": "Access", "sessions": "Access", "clubs": "Players", "results": "Scores", "disputes": "Rulings"}
"""Tags by the first part of the path; other paths are tagged with that part."""


HEAVY = 5
"""Requests as which one counts that may use the processor for long."""

ABOUT_EVENT = "event"

P = ParamSpec("P")
Method: TypeAlias = Literal["GET", "POST", "PUT", "DELETE", "PATCH"]


Admit = Callable[[Request], Awaitable[None]]
Decorator = Callable[[Any], HTTPRouteHandler]


class Operation(Struct, frozen=True):
    """The description of a route.

    What follows from the route (``complete_operation``) is left out: the ``tag``, where it is the first part of the path; of ``refuses``
    the statuses of problems that it makes possible; of ``headers`` those for conditions and repetitions. ``keyed``: the command may have an
    Idempotency-Key. ``within``: the scope that it belongs to, where its path does not say it. ``weight``: as how many requests it counts.
    ``sends``: the messages that it makes the service send: one about an event under ``ABOUT_EVENT``, any other under its own type.
    ``longest_body``: in bytes, where it is not the usual length. ``admit`` replaces the guard of the role.
    """

    id: str
    summary: str
    responses: Mapping[int, Content]
    tag: str = ""
    description: str = ""
    query: type[Struct] = Nothing
    weight: int = 1
    body: Any = {}
    longest_body: int | None = None
    refuses: tuple[int, ...] = ()
    headers: tuple[str, ...] = ()
    keyed: bool = True
    role: Need | Literal["anybody", "viewer"] = "viewer"
    within: Within | None = None
    deprecation: Deprecation | None = None
    sends: Mapping[str, type[Struct]] = {}
    admit: Admit | None = None


def page(id: str, summary: str, **more: Any) -> Operation:
    """Return the operation of a page for people with a browser."""
    return Operation(id, summary, {200: Content("a page", {HTML: {"type": "string"}})}, tag=PAGES, **more)


def is_public_operation(path: str, operation: Operation) -> bool:
    """Return whether callers without a token may use it for a published tournament: the one in its path, or one that its query names."""
    if operation.role != "viewer":
        return False
    within = operation.within or find_scope_relation(path)
    return within in ("path", "published") or (within == "lists" and bool({"tournament", "game"} & set(operation.query.__struct_fields__)))


def build_route(method: Method, path: str, operation: Operation, status: int = 200) -> Decorator:
    """Return the decorator of a handler. HEAD gets the same response as GET without its body."""
    guard = operation.admit or _guard(operation.role)
    before = _before(path, operation, guard, reading=method == "GET" or guard is readers)
    return route(
        path,
        http_method=["GET", "HEAD"] if method == "GET" else method,
        status_code=status,
        before_request=before,
        opt={"operation": complete_operation(path, operation, method)},
        request_max_body_size=operation.longest_body or Empty,
    )


def declare(method: Method, describe: Callable[P, Operation], status: int = 200) -> Callable[Concatenate[str, P], Decorator]:
    """Return a function from a path and the arguments of ``describe`` to the decorator of a handler."""

    def route_at(path: str, /, *about: P.args, **more: P.kwargs) -> Decorator:
        return build_route(method, path, describe(*about, **more), status)

    return route_at


reads, shows = declare("GET", Operation), declare("GET", page)
writes = declare("POST", Operation, 201)
replaces = declare("PUT", Operation)
"""The body replaces the current value."""
ends = declare("DELETE", Operation)
switches = declare("PATCH", Operation)
"""The body changes some fields of the thing at the path."""


def _guard(role: Need | Literal["anybody", "viewer"]) -> Admit | None:
    match role:
        case "anybody":
            return None
        case "viewer":
            return readers
        case need:
            return require_role(need)


def complete_operation(path: str, operation: Operation, method: str) -> Operation:
    """Return the operation with what follows from its route, for the description.

    A path to one thing may name an unknown one (404), and a commit to it may name an old position (412); a wait for a projection may take
    too long (503); Parquet needs an extra that may be missing (501).
    """
    one, etags = "{" in path, {status for status, content in operation.responses.items() if "ETag" in content.headers}
    commits = method != "GET" and one and 201 in etags
    tables = any(PARQUET in by_media_type(content.types) for content in operation.responses.values())
    waits = "min_sequence" in operation.query.__struct_fields__
    refuses = [status for status, may_be in ((404, one), (412, commits), (501, tables), (503, waits)) if may_be]
    asks = (
        ("If-None-Match", method == "GET" and etags),
        ("If-Match", commits),
        ("Idempotency-Key", (commits or method in ("POST", "PATCH", "DELETE")) and operation.keyed),
    )
    return replace(
        operation,
        tag=operation.tag or _TAGS.get(part := path.split("/")[2], part.capitalize()),
        refuses=(*refuses, *operation.refuses),
        headers=(*(name for name, may_be in asks if may_be), *operation.headers),
    )


def handlers_in(*modules: ModuleType) -> tuple[HTTPRouteHandler, ...]:
    """Return all handlers of these modules, single ones and those in tables of acts, each once."""
    values = (value for module in modules for value in vars(module).values())
    found = (one for value in values for one in (value if isinstance(value, tuple) else (value,)))
    return tuple(dict.fromkeys(one for one in found if isinstance(one, HTTPRouteHandler)))


def _before(path: str, operation: Operation, admit: Admit | None, *, reading: bool) -> Admit:
    """Return the steps before the handler: admit the caller, check the epoch, and refuse parameters where none are known."""
    # A path parameter that was parsed as a UUID holds nothing that ``check_path`` would find.
    to_check, within = "{" in path.replace("{game:uuid}", ""), operation.within or find_scope_relation(path)

    async def before(request: Request) -> None:
        use_pool("reading" if reading else "recording")
        check_headers(request)
        if admit is not None:
            await admit(request)
            if reading:
                check_load(request)
        if to_check:
            check_path(request)
        if admit is not None and operation.role != "anybody":
            await check_place_access(request, within, powers=admit is not readers)
            await in_present_epoch(request)
        if operation.query is Nothing:
            read_query(request, Nothing)

    return before
