"""What a route says about itself: enough to write the OpenAPI document from it, so that nothing is described twice."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, cast

from litestar import post, put, route
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from api.http.decoding import Nothing, read_query
from api.http.guards import admitting, readers
from api.http.limits import check_room
from api.http.media_types import JSON
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


HEAVY = 5
"""As so many requests counts what may take the processor for long."""


class Operation(Struct, frozen=True, kw_only=True):
    """``refuses``: the statuses of problems besides those that every operation can have. ``within``: how it lies in the house, where its
    path does not tell. ``weight``: as how many requests it counts."""

    id: str
    tag: str
    summary: str
    description: str = ""
    query: type[Struct] = Nothing
    weight: int = 1
    body: Any = {}
    responses: Mapping[int, Content]
    refuses: tuple[int, ...] = ()
    headers: tuple[str, ...] = ()
    role: Need | Literal["anybody", "viewer"] = "viewer"
    within: Within | None = None


def tells_what_is_published(path: str, operation: Operation) -> bool:
    """Whether it answers nobody in particular, too, of a published tournament: of that in its path, or of one that its query names."""
    if operation.role != "viewer":
        return False
    within = operation.within or within_of(path)
    return within in ("path", "published") or (within == "lists" and bool({"tournament", "game"} & set(operation.query.__struct_fields__)))


Admit = Callable[[Request], Awaitable[None]]
Decorator = Callable[[Any], HTTPRouteHandler]


def reads(path: str, operation: Operation, admit: Admit | None = readers) -> Decorator:
    """A GET handler; HEAD gets the same response without its body."""
    return route(
        path,
        http_method=["GET", "HEAD"],
        before_request=_before(path, operation, admit, reading=True),
        opt={"operation": operation},
        status_code=200,
    )


def writes(path: str, operation: Operation, admit: Admit | None = None, **options: Any) -> Decorator:
    """A POST handler; unless ``admit`` lets others in, for the roles that the operation names."""
    guard = admit or admitting(cast(Need, operation.role))
    return post(path, before_request=_before(path, operation, guard, reading=guard is readers), opt={"operation": operation}, **options)


def replaces(path: str, operation: Operation) -> Decorator:
    """A PUT handler: what is sent takes the place of what stands there. For what is no event; sent again it changes nothing more."""
    guard = admitting(cast(Need, operation.role))
    return put(path, before_request=_before(path, operation, guard, reading=False), opt={"operation": operation})


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
