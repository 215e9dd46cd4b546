"""SQL of the register of webhooks and their deliveries, shared by both databases."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from deploy.stores.statements import Statements, placeholders
from domain.access import UNBOUND, Grant
from domain.journal.commits import CommandKey
from domain.journal.webhooks import ALL, Delivery, EventFilter, OldSecret, Webhook, WhyDisabled

_COLUMNS = (
    "id, url, label, principal, role, bounds, chosen, issued_at, issued_by, expires_at, secret, old_secret, old_until, disabled_at, "
    "disabled_why, epoch, sequence, passed, attempts, failing_since, next_at, holder, beat"
)
_SELECT = f"SELECT {_COLUMNS} FROM webhooks"
_DISABLE = "UPDATE webhooks SET disabled_at = coalesce(disabled_at, ?), disabled_why = coalesce(disabled_why, ?) WHERE id = ?"
_CLEAN = "attempts = 0, failing_since = NULL, next_at = NULL"
_ENABLE = f"UPDATE webhooks SET disabled_at = NULL, disabled_why = NULL, {_CLEAN}"
_ROTATE = "UPDATE webhooks SET secret = ?, old_secret = ?, old_until = ? WHERE id = ? AND secret = ?"
# Compare-and-set: a process takes a webhook over only if its holder has not raised the beat since it was read.
_TAKE = "UPDATE webhooks SET holder = ?, beat = beat + 1 WHERE id = ? AND beat = ?"
_MOVE = f"UPDATE webhooks SET epoch = ?, sequence = ?, passed = ?, {_CLEAN} WHERE id = ? AND holder = ?"
_PASS = "UPDATE webhooks SET passed = ? WHERE id = ? AND holder = ? AND epoch = ?"
_FAIL = "UPDATE webhooks SET attempts = ?, failing_since = ?, next_at = ? WHERE id = ? AND holder = ?"

_LINE = "message, webhook, epoch, sequence, name, attempts, at, status, problem, detail, delivered_at, again"
_LINES = f"SELECT {_LINE} FROM webhook_deliveries"
_SAME = ("attempts", "at", "status", "problem", "detail", "delivered_at", "again")
_KEEP = (
    f"INSERT INTO webhook_deliveries ({_LINE}) VALUES ({placeholders(Delivery.__struct_fields__)})"
    f" ON CONFLICT (message) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _SAME)}"
)
_NUMBERED = "SELECT message, row_number() OVER (PARTITION BY webhook ORDER BY at DESC, message DESC) AS number FROM webhook_deliveries"
_FORGET = f"""
DELETE FROM webhook_deliveries WHERE again = 0
    AND (at < ? OR message IN (SELECT message FROM ({_NUMBERED}) AS numbered WHERE number > ?))
