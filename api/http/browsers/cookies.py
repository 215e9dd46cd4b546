"""The session cookie. A browser sends it with every request, so it has to be one that only this service can have set."""

import re

from api.http.addresses import read_port
from api.http.request import Request, header

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
