"""The core of the client without input and output: retries, keys, broken streams, copies of scores in a new epoch, signatures."""

import json
import sqlite3
from collections.abc import Generator, Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from kiebitz_client import (
    EpochChangedError,
    Event,
    KiebitzError,
    ProblemError,
    Refused,
    RetryPolicy,
    SignatureError,
    SyncReport,
    UnavailableError,
    verify_webhook,
)
from kiebitz_client.client import GameCalls, act, list_items, move_of
from kiebitz_client.event_streams import EventParser, follow
from kiebitz_client.moves import CasinoTrail
from kiebitz_client.score_copies import copy_scores
from kiebitz_client.steps import Item, LostError, Pause, Reply, Request, Result, resume
from standardwebhooks import Webhook

POLICY = RetryPolicy(attempts=4, first=1, longest=3, jitter=lambda: 1.0)
LOST = LostError("cut")
EPOCH = {"kiebitz-epoch": "e1"}


def reply(status: int = 200, body: object = None, **headers: str) -> Reply:
    return Reply(status, {name.replace("_", "-"): value for name, value in headers.items()}, json.dumps(body).encode())


def run(steps: Generator[Any, Any, Any], came: Iterable[object]) -> tuple[list[Any], Any]:
    """Return the effects of a generator that gets these results, and what it returned; pauses and items get none."""
    results, effects = iter(came), []
    outcome = resume(steps, None)
    while not isinstance(outcome, Result):
        effects.append(outcome)
        outcome = resume(steps, None if isinstance(outcome, Pause | Item) else next(results))
    return effects, outcome.value


def pauses(effects: list[Any]) -> list[float]:
    return [effect.seconds for effect in effects if isinstance(effect, Pause)]


# Retries


def test_an_act_is_tried_again_with_one_key_and_growing_pauses_unless_the_service_asks_for_longer_ones():
    came = [LOST, reply(409, {"code": "in_flight"}, retry_after="1"), reply(503, {"code": "behind"}, retry_after="20"), reply(201, {})]
    effects, answer = run(act("POST", "/v1/games", {}, POLICY, position=4), came)
    sent = [effect for effect in effects if isinstance(effect, Request)]
    assert (answer.status, pauses(effects)) == (201, [1, 2, 20])
    assert len(sent) == 4
    assert all(one == sent[0] for one in sent)
    assert sent[0].headers["If-Match"] == '"4"'
    assert sent[0].headers["Idempotency-Key"]


@pytest.mark.parametrize(
    ("came", "error"),
    [
        ([LOST] * 4, UnavailableError),
        ([reply(503, {"code": "behind"})] * 4, ProblemError),
        ([reply(503, {"code": "store_halted"})], ProblemError),
        ([reply(429, {}, retry_after="3600")], ProblemError),
        ([reply(422, {"code": "wrong_sum", "rules": ["CNO-23"]})], Refused),
        ([Reply(404, {}, b"<html>")], ProblemError),
    ],
)
def test_an_act_fails_when_no_more_attempts_help(came: list[object], error: type[KiebitzError]):
    with pytest.raises(error) as raised:
        run(act("POST", "/v1/games", {}, POLICY), came)
    assert type(raised.value) is error


def test_a_key_of_the_caller_is_sent():
    [sent], _ = run(act("DELETE", "/v1/tokens/1", None, POLICY, key="mine"), [reply(200, {})])
    assert (sent.method, sent.headers["Idempotency-Key"]) == ("DELETE", "mine")


def test_acts_of_a_game_name_the_epoch_of_its_position_and_a_dry_run_leaves_it_where_it_is():
    game = GameCalls()
    game.policy, stand = POLICY, {"phase": "play", "turn": 0, "to_act": [0], "hand": 1}
    game.load({"game": "g", "position": 4, "ruleset": "casino", **stand}, "e1")
    [sent], _ = run(game.send("moves", {}), [reply(200, {"game": "g", "position": 5, "dry_run": True, **stand})])
    assert (sent.headers["If-Match"], sent.headers["Kiebitz-Epoch"], game.position) == ('"4"', "e1", 4)
    run(game.send("moves", {}), [Reply(201, {"kiebitz-epoch": "e2"}, json.dumps({"game": "g", "position": 5, **stand}).encode())])
    assert (game.position, game.epoch) == (5, "e2")


