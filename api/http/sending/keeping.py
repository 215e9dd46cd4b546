"""How long an answer may be kept that everybody may read: for a second, by whoever stands between. What takes a token stays private."""

from litestar.types import HTTPResponseStartEvent, Scope

from api.http.sending.headers import varying

_NO_CACHE = (b"cache-control", b"no-cache")
_FOR_ALL = (b"cache-control", b"public, max-age=1")
"""Five hundred phones that ask through one proxy ask once a second."""
_STATE = "for_all"
_READ = (200, 304)


def note_for_all(scope: Scope) -> None:
    """Nobody in particular asks: whatever he is told is for everybody."""
    scope["state"][_STATE] = True


def let_keep(start: HTTPResponseStartEvent, scope: Scope) -> None:
    """One of the steps of ``completing.py``."""
    if start["status"] not in _READ or not scope["state"].get(_STATE):
        return
    if scope["method"] in ("GET", "HEAD") and _NO_CACHE in start["headers"]:  # type: ignore[typeddict-item]
        kept = [_FOR_ALL if pair == _NO_CACHE else pair for pair in start["headers"]]
        start["headers"] = varying(kept, b"cookie")
