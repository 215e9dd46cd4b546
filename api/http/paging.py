"""Links to the pages before and after."""

from urllib.parse import parse_qsl, urlencode

from api.http.request import Request


def next_link(request: Request, **changed: object) -> str:
    """The Link to the next page: the same query, gone on."""
    return link(request, "next", **changed)


def link(request: Request, rel: str, **changed: object) -> str:
    """The same query with some parameters changed, or without those that are ``None``."""
    given: dict[str, object] = dict(parse_qsl(request.scope["query_string"].decode("latin-1")))
    left = {name: value for name, value in (given | changed).items() if value is not None}
    return f'<{request.url.path}?{urlencode(left)}>; rel="{rel}"'
