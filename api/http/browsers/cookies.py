"""The session cookie of browsers, the CSRF check of its requests, and join codes that people type.

A browser sends the cookie with every request, so only a cookie that this service itself has set may count.
"""

import re
from hashlib import scrypt
from urllib.parse import urlsplit

from api.http.addresses import read_port, strip_default_port
from api.http.errors import say
from api.http.request import Request, header, read_header
from domain.errors import Forbidden

_PLAIN, _SECURE = "kiebitz", "__Host-kiebitz"
_SECRET = re.compile(r"[0-9a-f]{64}")
_MOST = 5
"""Most cookies of one name that are looked up, so that a request with many of them costs little."""
LASTS = 30 * 24 * 3600
"""Seconds for which a browser keeps the cookie; the register decides how long the session is valid."""


def is_secure(request: Request) -> bool:
    """Return whether the browser uses https, to us or to a trusted proxy before us."""
    return request.scope["scheme"] == "https"


def read_session_cookies(request: Request) -> tuple[str, ...]:
    """Return the secrets that may be that of the session: usually one; none where there is no cookie.

    On https only the name with the prefix counts. A browser keeps one cookie of that name, and only this host can set it, over https, for
    all paths. Two of them cannot come from a browser, and count as none.

    On http other programs can set our name as well: another port of the same host, a page of the same domain. Such a cookie must not lock
    the browser out, so several are returned, and ``Sessions.find`` takes the one whose session is valid. Browsers send cookies of longer
    paths first; ours is for ``/``, so the last ones are looked up. The name without a port is that of earlier versions.
    """
    if is_secure(request):
        found = _values(request, _SECURE)
        return tuple(found) if len(found) == 1 else ()
    possible = ([value for value in _values(request, name) if _SECRET.fullmatch(value)] for name in (_name(request), _PLAIN))
    return next((tuple(found[-_MOST:]) for found in possible if found), ())


def _values(request: Request, name: str) -> list[str]:
    """Return the values of the cookies of this name.

    Only blanks and tabs are stripped: other white space belongs to the name, by which a browser judged the prefix.
    """
    lines = [value.decode("latin-1") for key, value in request.scope["headers"] if key == b"cookie"]
    sent = [pair.strip(" \t").partition("=") for line in lines for pair in line.split(";")]
    return list(dict.fromkeys(value for key, _, value in sent if key == name))


def cookie(request: Request, secret: str) -> tuple[str, str]:
    """Return the header that sets the cookie; with an empty secret, the header that deletes it."""
    secure = "; Secure" if is_secure(request) else ""
    lasts = LASTS if secret else 0
    return "set-cookie", f"{_name(request)}={secret}; Path=/; Max-Age={lasts}; HttpOnly; SameSite=Lax{secure}"


def _name(request: Request) -> str:
    """Return the name of the cookie.

    On http it contains the port that the browser used: browsers share cookies between the ports of a host, and two services would sign each
    other's browsers out.
    """
    return _SECURE if is_secure(request) else f"{_PLAIN}-{read_port(header(request, b'host'), 'http')}"


# Join codes: eight characters that a person can type. 31 characters to the power of 8 are 8.5 · 10¹¹ codes, 39.6 bits. Failed attempts are
# limited to one a second in all (``attempts.py``): whoever tries for a whole day, with a thousand codes in force, finds one of them with a
# probability of one in ten thousand. Codes for a whole tournament stay in force while it lasts: a thousand of them, tried for two weeks,
# are found with one in seven hundred. A code is also short enough to be tried against a stolen register; so its digest is a slow one.


ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without 0 and O, 1 and I and L."""
LENGTH = 8
_SALT = b"kiebitz join code"
_COST = 2**12  # some 10 ms and 4 MB


def code_from(chance: bytes) -> str:
    """Make a code from at least 16 random bytes. With so many, the remainder of the division favours no code noticeably."""
    number, found = int.from_bytes(chance), ""
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        found += ALPHABET[place]
    return found


def as_typed(text: str) -> str | None:
    """Return the code that somebody typed, in upper or lower case, with or without blanks and hyphens. ``None`` for an impossible code."""
    found = "".join(text.split()).replace("-", "").upper()
    return found if len(found) == LENGTH and set(found) <= set(ALPHABET) else None


def digest(code: str) -> str:
    """Return the digest that the register keeps."""
    return scrypt(code.encode(), salt=_SALT, n=_COST, r=8, p=1, dklen=32).hex()


# A browser sends the cookie also with requests that a foreign page makes. So writes are accepted from our own pages only (CSRF).


def check_own_origin(request: Request) -> None:
    """Check that the request comes from a page of our own. Raises ``Forbidden``.

    ``Sec-Fetch-Site``, which the browser sets itself, takes precedence over our comparison of ``Origin``. A request with neither is
    refused.
    """
    site, origin = read_header(request, b"sec-fetch-site"), read_header(request, b"origin")
    if not (_is_host(request, origin or "") if site is None else site == "same-origin"):
        raise Forbidden(say("origin_foreign"))


def check_sender(request: Request, principal: str) -> None:
    """Check that the session is still that of whom the page sends for. Raises ``Forbidden``.

    All pages of a browser share its cookie: who signs in on one of them changes in whose name the others send. A page that sends what
    was entered before says by ``Kiebitz-Sender`` for which principal.
    """
    if (sender := read_header(request, b"kiebitz-sender")) is not None and sender != principal:
        raise Forbidden(say("sender_changed"))


def _is_host(request: Request, origin: str) -> bool:
    """Return whether the origin is this host.

    On https, an http page of the same host is another origin. On http, an https page counts as ours: a proxy may not have said that it
    terminates https.
    """
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    plain = f"{parts.scheme}://{parts.netloc}" == origin and bool(parts.netloc)
    if not plain or parts.scheme not in ("https", "https" if is_secure(request) else "http"):
        return False
    host, scheme = header(request, b"host"), parts.scheme
    return strip_default_port(parts.netloc, scheme) == strip_default_port(host, scheme)
