"""What all recorded events are made of."""

from msgspec import Struct


class Fact(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of all events: an immutable JSON object."""


class TextRef(Fact, frozen=True):
    """Points to a free text in the register; ``digest`` is the SHA-256 of the text in UTF-8, so that an erased text can still be proved."""

    id: str
    digest: str


class Unreadable(Fact, frozen=True):
    """Stands where stored bytes could not be read. Never stored; it folds to nothing, so that the rest can still be read."""

    name: str
    problem: str
