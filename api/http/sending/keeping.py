"""How long an answer may be kept that everybody may read: for a second, by whoever stands between. What takes a token stays private."""

from litestar.types import Scope

from api.http.sending.headers import Growing, varying

_NO_CACHE = (b"cache-control", b"no-cache")
_FOR_ALL = (b"cache-control", b"public, max-age=1")
"""Five hundred phones that ask through one proxy ask once a second."""
_STATE = "for_all"
_READ = (200, 304)


def note_for_all(scope: Scope) -> None:
    """Nobody in particular asks: whatever he is told is for everybody."""
    scope["state"][_STATE] = True


def let_keep(status: int, headers: Growing, scope: Scope) -> None:
    """One of the steps of ``completing.py``."""
    if status not in _READ or not scope["state"].get(_STATE):
        return
    if scope["method"] in ("GET", "HEAD") and _NO_CACHE in headers:  # type: ignore[typeddict-item]
        headers[:] = varying([_FOR_ALL if pair == _NO_CACHE else pair for pair in headers], b"cookie")
