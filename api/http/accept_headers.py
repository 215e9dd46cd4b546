"""Content negotiation: media type, language and compression from the Accept headers."""

from collections.abc import Sequence
from functools import lru_cache

from api.http.errors import NotAcceptable
from domain.texts import FALLBACK, LANGUAGES

_USUAL = 200  # characters of a header that is worth remembering


def media_type(accept: str, offered: Sequence[str]) -> str:
    """Return the offered type that fits best; of equally good ones the first. Raises ``NotAcceptable``."""
    wanted = _parse_accept(accept) or [("*/*", 1.0)]
    weights = [_weight(kind, wanted) for kind in offered]
    best = max(weights)
    if best <= 0:
        raise NotAcceptable(tuple(offered))
    return offered[weights.index(best)]


def language(accept_language: str) -> str:
    """Return the preferred language of ours; English if none is wanted."""
    return _language(accept_language) if len(accept_language) < _USUAL else _language.__wrapped__(accept_language)


@lru_cache(maxsize=1000)
def _language(accept_language: str) -> str:
    wanted = sorted(_parse_accept(accept_language), key=lambda item: -item[1])
    for tag, weight in wanted:
        spoken = tag.partition("-")[0]
        if spoken in LANGUAGES and weight > 0:
            return spoken
    return FALLBACK


def takes_gzip(accept_encoding: str) -> bool:
    """Return whether the caller accepts a compressed body. Without the header it is not compressed."""
    weights = dict(_parse_accept(accept_encoding))
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def _parse_accept(header: str) -> list[tuple[str, float]]:
    """Return the items of an Accept header with their weights; an invalid weight counts as 0."""
    items = []
    for item in header.lower().split(","):
        name, *parameters = (part.strip() for part in item.split(";"))
        if name:
            quality = next((parameter[2:] for parameter in parameters if parameter.startswith("q=")), "1")
            items.append((name, _number(quality)))
    return items


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return 0.0
    return value if 0 <= value <= 1 else 0.0


def _weight(kind: str, body: list[tuple[str, float]]) -> float:
    """Return the weight of the most specific item that matches this type."""
    group = kind.partition("/")[0] + "/*"
    for name in (kind, group, "*/*"):
        for item, weight in body:
            if item == name:
                return weight
    return 0.0
