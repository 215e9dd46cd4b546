"""What is done when a receiver does not take a message: by the clock of the test, nobody waits."""

from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from api.webhooks.sending.delivery_worker import pause_after
from domain.journal.webhooks import OldSecret
from tests.api.webhooks.couriers import stepping
from tests.api.webhooks.receiving import Receiver

HOURS, SECONDS = timedelta(hours=5), timedelta(seconds=10)


def sequences(receiver: Receiver) -> list[int]:
    return [one.sequence for one in receiver.got]


def test_a_message_comes_again_until_it_is_taken_and_then_the_next(tmp_path: Path, receiver: Receiver):
    receiver.answers = [(500, {}), (503, {}), (200, {})]
    with stepping(tmp_path, receiver.url, 2) as steps:
        steps.go(SECONDS, SECONDS * 2, SECONDS)
        assert sequences(receiver) == [1, 1, 1, 2]
        assert len({one.id for one in receiver.got[:3]}) == 1
        assert (steps.hook.sequence, steps.hook.attempts, steps.hook.failing_since, steps.hook.next_at) == (2, 0, None, None)
        assert [(one.sequence, one.attempts, one.status, one.problem) for one in steps.log] == [(2, 1, 204, None), (1, 3, 200, None)]


def test_nothing_is_sent_before_its_time(tmp_path: Path, receiver: Receiver):
    receiver.answers = [(500, {})]
    with stepping(tmp_path, receiver.url, 1) as steps:
        first, second = steps.go(timedelta(seconds=1))
        assert 3.75 <= (first or 0) <= 6.25
        assert 0 < (second or 0) <= (first or 0)
        assert sequences(receiver) == [1]


def test_the_pauses_grow_to_some_hours_and_differ(tmp_path: Path):
    pauses = [pause_after(attempts, 0.5, None) for attempts in range(1, 20)]
    assert all(one <= next for one, next in pairwise(pauses))
    assert (pauses[0], pauses[1], pauses[-1]) == (5.0, 10.0, 4 * 3600.0)
    assert (pause_after(3, 0.0, None), pause_after(3, 1.0, None)) == (15.0, 25.0)


@pytest.mark.parametrize(("said", "seconds"), [("600", 600), ("Mon, 23 Nov 2026 12:30:00 GMT", 1800), ("999999999", 86_400)])
def test_what_the_receiver_asks_for_is_waited(tmp_path: Path, receiver: Receiver, said: str, seconds: int):
    receiver.answers = [(429, {"Retry-After": said})]
    with stepping(tmp_path, receiver.url, 1) as steps:
        assert steps.go() == [seconds]


def test_a_receiver_that_wants_no_more_gets_no_more(tmp_path: Path, receiver: Receiver):
    receiver.answers = [(410, {})]
    with stepping(tmp_path, receiver.url, 1) as steps:
        assert steps.go(HOURS) == [None, None]
        assert (steps.hook.disabled_why, steps.log[0].problem) == ("gone", "gone")
        assert sequences(receiver) == [1]


def test_after_five_days_of_nothing_but_failures_a_webhook_is_disabled(tmp_path: Path, receiver: Receiver):
    receiver.answers = [(500, {})] * 99
    with stepping(tmp_path, receiver.url, 1) as steps:
        steps.go(*[HOURS] * 23)
        assert (steps.hook.disabled_at, steps.hook.attempts) == (None, 24)
        assert steps.go(HOURS)[-1] is None
        assert (steps.hook.disabled_at, steps.hook.disabled_why) == ("2026-11-28T12:00:00Z", "failing")


def test_one_success_begins_the_five_days_anew(tmp_path: Path, receiver: Receiver):
    receiver.answers = [*[(500, {})] * 20, (200, {}), *[(500, {})] * 20]
    with stepping(tmp_path, receiver.url, 2) as steps:
        steps.go(*[HOURS] * 40)
        assert (steps.hook.disabled_at, steps.hook.sequence) == (None, 1)


def test_no_redirection_is_followed(tmp_path: Path, receiver: Receiver):
    receiver.answers = [(307, {"Location": f"{receiver.url}/elsewhere"})]
    with stepping(tmp_path, receiver.url, 1) as steps:
        steps.go()
        assert [(one.status, one.problem, one.detail) for one in steps.log] == [(307, "redirect", "307")]
        assert [one.path for one in receiver.got] == ["/news"]


def test_who_does_not_answer_in_time_has_not_taken_it(tmp_path: Path, receiver: Receiver):
    receiver.hold.clear()
    with stepping(tmp_path, receiver.url, 1) as steps:
        steps.go()
        assert [(one.status, one.problem) for one in steps.log] == [(None, "timeout")]
        receiver.hold.set()


def test_where_nobody_listens_is_told_so(tmp_path: Path):
    with stepping(tmp_path, "http://127.0.0.1:9/", 1) as steps:
        steps.go()
        assert [one.problem for one in steps.log] == ["connect"]


def test_a_webhook_that_has_run_out_sends_nothing(tmp_path: Path, receiver: Receiver):
    with stepping(tmp_path, receiver.url, 1, expires_at="2026-11-23T12:00:00Z") as steps:
        assert (steps.go(), sequences(receiver)) == ([None], [])


def test_for_a_while_two_secrets_sign(tmp_path: Path, receiver: Receiver):
    old = (OldSecret("whsec_b2xkIHNlY3JldCBvZiBhIHRlc3Q=", "2026-11-23T13:00:00Z"),)
    with stepping(tmp_path, receiver.url, 2, old_secrets=old) as steps:
        steps.go(HOURS)
        assert [len(one.headers["webhook-signature"].split()) for one in receiver.got] == [2, 1]


@pytest.mark.parametrize(("common", "told"), [(2, [1, 2, 3]), (1, [1, 2, 2, 3]), (None, [1, 2, 1, 2, 3])])
def test_in_another_epoch_it_goes_on_after_what_both_have_in_common(
    tmp_path: Path, receiver: Receiver, common: int | None, told: list[int]
):
    with stepping(tmp_path, receiver.url, 3) as steps:
        steps.go(SECONDS)
        before = steps.store.epoch.id
        steps.store.check_epoch()
        steps.store.begin_epoch(common)
        steps.projector.catch_up()
        steps.go(SECONDS, SECONDS)
        assert sequences(receiver)[: len(told)] == told
        assert [one.said["data"]["epoch"] != before for one in receiver.got] == [False] * 2 + [True] * (len(told) - 2)
