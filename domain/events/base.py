"""Base classes of recorded events: facts, references to texts, and unreadable events."""

from functools import cache
from typing import TypeVar, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import replace


class EventBase(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The base of all events: an immutable JSON object."""


class TextRef(EventBase, frozen=True, omit_defaults=True):
    """Points to a free text in the register. ``digest`` is that of its salt and words (``domain/free_texts.py``): as long as anybody keeps
    both, it proves which words they were.

    ``public``: its author says that it names no hidden card, so that it may be shown to everybody at once.
    """

    id: str
    digest: str
    public: bool = False


class Unreadable(EventBase, frozen=True):
    """Stands where stored bytes could not be read. Never stored; it folds to nothing, so that the rest can still be read."""

    name: str
    problem: str


E = TypeVar("E", bound=Struct)


@cache
def _text_fields(kind: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name, hint in get_type_hints(kind).items() if TextRef in (hint, *get_args(hint)))


def text_ref_of(event: Struct) -> TextRef | None:
    """Return the reference to the free text that came with the event, if there is one. No event has more than one field for it."""
    return next((ref for name in _text_fields(type(event)) if (ref := getattr(event, name)) is not None), None)


def without_text(event: E) -> E:
    """Return the event without the reference, for readers who may not see the digest either: without a salt, a short text can be found from
    it by trying.
    """
    fields = _text_fields(type(event))
    return replace(event, **dict.fromkeys(fields)) if fields else event
