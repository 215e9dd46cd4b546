"""What comes in about players and clubs."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from api.common.tables.formats import FormName
from api.http.fields import Id, Incoming, Name, Whole

PersonName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$")]
"""Not blank, and on one line."""


class PlayersQuery(Incoming, frozen=True, kw_only=True):
    """``search``: each word begins a word of name, alias or id; accents and capitals do not matter. Viewers do not search names."""

    search: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    club: Name | None = None
    merged: bool | None = None
    erased: bool | None = None
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    format: Annotated[FormName, Meta(description="goes before Accept; all but json come whole")] | None = None
    min_sequence: Whole | None = None


class ClubsQuery(Incoming, frozen=True, kw_only=True):
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    min_sequence: Whole | None = None


class ErasePlayer(Incoming, frozen=True, kw_only=True):
    """``confirm`` repeats the id, because nothing brings a name back."""

    confirm: Name


class NamePlayer(Incoming, frozen=True, kw_only=True):
    """What the register is to hold from now on; without ``alias`` there is none."""

    name: PersonName
    alias: PersonName | None = None


class TransferPlayer(Incoming, frozen=True, kw_only=True):
    """To another club, or to none."""

    club: Id | None


class MergePlayer(Incoming, frozen=True, kw_only=True):
    """``into`` is the id that the person is known by from now on."""

    into: Name


class SeparatePlayer(Incoming, frozen=True, kw_only=True):
    """Nothing has to be said."""


class RegisterPlayer(Incoming, frozen=True, kw_only=True):
    """A player. Without ``id`` one is made here; ``club`` is an opaque id, as it stands in the events."""

    name: PersonName
    id: Annotated[Name | None, Meta(description="a club's or a federation's own, or what games have named already; no name")] = None
    alias: Annotated[PersonName | None, Meta(description="what the public sees; without it, the id")] = None
    club: Id | None = None
