"""Requests and responses about sessions and codes. No response contains a secret, except the one that issues a code."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from api.common.commands import IfLost
from api.common.grant import GrantBody, ScopeView, scope_view
from api.http.decoding import Incoming, Number, ResponseModel, copy_fields
from domain.access import Grant
from domain.journal.sessions import JoinCode, Session


class GrantView(ResponseModel, frozen=True, kw_only=True):
    """A grant: where it holds, and what is seen there."""

    scope: Literal["everything"] | ScopeView
    sees: str
    player: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET


class SignedIn(ResponseModel, frozen=True, kw_only=True):
    role: str
    label: str
    grant: GrantView


class SignedOut(ResponseModel, frozen=True, kw_only=True):
    ended: Annotated[bool, Meta(description="whether there was a session")]


_LASTING = "until a day after the end of the tournament, or 14 days after its last round if nobody ends it"


class SessionView(ResponseModel, frozen=True, kw_only=True):
    id: str
    principal: Annotated[str, Meta(description="the principal, as in the events")]
    role: str
    label: str
    grant: GrantView
    began_at: str
    used_at: Annotated[str, Meta(description="when it was last used, to some minutes")]
    ends_at: Annotated[str, Meta(description="at the latest")]
    until_round: Annotated[int | UnsetType, Meta(description="until this round closes")] = UNSET
    token: Annotated[str | UnsetType, Meta(description="the id of the token it falls with")] = UNSET
    code: Annotated[str | UnsetType, Meta(description="the id of the code it was made of")] = UNSET
    lasting: Annotated[bool, Meta(description=_LASTING)]
    device: Annotated[int | UnsetType, Meta(description="the number of the device among those of its code, from 1")] = UNSET
    own: Annotated[bool, Meta(description="whether it is yours")]


class SessionList(ResponseModel, frozen=True, kw_only=True):
    """A page of sessions. ``next`` is the cursor of the following page, null on the last."""

    items: list[SessionView]
    next: str | None


class CodeView(ResponseModel, frozen=True, kw_only=True):
    id: str
    role: str
    label: str
    grant: GrantView
    issued_at: str
    issued_by: str | UnsetType = UNSET
    until_at: str | UnsetType = UNSET
    until_round: Annotated[int | UnsetType, Meta(description="until this round closes")] = UNSET
    many: Annotated[bool, Meta(description="good for many sessions, or for one")]
    lasting: Annotated[bool, Meta(description=_LASTING)]
    devices: Annotated[int | UnsetType, Meta(description="the number of sessions that it allows at one time")] = UNSET
    used: Annotated[int, Meta(description="the number of its current sessions")]


class CodeList(ResponseModel, frozen=True, kw_only=True):
    """A page of codes. ``next`` is the cursor of the following page, null on the last."""

    items: list[CodeView]
    next: str | None
    addresses: Annotated[
        list[str] | UnsetType,
        Meta(
            description="for directors who opened the service at a loopback address: by which a new code may name it. The first is taken "
            "where none is chosen; the last is the one that was opened"
        ),
    ] = UNSET
    only_here: Annotated[
        bool | UnsetType, Meta(description="present if only the machine of the service, and no phone, can open the first address")
    ] = UNSET


class IssuedCode(ResponseModel, frozen=True, kw_only=True):
    """A new code. It is shown once: a response that is repeated under its key has neither the code nor its address."""

    code: Annotated[str, Meta(examples=["ABCD2345"])] | UnsetType = UNSET
    address: (
        Annotated[str, Meta(description="the address that signs a browser in; the code is in the fragment, which browsers do not send")]
        | UnsetType
    ) = UNSET
    qr: Annotated[str, Meta(description="the address as a QR code, in SVG")] | UnsetType = UNSET
    if_lost: IfLost = UNSET
    only_here: Annotated[bool, Meta(description="whether only the machine of the service can open the address, and no phone")]
    issued: CodeView


class CodeWithdrawn(ResponseModel, frozen=True, kw_only=True):
    id: str


class SessionEnded(ResponseModel, frozen=True, kw_only=True):
    id: str


def grant_view(grant: Grant) -> GrantView:
    return GrantView(scope=scope_view(grant.scope), sees=grant.sees, player=_or_unset(grant.player), seat=_or_unset(grant.seat))


def session_view(session: Session, *, own: bool) -> SessionView:
    optional = {"until_round": session.until_round, "token": session.token, "code": session.code, "device": session.place}
    given = {name: _or_unset(value) for name, value in optional.items()}
    return copy_fields(session, SessionView, grant=grant_view(session.grant), own=own, **given)


def code_view(code: JoinCode, used: int) -> CodeView:
    given = {name: _or_unset(getattr(code, name)) for name in ("issued_by", "until_at", "until_round", "devices")}
    return copy_fields(code, CodeView, grant=grant_view(code.grant), used=used, **given)


def _or_unset(value: object) -> Any:
    return UNSET if value is None else value


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
