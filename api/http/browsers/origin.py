"""Whether a request comes from a page of our own. What a browser signs by a cookie may have been written by any page of the world."""

from urllib.parse import urlsplit

from api.http.addresses import strip_default_port
from api.http.browsers.cookies import is_secure
from api.http.errors import Forbidden, say
from api.http.request import Request, header, sent


def check_own_origin(request: Request) -> None:
    """Raises ``Forbidden``. What the browser itself judges goes before what we compare; who says neither is nobody's page."""
    site, origin = sent(request, b"sec-fetch-site"), sent(request, b"origin")
    if not (_is_host(request, origin or "") if site is None else site == "same-origin"):
        raise Forbidden(say("origin_foreign"))


def _is_host(request: Request, origin: str) -> bool:
    """On https a page of the same host without it is another page. A page with it is ours on http, too: a proxy may not have told us."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    plain = f"{parts.scheme}://{parts.netloc}" == origin and bool(parts.netloc)
    if not plain or parts.scheme not in ("https", "https" if is_secure(request) else "http"):
        return False
    host, scheme = header(request, b"host"), parts.scheme
    return strip_default_port(parts.netloc, scheme) == strip_default_port(host, scheme)
