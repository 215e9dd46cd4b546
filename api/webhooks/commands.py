"""What becomes of webhooks: disabled and enabled, given another secret, removed."""

import asyncio
from datetime import timedelta
from functools import partial

from litestar.params import FromPath

from api.common.commands import once
from api.common.grants import Granted, check_gives, granted
from api.http.decoding import read_body
from api.http.errors import say
from api.http.operations import Content, Operation, writes
from api.http.paging import epoch_of
from api.http.request import Request, services_of
from api.http.response import Response, unstored
from api.webhooks.log import issued_before, webhook_in_scope
from api.webhooks.requests import DisableWebhook, EnableWebhook, RegisterWebhook, RemoveWebhook, RotateWebhook
from api.webhooks.responses import IssuedWebhook, WebhookRemoved, WebhookView, issued_webhook, webhook_view
from api.webhooks.sending.addresses import check_url
from api.webhooks.sending.messages import new_secret
from api.webhooks.sending.sender import sender_of
from domain.access import check_room
from domain.errors import Malformed
from domain.journal.commits import CommandKey
from domain.journal.feed import topics_of
from domain.journal.registers import stamp
from domain.journal.webhooks import Chosen, Webhook


@writes(
    "/v1/webhooks/{webhook:str}/disabling",
    Operation(
        id="disable_webhook",
        summary="Disable a webhook",
        description="Within a second or two nothing more is sent. What was disabled before stays so.",
        body=DisableWebhook,
        responses={200: Content("the webhook", WebhookView)},
        role="director",
        within="body",
    ),
)
async def disable_webhook(request: Request, webhook: FromPath[str]) -> Response:
    await read_body(request, DisableWebhook)
    services = services_of(request)

    async def disable(command: CommandKey | None) -> Response:
        await webhook_in_scope(request, webhook)
        await asyncio.to_thread(services.registers.disable_webhook, webhook, stamp(services.clock()), "asked", command)
        return await _told(request, webhook)

    return await once(request, disable, lambda _: _told(request, webhook))


@writes(
    "/v1/webhooks/{webhook:str}/enabling",
    Operation(
        id="enable_webhook",
        summary="Enable a webhook that was disabled, or have one that fails tried again now",
        description="It goes on where it stood, unless `skip` leaves out what was recorded meanwhile.",
        body=EnableWebhook,
        responses={200: Content("the webhook", WebhookView)},
        role="director",
        within="body",
    ),
)
async def enable_webhook(request: Request, webhook: FromPath[str]) -> Response:
    body, services = await read_body(request, EnableWebhook), services_of(request)

    async def enable(command: CommandKey | None) -> Response:
        await webhook_in_scope(request, webhook)
        after = (epoch_of(request).id, await asyncio.to_thread(services.journal.head)) if body.skip else None
        await asyncio.to_thread(services.registers.enable_webhook, webhook, after, command)
        return await _told(request, webhook)

    return await once(request, enable, lambda _: _told(request, webhook))


@writes(
    "/v1/webhooks/{webhook:str}/rotation",
    Operation(
        id="rotate_webhook",
        summary="Give a webhook another secret",
        description="For the time of `overlap` the secret of before signs each message, too. Rotated again in that time, every secret that "
        "is still within its own signs: so many signatures a message has. With an `overlap` of 0 no secret of before signs any more. A "
        "director may rotate what he could register himself. The answer tells the secret, this once. Under the same Idempotency-Key "
        "nothing is rotated again, and the answer tells no secret: `if_lost` says where to rotate once more.",
        body=RotateWebhook,
        responses={201: Content("the webhook", IssuedWebhook)},
        role="director",
        within="body",
    ),
)
async def rotate_webhook(request: Request, webhook: FromPath[str]) -> Response:
    body, services = await read_body(request, RotateWebhook), services_of(request)

    async def rotate(command: CommandKey | None) -> Response:
        now, secret = services.clock(), new_secret(services.new_salt)
        until = stamp(now + timedelta(seconds=body.overlap))
        while True:  # another rotation may come between
            found = await webhook_in_scope(request, webhook)
            check_gives(request.user, Granted(found.role, found.grant, found.expires_at))
            after = found.rotated(secret, stamp(now), until)
            if await asyncio.to_thread(services.registers.rotate_webhook, found, after, command):
                return unstored(issued_webhook(after, stamp(now), secret), status=201)

    return await once(request, rotate, lambda _: issued_before(request, webhook))


