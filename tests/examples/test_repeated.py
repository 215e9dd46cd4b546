"""Everything that changes something takes an Idempotency-Key: the document says so, and the story is told with keys, every request of it
again at once and again at the end.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

import pytest

from api.http.description.examples import Step, collect_values, fill_step, load_steps
from tests.evening.asgi import Driver, Headers
from tests.evening.book import secret_of
from tests.evening.service import opened
from tests.examples.telling import Named, addresses_of, body_of, target_of

WITHOUT = {
    "judge_move": "changes nothing: a question with a body",
    "try_moves": "changes nothing: a question with a body",
    "reconcile": "changes nothing: a question with a body",
    "try_result": "changes nothing: a question with a body",
    "follow_streams": "changes nothing: which streams are read stands in a body",
    "sign_in": "nobody yet to whom a key could belong, and the cookie that it answers is kept nowhere",
    "sign_out": "ends the session that was shown: nobody is left to whom the key belongs",
}
"""Every operation but GET that takes no key, and why."""
ADVICE = "CONTRIBUTING.md on the idempotency of a write"
SECRET = {"secret", "code", "address", "qr"}
LISTS = ("text/csv", "application/x-ndjson")  # each line has the key for itself, and the report does not say which was there
MOVING = {
    "commands": {"at"},
    "tokens": {"used_at"},
    "sessions": {"used_at"},
    "webhooks": {"sequence", "passed", "attempts", "failing_since", "next_at", "holder", "beat"},
    "webhook_deliveries": {"attempts", "at", "status", "problem", "detail", "delivered_at", "again"},
}
"""Columns that change while nobody asks for it."""
PASSED_OVER = ("yoyo", "_yoyo", "sqlite_", "looks", "snapshots", "log_")


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def replayed(self) -> bool:
        return self.headers.get("idempotent-replayed") == "true"


class Sent(NamedTuple):
    """A request of the story under its key, and how it was answered."""

    step: Step
    method: str
    target: str
    headers: Headers
    body: bytes
    first: Answer


class Told(NamedTuple):
    """The document, what was sent under a key, and what was wrong when it came again."""

    document: dict[str, Any]
    sent: list[Sent]
    wrong: list[str]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    folder, chance, sent, wrong = tmp_path_factory.mktemp("told"), Named(), list[Sent](), list[str]()
    with opened(folder, None, chance, limited=False, players=("ben",)) as service, Driver(service.app, service.settle) as driver:
        document = json.loads(ask(driver, "GET", "/openapi.json", [], b"").body)
        with closing(sqlite3.connect(folder / "journal.db")) as connection:
            rows = Rows(connection)
            for one in told_under_keys(driver, chance, document):
                sent.append(one)
                wrong += repeated(driver, rows, one, at_once=True)
            for one in sent:
                wrong += repeated(driver, rows, one, at_once=False)
    return Told(document, sent, wrong)


def test_everything_that_changes_something_takes_a_key(told: Told):
    without = {
        operation["operationId"]
        for methods in told.document["paths"].values()
        for method, operation in methods.items()
        if method != "get" and "Idempotency-Key" not in {one["name"] for one in operation["parameters"]}
    }
    assert without == WITHOUT.keys(), f"see {ADVICE}"


def test_whatever_comes_again_under_its_key_changes_nothing_and_tells_no_secret(told: Told):
    changing = {one["operationId"] for methods in told.document["paths"].values() for method, one in methods.items() if method != "get"}
    assert {one.step.operation for one in told.sent} == changing - WITHOUT.keys()
    assert told.wrong == [], "\n".join(told.wrong)


def told_under_keys(driver: Driver, chance: Named, document: dict[str, Any]) -> Iterator[Sent]:
    addresses, values = addresses_of(document), dict[str, str | int]()
    for number, step in enumerate(load_steps(), 1):
        method, path = addresses[step.operation]
        if method != "GET":
            chance.begin(number, step)
            asked = fill_step(step, values)
            headers = [("host", "localhost"), ("origin", "http://localhost"), ("authorization", f"Bearer {secret_of(step.by)}")]
            headers += [("content-type", asked.asked.media), ("idempotency-key", f"key {number}")]
            one = (method, target_of(path, asked), headers, body_of(asked))
            answer = ask(driver, *one)
            assert answer.status == step.status, (step.operation, step.name, answer)
            if step.operation not in WITHOUT and "dry_run" not in step.asked.query:
                yield Sent(step, *one, answer)
        values |= collect_values([step])


def repeated(driver: Driver, rows: "Rows", one: Sent, *, at_once: bool) -> Iterator[str]:
    """What is wrong with the answer to the same request, and what it changed. Later on it may be refused."""
    name, before = f"{one.step.operation}, {one.step.name}, {'at once' if at_once else 'at the end'}", rows.read()
    again = ask(driver, one.method, one.target, one.headers, one.body)
    if changed := rows.read() ^ before:
        yield f"{name}: changed {sorted(changed)[:3]}"
    if again.status >= 500 or (at_once and again.status != one.first.status):
        yield f"{name}: {again.status} {again.body[:200].decode()}"
    if at_once and not again.replayed and one.step.asked.media not in LISTS:
        yield f"{name}: does not say that it was answered before"
    if again.status < 300 and again.body.startswith(b"{"):
        first, now = json.loads(one.first.body), json.loads(again.body)
        if lost := {field for field in first.keys() - now.keys() if field not in SECRET}:
            yield f"{name}: lacks {lost}"
        if told := {field for field in SECRET & first.keys() if now.get(field) == first[field]}:
            yield f"{name}: tells {told} again"


def ask(driver: Driver, method: str, target: str, headers: Headers, body: bytes) -> Answer:
    status, answered, told = driver.ask(method, target, headers, body)
    return Answer(status, dict(answered), told)


class Rows:
    """Of the journal, without what moves by itself. They are read anew where somebody has written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection, self._version, self._known = connection, -1, set[str]()

    def read(self) -> set[str]:
        [(version,)] = self._connection.execute("PRAGMA data_version").fetchall()
        if version != self._version:
            tables = self._connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            self._known = {row for (table,) in tables if not table.startswith(PASSED_OVER) for row in self._of(table)}
            self._version = version
        return self._known

    def _of(self, table: str) -> Iterator[str]:
        cursor = self._connection.execute(f'SELECT * FROM "{table}"')
        still = [place for place, column in enumerate(cursor.description) if column[0] not in MOVING.get(table, ())]
        return (f"{table} {[row[place] for place in still]}" for row in cursor)
