"""ETags of responses and conditional requests (RFC 9110): If-None-Match for reads, If-Match for writes."""

from collections.abc import Callable, Iterable
from hashlib import sha256

from api.http.accept_headers import takes_gzip
from api.http.errors import BadRequest, say
from api.http.media_types import JSON
from api.http.paging import epoch_mark
from api.http.request import Request, header, read_header
from api.http.response import Response
from api.http.sending import tag_of_compressed

NO_CACHE = "no-cache"
NOWHERE = 0
"""The position before the first event; a decision at it is always overtaken (412)."""


FOR_EVER = "private, max-age=31536000, immutable"


FOR_AN_HOUR = "private, max-age=3600"


def content_hash(body: bytes) -> str:
    """Return a digest for the ETag of a response with names or texts of people: those change without a new position."""
    return sha256(body).hexdigest()[:32]


def build_etag_response(
    request: Request,
    etag: str,
    body: Callable[[], bytes],
    *,
    media_type: str = JSON,
    cache: str = NO_CACHE,
    headers: Iterable[tuple[str, str]] = (),
    vary: str = "authorization",
) -> Response:
    """Return the response with its ETag, or 304 where the caller holds it already; then nothing is encoded."""
    said = [("cache-control", cache), ("vary", vary), *headers]
    tag = _tag(request, etag)
    known = _match_tag(request, tag)
    if known is not None:
        return Response(b"", status=304, headers=[("etag", known), *said])
    return Response(body(), media_type=media_type, headers=[("etag", tag), *said])


def is_known(request: Request, etag: str) -> bool:
    """Return whether the caller holds this response. Weak comparison, as RFC 9110 requires for reads."""
    return _match_tag(request, _tag(request, etag)) is not None


def _match_tag(request: Request, plain: str) -> str | None:
    """Return the tag under which the caller holds it, plain or compressed."""
    named = read_header(request, b"if-none-match")
    if named is None:
        return None
    held = [tag.strip().removeprefix("W/") for tag in named.split(",")]
    if plain in held or held == ["*"]:
        return plain
    packed = tag_of_compressed(plain)
    return packed if packed in held and takes_gzip(header(request, b"accept-encoding")) else None


def _tag(request: Request, etag: str) -> str:
    return f'"{etag}{epoch_mark(request)}"'


def parse_if_match(request: Request, if_match: str) -> int | None:
    """Return the position that the caller decided on; ``None`` for ``*``. Raises ``BadRequest``.

    An ETag of a read is accepted as well: it begins with the position. So is a weak one: a proxy that compresses makes ETags weak, and the
    position is exact all the same. Positions of another epoch are not comparable: for an ETag of another epoch the result is ``NOWHERE``.
    """
    if if_match.strip() == "*":
        return None
    tag = if_match.strip().removeprefix("W/")
    number, _, rest = tag[1:-1].partition(".") if len(tag) > 2 and tag[0] == tag[-1] == '"' else ("", "", "")
    if not (number.isascii() and number.isdigit() and len(number) <= 15):
        raise BadRequest("bad_header", say("if_match"), "If-Match")
    of_another_epoch = rest and not f".{rest.removesuffix('.gzip')}".endswith(epoch_mark(request))
    return NOWHERE if of_another_epoch else int(number)
