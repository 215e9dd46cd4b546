"""Fields that requests share, and the bases of all that comes in and goes out. What rules judge is ``Any`` and reaches them undecoded."""

from datetime import datetime
from typing import Annotated, Any, TypeAlias, TypeVar

from msgspec import Meta, Struct

from domain.spelling import ID, ID_IN_WORDS, LONGEST_ID

Whole: TypeAlias = Annotated[int, Meta(ge=0, le=10**15)]
Number: TypeAlias = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID)]
"""An id to look for: what was recorded before there was one pattern may be of another form."""
Id: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1, max_length=LONGEST_ID, pattern=ID, description=ID_IN_WORDS, extra_json_schema={"pattern": r"^[^\s/]([^/]*[^\s/])?$"}
    ),
]
"""An id that goes into an event: of a player, a club, a tournament, a table. It is opaque; it should be no name."""
Timestamp: TypeAlias = Annotated[datetime, Meta(tz=True, description="RFC 3339, with an offset")]
View: TypeAlias = Annotated[str, Meta(pattern="^(arbiter|public|seat:[0-9]{1,2})$", examples=["arbiter", "public", "seat:1"])]
Limit: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]
FreeText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=4000)]
"""Words of a person. They go into the register of texts, never into an event."""

Seat: TypeAlias = Annotated[Any, Meta(description="a seat, from 0", examples=[0])]
Move: TypeAlias = Annotated[Any, Meta(description="a move of this ruleset, with its type", examples=[{"type": "trail", "card": "KC"}])]


S = TypeVar("S", bound=Struct)


class Incoming(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all that comes in."""


class Outgoing(Struct, frozen=True, kw_only=True):
    """The base of all that goes out. Fields that are left out are ``UNSET`` by default."""


class ActBody(Incoming, frozen=True, kw_only=True):
    """What every act may say: when it was at the table."""

    happened_at: Timestamp | None = None


class ReasonBody(ActBody, frozen=True, kw_only=True):
    """An act that needs no more than a reason."""

    reason: FreeText | None = None


def alike(source: object, kind: type[S], **others: object) -> S:
    """A Struct of this kind: the fields that are not named from the attributes of the same name."""
    same = (name for name in kind.__struct_fields__ if name not in others)
    return kind(**{name: getattr(source, name) for name in same}, **others)


class DryRun(Incoming, frozen=True, kw_only=True):
    dry_run: bool = False


class Fresh(Incoming, frozen=True, kw_only=True):
    min_sequence: Whole | None = None


class HistoryQuery(Incoming, frozen=True, kw_only=True):
    after: Whole = 0
    limit: Limit = 100
