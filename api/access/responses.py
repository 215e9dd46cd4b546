"""Requests and responses about tokens. Responses contain no hash. A secret is shown once, in the response that issues it."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from api.common.commands import IfLost
from api.common.grant import ExpiresAt, GrantBody, GrantView, Label, grant_fields
from api.http.decoding import Id, Incoming, ResponseModel
from api.http.request import Principal
from domain.journal.sessions import Token


class TokenView(GrantView, frozen=True, kw_only=True):
    """A token without its secret."""

    id: str
    principal: Annotated[str, Meta(description="the principal, as in the events")]
    label: str
    issued_at: str
    issued_by: Annotated[str | None, Meta(description="a principal; null: at the command line")] = None
    used_at: Annotated[str | None, Meta(description="the minute of its last use; null: it was never used")] = None
    revoked_at: str | None = None


class IssuedToken(TokenView, frozen=True, kw_only=True):
    """A token with its secret."""

    secret: Annotated[str, Meta(description="only in this answer and not stored; absent from a repeated answer")] | UnsetType = UNSET
    if_lost: IfLost = UNSET


class Tokens(ResponseModel, frozen=True, kw_only=True):
    """The oldest first. ``next`` is the cursor of the following page, null on the last."""

    items: list[TokenView]
    next: str | None


class CallerView(GrantView, frozen=True, kw_only=True):
    """The caller: principal, role, scope and expiry."""

    principal: Annotated[str, Meta(description="the principal, as in the events")]
    token: Annotated[str, Meta(description="the id of the token that was shown")] | UnsetType = UNSET


def token_view(token: Token) -> TokenView:
    return TokenView(**_fields(token))


def view_issued_token(token: Token, secret: str | None = None) -> IssuedToken:
    """Return the view of an issued token. Without the secret it has the address to rotate the token at."""
    told: dict[str, Any] = {"if_lost": f"/v1/tokens/{token.id}/rotation"} if secret is None else {"secret": secret}
    return IssuedToken(**told, **_fields(token))


def caller_view(caller: Principal) -> CallerView:
    told = grant_fields(caller.role, caller.grant, caller.expires_at)
    return CallerView(principal=caller.id, token=UNSET if caller.token is None else caller.token, **told)


def _fields(token: Token) -> dict[str, Any]:
    alike = ("id", "principal", "label", "issued_at", "issued_by", "used_at", "revoked_at")
    return {name: getattr(token, name) for name in alike} | grant_fields(token.role, token.grant, token.expires_at)


# Requests about tokens.


class IssueToken(GrantBody, frozen=True, kw_only=True):
    """A token for another, or another one for oneself."""

    label: Label = ""
    principal: Annotated[
        Id | None, Meta(description="another token for an existing principal, by its id in the events; by default a new one")
    ] = None
    expires_at: ExpiresAt = None


class RotateToken(Incoming, frozen=True, kw_only=True):
    """A new secret for the same token."""

    grace: Annotated[int, Meta(ge=0, le=86_400, description="seconds for which the old one stays valid; 0: it ends at once")] = 0