# Lists and moves


def test_a_list_yields_the_items_of_all_pages_in_one_epoch():
    first = Reply(200, EPOCH, b'{"items": [{"id": 1}], "next": "abc"}', {"next": "/v1/games?cursor=abc"})
    effects, _ = run(list_items("/v1/games", {"limit": 1}, POLICY), [first, reply(200, {"items": [{"id": 2}], "next": None})])
    assert [effect.value for effect in effects if isinstance(effect, Item)] == [{"id": 1}, {"id": 2}]
    assert effects[2] == Request(method="GET", path="/v1/games?cursor=abc", headers={"Kiebitz-Epoch": "e1"})


def test_a_move_of_an_unknown_type_stays_a_mapping():
    assert move_of("casino", {"type": "trail", "card": "2H", "new": 1}) == CasinoTrail(card="2H")
    assert move_of("casino", {"type": "sing"}) == {"type": "sing"}
    assert move_of("own-game", {"type": "trail"}) == {"type": "trail"}


# Streams


def test_events_are_read_from_pieces_of_any_size():
    text = b':\n\nretry: 500\nid: 7\ndata: {"a":\ndata: 1}\n\nevent: over\r\ndata: {"reason":"told"}\r\n\r\n'
    for size in (1, 7, 100):
        parser = EventParser()
        pieces = [text[start : start + size] for start in range(0, len(text), size)]
        assert [event for piece in pieces for event in parser.feed(piece)] == [
            Event("message", "7", {"a": 1}),
            Event("over", "7", {"reason": "told"}),
        ]
        assert parser.retry == 0.5


def test_a_stream_continues_after_the_last_event_that_came_whole():
    came = [
        Reply(200, EPOCH, b""), b'id: 1\ndata: {"a": 1}\n\nid: 2\ndata: {"', LOST,
        reply(503, {}), LOST, Reply(200, EPOCH, b""), b'id: 2\ndata: {"a": 2}\n\n', None,
        Reply(200, EPOCH, b""), b'event: over\ndata: {"reason": "told"}\n\n',
    ]  # fmt: skip
    effects, _ = run(follow(Request(method="GET", path="/s"), POLICY), came)
    told = [effect.value for effect in effects if isinstance(effect, Item)]
    assert told == [Event("message", "1", {"a": 1}, "e1"), Event("message", "2", {"a": 2}, "e1")]
    sent = [dict(effect.headers) for effect in effects if isinstance(effect, Request)]
    again = {"Kiebitz-Epoch": "e1", "Last-Event-ID": "1"}
    assert sent == [{}, again, again, again, again | {"Last-Event-ID": "2"}]
    assert pauses(effects) == [2, 1, 2, 2]  # of the stream after an event, of the policy after a failure


def test_a_stream_ends_where_the_epoch_or_the_access_ended():
    over = [Reply(200, EPOCH, b""), b'id: 1\ndata: {}\n\nevent: over\ndata: {"reason": "epoch"}\n\n', None]
    with pytest.raises(EpochChangedError) as raised:
        run(follow(Request(method="GET", path="/s"), POLICY), [*over, reply(409, {"code": "epoch_changed", "epoch": "e2", "common": 1})])
    assert (raised.value.epoch, raised.value.common) == ("e2", 1)
    with pytest.raises(UnavailableError):
        run(follow(Request(method="GET", path="/s"), POLICY), [LOST] * 4)


# Copies of scores

