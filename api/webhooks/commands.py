"""Acts on webhooks: register, enable and disable, rotate the secret, remove."""

import asyncio
from datetime import timedelta
from functools import partial

from msgspec.structs import replace

from api.common.act_handlers import register_act
from api.common.commands import Change
from api.common.grant import CheckedGrant, check_can_grant, decide_grant
from api.http.errors import say
from api.http.operations import Content, ends, switches
from api.http.paging import epoch_of
from api.http.request import Request, part_of, services_of
from api.http.response import Response, no_store_response
from api.webhooks.log import find_webhook, repeat_issue
from api.webhooks.responses import (
    IssuedWebhook,
    RegisterWebhook,
    RotateWebhook,
    SwitchWebhook,
    WebhookRemoved,
    WebhookView,
    view_issued_webhook,
    webhook_view,
)
from api.webhooks.sending.addresses import normalize_url
from api.webhooks.sending.messages import SENT, new_secret
from api.webhooks.sending.sender import Sender
from domain.access import check_token_limit
from domain.errors import InvalidFormatError
from domain.journal.commits import CommandKey
from domain.journal.feed import topics_of
from domain.journal.registers import stamp
from domain.journal.webhooks import EventFilter, Webhook


async def _switch(request: Request, body: SwitchWebhook) -> Change:
    """Enable or disable the webhook. Raises ``InvalidFormatError``."""
    if body.skip and not body.enabled:
        raise InvalidFormatError("malformed_body", say("skip_enables"), "skip")
    found, services = await find_webhook(request), services_of(request)
    at = stamp(services.clock())
    if not body.enabled:
        store = partial(asyncio.to_thread, services.registers.disable_webhook, found.id, at, "asked")
        return Change(webhook_view(found.disable(at, "asked"), at), store)
    after = (epoch_of(request).id, await asyncio.to_thread(services.journal.head)) if body.skip else None
    store = partial(asyncio.to_thread, services.registers.enable_webhook, found.id, after)
    return Change(webhook_view(found.enable(after), at), store)


async def _rotate(request: Request, body: RotateWebhook) -> Change:
    services = services_of(request)
    now = services.clock()
    at, until = stamp(now), stamp(now + timedelta(seconds=body.overlap))

    async def rotate(secret: str) -> tuple[Webhook, Webhook]:
        found = await find_webhook(request)
        check_can_grant(request.user, CheckedGrant(found.role, found.grant, found.expires_at))
        return found, found.rotate_secret(secret, at, until)

    async def store(command: CommandKey | None) -> Response:
        secret = new_secret(services.new_salt)
        while True:  # another rotation may come in between; then read and try again
            found, after = await rotate(secret)
            if await asyncio.to_thread(services.registers.rotate_webhook, found, after, command):
                return no_store_response(view_issued_webhook(after, at, secret), status=201)

    _, after = await rotate("")
    return Change(webhook_view(after, at), store)


async def _remove(request: Request, _: None) -> Change:
    id = (await find_webhook(request)).id
    return Change(WebhookRemoved(id=id), partial(asyncio.to_thread, services_of(request).registers.remove_webhook, id))


async def _tell_removed(request: Request, _: str) -> Response:
    part_of(request.app, Sender).request_check()
    return no_store_response(WebhookRemoved(id=request.path_params["webhook"]))


async def _tell(request: Request, _: str) -> Response:
    part_of(request.app, Sender).request_check()
    return no_store_response(webhook_view(await find_webhook(request), stamp(services_of(request).clock())))


async def _tell_rotated(request: Request, _: str) -> Response:
    return await repeat_issue(request, request.path_params["webhook"])


# Registration: a director sends news to an address, with no more in it than they may see themselves.


async def _register(request: Request, body: RegisterWebhook) -> Change:
    services = services_of(request)
    given = await decide_grant(request, body, body.expires_at)
    url = normalize_url(body.url, services.webhook_networks)
    _check_events(body)
    known = await asyncio.to_thread(services.registers.list_webhooks)
    check_token_limit("webhooks", request.user.id, (one.issued_by for one in known))
    head = await asyncio.to_thread(services.journal.head)
    webhook = _webhook(request, body, url, given, head)

    async def store(command: CommandKey | None) -> Response:
        secret = new_secret(services.new_salt)
        await asyncio.to_thread(services.registers.add_webhook, replace(webhook, secret=secret), command)
        part_of(request.app, Sender).request_check()
        return no_store_response(view_issued_webhook(webhook, webhook.issued_at, secret), status=201)

    return Change(webhook_view(webhook, webhook.issued_at), store)


def _check_events(body: RegisterWebhook) -> None:
    """Raise ``InvalidFormatError`` for a name that no event has: a webhook with a misspelt name would wait for nothing."""
    for name in body.events:
        if not topics_of(name):
            raise InvalidFormatError("malformed_body", say("event_unknown", name=name), "events")


def _webhook(request: Request, body: RegisterWebhook, url: str, given: CheckedGrant, head: int) -> Webhook:
    """Return the webhook without a secret."""
    services = services_of(request)
    return Webhook(
        id=services.new_id().hex[:8],
        url=url,
        label=body.label,
        principal=str(services.new_id()),
        role=given.role,
        grant=given.grant,
        chosen=EventFilter(body.kind, tuple(body.events), body.tournament, body.game),
        issued_at=stamp(services.clock()),
        issued_by=request.user.id,
        expires_at=given.expires_at,
        secret="",
        epoch=epoch_of(request).id,
        sequence=head,
        passed=head,
    )


ACTS = (
    register_act(
        "/v1/webhooks",
        "register_webhook",
        "Register a webhook",
        RegisterWebhook,
        _register,
        repeat_issue,
        says={201: Content("registered", IssuedWebhook, creates={"webhook": "/id"})},
        description=(
            "The service sends a signed message to the address for each event that the webhook may see, in their order. The "
            "role and the scope decide what it shows, at the time of sending. A webhook never sees more than the caller. The "
            "answer contains the secret, only this once. A repetition under the same Idempotency-Key registers no second "
            "webhook. It answers with the first one, without its secret; `if_lost` says where to rotate it."
        ),
        refuses=(404, 422),
        sends=SENT,
    ),
    register_act(
        "/v1/webhooks/{webhook:str}",
        "switch_webhook",
        "Enable or disable a webhook, or retry a failing one now",
        SwitchWebhook,
        _switch,
        _tell,
        says={200: Content("the webhook", WebhookView)},
        description=(
            "A disabled webhook sends nothing more within a second or two. An enabled one resumes where it stopped, unless `skip` "
            "leaves out the events recorded meanwhile. A failing one that is enabled tries at once."
        ),
        route=switches,
    ),
    register_act(
        "/v1/webhooks/{webhook:str}/rotation",
        "rotate_webhook",
        "Rotate a webhook's secret",
        RotateWebhook,
        _rotate,
        _tell_rotated,
        says={201: Content("the webhook", IssuedWebhook)},
        description=(
            "For the time of `overlap` the earlier secret also signs each message. After another rotation in that time every "
            "secret that is still valid signs: a message has as many signatures. With an `overlap` of 0 no earlier secret "
            "signs any more. A director may rotate any webhook that they could register. The answer contains the secret, only "
            "this once. Under the same Idempotency-Key nothing is rotated again, and the answer contains no secret; `if_lost` "
            "says where to rotate once more."
        ),
    ),
    register_act(
        "/v1/webhooks/{webhook:str}",
        "remove_webhook",
        "Remove a webhook, with its log",
        {},
        _remove,
        _tell_removed,
        says={200: Content("it is gone", WebhookRemoved)},
        route=ends,
    ),
)
