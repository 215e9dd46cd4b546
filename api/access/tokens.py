"""API tokens: list, issue, revoke and rotate them. A director issues tokens within their own scope."""

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from hashlib import sha256

from litestar.params import FromPath
from msgspec.structs import replace

from api.access.responses import (
    CallerView,
    IssuedToken,
    IssueToken,
    RotateToken,
    Tokens,
    TokenView,
    caller_view,
    token_view,
    view_issued_token,
)
from api.common.act_handlers import register_act
from api.common.commands import Change, once
from api.common.grant import CheckedGrant, check_can_grant, decide_grant
from api.common.lists import build_list_response, page_of
from api.http.decoding import DryRun, PageQuery, read_body, read_query
from api.http.errors import say
from api.http.guards import check_role
from api.http.operations import Content, ends, reads, writes
from api.http.places import in_scope
from api.http.request import Request, services_of
from api.http.response import Response, encode, no_store_response
from domain.access import EVERYTHING, check_token_limit, is_within
from domain.errors import Forbidden, Refused
from domain.journal.commits import CommandKey
from domain.journal.registers import Duplicate, stamp
from domain.journal.sessions import Token

# The caller.


@reads(
    "/v1/me",
    "read_me",
    "Read your own role, scope and expiry",
    tag="Access",
    responses={200: Content("the caller", CallerView)},
    within="open",
)
async def read_caller(request: Request) -> Response:
    return no_store_response(caller_view(request.user), vary="authorization")


# The list of tokens, for directors: the tokens in their scope.


@reads(
    "/v1/tokens",
    "list_tokens",
    "List tokens, oldest first",
    description="The list holds the tokens within your scope, including revoked and expired ones. No answer contains a secret.",
    query=PageQuery,
    responses={200: Content("a page of tokens", Tokens, headers=("ETag", "Link"))},
    role="director",
    within="open",
)
async def list_tokens(request: Request) -> Response:
    query, own = read_query(request, PageQuery), request.user.grant.scope
    known = await asyncio.to_thread(services_of(request).registers.list_tokens)
    within = (one for one in known if is_within(one.grant.scope, own))
    page, next, links = await page_of(request, query, within, lambda one: f"{one.issued_at} {one.id}")
    return build_list_response(request, encode(Tokens(items=list(map(token_view, page)), next=next)), links)


@reads(
    "/v1/tokens/{token:str}",
    "read_token",
    "Read a token: its role, scope, expiry and last use",
    responses={200: Content("the token, without its secret", TokenView, headers=("ETag",))},
    role="director",
    within="body",
)
async def read_token(request: Request, token: FromPath[str]) -> Response:
    return build_list_response(request, encode(token_view(await token_in_scope(request, token))))


async def token_in_scope(request: Request, id: str) -> Token:
    """Return the token. Raises ``Forbidden`` and ``Unknown``."""
    return await in_scope(request, "token", services_of(request).registers.token_of, id)


async def repeat_issue(request: Request, id: str) -> Response:
    """Return the current state of the token that was made under the key of this request."""
    token = await asyncio.to_thread(services_of(request).registers.token_of, id)
    assert token is not None  # tokens are never removed
    return no_store_response(view_issued_token(token), status=201)


# Secrets of tokens. The register holds their SHA-256 only, so that a copy of the database contains no usable token. A plain digest is
# enough: the secrets are random and long, so a slow hash would protect nothing.


PREFIX = "kb_"


def new_secret(chance: Callable[[], bytes]) -> str:
    """Return a secret of at least 256 random bits. The prefix lets a scanner find tokens that were published by mistake."""
    drawn = b""
    while len(drawn) < 32:
        drawn += chance()
    return PREFIX + urlsafe_b64encode(drawn).decode().rstrip("=")