FIELDS = [*({"name": name, "type": "string"} for name in ("game", "row", "state")), {"name": "points", "type": "integer"}]
SCHEMA = reply(200, {"version": "lines/1", "fields": FIELDS})
ALL = SyncReport(as_of=9, changed=2, withdrawn=0, complete=True)


def line(row: str, status: str = "counted", points: int = 1) -> bytes:
    return json.dumps({"game": "g", "row": row, "state": status, "points": points}).encode() + b"\n"


def lines(as_of: int, *pieces: object, epoch: str = "e1") -> list[object]:
    return [Reply(200, {"kiebitz-as-of": str(as_of), "kiebitz-epoch": epoch}, b""), *pieces]


def copied(file: Path) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(file)) as database:
        return list(database.execute("SELECT row, points FROM scores ORDER BY row"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    run(copy_scores(tmp_path / "scores.db", {}, POLICY), [SCHEMA, *lines(9, line("a") + line("b")[:5], line("b")[5:], None)])
    return tmp_path / "scores.db"


def test_a_copy_takes_what_changed_and_drops_what_was_withdrawn(file: Path):
    effects, report = run(copy_scores(file, {}, POLICY), [SCHEMA, *lines(12, line("a", points=5) + line("b", "withdrawn"), None)])
    assert effects[1].query == {"changed_since": 9, "format": "ndjson"}
    assert (report, copied(file)) == (SyncReport(as_of=12, changed=1, withdrawn=1, complete=False), [("a", 5)])


def test_a_copy_that_breaks_off_is_as_it_was_and_tried_again(file: Path):
    came = [SCHEMA, *lines(12, line("a", points=5), LOST), *lines(12, line("b", points=7), None)]
    effects, report = run(copy_scores(file, {}, POLICY), came)
    assert (pauses(effects), report.changed, copied(file)) == ([1], 1, [("a", 1), ("b", 7)])


@pytest.mark.parametrize(("common", "complete"), [(9, False), (20, False), (8, True), (None, True)])
def test_in_a_new_epoch_a_copy_is_kept_only_if_it_shows_nothing_that_was_lost(file: Path, common: int | None, complete: bool):
    changed = reply(409, {"code": "epoch_changed", "epoch": "e2", "common": common})
    effects, report = run(copy_scores(file, {}, POLICY), [SCHEMA, changed, *lines(10, line("c"), None, epoch="e2")])
    assert (report.complete, "changed_since" in effects[-3].query) == (complete, not complete)
    assert copied(file) == ([("c", 1)] if complete else [("a", 1), ("b", 1), ("c", 1)])


def test_a_copy_with_other_filters_is_read_anew(file: Path):
    _, report = run(copy_scores(file, {"tournament": "spring"}, POLICY), [SCHEMA, *lines(9, line("c"), None)])
    assert (report.complete, copied(file)) == (True, [("c", 1)])


# Webhooks

SECRET = "whsec_" + "c2VjcmV0" * 5
BODY = b'{"type":"webhook.test"}'


def signed(secret: str = SECRET, at: int = 1_000_000_000) -> dict[str, str]:
    signature = Webhook(secret).sign("msg_1", datetime.fromtimestamp(at, UTC), BODY.decode())
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(at), "Webhook-Signature": f"v1,bm8= {signature}"}


def test_a_message_is_verified_with_any_of_its_signatures():
    assert verify_webhook(SECRET, BODY, signed(), now=1_000_000_100) == {"type": "webhook.test"}


@pytest.mark.parametrize(
    ("headers", "body", "now"),
    [
        (signed("whsec_" + "AAAA" * 10), BODY, 1_000_000_000),
        (signed(), BODY + b" ", 1_000_000_000),
        (signed(), BODY, 1_000_000_301),
        ({}, BODY, 1_000_000_000),
    ],
)
def test_a_message_of_another_secret_or_body_or_time_is_not(headers: dict[str, str], body: bytes, now: int):
    with pytest.raises(SignatureError):
        verify_webhook(SECRET, body, headers, now=now)