"""


def _row(webhook: Webhook) -> list[Any]:
    values = msgspec.structs.asdict(webhook) | {"bounds": _json(webhook.grant, UNBOUND), "chosen": _json(webhook.chosen, ALL)}
    values["old_secret"], values["old_until"] = _old_columns(webhook.old_secrets)
    return [values[column] for column in _COLUMNS.split(", ")]


def _old_columns(old: Sequence[OldSecret]) -> tuple[str | None, str | None]:
    """Return the old secrets and their ends as two columns, separated by blanks; neither contains one."""
    return " ".join(one.secret for one in old) or None, " ".join(one.until for one in old) or None


def _json(value: object, nothing: object) -> str | None:
    return None if value == nothing else msgspec.json.encode(value).decode()


def _webhook(row: tuple[Any, ...]) -> Webhook:
    known = dict(zip(_COLUMNS.split(", "), row, strict=True))
    bounds, chosen = known.pop("bounds"), known.pop("chosen")
    secrets, ends = (known.pop(column) or "" for column in ("old_secret", "old_until"))
    known["old_secrets"] = tuple(map(OldSecret, secrets.split(), ends.split()))
    known["grant"] = UNBOUND if bounds is None else msgspec.json.decode(bounds, type=Grant)
    known["chosen"] = ALL if chosen is None else msgspec.json.decode(chosen, type=EventFilter)
    return Webhook(**known)


def _delivery(row: tuple[Any, ...]) -> Delivery:
    values: tuple[Any, ...] = (*row[:-1], bool(row[-1]))
    return Delivery(**dict(zip(Delivery.__struct_fields__, values, strict=True)))


def _line(delivery: Delivery) -> tuple[Any, ...]:
    return (*msgspec.structs.astuple(delivery)[:-1], int(delivery.again))


class WebhooksSql(Statements):
    """Implementation of ``WebhookRegister``."""

    def add_webhook(self, webhook: Webhook, command: CommandKey | None = None) -> None:
        values = _row(webhook)
        self.change(f"INSERT INTO webhooks ({_COLUMNS}) VALUES ({placeholders(values)})", values, *self.key_of(command, webhook.id))

    def webhook_of(self, id: str) -> Webhook | None:
        return next(map(_webhook, self.query(f"{_SELECT} WHERE id = ?", (id,))), None)

    def list_webhooks(self) -> list[Webhook]:
        return [_webhook(row) for row in self.query(f"{_SELECT} ORDER BY issued_at, id")]

    def remove_webhook(self, id: str, command: CommandKey | None = None) -> bool:
        log = ("DELETE FROM webhook_deliveries WHERE webhook = ?", (id,))
        return self.change("DELETE FROM webhooks WHERE id = ?", (id,), log, *self.key_of(command)) == 1

    def disable_webhook(self, id: str, at: str, why: WhyDisabled, command: CommandKey | None = None) -> None:
        self.change(_DISABLE, (at, why, id), *self.key_of(command))

    def enable_webhook(self, id: str, after: tuple[str, int] | None = None, command: CommandKey | None = None) -> None:
        place = "" if after is None else ", epoch = ?, sequence = ?, passed = ?"
        self.change(f"{_ENABLE}{place} WHERE id = ?", (*((*after, after[1]) if after else ()), id), *self.key_of(command))

    def rotate_webhook(self, before: Webhook, after: Webhook, command: CommandKey | None = None) -> bool:
        values = (after.secret, *_old_columns(after.old_secrets), before.id, before.secret)
        return self.change(_ROTATE, values, *self.key_of(command)) == 1

    def take_webhook(self, id: str, holder: str, beat: int) -> bool:
        return self.change(_TAKE, (holder, id, beat)) == 1

    def beat_webhooks(self, holder: str) -> None:
        self.derive("UPDATE webhooks SET beat = beat + 1 WHERE holder = ?", [(holder,)])

    def release_webhooks(self, holder: str) -> None:
        self.change("UPDATE webhooks SET holder = NULL, beat = beat + 1 WHERE holder = ?", (holder,))

    def move_webhook(self, id: str, holder: str, epoch: str, sequence: int) -> None:
        self.derive(_MOVE, [(epoch, sequence, sequence, id, holder)])

    def pass_webhooks(self, holder: str, passed: Collection[tuple[str, str, int]]) -> None:
        self.derive(_PASS, [(sequence, id, holder, epoch) for id, epoch, sequence in passed])

    def note_failure(self, id: str, holder: str, *, attempts: int, since: str, next_at: str) -> None:
        self.derive(_FAIL, [(attempts, since, next_at, id, holder)])

    def keep_delivery(self, delivery: Delivery) -> None:
        self.derive(_KEEP, [_line(delivery)])

    def add_test(self, delivery: Delivery, command: CommandKey | None = None) -> None:
        self.change(_KEEP, _line(delivery), *self.key_of(command, delivery.message.rpartition("_")[2]))

    def list_delivery_log(self, webhook: str, *, before: tuple[str, str] | None = None, limit: int) -> list[Delivery]:
        earlier = "" if before is None else " AND (at, message) < (?, ?)"
        sql = f"{_LINES} WHERE webhook = ?{earlier} ORDER BY at DESC, message DESC LIMIT ?"
        return [_delivery(row) for row in self.query(sql, (webhook, *(before or ()), limit))]

    def delivery_of(self, webhook: str, message: str) -> Delivery | None:
        found = self.query(f"{_LINES} WHERE webhook = ? AND message = ?", (webhook, message))
        return next(map(_delivery, found), None)

    def repeat_delivery(self, webhook: str, message: str, command: CommandKey | None = None) -> bool:
        sql = "UPDATE webhook_deliveries SET again = 1 WHERE webhook = ? AND message = ?"
        return self.change(sql, (webhook, message), *self.key_of(command)) == 1

    def list_repeat_requests(self) -> Mapping[str, Sequence[Delivery]]:
        rows = self.query(f"{_LINES} WHERE again = 1 ORDER BY webhook, at, message")
        return {webhook: list(found) for webhook, found in groupby(map(_delivery, rows), lambda one: one.webhook)}

    def prune_delivery_log(self, before: str, most: int) -> None:
        self.change(_FORGET, (before, most))
