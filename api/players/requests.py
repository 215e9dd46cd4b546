"""Requests about players and clubs."""

from typing import Annotated, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from api.common.tables.files import ListQuery
from api.http.decoding import Cursor, DryRunOnly, Id, Incoming, MinSequence, Name, ShortLimit
from domain.forms import FORM

PersonName: TypeAlias = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$",
        extra_json_schema={FORM: "form.line"},
    ),
]


class PlayersQuery(ListQuery, frozen=True, kw_only=True):
    """A search for players. Viewers do not search names."""

    search: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=200,
                description="each word begins a word of name, alias or id; accents and capitals do not matter",
            ),
        ]
        | None
    ) = None
    club: Annotated[Name | None, Meta(description="members of this club")] = None
    merged: Annotated[bool | None, Meta(description="ids that were merged into another one, or those that were not")] = None
    erased: Annotated[bool | None, Meta(description="players whose names were erased, or those whose names were not")] = None


class ClubsQuery(Incoming, frozen=True, kw_only=True):
    cursor: Cursor = None
    limit: ShortLimit = 50
    min_sequence: MinSequence = None


class ErasePlayer(Incoming, frozen=True, kw_only=True):
    """A confirmation: an erased name cannot be restored."""

    confirm: Annotated[Name, Meta(description="the id of the address once more, so that no slip erases a name")]


class RegisterQuery(Incoming, frozen=True, kw_only=True):
    dry_run: DryRunOnly = False
    skip_namesakes: Annotated[
        bool, Meta(description="of a list: register nobody whose name a player of the same club has, or an earlier line of the list")
    ] = False


class NamePlayer(Incoming, frozen=True, kw_only=True):
    """The changed fields of the entry in the register; what is left out stays."""

    corrects = True

    name: Annotated[PersonName, Meta(description="the new name, for officials")] | UnsetType = UNSET
    alias: Annotated[PersonName | None, Meta(description="the new alias, for the public; null for none")] | UnsetType = UNSET
    objects_to_names: (
        Annotated[bool, Meta(description="whether the player does not want to be called by name before anybody but officials")] | UnsetType
    ) = UNSET


class TransferPlayer(Incoming, frozen=True, kw_only=True):
    """The new club, or none."""

    club: Annotated[Id | None, Meta(description="the opaque id of the club; null for none")]


class MergePlayer(Incoming, frozen=True, kw_only=True):
    """The other id of the same person."""

    into: Annotated[Name, Meta(description="the id that the person is known by from now on")]
    force: Annotated[bool, Meta(description="also if the two sat at one table (`sat_at_one_table`), and so seem to be two people")] = False


class SplitPlayer(Incoming, frozen=True, kw_only=True):
    """An empty body."""


class RegisterPlayer(Incoming, frozen=True, kw_only=True):
    """A player. Without ``id`` one is made here."""

    name: Annotated[PersonName, Meta(description="the name, for officials; it goes into no event")]
    id: Annotated[Name | None, Meta(description="a club's or a federation's own, or what games have named already; no name")] = None
    alias: Annotated[PersonName | None, Meta(description="the alias, which the public sees")] = None
    club: Annotated[Id | None, Meta(description="the opaque id of the club, as it stands in the events")] = None
