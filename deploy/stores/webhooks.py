"""The SQL of the register of webhooks and its log, once for both databases."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from deploy.stores.statements import Statements, placeholders
from domain.access.grants import UNBOUND, Grant
from domain.journal.webhooks import ALL, Chosen, Delivery, Webhook, WhyDisabled

_COLUMNS = (
    "id, url, label, principal, role, bounds, chosen, issued_at, issued_by, expires_at, secret, old_secret, old_until, disabled_at, "
    "disabled_why, epoch, sequence, passed, attempts, failing_since, next_at, holder, beat"
)
_SELECT = f"SELECT {_COLUMNS} FROM webhooks"
_DISABLE = "UPDATE webhooks SET disabled_at = ?, disabled_why = ? WHERE id = ? AND disabled_at IS NULL"
_CLEAN = "attempts = 0, failing_since = NULL, next_at = NULL"
_ENABLE = f"UPDATE webhooks SET disabled_at = NULL, disabled_why = NULL, {_CLEAN}"
_ROTATE = "UPDATE webhooks SET old_secret = secret, old_until = ?, secret = ? WHERE id = ?"
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
    return [values[column] for column in _COLUMNS.split(", ")]


def _json(value: object, nothing: object) -> str | None:
    return None if value == nothing else msgspec.json.encode(value).decode()


def _webhook(row: tuple[Any, ...]) -> Webhook:
    known = dict(zip(_COLUMNS.split(", "), row, strict=True))
    bounds, chosen = known.pop("bounds"), known.pop("chosen")
    known["grant"] = UNBOUND if bounds is None else msgspec.json.decode(bounds, type=Grant)
    known["chosen"] = ALL if chosen is None else msgspec.json.decode(chosen, type=Chosen)
    return Webhook(**known)


def _delivery(row: tuple[Any, ...]) -> Delivery:
    return Delivery(**dict(zip(Delivery.__struct_fields__, (*row[:-1], bool(row[-1])), strict=True)))


class WebhooksSql(Statements):
    """As ``WebhookRegister`` wants it."""

    def add_webhook(self, webhook: Webhook) -> None:
        values = _row(webhook)
        self.change(f"INSERT INTO webhooks ({_COLUMNS}) VALUES ({placeholders(values)})", values)

    def webhook_of(self, id: str) -> Webhook | None:
        return next(map(_webhook, self.query(f"{_SELECT} WHERE id = ?", (id,))), None)

    def list_webhooks(self) -> list[Webhook]:
        return [_webhook(row) for row in self.query(f"{_SELECT} ORDER BY issued_at, id")]

    def remove_webhook(self, id: str) -> bool:
        if self.webhook_of(id) is None:
            return False
        self.change_together(
            ("DELETE FROM webhook_deliveries WHERE webhook = ?", (id,)),
            ("DELETE FROM webhooks WHERE id = ?", (id,)),
        )
        return True

    def disable_webhook(self, id: str, at: str, why: WhyDisabled) -> None:
        self.change(_DISABLE, (at, why, id))

    def enable_webhook(self, id: str, after: tuple[str, int] | None = None) -> None:
        place = "" if after is None else ", epoch = ?, sequence = ?, passed = ?"
        self.change(f"{_ENABLE}{place} WHERE id = ?", (*((*after, after[1]) if after else ()), id))

    def rotate_webhook(self, id: str, secret: str, old_until: str) -> None:
        self.change(_ROTATE, (old_until, secret, id))

    def take_webhook(self, id: str, holder: str, beat: int) -> bool:
        return self.change(_TAKE, (holder, id, beat)) == 1

    def hold_webhooks(self, holder: str) -> None:
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
        values = msgspec.structs.astuple(delivery)
        self.derive(_KEEP, [(*values[:-1], int(delivery.again))])

    def deliveries_of(self, webhook: str, *, before: tuple[str, str] | None = None, limit: int) -> list[Delivery]:
        earlier = "" if before is None else " AND (at, message) < (?, ?)"
        sql = f"{_LINES} WHERE webhook = ?{earlier} ORDER BY at DESC, message DESC LIMIT ?"
        return [_delivery(row) for row in self.query(sql, (webhook, *(before or ()), limit))]

    def delivery_of(self, webhook: str, message: str) -> Delivery | None:
        found = self.query(f"{_LINES} WHERE webhook = ? AND message = ?", (webhook, message))
        return next(map(_delivery, found), None)

    def ask_again(self, webhook: str, message: str) -> bool:
        return self.change("UPDATE webhook_deliveries SET again = 1 WHERE webhook = ? AND message = ?", (webhook, message)) == 1

    def asked_again(self) -> Mapping[str, Sequence[Delivery]]:
        rows = self.query(f"{_LINES} WHERE again = 1 ORDER BY webhook, at, message")
        return {webhook: list(found) for webhook, found in groupby(map(_delivery, rows), lambda one: one.webhook)}

    def forget_deliveries(self, before: str, most: int) -> None:
        self.change(_FORGET, (before, most))
