"""Webhooks, as the register holds them: where news goes, with whose eyes, how far it has come, and which process sends it.

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
"""Of each webhook; older lines go."""

WhyDisabled: TypeAlias = Literal["asked", "gone", "failing"]
"""By a director; because the receiver answered 410; after days of nothing but failures."""


Status: TypeAlias = Literal["active", "failing", "disabled", "expired"]
STATUSES: tuple[Status, ...] = get_args(Status)


class Chosen(Struct, frozen=True, omit_defaults=True):
    """Of what a webhook may know of, what it wants to be told: all that is given must hold."""

    kind: Literal["game", "tournament", "player"] | None = None
    events: tuple[str, ...] = ()
    tournament: str | None = None
    game: UUID | None = None


ALL = Chosen()


class OldSecret(Struct, frozen=True):
    """A secret of before, which signs, too, up to the time ``until``."""

    secret: str
    until: str


class Webhook(Struct, frozen=True, kw_only=True):
    """`secret` signs what is sent, and has to lie here as it is; so do the `old_secrets`, the newest first.

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
        """The secrets of before that sign at that time."""
        return tuple(old for old in self.old_secrets if old.until > at)

    def rotated(self, secret: str, at: str, until: str) -> "Webhook":
        """With another secret from that time on. The one of before signs until then; those before it keep their own end, unless the one of
        before ends at once: then all do.
        """
        old = (OldSecret(self.secret, until), *self.still_signing(at)) if until > at else ()
        return replace(self, secret=secret, old_secrets=old)

    def status(self, at: str) -> Status:
        """At that time."""
        if self.disabled_at is not None:
            return "disabled"
        return "expired" if self.is_expired(at) else "failing" if self.attempts else "active"


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

    def add_webhook(self, webhook: Webhook, command: CommandKey | None = None) -> None:
        """Raises ``Duplicate`` if the id is there already, or the key of the command is taken, as all do that take one."""

    def webhook_of(self, id: str) -> Webhook | None: ...

    def list_webhooks(self) -> list[Webhook]:
        """The oldest first, disabled ones and those that have run out among them."""

    def remove_webhook(self, id: str, command: CommandKey | None = None) -> bool:
        """With its log, for good. False if there is no such webhook."""

    def disable_webhook(self, id: str, at: str, why: WhyDisabled, command: CommandKey | None = None) -> None:
        """What was disabled before keeps its first time."""

    def enable_webhook(self, id: str, after: tuple[str, int] | None = None, command: CommandKey | None = None) -> None:
        """It goes on where it was, or after this sequence of an epoch; what failed before is forgotten."""

    def rotate_webhook(self, before: Webhook, after: Webhook, command: CommandKey | None = None) -> bool:
        """Keeps the secrets of the latter. False if those of the former are not the present ones; then nothing has changed."""

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

    def add_test(self, delivery: Delivery, command: CommandKey | None = None) -> None:
        """A message that somebody asked for; durable when the method returns."""

    def deliveries_of(self, webhook: str, *, before: tuple[str, str] | None = None, limit: int) -> list[Delivery]:
        """The newest first; ``before``: those that follow the line of this time and message."""

    def delivery_of(self, webhook: str, message: str) -> Delivery | None: ...

    def ask_again(self, webhook: str, message: str, command: CommandKey | None = None) -> bool:
        """False if there is no such message."""

    def asked_again(self) -> Mapping[str, Sequence[Delivery]]:
        """By webhook the messages that are to be sent once more."""

    def forget_deliveries(self, before: str, most: int) -> None:
        """Drops those from before that time, and of each webhook all but the newest. What is to be sent again stays."""
