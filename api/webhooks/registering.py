"""Registering webhooks: a director lets news go out, with no more in it than he has himself."""

import asyncio
from functools import partial

from api.common.grants import Granted, granted
from api.common.repeats import once
from api.http.decoding import read_body
from api.http.errors import say
from api.http.operations import Content, Operation, writes
from api.http.paging import epoch_of
from api.http.request import Request, services_of
from api.http.response import Response, unstored
from api.webhooks.lists import issued_before
from api.webhooks.requests import RegisterWebhook
from api.webhooks.responses import IssuedWebhook, issued_webhook
from api.webhooks.sending.addresses import check_url
from api.webhooks.sending.sender import sender_of
from api.webhooks.sending.signing import new_secret
from domain.access.bounds import check_room
from domain.errors import Malformed
from domain.journal.commits import CommandKey
from domain.journal.feed import topics_of
from domain.journal.registers import stamp
from domain.journal.webhooks import Chosen, Webhook


@writes(
    "/v1/webhooks",
    Operation(
        id="register_webhook",
        tag="Webhooks",
        summary="Register a webhook",
        description="From now on a signed message goes to its address for each event that it may know of, in their order, with what the "
        "role and the scope may see of it when it is sent. Nobody gives more than he has. The answer tells the secret, this once. Under "
        "the same Idempotency-Key no second one is registered, and the answer tells the first without its secret: `if_lost` says where to "
        "rotate it.",
        body=RegisterWebhook,
        responses={201: Content("registered", IssuedWebhook, creates={"webhook": "/id"})},
        refuses=(404, 422),
        headers=("Idempotency-Key",),
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
