"""Register of webhooks, of the process that sends for each, and of deliveries, the same for both databases."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from uuid import UUID

import pytest
from msgspec.structs import replace

from deploy.stores.opening import OpenedEvents, open_events
from domain.access import Grant, OfTable
from domain.journal.commits import CommandKey
from domain.journal.registers import Duplicate
from domain.journal.webhooks import Delivery, EventFilter, OldSecret, Webhook
from tests.deploy.stores.shared import events, journal_url, shared

__all__ = ["events", "journal_url", "shared"]  # fixtures

TEN, ELEVEN, NOON = "2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z", "2026-03-01T12:00:00Z"
WEBHOOK = Webhook(
    id="w1",
    url="https://example.org/news",
    label="federation",
    principal="anna",
    role="recorder",
    grant=Grant(OfTable("spring", "3", 2), sees="public"),
    chosen=EventFilter("game", ("move.played",), "spring", UUID(int=7)),
    issued_at=TEN,
    issued_by="dora",
    expires_at=NOON,
    secret="whsec_new",
    epoch="e1",
    sequence=12,
)
LINE = Delivery(message="m1", webhook="w1", epoch="e1", sequence=13, name="move.played/1", attempts=1, at=TEN, status=200, delivered_at=TEN)


def test_a_webhook_is_found_as_it_was_registered(events: OpenedEvents):
    plain = Webhook(id="w0", url="https://b", label="", principal="b", role="viewer", issued_at=ELEVEN, secret="s", epoch="e1", sequence=0)
    events.add_webhook(plain)
    events.add_webhook(WEBHOOK)
    assert (events.webhook_of("w1"), events.webhook_of("w9")) == (WEBHOOK, None)
    assert events.list_webhooks() == [WEBHOOK, plain]
    with pytest.raises(Duplicate):
        events.add_webhook(WEBHOOK)


def test_what_is_removed_leaves_no_line(events: OpenedEvents):
    events.add_webhook(WEBHOOK)
    events.keep_delivery(LINE)
    assert [events.remove_webhook("w1"), events.remove_webhook("w1")] == [True, False]
    assert (events.list_webhooks(), events.list_delivery_log("w1", limit=9)) == ([], [])


def test_a_disabled_webhook_keeps_its_first_time_and_goes_on_where_it_was(events: OpenedEvents):
    events.add_webhook(replace(WEBHOOK, holder="here"))
    events.note_failure("w1", "here", attempts=3, since=TEN, next_at=ELEVEN)
    events.disable_webhook("w1", ELEVEN, "failing")
    events.disable_webhook("w1", NOON, "asked")
    failing = replace(WEBHOOK, holder="here", attempts=3, failing_since=TEN, next_at=ELEVEN)
    assert events.webhook_of("w1") == replace(failing, disabled_at=ELEVEN, disabled_why="failing")
    events.enable_webhook("w1")
    assert events.webhook_of("w1") == replace(WEBHOOK, holder="here")


def test_an_enabled_webhook_may_leave_out_what_it_missed(events: OpenedEvents):
    events.add_webhook(WEBHOOK)
    events.disable_webhook("w1", ELEVEN, "asked")
    events.enable_webhook("w1", ("e2", 99))
    assert events.webhook_of("w1") == replace(WEBHOOK, epoch="e2", sequence=99, passed=99)


def test_the_secrets_of_before_lie_beside_the_new_one(events: OpenedEvents):
    events.add_webhook(WEBHOOK)
    second = WEBHOOK.rotate_secret("whsec_2", TEN, NOON)
    third = second.rotate_secret("whsec_3", TEN, ELEVEN)
    assert (events.rotate_webhook(WEBHOOK, second), events.webhook_of("w1")) == (True, second)
    assert (events.rotate_webhook(second, third), events.webhook_of("w1")) == (True, third)
    assert third.old_secrets == (OldSecret("whsec_2", ELEVEN), OldSecret("whsec_new", NOON))


def test_of_two_rotations_at_once_one_is_kept_with_its_key(events: OpenedEvents):
    events.add_webhook(WEBHOOK)
    first, second = (WEBHOOK.rotate_secret(secret, TEN, NOON) for secret in ("whsec_2", "whsec_3"))
    keys = [CommandKey("anna", key, "digest") for key in "kl"]
    assert [events.rotate_webhook(WEBHOOK, after, key) for after, key in zip((first, second), keys, strict=True)] == [True, False]
    assert events.webhook_of("w1") == first
    assert [events.find_command("anna", key) is None for key in "kl"] == [False, True]
    with pytest.raises(Duplicate):
        events.rotate_webhook(first, second, keys[0])
    assert events.webhook_of("w1") == first


def test_a_secret_of_before_signs_to_its_own_end_unless_nothing_is_to_overlap():
    twice = WEBHOOK.rotate_secret("whsec_2", TEN, ELEVEN).rotate_secret("whsec_3", TEN, NOON)
    assert [old.secret for old in twice.still_signing(TEN)] == ["whsec_2", "whsec_new"]
    assert [old.secret for old in twice.still_signing(ELEVEN)] == ["whsec_2"]
    assert twice.rotate_secret("whsec_4", TEN, TEN).old_secrets == ()
    assert [old.secret for old in twice.rotate_secret("whsec_4", ELEVEN, NOON).old_secrets] == ["whsec_3", "whsec_2"]


def test_who_sends_is_one_process_as_long_as_it_raises_the_beat(events: OpenedEvents):
    events.add_webhook(WEBHOOK)
    assert [events.take_webhook("w1", "here", 0), events.take_webhook("w1", "there", 0)] == [True, False]
    events.beat_webhooks("here")
    assert events.webhook_of("w1") == replace(WEBHOOK, holder="here", beat=2)
    assert events.take_webhook("w1", "there", 2)
    events.beat_webhooks("here")
    assert events.webhook_of("w1") == replace(WEBHOOK, holder="there", beat=3)
    events.release_webhooks("there")
    assert events.webhook_of("w1") == replace(WEBHOOK, holder=None, beat=4)


def test_of_twenty_at_once_one_sends(journal_url: str, events: OpenedEvents):
    events.add_webhook(WEBHOOK)
    there = Barrier(20, timeout=60)
    with closing(open_events(journal_url)) as elsewhere:

        def take(number: int) -> bool:
            there.wait()
            return (events, elsewhere)[number % 2].take_webhook("w1", f"process {number}", 0)

        with ThreadPoolExecutor(20) as threads:
            assert sum(threads.map(take, range(20))) == 1


def test_who_lost_a_webhook_moves_it_no_more(events: OpenedEvents):
    events.add_webhook(replace(WEBHOOK, holder="there"))
    events.move_webhook("w1", "here", "e1", 99)
    events.pass_webhooks("here", [("w1", "e1", 99)])
    events.note_failure("w1", "here", attempts=1, since=TEN, next_at=ELEVEN)
    assert events.webhook_of("w1") == replace(WEBHOOK, holder="there")


def test_what_was_delivered_ends_what_failed(events: OpenedEvents):
    events.add_webhook(replace(WEBHOOK, holder="here"))
    events.note_failure("w1", "here", attempts=2, since=TEN, next_at=ELEVEN)
    events.move_webhook("w1", "here", "e2", 13)
    assert events.webhook_of("w1") == replace(WEBHOOK, holder="here", epoch="e2", sequence=13, passed=13)


def test_what_is_passed_over_is_so_in_its_epoch_alone(events: OpenedEvents):
    events.add_webhook(replace(WEBHOOK, holder="here"))
    events.pass_webhooks("here", [("w1", "e2", 99), ("w9", "e1", 99)])
    assert events.webhook_of("w1") == replace(WEBHOOK, holder="here")
    events.pass_webhooks("here", [("w1", "e1", 99)])
    assert events.webhook_of("w1") == replace(WEBHOOK, holder="here", passed=99)


def test_the_log_has_a_line_for_each_message_the_newest_first(events: OpenedEvents):
    failed = replace(LINE, message="m2", at=ELEVEN, status=None, problem="timeout", detail="20", delivered_at=None)
    for line in (LINE, failed, replace(LINE, message="m3", at=ELEVEN), replace(LINE, message="m4", webhook="w2")):
        events.keep_delivery(line)
    later = replace(failed, attempts=2, at=NOON)
    events.keep_delivery(later)
    assert events.list_delivery_log("w1", limit=9) == [later, replace(LINE, message="m3", at=ELEVEN), LINE]
    assert events.list_delivery_log("w1", before=(ELEVEN, "m3"), limit=1) == [LINE]
    assert (events.delivery_of("w1", "m2"), events.delivery_of("w2", "m2")) == (later, None)


def test_what_is_to_be_sent_again_is_told_by_webhook(events: OpenedEvents):
    for line in (LINE, replace(LINE, message="m2"), replace(LINE, message="m3", webhook="w2")):
        events.keep_delivery(line)
    assert [events.repeat_delivery(*place) for place in (("w1", "m1"), ("w2", "m3"), ("w2", "m1"))] == [True, True, False]
    again = {"w1": [replace(LINE, again=True)], "w2": [replace(LINE, message="m3", webhook="w2", again=True)]}
    assert events.list_repeat_requests() == again


def test_old_lines_go_and_of_each_webhook_the_newest_stay(events: OpenedEvents):
    lines = [replace(LINE, message=f"m{number}", at=at) for number, at in enumerate((TEN, ELEVEN, ELEVEN, NOON))]
    others = [replace(LINE, message="n1", webhook="w2", at=ELEVEN), replace(LINE, message="n2", webhook="w2", at=TEN, again=True)]
    for line in (*lines, *others):
        events.keep_delivery(line)
    events.prune_delivery_log(ELEVEN, 2)
    assert [line.message for line in events.list_delivery_log("w1", limit=9)] == ["m3", "m2"]
    assert [line.message for line in events.list_delivery_log("w2", limit=9)] == ["n1", "n2"]
