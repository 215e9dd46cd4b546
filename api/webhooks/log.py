"""What became of messages, and sending one once more."""

import asyncio
from functools import partial

from litestar.params import FromPath

from api.common.commands import once
from api.common.lists import listed, page_of
from api.http.decoding import read_body, read_query
from api.http.fields import PageQuery
from api.http.operations import Content, Operation, reads, writes
from api.http.paging import bare_cursor, cursor_in_epoch, epoch_of, next_links
from api.http.places import check_scope
from api.http.request import Request, language_of, services_of
from api.http.response import Response, encode, unstored
from api.webhooks.requests import DeliveriesQuery, Redeliver, TestWebhook
from api.webhooks.responses import Deliveries, DeliveryView, Webhooks, WebhookView, delivery_view, issued_webhook, webhook_view
from api.webhooks.sending.messages import TEST, test_id
from api.webhooks.sending.sender import sender_of
from domain.access import EVERYTHING, lies_in
from domain.errors import BadCursor, Unknown
from domain.journal.commits import CommandKey
from domain.journal.registers import stamp
from domain.journal.webhooks import Delivery, Webhook
from projections.models.cursors import cursor_of, text_place_of

# The webhooks in a director's scope.


@reads(
    "/v1/webhooks",
    Operation(
        id="list_webhooks",
        summary="Webhooks, oldest first",
        description="Those that lie in your scope, disabled ones and those that have run out among them. No secret is told, to nobody.",
        query=PageQuery,
        responses={200: Content("a page of webhooks", Webhooks, headers=("ETag", "Link"))},
        role="director",
        within="open",
    ),
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
        summary="A webhook: what it tells, how far it has come, and whether it fails",
        responses={200: Content("the webhook, without its secret", WebhookView, headers=("ETag",))},
        role="director",
        within="body",
    ),
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


@reads(
    "/v1/webhooks/{webhook:str}/deliveries",
    Operation(
        id="list_deliveries",
        summary="What became of its messages, newest first",
        description="The last thousand of the last seven days, and whatever is still tried.",
        query=DeliveriesQuery,
        responses={200: Content("a page of messages", Deliveries, headers=("ETag", "Link"))},
        role="director",
        within="body",
    ),
)
async def list_deliveries(request: Request, webhook: FromPath[str]) -> Response:
    query = read_query(request, DeliveriesQuery)
    await webhook_in_scope(request, webhook)
    before = None if query.cursor is None else _place(query.cursor)
    look = partial(services_of(request).registers.deliveries_of, webhook, before=before, limit=query.limit + 1)
    found = await asyncio.to_thread(look)
    page = found[: query.limit]
    next = cursor_of(f"{page[-1].at} {page[-1].message}") if len(found) > len(page) else None
    language = language_of(request)
    body = Deliveries(deliveries=[delivery_view(one, language) for one in page], next=cursor_in_epoch(request, next))
    return listed(request, encode(body), next_links(request, cursor=body.next), "accept-language, authorization")


@writes(
    "/v1/webhooks/{webhook:str}/deliveries/{message:str}/redelivery",
    Operation(
        id="redeliver",
        summary="Send a message once more",
        description="With the same `webhook-id`, and with what may be seen of the event now. One attempt; the log tells what became of it.",
        body=Redeliver,
        responses={202: Content("it will be sent", DeliveryView)},
        role="director",
        within="body",
    ),
)
async def redeliver(request: Request, webhook: FromPath[str], message: FromPath[str]) -> Response:
    await read_body(request, Redeliver)
    registers = services_of(request).registers

    async def ask_again(command: CommandKey | None) -> Response:
        await webhook_in_scope(request, webhook)
        found = await asyncio.to_thread(registers.delivery_of, webhook, message)
        known = found is not None and found.epoch == epoch_of(request).id
        if not known or not await asyncio.to_thread(registers.ask_again, webhook, message, command):
            raise Unknown("delivery", message)
        return await _told(request, webhook, message)

    return await once(request, ask_again, lambda _: _told(request, webhook, message))


@writes(
    "/v1/webhooks/{webhook:str}/test",
    Operation(
        id="test_webhook",
        summary="Send a message that tells of nothing",
        description="Of type `webhook.test`. One attempt; the log tells what became of it.",
        body=TestWebhook,
        responses={202: Content("it will be sent", DeliveryView)},
        role="director",
        within="body",
    ),
)
async def test_webhook(request: Request, webhook: FromPath[str]) -> Response:
    await read_body(request, TestWebhook)
    services, epoch = services_of(request), epoch_of(request).id

    async def send(command: CommandKey | None) -> Response:
        await webhook_in_scope(request, webhook)
        message, at = test_id(webhook, services.new_id().hex), stamp(services.clock())
        line = Delivery(message=message, webhook=webhook, epoch=epoch, sequence=0, name=TEST, attempts=0, at=at, again=True)
        await asyncio.to_thread(services.registers.add_test, line, command)
        return await _told(request, webhook, message)

    return await once(request, send, lambda made: _told(request, webhook, test_id(webhook, made)))


async def _told(request: Request, webhook: str, message: str) -> Response:
    await webhook_in_scope(request, webhook)
    found = await asyncio.to_thread(services_of(request).registers.delivery_of, webhook, message)
    if found is None:
        raise Unknown("delivery", message)
    sender_of(request).look()
    return unstored(delivery_view(found, language_of(request)), status=202)


def _place(cursor: str) -> tuple[str, str]:
    at, _, message = text_place_of(bare_cursor(cursor)).partition(" ")
    if not message:
        raise BadCursor
    return at, message
