"""The cookie of a session. A browser sends it by itself, so it has to be one that only this service can have set."""

from api.http.request import Request

_PLAIN, _SECURE = "kiebitz", "__Host-kiebitz"
LASTS = 30 * 24 * 3600
"""Seconds for which a browser keeps it; the register decides how long it is good."""


def is_secure(request: Request) -> bool:
    """Whether the browser speaks https, to us or to a trusted proxy before us."""
    return request.scope["scheme"] == "https"


def cookie_of(request: Request) -> str:
    """Its secret; empty where there is none, or more than one: then another page of the site has set one of them.

    On https only the name with the prefix counts, which a browser lets nobody set without https or for a whole domain.
    """
    name = _name(request)
    found = [value for key, _, value in map(_parted, _sent(request)) if key == name]
    return found[0] if len(found) == 1 else ""


def cookie(request: Request, secret: str) -> tuple[str, str]:
    """The header that has the browser keep it; that makes it forget it where the secret is empty."""
    secure = "; Secure" if is_secure(request) else ""
    lasts = LASTS if secret else 0
    return "set-cookie", f"{_name(request)}={secret}; Path=/; Max-Age={lasts}; HttpOnly; SameSite=Lax{secure}"


def _name(request: Request) -> str:
    return _SECURE if is_secure(request) else _PLAIN


def _sent(request: Request) -> list[str]:
    lines = [value.decode("latin-1") for name, value in request.scope["headers"] if name == b"cookie"]
    return [one for line in lines for one in line.split(";")]


def _parted(one: str) -> tuple[str, str, str]:
    return one.strip().partition("=")
