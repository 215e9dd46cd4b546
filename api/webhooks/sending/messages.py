"""Webhook messages and their webhook signature (Standard Webhooks): an entry of the feed, with the event as the receiver may see it."""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Literal
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from api.common.event_views import EventView
from api.http.decoding import ResponseModel, copy_fields
from api.http.operations import ABOUT_EVENT
from api.http.response import encode
from api.webhooks.responses import type_of
from domain.journal.feed import FeedEntry, StreamKind
from domain.journal.webhooks import Delivery, Webhook

TEST: Literal["webhook.test"] = "webhook.test"


class MessageData(ResponseModel, frozen=True, kw_only=True):
    """The entry of the feed, the epoch of its sequence, and the event as the history shows it; the event is left out
    where it is damaged.
    """

    epoch: str
    sequence: int
    kind: StreamKind
    id: UUID
    position: int
    name: str
    at: datetime | None
    tournament: str | UnsetType = UNSET
    player: str | UnsetType = UNSET
    series: str | UnsetType = UNSET
    ruleset: str | UnsetType = UNSET
    event: EventView | UnsetType = UNSET


class TestData(ResponseModel, frozen=True, kw_only=True):
    webhook: str
    label: str


class Message(ResponseModel, frozen=True, kw_only=True):
    """A message in the form of the Standard Webhooks specification.

    ``type`` is the name of the event without its version, ``timestamp`` when it was recorded. ``test``: it was asked for, and may have been
    sent before.
    """

    type: str
    timestamp: datetime
    test: Literal[True] | UnsetType = UNSET
    data: MessageData


class TestMessage(ResponseModel, frozen=True, kw_only=True):
    """A message about nothing, to test a receiver."""

    type: Literal["webhook.test"]
    timestamp: datetime
    data: TestData


SENT: Mapping[str, type[Struct]] = {ABOUT_EVENT: Message, TEST: TestMessage}


def message_id(webhook: str, epoch: str, sequence: int) -> str:
    """Return the id of a message. It is the same in every attempt, so that receivers recognise repetitions."""
    return f"msg_{webhook}_{epoch}_{sequence}"


def test_id(webhook: str, chance: str) -> str:
    """Return the id of a test message. ``chance``: hexadecimal digits, of which twelve are used."""
    return f"msg_{webhook}_test_{chance[:12]:0>12}"


def message_of(entry: FeedEntry, line: Delivery, event: EventView | None, now: datetime) -> bytes:
    data = copy_fields(entry, MessageData, epoch=line.epoch, event=UNSET if event is None else event)
    return encode(Message(type=type_of(entry.name), timestamp=entry.at or now, test=True if line.is_test else UNSET, data=data))


def test_message(webhook: Webhook, now: datetime) -> bytes:
    return encode(TestMessage(type=TEST, timestamp=now, data=TestData(webhook=webhook.id, label=webhook.label)))


# Secrets and signatures after the Standard Webhooks specification (https://www.standardwebhooks.com), version 1.


PREFIX = "whsec_"
_BYTES = 32
"""Bytes of a secret; the specification requires 24 to 64."""


def new_secret(chance: Callable[[], bytes]) -> str:
    drawn = b""
    while len(drawn) < _BYTES:
        drawn += chance()
    return PREFIX + b64encode(drawn[:_BYTES]).decode()


def sign_headers(message: str, seconds: int, body: bytes, secrets: Iterable[str]) -> dict[str, str]:
    """Return the headers with one signature per secret. ``seconds``: the time of the attempt, since 1970."""
    content = f"{message}.{seconds}.".encode() + body
    signatures = (f"v1,{_signature(secret, content)}" for secret in secrets)
    return {"webhook-id": message, "webhook-timestamp": str(seconds), "webhook-signature": " ".join(signatures)}


def _signature(secret: str, content: bytes) -> str:
    return b64encode(hmac.digest(b64decode(secret.removeprefix(PREFIX)), content, sha256)).decode()
