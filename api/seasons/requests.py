"""Requests about earlier seasons: a list of results, and its lines."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from api.http.decoding import DryRunOnly, Id, Incoming
from api.players.requests import PersonName

MOST_LINES = 20_000

_Cell: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]


class PastResult(Incoming, frozen=True, kw_only=True):
    """A line. ``tournament``, ``date`` and ``ruleset`` may come in the query, if they are the same for the whole list."""

    tournament: Annotated[PersonName | None, Meta(description="the title of the tournament")] = None
    date: Annotated[_Cell | None, Meta(description="when it was played: 2023-11-05 or 5.11.2023")] = None
    ruleset: Annotated[_Cell | None, Meta(description="the key of the ruleset, or its name")] = None
    round: Annotated[int, Meta(ge=1, le=10_000, description="by default each day is a round")] | None = None
    table: Annotated[Id | None, Meta(description="by default all lines of a round sit at one table")] = None
    id: Annotated[Id | None, Meta(description="the id of the player in the directory")] = None
    player: Annotated[PersonName | None, Meta(description="name, alias or id")] = None
    alias: Annotated[PersonName | None, Meta(description="the alias of the player")] = None
    club: Annotated[Id | None, Meta(description="the club; it tells namesakes apart")] = None
    team: Annotated[_Cell | None, Meta(description="the same word for all players of a party")] = None
    partner: Annotated[_Cell | None, Meta(description="the other player of a party, as that line spells them")] = None
    score: Annotated[Annotated[int, Meta(ge=-(10**12), le=10**12)] | float | _Cell | None, Meta(description="points of the party")] = None
    place: Annotated[int, Meta(ge=1, le=10_000, description="place at the table, or in the tournament")] | None = None


class PastResultsQuery(Incoming, frozen=True, kw_only=True):
    """Values for lines that leave them out."""

    dry_run: DryRunOnly = False
    tournament: Annotated[PersonName | None, Meta(description="the title of the tournament")] = None
    date: Annotated[str, Meta(max_length=40, description="when it was played: 2023-11-05 or 5.11.2023")] | None = None
    ruleset: Annotated[str, Meta(max_length=100, description="the key of the ruleset, or its name")] | None = None


class PastResults(Incoming, frozen=True, kw_only=True):
    lines: Annotated[list[PastResult], Meta(min_length=1, max_length=MOST_LINES, description="a player at a table each")]
