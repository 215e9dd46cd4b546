"""Webhooks, as the register holds them: where news goes, with whose eyes, how far it has come, and which process sends it.

Times are RFC 3339 texts in UTC, so that they compare as texts.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Literal, Protocol, TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.access.grants import UNBOUND, Grant

DELIVERIES_KEPT = timedelta(days=7)
MOST_DELIVERIES = 1000
"""Of each webhook; older lines go."""

WhyDisabled: TypeAlias = Literal["asked", "gone", "failing"]
"""By a director; because the receiver answered 410; after days of nothing but failures."""


class Chosen(Struct, frozen=True, omit_defaults=True):
    """Of what a webhook may know of, what it wants to be told: all that is given must hold."""

    kind: Literal["game", "tournament", "player"] | None = None
    events: tuple[str, ...] = ()
    tournament: str | None = None
    game: UUID | None = None


ALL = Chosen()


class Webhook(Struct, frozen=True, kw_only=True):
    """`secret` signs what is sent, and has to lie here as it is; so does `old_secret`, until `old_until`.

    All up to `sequence` of `epoch` was delivered; up to `passed`, where that is later, there is nothing more to tell. Since then `attempts`
    have failed, the first at `failing_since`; the next is made at `next_at`. `holder` is the
    process that sends, for as long as it raises `beat`.
    """

    id: str
    url: str
    label: str
    principal: str
    role: str
    grant: Grant = UNBOUND
    chosen: Chosen = ALL
    issued_at: str
    issued_by: str | None = None
    expires_at: str | None = None
    secret: str
    old_secret: str | None = None
    old_until: str | None = None
    disabled_at: str | None = None
    disabled_why: WhyDisabled | None = None
    epoch: str
    sequence: int
    passed: int = 0
    attempts: int = 0
    failing_since: str | None = None
    next_at: str | None = None
    holder: str | None = None
    beat: int = 0

    def is_over(self, at: str) -> bool:
        """Whether nothing is sent at that time, and nothing will be unless somebody enables it."""
        return self.disabled_at is not None or self.is_expired(at)

    def is_expired(self, at: str) -> bool:
        return self.expires_at is not None and self.expires_at <= at


class Delivery(Struct, frozen=True, kw_only=True):
    """A message and what became of it. `sequence` 0: a test, which tells of no event. `name` is that of the event.

    `status` is that of the last answer, `problem` what was wrong with the last attempt: a key of the texts, and one `detail` of it.
    `again`: somebody asked that it be sent once more.
    """

    message: str
    webhook: str
    epoch: str
    sequence: int
    name: str
    attempts: int
    at: str
    status: int | None = None
    problem: str | None = None
    detail: str = ""
    delivered_at: str | None = None
    again: bool = False


class WebhookRegister(Protocol):
    """Synchronous and thread-safe. How far a webhook has come, and its log, may be taken back by a power cut: then messages come twice."""

    def add_webhook(self, webhook: Webhook) -> None:
        """Raises ``Duplicate`` if the id is there already."""

    def webhook_of(self, id: str) -> Webhook | None: ...

    def list_webhooks(self) -> list[Webhook]:
        """The oldest first, disabled ones and those that have run out among them."""

    def remove_webhook(self, id: str) -> bool:
        """With its log, for good. False if there is no such webhook."""

    def disable_webhook(self, id: str, at: str, why: WhyDisabled) -> None:
        """What was disabled before keeps its first time."""

    def enable_webhook(self, id: str, after: tuple[str, int] | None = None) -> None:
        """It goes on where it was, or after this sequence of an epoch; what failed before is forgotten."""

    def rotate_webhook(self, id: str, secret: str, old_until: str) -> None:
        """The secret of before signs, too, until then."""

    def take_webhook(self, id: str, holder: str, beat: int) -> bool:
        """From now on this process sends; False where somebody raised the beat since it was read as this one."""

    def hold_webhooks(self, holder: str) -> None:
        """Raises the beats of all that this process sends."""

    def release_webhooks(self, holder: str) -> None:
        """So that the next process need not wait."""

    def move_webhook(self, id: str, holder: str, epoch: str, sequence: int) -> None:
        """All up to there was delivered; nothing fails. Does nothing for whoever does not hold it any more."""

    def pass_webhooks(self, holder: str, passed: Collection[tuple[str, str, int]]) -> None:
        """By webhook the epoch and the sequence up to which there is nothing to tell. Does nothing for what is not held any more."""

    def note_failure(self, id: str, holder: str, *, attempts: int, since: str, next_at: str) -> None:
        """Does nothing for whoever does not hold it any more."""

    def keep_delivery(self, delivery: Delivery) -> None:
        """In the place of what was there of this message."""

    def deliveries_of(self, webhook: str, *, before: tuple[str, str] | None = None, limit: int) -> list[Delivery]:
        """The newest first; ``before``: those that follow the line of this time and message."""

    def delivery_of(self, webhook: str, message: str) -> Delivery | None: ...

    def ask_again(self, webhook: str, message: str) -> bool:
        """False if there is no such message."""

    def asked_again(self) -> Mapping[str, Sequence[Delivery]]:
        """By webhook the messages that are to be sent once more."""

    def forget_deliveries(self, before: str, most: int) -> None:
        """Drops those from before that time, and of each webhook all but the newest. What is to be sent again stays."""