@writes(
    "/v1/webhooks/{webhook:str}/removal",
    Operation(
        id="remove_webhook",
        summary="Remove a webhook, with its log",
        body=RemoveWebhook,
        responses={200: Content("it is gone", WebhookRemoved)},
        role="director",
        within="body",
    ),
)
async def remove_webhook(request: Request, webhook: FromPath[str]) -> Response:
    await read_body(request, RemoveWebhook)

    async def tell(_: str) -> Response:
        return unstored(WebhookRemoved(id=webhook))

    async def remove(command: CommandKey | None) -> Response:
        await webhook_in_scope(request, webhook)
        await asyncio.to_thread(services_of(request).registers.remove_webhook, webhook, command)
        sender_of(request).look()
        return await tell(webhook)

    return await once(request, remove, tell)


async def _told(request: Request, webhook: str) -> Response:
    sender_of(request).look()
    return unstored(webhook_view(await webhook_in_scope(request, webhook), stamp(services_of(request).clock())))


# Registering webhooks: a director lets news go out, with no more in it than he has himself.


@writes(
    "/v1/webhooks",
    Operation(
        id="register_webhook",
        summary="Register a webhook",
        description="From now on a signed message goes to its address for each event that it may know of, in their order, with what the "
        "role and the scope may see of it when it is sent. Nobody gives more than he has. The answer tells the secret, this once. Under "
        "the same Idempotency-Key no second one is registered, and the answer tells the first without its secret: `if_lost` says where to "
        "rotate it.",
        body=RegisterWebhook,
        responses={201: Content("registered", IssuedWebhook, creates={"webhook": "/id"})},
        refuses=(404, 422),
        role="director",
        within="body",
    ),
)
async def register_webhook(request: Request) -> Response:
    services, body = services_of(request), await read_body(request, RegisterWebhook)

    async def register(command: CommandKey | None) -> Response:
        given = await granted(request, body, body.expires_at)
        check_url(body.url, services.webhook_networks)
        _check_events(body)
        known = await asyncio.to_thread(services.registers.list_webhooks)
        check_room("webhooks", request.user.id, (one.issued_by for one in known))
        head = await asyncio.to_thread(services.journal.head)
        webhook = _webhook(request, body, given, head)
        await asyncio.to_thread(services.registers.add_webhook, webhook, command)
        sender_of(request).look()
        return unstored(issued_webhook(webhook, webhook.issued_at, webhook.secret), status=201)

    return await once(request, register, partial(issued_before, request))


def _check_events(body: RegisterWebhook) -> None:
    """Raises ``Malformed`` for a name that no event has: a misspelt one would be waited for in vain."""
    for name in body.events:
        if not topics_of(name):
            raise Malformed("malformed_body", say("event_unknown", name=name), "events")


def _webhook(request: Request, body: RegisterWebhook, given: Granted, head: int) -> Webhook:
    services = services_of(request)
    return Webhook(
        id=services.new_id().hex[:8],
        url=body.url,
        label=body.label,
        principal=str(services.new_id()),
        role=given.role,
        grant=given.grant,
        chosen=Chosen(body.kind, tuple(body.events), body.tournament, body.game),
        issued_at=stamp(services.clock()),
        issued_by=request.user.id,
        expires_at=given.expires_at,
        secret=new_secret(services.new_salt),
        epoch=epoch_of(request).id,
        sequence=head,
        passed=head,
    )
