"""The webhooks in a director's scope."""

import asyncio

from litestar.params import FromPath

from api.common.lists import listed, page_of
from api.http.fields import PageQuery
from api.http.guards import admitting
from api.http.operations import Content, Operation, reads
from api.http.places import check_scope
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response, encode, unstored
from api.webhooks.responses import Webhooks, WebhookView, issued_webhook, webhook_view
from domain.access.scopes import EVERYTHING, lies_in
from domain.errors import Unknown
from domain.journal.registers import stamp
from domain.journal.webhooks import Webhook


@reads(
    "/v1/webhooks",
    Operation(
        id="list_webhooks",
        tag="Webhooks",
        summary="Webhooks, oldest first",
        description="Those that lie in your scope, disabled ones and those that have run out among them. No secret is told, to nobody.",
        query=PageQuery,
        responses={200: Content("a page of webhooks", Webhooks, headers=("ETag", "Link"))},
        headers=("If-None-Match",),
        role="director",
        within="open",
    ),
    admit=admitting("director"),
)
async def list_webhooks(request: Request) -> Response:
    services, query, own = services_of(request), read_query(request, PageQuery), request.user.grant.scope
    known = await asyncio.to_thread(services.registers.list_webhooks)
    within, now = (one for one in known if lies_in(one.grant.scope, own)), stamp(services.clock())
    page, next, links = await page_of(request, query, within, lambda one: f"{one.issued_at} {one.id}")
    return listed(request, encode(Webhooks(webhooks=[webhook_view(one, now) for one in page], next=next)), links)


@reads(
    "/v1/webhooks/{webhook:str}",
    Operation(
        id="read_webhook",
        tag="Webhooks",
        summary="A webhook: what it tells, how far it has come, and whether it fails",
        responses={200: Content("the webhook, without its secret", WebhookView, headers=("ETag",))},
        refuses=(404,),
        headers=("If-None-Match",),
        role="director",
        within="body",
    ),
    admit=admitting("director"),
)
async def read_webhook(request: Request, webhook: FromPath[str]) -> Response:
    found = await webhook_in_scope(request, webhook)
    return listed(request, encode(webhook_view(found, stamp(services_of(request).clock()))))


async def webhook_in_scope(request: Request, id: str) -> Webhook:
    """Raises ``Forbidden`` beyond the caller's scope, where nobody learns whether there is such a one; ``Unknown`` for all others."""
    found = await asyncio.to_thread(services_of(request).registers.webhook_of, id)
    check_scope(request, EVERYTHING if found is None else found.grant.scope)
    if found is None:
        raise Unknown("webhook", id)
    return found


async def issued_before(request: Request, id: str) -> Response:
    """A webhook that was registered or rotated under the key of this request, as it stands by now."""
    return unstored(issued_webhook(await webhook_in_scope(request, id), stamp(services_of(request).clock())), status=201)
