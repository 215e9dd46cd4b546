"""The session cookie. A browser sends it with every request, so it has to be one that only this service can have set."""

import re
from hashlib import scrypt
from urllib.parse import urlsplit

from api.http.addresses import read_port, strip_default_port
from api.http.errors import say
from api.http.request import Request, header, sent
from domain.errors import Forbidden

_PLAIN, _SECURE = "kiebitz", "__Host-kiebitz"
_SECRET = re.compile(r"[0-9a-f]{64}")
_MOST = 5
"""Cookies of one name that are looked up, so that a request with many of them costs little."""
LASTS = 30 * 24 * 3600
"""Seconds for which a browser keeps it; the register decides how long it is good."""


def is_secure(request: Request) -> bool:
    """Whether the browser speaks https, to us or to a trusted proxy before us."""
    return request.scope["scheme"] == "https"


def read_session_cookies(request: Request) -> tuple[str, ...]:
    """Return the secrets that may be that of the session: usually one; none where there is no cookie.

    On https only the name with the prefix counts. A browser keeps one cookie of that name and lets nobody set it without https, for a whole
    domain or for a path; so two of them come from no browser, and count as none.

    On http other programs can set our name as well: another port of the same host, a page of the same domain. Such a cookie must not lock
    the browser out, so several are returned, and ``Sessions.find`` takes the one whose session goes on. Browsers send cookies of longer
    paths first; ours is for ``/``, so the last ones are looked up. The name without a port is that of earlier versions.
    """
    if is_secure(request):
        found = _values(request, _SECURE)
        return tuple(found) if len(found) == 1 else ()
    possible = ([value for value in _values(request, name) if _SECRET.fullmatch(value)] for name in (_name(request), _PLAIN))
    return next((tuple(found[-_MOST:]) for found in possible if found), ())


def _values(request: Request, name: str) -> list[str]:
    """Only blanks and tabs are stripped: other white space belongs to the name, by which a browser judged the prefix."""
    lines = [value.decode("latin-1") for key, value in request.scope["headers"] if key == b"cookie"]
    sent = [pair.strip(" \t").partition("=") for line in lines for pair in line.split(";")]
    return list(dict.fromkeys(value for key, _, value in sent if key == name))


def cookie(request: Request, secret: str) -> tuple[str, str]:
    """The header that has the browser keep it; that makes it forget it where the secret is empty."""
    secure = "; Secure" if is_secure(request) else ""
    lasts = LASTS if secret else 0
    return "set-cookie", f"{_name(request)}={secret}; Path=/; Max-Age={lasts}; HttpOnly; SameSite=Lax{secure}"


def _name(request: Request) -> str:
    """On http with the port that the browser used: browsers share cookies between the ports of a host, and two services would sign each
    other's browsers out."""
    return _SECURE if is_secure(request) else f"{_PLAIN}-{read_port(header(request, b'host'), 'http')}"


# Join codes: eight characters that a person can type.
#
# 31 characters to the power of 8 are 8.5 · 10¹¹ codes, 39.6 bits. Failed attempts are limited to one a second in all (``attempts.py``):
# who tries for a whole day, with a thousand codes in force, finds one of them with a probability of one in ten thousand. Codes for a
# whole tournament stay in force while it lasts: a thousand of them, tried for two weeks, are found with one in seven hundred. A code is
# also short enough to be tried out against a stolen register; so its digest is a slow one.


ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without 0 and O, 1 and I and L."""
LENGTH = 8
_SALT = b"kiebitz join code"
_COST = 2**12  # some 10 ms and 4 MB


def code_from(chance: bytes) -> str:
    """A code from at least 16 random bytes: so many that no code is likelier than another."""
    number, found = int.from_bytes(chance), ""
    for _ in range(LENGTH):
        number, place = divmod(number, len(ALPHABET))
        found += ALPHABET[place]
    return found


def as_typed(text: str) -> str | None:
    """The code that somebody typed, in whatever case, with blanks and hyphens or without. ``None`` for what can be no code."""
    found = "".join(text.split()).replace("-", "").upper()
    return found if len(found) == LENGTH and set(found) <= set(ALPHABET) else None


def digest(code: str) -> str:
    """As the register keeps it."""
    return scrypt(code.encode(), salt=_SALT, n=_COST, r=8, p=1, dklen=32).hex()


# Whether a request comes from a page of our own. What a browser signs by a cookie may have been written by any page of the world.


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
