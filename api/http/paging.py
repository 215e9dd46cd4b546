"""Links to the pages before and after."""

from urllib.parse import parse_qsl, quote, urlencode

from api.http.request import Request


def next_links(request: Request, **changed: object) -> list[tuple[str, str]]:
    """The header that leads to the next page: the same query, gone on. No header on the last page, where all that changes is ``None``."""
    return [("link", link(request, "next", **changed))] if any(value is not None for value in changed.values()) else []


def link(request: Request, rel: str, **changed: object) -> str:
    """The same query with some parameters changed, or without those that are ``None``."""
    given: dict[str, object] = dict(parse_qsl(request.scope["query_string"].decode("latin-1")))
    left = {name: value for name, value in (given | changed).items() if value is not None}
    return f'<{quote(request.scope["path"])}?{urlencode(left)}>; rel="{rel}"'
