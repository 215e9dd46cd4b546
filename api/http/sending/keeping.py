"""How long an answer may be kept that everybody may read: for a second, by whoever stands between. What takes a token stays private."""

from litestar.types import Message, Scope

from api.http.sending.headers import varying

_NO_CACHE = (b"cache-control", b"no-cache")
_FOR_ALL = (b"cache-control", b"public, max-age=1")
"""Five hundred phones that ask through one proxy ask once a second."""
_STATE = "for_all"
_READ = (200, 304)


def note_for_all(scope: Scope) -> None:
    """Nobody in particular asks: whatever he is told is for everybody."""
    scope["state"][_STATE] = True


async def let_keep(message: Message, scope: Scope) -> None:
    """Litestar calls it before each message that is sent."""
    if message["type"] != "http.response.start" or message["status"] not in _READ or not scope["state"].get(_STATE):
        return
    if scope["method"] in ("GET", "HEAD") and _NO_CACHE in message["headers"]:  # type: ignore[typeddict-item]
        kept = [_FOR_ALL if pair == _NO_CACHE else pair for pair in message["headers"]]
        message["headers"] = varying(kept, b"cookie")
