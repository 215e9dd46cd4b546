"""Webhooks, as the register holds them: address, viewpoint, delivery progress, and the process that sends.

Times are RFC 3339 texts in UTC, so that they compare as texts.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Literal, Protocol, TypeAlias, get_args
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.access import UNBOUND, Grant
from domain.journal.commits import CommandKey

DELIVERIES_KEPT = timedelta(days=7)
MOST_DELIVERIES = 1000
"""The most lines kept of each webhook; older lines go."""

WhyDisabled: TypeAlias = Literal["asked", "gone", "failing"]
"""Disabled by a director; because the receiver answered 410; after days of nothing but failures."""


Status: TypeAlias = Literal["active", "failing", "disabled", "expired"]
STATUSES: tuple[Status, ...] = get_args(Status)


class EventFilter(Struct, frozen=True, omit_defaults=True):
    """The events that a webhook subscribes to, of those it may know of: all given conditions must hold."""

    kind: Literal["game", "tournament", "player", "series", "ratings"] | None = None
    events: tuple[str, ...] = ()
    tournament: str | None = None
    game: UUID | None = None


ALL = EventFilter()


class OldSecret(Struct, frozen=True):
    """An earlier secret, which also signs, up to the time ``until``."""

    secret: str
    until: str


class Webhook(Struct, frozen=True, kw_only=True):
    """A webhook. `secret` signs the messages, and has to lie here in plain form; so do the `old_secrets`, the newest first.

    All up to `sequence` of `epoch` was delivered; up to `passed`, where that is later, there is nothing more to send. Since then `attempts`
    have failed, the first at `failing_since`; the next is made at `next_at`. `holder` is the process that sends, for as long as it raises
    `beat`.
    """

    id: str
    url: str
    label: str
    principal: str
    role: str
    grant: Grant = UNBOUND
    chosen: EventFilter = ALL
    issued_at: str
    issued_by: str | None = None
    expires_at: str | None = None
    secret: str
    old_secrets: tuple[OldSecret, ...] = ()
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

    def is_expired(self, at: str) -> bool:
        return self.expires_at is not None and self.expires_at <= at

    def still_signing(self, at: str) -> tuple[OldSecret, ...]:
        """Return the earlier secrets that sign at that time."""
        return tuple(old for old in self.old_secrets if old.until > at)

    def rotate_secret(self, secret: str, at: str, until: str) -> "Webhook":
        """Return the webhook with another secret from that time on. The present one signs until ``until``; earlier ones keep their own end,
        unless the present one ends at once: then all do.
        """
        old = (OldSecret(self.secret, until), *self.still_signing(at)) if until > at else ()
        return replace(self, secret=secret, old_secrets=old)

    def disable(self, at: str, why: WhyDisabled) -> "Webhook":
        """Return the webhook disabled from that time on, unless it is so already."""
        return self if self.disabled_at else replace(self, disabled_at=at, disabled_why=why)

    def enable(self, after: tuple[str, int] | None) -> "Webhook":
        """Return the webhook enabled, as if nothing had failed. ``after``: it continues after this sequence of this epoch."""
        epoch, sequence = after or (self.epoch, self.sequence)
        return replace(
            self, disabled_at=None, disabled_why=None, attempts=0, failing_since=None, next_at=None, epoch=epoch, sequence=sequence
        )

    def status(self, at: str) -> Status:
        """Return the status at that time."""
        if self.disabled_at is not None:
            return "disabled"
        return "expired" if self.is_expired(at) else "failing" if self.attempts else "active"


class Delivery(Struct, frozen=True, kw_only=True):
    """A message and its delivery status. `sequence` 0: a test, about no event. `name` is that of the event.

    `status` is that of the last answer, `problem` the failure of the last attempt: a key of the texts, and one `detail` of it. `again`: it
    was requested that it be sent once more.
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

    @property
    def is_test(self) -> bool:
        """Return whether a director asked for it. The id says so, because the log keeps no more of a message."""
        return "_test_" in self.message


class WebhookRegister(Protocol):
    """The register of webhooks. Synchronous and thread-safe. A power cut may undo the progress of a webhook and its log: then messages come
    twice.
    """

    def add_webhook(self, webhook: Webhook, command: CommandKey | None = None) -> None:
        """Add a webhook. Raises ``Duplicate`` if the id is there already, or the key of the command is taken, like every method that takes
        a command.
        """

    def webhook_of(self, id: str) -> Webhook | None: ...

    def list_webhooks(self) -> list[Webhook]:
        """Return the webhooks, the oldest first, disabled and expired ones among them."""

    def remove_webhook(self, id: str, command: CommandKey | None = None) -> bool:
        """Remove a webhook with its log, permanently. False if there is no such webhook."""

    def disable_webhook(self, id: str, at: str, why: WhyDisabled, command: CommandKey | None = None) -> None:
        """Disable a webhook. One that was disabled before keeps its first time."""

    def enable_webhook(self, id: str, after: tuple[str, int] | None = None, command: CommandKey | None = None) -> None:
        """Enable a webhook. It continues where it was, or after this sequence of an epoch; earlier failures are forgotten."""

    def rotate_webhook(self, before: Webhook, after: Webhook, command: CommandKey | None = None) -> bool:
        """Keep the secrets of ``after``. False if those of ``before`` are not the present ones; then nothing has changed."""

    def take_webhook(self, id: str, holder: str, beat: int) -> bool:
        """Let this process send from now on. False if another process raised the beat since it was read."""

    def beat_webhooks(self, holder: str) -> None:
        """Raise the beats of all webhooks that this process sends."""

    def release_webhooks(self, holder: str) -> None:
        """Release the webhooks, so that the next process need not wait."""

    def move_webhook(self, id: str, holder: str, epoch: str, sequence: int) -> None:
        """Note that all events up to there were delivered, and nothing fails. Does nothing if the process does not hold it any more."""

    def pass_webhooks(self, holder: str, passed: Collection[tuple[str, str, int]]) -> None:
        """Note for each webhook the epoch and the sequence up to which there is nothing to send. Skips those that are not held any more."""

    def note_failure(self, id: str, holder: str, *, attempts: int, since: str, next_at: str) -> None:
        """Note a failed attempt. Does nothing if the process does not hold the webhook any more."""

    def keep_delivery(self, delivery: Delivery) -> None:
        """Keep a delivery, in the place of the earlier one of this message."""

    def add_test(self, delivery: Delivery, command: CommandKey | None = None) -> None:
        """Add a requested test message; durable when the method returns."""

    def list_delivery_log(self, webhook: str, *, before: tuple[str, str] | None = None, limit: int) -> list[Delivery]:
        """Return the deliveries, the newest first; ``before``: those that follow the line of this time and message."""

    def delivery_of(self, webhook: str, message: str) -> Delivery | None: ...

    def repeat_delivery(self, webhook: str, message: str, command: CommandKey | None = None) -> bool:
        """Request that a message be sent again. False if there is no such message."""

    def list_repeat_requests(self) -> Mapping[str, Sequence[Delivery]]:
        """Return the messages that are to be sent once more, by webhook."""

    def prune_delivery_log(self, before: str, most: int) -> None:
        """Drop deliveries from before that time, and of each webhook all but the newest ``most``. Those to be sent again stay."""
