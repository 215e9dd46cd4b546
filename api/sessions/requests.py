"""What comes in about sessions and codes."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from api.http.fields import Id, Incoming, Number
from domain.access.scopes import Everything, OfGame, OfTable, OfTournament, Scope

PATH = r"^/(?![/\\])[!-\[\]-~]*$(?!\n)"
"""A path of ours: browsers take ``//`` and a backslash after the first one for the beginning of another host."""

CodeRole = Literal["director", "recorder", "arbiter", "committee", "viewer", "player"]
GoodFor = Literal["screen", "round", "many"]


class InQuery(Incoming, frozen=True, kw_only=True):
    next: Annotated[str, Meta(max_length=500, description="where to go after signing in: a path of this service")] | None = None
    refused: Annotated[Literal["unknown", "limited"] | None, Meta(description="why the last attempt failed")] = None


class SignIn(Incoming, frozen=True, kw_only=True):
    secret: Annotated[
        str,
        Meta(min_length=1, max_length=200, description="a token, or a code: case, blanks and hyphens do not matter", examples=["ABCD2345"]),
    ]


class IssueCode(Incoming, frozen=True, kw_only=True):
    """What the sessions may do that are made of it. Without a tournament and without a game it is for everything."""

    role: Annotated[CodeRole, Meta(description="the role of the sessions")]
    good_for: Annotated[
        GoodFor,
        Meta(
            description="`screen`: one session within ten minutes; `round`: one session until `round` closes, and the session no longer; "
            "`many`: any number of viewers until it is taken back"
        ),
    ] = "screen"
    tournament: Annotated[Id | None, Meta(description="for this tournament only")] = None
    table: Annotated[Id | None, Meta(description="for this table of the tournament only, from `round` on")] = None
    round: Annotated[Number | None, Meta(description="of the tournament")] = None
    game: Annotated[UUID | None, Meta(description="for this game only")] = None
    sees: Annotated[Literal["all", "public"], Meta(description="of hidden cards: all that the role may see, or nothing")] = "all"
    player: Annotated[Id | None, Meta(description="who he is in the tournament, for a player")] = None
    seat: Annotated[int, Meta(ge=0, le=63, description="his seat in the game, for a player")] | None = None
    label: Annotated[str, Meta(max_length=100, description="for whom or what, to tell it from others in the list")] = ""

    def scope(self, game: OfGame | None) -> Scope:
        """``game`` is where the game is played, if one is named."""
        if game is not None:
            return game
        if self.tournament is None:
            return Everything()
        return OfTournament(self.tournament) if self.table is None else OfTable(self.tournament, self.table, self.round or 1)
