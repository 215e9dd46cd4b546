"""What the log says while the projector cannot go on."""

import logging
import threading

import pytest

from domain.errors import Worded
from projections.engine.driver import FailureLog
from projections.engine.projector import Projector
from projections.engine.store import Store
from tests.projections.helpers import COUNTS, Clock
from tests.projections.histories import Log, a_whole_game

AWAY = "ConnectionError: the database is away"


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.WARNING, "kiebitz.projections")
    return caplog


def told(logged: pytest.LogCaptureFixture) -> list[tuple[str, bool]]:
    """What was logged, and whether with a traceback; forgotten then."""
    found = [(record.getMessage(), record.exc_info is not None) for record in logged.records]
    logged.clear()
    return found


def test_a_trouble_is_told_with_its_traceback_once_then_once_a_minute_and_at_its_end(logged: pytest.LogCaptureFixture):
    clock = Clock()
    trouble = FailureLog(clock)
    for _ in range(361):  # three minutes, tried every half second
        trouble.record(ConnectionError("the database is away\nis it running?"))
        clock.now += 0.5
    trouble.clear()
    trouble.clear()
    first, still, over = (
        "the projector cannot continue for now, and retries",
        f"the projector still cannot continue: {AWAY}",
        "the projector continues",
    )
    assert told(logged) == [(first, True), *[(still, False)] * 3, (over, False)]


def test_another_error_has_its_own_traceback(logged: pytest.LogCaptureFixture):
    trouble = FailureLog(Clock())
    for error in (ConnectionError("a"), KeyError("b"), ConnectionError("c"), KeyError("d")):
        trouble.record(error)
    assert [traceback for _, traceback in told(logged)] == [True, True]
    assert trouble.error == "KeyError: 'd'"


def test_an_error_that_says_in_words_what_is_the_matter_needs_no_traceback(logged: pytest.LogCaptureFixture):
    trouble = FailureLog(Clock(), "the keeper of the log")
    trouble.record(Worded("the store is in another epoch"))
    said = "the keeper of the log cannot continue for now, and retries: Worded: the store is in another epoch"
    assert told(logged) == [(said, False)]


def test_after_its_end_the_next_one_is_told_from_the_beginning(logged: pytest.LogCaptureFixture):
    trouble = FailureLog(Clock())
    trouble.record(ConnectionError("a"))
    trouble.clear()
    assert trouble.error is None
    told(logged)
    trouble.record(ConnectionError("b"))
    assert [traceback for _, traceback in told(logged)] == [True]


def test_a_running_projector_tells_it_and_that_it_goes_on(store: Store, logged: pytest.LogCaptureFixture):
    log, tries = Log(a_whole_game(1).events), threading.Semaphore(0)
    away = threading.Event()
    away.set()

    def read(after: int, limit: int):
        if away.is_set():
            tries.release()
            raise ConnectionError("the database is away")
        return log.read(after, limit)

    made = Projector([COUNTS], store, read, log.head, log.wait)
    made.start()
    for _ in range(2):
        assert tries.acquire(timeout=30.0)
    away.clear()
    assert made.wait_for(log.head(), 30.0)
    made.stop()
    assert [text for text, _ in told(logged)] == ["the projector cannot continue for now, and retries", "the projector continues"]
    assert made.status()[0].error is None
