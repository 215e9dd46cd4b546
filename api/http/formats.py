"""The formats of an answer: each resource that has several keeps a table of them, by the names that its query takes."""

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct

from api.http import media_types
from api.http.negotiation import media_type
from api.http.request import Request, header

_TEXT = {"type": "string"}


class Format(Struct, frozen=True):
    """``schema``: what the description of the API says of it. ``parameters`` of the media type go out with it.

    ``binary``: no terminal can show it.
    """

    media_type: str
    schema: Any
    parameters: str = ""
    binary: bool = False

    @property
    def content_type(self) -> str:
        return self.media_type + self.parameters


CSV = Format(media_types.CSV, _TEXT, "; charset=utf-8; header=present")
HTML = Format(media_types.HTML, _TEXT, "; charset=utf-8")
Name = TypeVar("Name", bound=str)


def binary_format(media_type: str) -> Format:
    return Format(media_type, {**_TEXT, "contentMediaType": media_type}, binary=True)


def schemas(formats: Mapping[Name, Format]) -> dict[str, Any]:
    """By media type, for the description of the API."""
    return {one.media_type: one.schema for one in formats.values()}


def choose_format(request: Request, named: Name | None, formats: Mapping[Name, Format]) -> Name:
    """The one that the query names, else the one that suits ``Accept`` best. Raises ``NotAcceptable``."""
    if named is not None:
        return named
    best = media_type(header(request, b"accept"), tuple(schemas(formats)))
    return next(name for name, one in formats.items() if one.media_type == best)
