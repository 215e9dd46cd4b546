"""The log of webhook deliveries, and requests to send a message again."""

import asyncio
from functools import partial

from litestar.params import FromPath
from msgspec.structs import replace

from api.common.act_handlers import register_act
from api.common.commands import Change
from api.common.lists import build_list_response, page_of
from api.http.decoding import PageQuery, read_query
from api.http.errors import FuturePositionError, ProjectionLagError, say
from api.http.operations import Content, reads
from api.http.paging import bare_cursor, cursor_in_epoch, epoch_of, next_links
from api.http.places import in_scope
from api.http.request import Request, language_of, part_of, services_of
from api.http.response import Response, encode, no_store_response
from api.webhooks.responses import (
    DeliveryPage,
    DeliveryQuery,
    DeliveryView,
    RepeatDelivery,
    TestWebhook,
    Webhooks,
    WebhookView,
    delivery_view,
    view_issued_webhook,
    webhook_view,
)
from api.webhooks.sending.messages import TEST, test_id
from api.webhooks.sending.sender import Sender
from api.webhooks.sending.source import Source
from domain.access import is_within
from domain.errors import BadCursor, InvalidFormatError, Unknown
from domain.journal.commits import CommandKey
from domain.journal.registers import stamp
from domain.journal.webhooks import Delivery, Webhook
from projections.models.reading import cursor_of, text_place_of

# The webhooks in a director's scope.


@reads(
    "/v1/webhooks",
    "list_webhooks",
    "List webhooks, oldest first",
    description="The list holds the webhooks within your scope, including disabled and expired ones. No answer contains a secret.",
    query=PageQuery,
    responses={200: Content("a page of webhooks", Webhooks, headers=("ETag", "Link"))},
    role="director",
    within="open",
)
async def list_webhooks(request: Request) -> Response:
    services, query, own = services_of(request), read_query(request, PageQuery), request.user.grant.scope
    known = await asyncio.to_thread(services.registers.list_webhooks)
    within, now = (one for one in known if is_within(one.grant.scope, own)), stamp(services.clock())
    page, next, links = await page_of(request, query, within, lambda one: f"{one.issued_at} {one.id}")
    return build_list_response(request, encode(Webhooks(items=[webhook_view(one, now) for one in page], next=next)), links)


@reads(
    "/v1/webhooks/{webhook:str}",
    "read_webhook",
    "Read a webhook: its filters, its progress and its failures",
    responses={200: Content("the webhook, without its secret", WebhookView, headers=("ETag",))},
    role="director",
    within="body",
)
async def read_webhook(request: Request, webhook: FromPath[str]) -> Response:
    found = await find_webhook(request)
    return build_list_response(request, encode(webhook_view(found, stamp(services_of(request).clock()))))


async def find_webhook(request: Request, id: str | None = None) -> Webhook:
    """Return the webhook of this id, else of the one in the path. Raises ``Forbidden`` and ``Unknown``."""
    return await in_scope(request, "webhook", services_of(request).registers.webhook_of, id or request.path_params["webhook"])


async def repeat_issue(request: Request, id: str) -> Response:
    """Return the current state of the webhook that was registered or rotated under the key of this request."""
    return no_store_response(view_issued_webhook(await find_webhook(request, id), stamp(services_of(request).clock())), status=201)


@reads(
    "/v1/webhooks/{webhook:str}/deliveries",
    "list_deliveries",
    "List the deliveries of a webhook, newest first",
    description="The list holds the last thousand messages of the last seven days, and every message that is still tried.",
    query=DeliveryQuery,
    responses={200: Content("a page of messages", DeliveryPage, headers=("ETag", "Link"))},
    role="director",
    within="body",
)
async def read_delivery_log(request: Request, webhook: FromPath[str]) -> Response:
    query = read_query(request, DeliveryQuery)
    await find_webhook(request)
    before = None if query.cursor is None else _place(query.cursor)
    look = partial(services_of(request).registers.list_delivery_log, webhook, before=before, limit=query.limit + 1)
    found = await asyncio.to_thread(look)
    page = found[: query.limit]
    next = cursor_of(f"{page[-1].at} {page[-1].message}") if len(found) > len(page) else None
    language = language_of(request)
    body = DeliveryPage(items=[delivery_view(one, language) for one in page], next=cursor_in_epoch(request, next))
    return build_list_response(request, encode(body), next_links(request, cursor=body.next), "accept-language, authorization")


