"""Requests about sessions and codes."""

from typing import Annotated, Literal

from msgspec import Meta

from api.common.grant import GrantBody
from api.http.decoding import Incoming, Number

GoodFor = Literal["screen", "round", "many", "tournament"]


class InQuery(Incoming, frozen=True, kw_only=True):
    next: Annotated[str, Meta(max_length=500, description="the page after signing in: a path of this service")] | None = None
    refused: Annotated[Literal["unknown", "limited", "full"] | None, Meta(description="why the last attempt failed")] = None


class SignIn(Incoming, frozen=True, kw_only=True):
    secret: Annotated[
        str,
        Meta(min_length=1, max_length=200, description="a token, or a code: case, blanks and hyphens do not matter", examples=["ABCD2345"]),
    ]


class IssueCode(GrantBody, frozen=True, kw_only=True):
    """The rights of sessions that are made with the code."""

    good_for: Annotated[
        GoodFor,
        Meta(
            description="`screen`: one session within ten minutes; `round`: one session until `round` closes, and the session no longer; "
            "`many`: any number of viewers until it is taken back; `tournament`: until a day after the tournament of the scope has ended, "
            "or 14 days after its last round if nobody ends it, for as many devices at one time as `devices` of the answer says; at a "
            "table it records the games of the round in play"
        ),
    ] = "screen"
    round: Annotated[
        Number | None, Meta(description="for `round`: the round of the tournament; by default the first one of the table's scope")
    ] = None
    address: (
        Annotated[str, Meta(max_length=300, description="by which the code names the service: one of the `addresses` of `GET /v1/codes`")]
        | None
    ) = None
    label: Annotated[str, Meta(max_length=100, description="a label to distinguish it in the list")] = ""