def hash_secret(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def build_replacement(old: Token, hash: str, at: str, by: str | None) -> Token:
    """Return the token that replaces another one in a rotation. Its id follows from the old id, so that no token has two successors."""
    id = sha256(f"{old.id} rotated".encode()).hexdigest()[:8]
    return Token(id, hash, old.principal, old.role, old.label, at, None, old.grant, old.expires_at, by)


async def _issue(request: Request, body: IssueToken) -> Change:
    services = services_of(request)
    given = await decide_grant(request, body, body.expires_at)
    _check_principal(request, body.principal)
    await check_limit_for_token(request)
    token = _token(request, body, given)

    async def store(command: CommandKey | None) -> Response:
        secret = new_secret(services.new_salt)
        await asyncio.to_thread(services.registers.add_token, replace(token, hash=hash_secret(secret)), command)
        return no_store_response(view_issued_token(token, secret), status=201)

    return Change(token_view(token), store)


async def check_limit_for_token(request: Request) -> None:
    """Raise ``Refused`` if the caller has issued too many tokens that are still valid."""
    services = services_of(request)
    tokens, now = await asyncio.to_thread(services.registers.list_tokens), stamp(services.clock())
    check_token_limit("tokens", request.user.id, (one.issued_by for one in tokens if not one.is_over(now)))


def _check_principal(request: Request, principal: str | None) -> None:
    """Check that the caller may issue a token for this principal.

    Raises ``Forbidden``: events everywhere would show that principal, so it needs the scope of everything.
    """
    if principal not in (None, request.user.id) and request.user.grant.scope != EVERYTHING:
        raise Forbidden(say("gives_more.principal"), where="principal")


def _token(request: Request, body: IssueToken, given: CheckedGrant) -> Token:
    """Return the token without a secret."""
    services = services_of(request)
    return Token(
        id=services.new_id().hex[:8],
        hash="",
        principal=body.principal or str(services.new_id()),
        role=given.role,
        label=body.label,
        issued_at=stamp(services.clock()),
        grant=given.grant,
        expires_at=given.expires_at,
        issued_by=request.user.id,
    )


# Tokens end by revocation, or by rotation to a new secret.


async def _revoke(request: Request, _: None) -> Change:
    services, token = services_of(request), await token_in_scope(request, request.path_params["token"])
    at = stamp(services.clock())
    store = partial(asyncio.to_thread, services.registers.revoke_token, token.id, at)
    return Change(token_view(replace(token, revoked_at=token.revoked_at or at)), store)


async def _tell(request: Request, _: str) -> Response:
    return no_store_response(token_view(await token_in_scope(request, request.path_params["token"])))


ACTS = (
    register_act(
        "/v1/tokens",
        "issue_token",
        "Issue a token",
        IssueToken,
        _issue,
        repeat_issue,
        says={201: Content("issued", IssuedToken, creates={"token": "/id"})},
        description=(
            "A token never gives more than the caller has: its scope lies within the caller's scope, and it expires no later. "
            "A caller who sees only what is public cannot issue a token that sees more. The answer contains the secret, only "
            "this once. A repetition under the same Idempotency-Key issues no second token. It answers with the first one, "
            "without its secret, which is not stored; `if_lost` says where to rotate it."
        ),
        refuses=(404, 422),
    ),
    register_act(
        "/v1/tokens/{token:str}",
        "revoke_token",
        "Revoke a token",
        {},
        _revoke,
        _tell,
        says={200: Content("the token", TokenView)},
        description=(
            "The token must lie within your scope. It is refused within a second. A token that was already revoked stays revoked."
        ),
        route=ends,
    ),
)


@writes(
    "/v1/tokens/{token:str}/rotation",
    "rotate_token",
    "Rotate a token: replace its secret",
    description=(
        "Principal, role, scope, label and expiry stay the same. The old secret ends at once, or after `grace`. Every "
        "caller may rotate the token that they show. A director may also rotate other tokens within their scope that they "
        "could issue. A repetition under the same Idempotency-Key answers without the secret, as for the issue of a token."
    ),
    query=DryRun,
    body=RotateToken,
    responses={
        201: Content("the new token", IssuedToken, creates={"token": "/id"}),
        200: Content("a dry run: the new token without its secret, not stored", TokenView),
    },
    refuses=(403, 409, 422),
    within="body",
)
async def rotate_token(request: Request, token: FromPath[str]) -> Response:
    body = await read_body(request, RotateToken)
    try:
        return await once(request, partial(_rotate, request, token, body), partial(repeat_issue, request))
    except Duplicate:  # a concurrent request has rotated it, with a grace
        raise Refused("token_over") from None


async def _rotate(request: Request, id: str, body: RotateToken) -> Change:
    old, services = await _to_rotate(request, id), services_of(request)
    if body.grace:  # both tokens count during the grace
        await check_limit_for_token(request)
    now = services.clock()
    new = build_replacement(old, "", stamp(now), request.user.id)
    if await asyncio.to_thread(services.registers.token_of, new.id):
        raise Refused("token_over")
    ends_at = _end(old, stamp(now + timedelta(seconds=body.grace))) if body.grace else None

    async def store(command: CommandKey | None) -> Response:
        secret = new_secret(services.new_salt)
        kept = replace(new, hash=hash_secret(secret))
        rotate = partial(services.registers.rotate_token, old, kept, stamp(now), ends_at=ends_at, command=command)
        if not await asyncio.to_thread(rotate):
            raise Refused("token_over")
        return no_store_response(view_issued_token(new, secret), status=201)

    return Change(token_view(new), store)


def _end(old: Token, grace_ends: str) -> str:
    """Return the end of the old token: the grace never prolongs it."""
    return grace_ends if old.expires_at is None else min(old.expires_at, grace_ends)


async def _to_rotate(request: Request, id: str) -> Token:
    """Return the token to rotate. Raises ``Forbidden``, ``Unknown``, and ``Refused`` for a token that is over."""
    caller = request.user
    if id != caller.token:
        check_role(caller, ("director",))
    token = await token_in_scope(request, id)
    if id != caller.token:
        check_can_grant(caller, CheckedGrant(token.role, token.grant, token.expires_at))
    if token.is_over(stamp(services_of(request).clock())):
        raise Refused("token_over")
    return token
