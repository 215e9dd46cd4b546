"""The list of tokens, for directors: those that lie in their scope."""

import asyncio

from litestar.params import FromPath

from api.access.responses import Tokens, TokenView, issued_token, token_view
from api.common.lists import listed, page_of
from api.http.fields import PageQuery
from api.http.guards import admitting
from api.http.operations import Content, Operation, reads
from api.http.places import check_scope
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response, encode, unstored
from domain.access.scopes import EVERYTHING, lies_in
from domain.errors import Unknown
from domain.journal.tokens import Token


@reads(
    "/v1/tokens",
    Operation(
        id="list_tokens",
        tag="Access",
        summary="Tokens, oldest first",
        description="Those that lie in your scope, revoked ones and those that have run out among them. No secret is told, to nobody.",
        query=PageQuery,
        responses={200: Content("a page of tokens", Tokens, headers=("ETag", "Link"))},
        headers=("If-None-Match",),
        role="director",
        within="open",
    ),
    admit=admitting("director"),
)
async def list_tokens(request: Request) -> Response:
    query, own = read_query(request, PageQuery), request.user.grant.scope
    known = await asyncio.to_thread(services_of(request).registers.list_tokens)
    within = (one for one in known if lies_in(one.grant.scope, own))
    page, next, links = await page_of(request, query, within, lambda one: f"{one.issued_at} {one.id}")
    return listed(request, encode(Tokens(tokens=list(map(token_view, page)), next=next)), links)


@reads(
    "/v1/tokens/{token:str}",
    Operation(
        id="read_token",
        tag="Access",
        summary="A token: what it is good for, and when it was used last",
        responses={200: Content("the token, without its secret", TokenView, headers=("ETag",))},
        refuses=(404,),
        headers=("If-None-Match",),
        role="director",
        within="body",
    ),
    admit=admitting("director"),
)
async def read_token(request: Request, token: FromPath[str]) -> Response:
    return listed(request, encode(token_view(await token_in_scope(request, token))))


async def token_in_scope(request: Request, id: str) -> Token:
    """Raises ``Forbidden`` beyond the caller's scope, where nobody learns whether there is such a token; ``Unknown`` for all others."""
    token = await asyncio.to_thread(services_of(request).registers.token_of, id)
    check_scope(request, EVERYTHING if token is None else token.grant.scope)
    if token is None:
        raise Unknown("token", id)
    return token


async def issued_before(request: Request, id: str) -> Response:
    """A token that was made under the key of this request, as it stands by now."""
    token = await asyncio.to_thread(services_of(request).registers.token_of, id)
    assert token is not None  # none is ever removed
    return unstored(issued_token(token), status=201)
