"""Requests about webhooks."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from api.common.grant import ExpiresAt, GrantBody
from api.http.decoding import Cursor, Id, Incoming, Number, ShortLimit
from domain.forms import FORM


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
    label: Annotated[
        str,
        Meta(
            max_length=200,
            pattern=r"^[^\x00-\x1f\x7f]*$",
            description="a label to distinguish it in the list",
            extra_json_schema={FORM: "form.line"},
        ),
    ] = ""
    kind: Annotated[Literal["game", "tournament", "player", "series"] | None, Meta(description="only events of this kind of stream")] = None
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
