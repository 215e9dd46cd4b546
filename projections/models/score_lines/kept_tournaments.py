"""Tournaments as text, so that their fold goes on from where it was."""

from typing import Any, get_type_hints

import msgspec
from msgspec import Raw, defstruct
from msgspec.structs import asdict

from domain.events.tournament import NAMES
from domain.tournament.tournament import Tournament
from projections.values import as_json

_ENTRIES = "since_pairing"
"""Events of several kinds: each is kept with its name."""
_KINDS = {name: kind for kind, name in NAMES.items()}
_DEFAULTS = dict(zip(Tournament.__struct_fields__[-len(Tournament.__struct_defaults__) :], Tournament.__struct_defaults__, strict=True))


def _field(name: str, type: Any) -> tuple[Any, ...]:
    return (name, type, _DEFAULTS[name]) if name in _DEFAULTS else (name, type)


_FIELDS = {**get_type_hints(Tournament), _ENTRIES: tuple[tuple[str, Raw], ...]}
_Kept: Any = defstruct("_Kept", [_field(name, _FIELDS[name]) for name in Tournament.__struct_fields__])
_DECODE = msgspec.json.Decoder(_Kept).decode


def as_text(now: Tournament) -> str:
    since = [(NAMES[type(event)], event) for event in now.since_pairing]
    return as_json({**asdict(now), "last": b"", _ENTRIES: since})


def from_text(text: str) -> Tournament:
    kept = asdict(_DECODE(text))
    since: list[Any] = [msgspec.json.decode(event, type=_KINDS[name]) for name, event in kept[_ENTRIES]]
    return Tournament(**{**kept, _ENTRIES: tuple(since)})