async def _repeat_delivery(request: Request, _: RepeatDelivery) -> Change:
    webhook, message, registers = await find_webhook(request), request.path_params["message"], services_of(request).registers
    found = await asyncio.to_thread(registers.delivery_of, webhook.id, message)
    if found is None or found.epoch != epoch_of(request).id:
        raise Unknown("delivery", message)
    store = partial(asyncio.to_thread, registers.repeat_delivery, webhook.id, message)
    return Change(delivery_view(replace(found, again=True), language_of(request)), store)


async def _test(request: Request, body: TestWebhook) -> Change:
    webhook, services = await find_webhook(request), services_of(request)
    sequence, name = (0, TEST) if body.sequence is None else (body.sequence, await _find_event(request, webhook, body.sequence))
    message, at, epoch = test_id(webhook.id, services.new_id().hex), stamp(services.clock()), epoch_of(request).id
    line = Delivery(message=message, webhook=webhook.id, epoch=epoch, sequence=sequence, name=name, attempts=0, at=at, again=True)

    async def store(command: CommandKey | None) -> Response:
        await asyncio.to_thread(services.registers.add_test, line, command)
        return await _delivery_response(request, message)

    return Change(delivery_view(line, language_of(request)), store)


async def _find_event(request: Request, webhook: Webhook, sequence: int) -> str:
    """Return the name of the event, if the webhook may send it. Raises ``FuturePositionError`` and ``InvalidFormatError``."""
    services = services_of(request)
    head = await asyncio.to_thread(services.journal.head)
    if sequence > head:
        raise FuturePositionError(sequence, head, "sequence")
    page = await Source(services).read_entry(webhook, sequence)
    if page is None:
        raise ProjectionLagError(sequence, sequence - 1)
    if not page.entries:
        raise InvalidFormatError("malformed_body", say("webhook.event_not_sent", sequence=sequence), "sequence")
    return page.entries[0].name


async def _tell_asked(request: Request, _: str) -> Response:
    return await _delivery_response(request, request.path_params["message"])


async def _tell_tested(request: Request, made: str) -> Response:
    return await _delivery_response(request, test_id(request.path_params["webhook"], made))


async def _delivery_response(request: Request, message: str) -> Response:
    webhook = await find_webhook(request)
    found = await asyncio.to_thread(services_of(request).registers.delivery_of, webhook.id, message)
    if found is None:
        raise Unknown("delivery", message)
    part_of(request.app, Sender).request_check()
    return no_store_response(delivery_view(found, language_of(request)), status=202)


def _place(cursor: str) -> tuple[str, str]:
    at, _, message = text_place_of(bare_cursor(cursor)).partition(" ")
    if not message:
        raise BadCursor
    return at, message


ACTS = (
    register_act(
        "/v1/webhooks/{webhook:str}/deliveries/{message:str}/redelivery",
        "redeliver",
        "Send a message again",
        RepeatDelivery,
        _repeat_delivery,
        _tell_asked,
        says={202: Content("it will be sent", DeliveryView)},
        description=(
            "The message keeps its `webhook-id` and shows what may be seen of the event now. There is one attempt; the log "
            "shows its outcome."
        ),
    ),
    register_act(
        "/v1/webhooks/{webhook:str}/test",
        "test_webhook",
        "Send a test message",
        TestWebhook,
        _test,
        _tell_tested,
        says={202: Content("it will be sent", DeliveryView)},
        description=(
            "The type is `webhook.test`, about nothing. With `sequence` it is that event, in the form in which the webhook would "
            'send it now. Its `webhook-id` is new and the message says `"test": true`. There is one attempt; the log shows its '
            "outcome."
        ),
        refuses=(422,),
    ),
)
