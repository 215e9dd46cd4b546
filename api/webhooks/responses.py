"""Requests and responses about webhooks. A secret is shown in the response that issues it, and nowhere else."""

from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from api.common.commands import IfLost
from api.common.grant import ExpiresAt, GrantBody, GrantView, Label, grant_fields
from api.http.decoding import Cursor, Id, Incoming, Number, ResponseModel, ShortLimit, copy_fields
from api.http.errors import say
from domain.journal.feed import StreamKind
from domain.journal.webhooks import Delivery, Status, Webhook, WhyDisabled
from domain.texts import render


class WebhookView(GrantView, frozen=True, kw_only=True):
    """A webhook without its secret."""

    id: str
    url: str
    label: str
    principal: Annotated[str, Meta(description="the principal in the list of looks, if it receives hidden cards")]
    kind: str | None
    events: tuple[str, ...]
    tournament: str | None
    game: UUID | None
    issued_at: str
    issued_by: str | None
    state: Annotated[Status, Meta(description="`failing`: the last attempts failed, and it is tried again")]
    disabled_at: str | None
    disabled_why: Annotated[
        WhyDisabled | None, Meta(description="the reason: a director's request, a 410 answer, or days of failures only")
    ]
    epoch: Annotated[str, Meta(description="of `sequence`")]
    sequence: Annotated[int, Meta(description="all up to there was delivered")]
    attempts: Annotated[int, Meta(description="that failed since the last success")]
    failing_since: str | None
    next_at: Annotated[str | None, Meta(description="the time of the next attempt, after one that failed")]
    old_secret_until: Annotated[str | None, Meta(description="earlier secrets also sign until then")]


class IssuedWebhook(WebhookView, frozen=True, kw_only=True):
    """A webhook with its secret."""

    secret: (
        Annotated[
            str,
            Meta(description="only in this answer: `whsec_` and 32 bytes in base64; absent from a repeated answer"),
        ]
        | UnsetType
    ) = UNSET
    if_lost: IfLost = UNSET


class Webhooks(ResponseModel, frozen=True, kw_only=True):
    """A page, the oldest first. ``next`` is the cursor of the following page, null on the last."""

    items: list[WebhookView]
    next: str | None


class WebhookRemoved(ResponseModel, frozen=True, kw_only=True):
    id: str


class DeliveryView(ResponseModel, frozen=True, kw_only=True):
    """A message with its last attempt."""

    message: Annotated[str, Meta(description="its `webhook-id`")]
    epoch: str
    sequence: Annotated[int, Meta(description="of the event; 0: a test")]
    type: Annotated[str, Meta(examples=["move.played"])]
    attempts: int
    at: Annotated[str, Meta(description="when the last attempt was made, or asked for")]
    status: Annotated[int | None, Meta(description="of the last answer; null: there was none")]
    error: Annotated[str | None, Meta(description="the problem of the last attempt, in words")]
    delivered_at: Annotated[str | None, Meta(description="null: it was not taken yet")]
    again: Annotated[bool, Meta(description="it is about to be sent once more")]
    test: Annotated[bool, Meta(description="it was asked for as a test")]


class DeliveryPage(ResponseModel, frozen=True, kw_only=True):
    """A page, the newest first. ``next`` is the cursor of the following page, null on the last."""

    items: list[DeliveryView]
    next: str | None


def webhook_view(webhook: Webhook, at: str) -> WebhookView:
    return WebhookView(**_fields(webhook, at))


def view_issued_webhook(webhook: Webhook, at: str, secret: str | None = None) -> IssuedWebhook:
    """Return the view of an issued webhook. Without the secret it has the address to rotate the webhook at."""
    told: dict[str, Any] = {"if_lost": f"/v1/webhooks/{webhook.id}/rotation"} if secret is None else {"secret": secret}
    return IssuedWebhook(**told, **_fields(webhook, at))


def type_of(name: str) -> str:
    """Return the name of an event without its version."""
    return name.partition("/")[0]


def delivery_view(one: Delivery, language: str) -> DeliveryView:
    error = None if one.problem is None else render(say(f"delivery.{one.problem}", detail=one.detail), language)
    return copy_fields(one, DeliveryView, type=type_of(one.name), error=error, test=one.is_test)


_ALIKE = (
    "id", "url", "label", "principal", "issued_at", "issued_by", "disabled_at", "disabled_why", "epoch", "sequence", "attempts",
    "failing_since", "next_at",
)  # fmt: skip


def _fields(webhook: Webhook, at: str) -> dict[str, Any]:
    chosen = webhook.chosen
    told = {name: getattr(webhook, name) for name in _ALIKE} | grant_fields(webhook.role, webhook.grant, webhook.expires_at)
    told |= {"kind": chosen.kind, "events": chosen.events, "tournament": chosen.tournament, "game": chosen.game}
    old_until = max((old.until for old in webhook.still_signing(at)), default=None)
    return told | {"state": webhook.status(at), "old_secret_until": old_until}


class RegisterWebhook(GrantBody, frozen=True, kw_only=True):
    """The address for news, and the rights that decide its content: role and scope as of a token."""

    url: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=2000,
            description="the address that receives it by POST: https://…",
            examples=["https://club.example/news"],
        ),
    ]
    label: Label = ""
    kind: Annotated[StreamKind | None, Meta(description="only events of this kind of stream")] = None
    events: Annotated[
        list[Annotated[str, Meta(max_length=100)]],
        Meta(max_length=100, description="only events of these names, without a version in all; empty: all", examples=[["move.played"]]),
    ] = []
    tournament: Annotated[Id | None, Meta(description="only events of this tournament and of its games")] = None
    game: Annotated[UUID | None, Meta(description="only events of this game")] = None
    expires_at: ExpiresAt = None


class SwitchWebhook(Incoming, frozen=True, kw_only=True):
    """Whether messages are sent."""

    enabled: Annotated[bool, Meta(description="true: sending continues where it stood; false: it ends")]
    skip: Annotated[bool, Meta(description="with `enabled: true`: skip the events recorded meanwhile")] = False


class RotateWebhook(Incoming, frozen=True, kw_only=True):
    """The time for which the old secret still signs."""

    overlap: Annotated[int, Meta(ge=0, le=604_800, description="seconds for which the earlier secret also signs")] = 86_400


class RepeatDelivery(Incoming, frozen=True, kw_only=True):
    """An empty body."""


class TestWebhook(Incoming, frozen=True, kw_only=True):
    """A message about nothing, or the event of a sequence."""

    sequence: Annotated[Number | None, Meta(description="send the event of this sequence of the feed, as a test", examples=[128])] = None


class DeliveryQuery(Incoming, frozen=True, kw_only=True):
    cursor: Cursor = None
    limit: ShortLimit = 50
