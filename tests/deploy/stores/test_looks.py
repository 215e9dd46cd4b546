"""Registers of looks at hidden cards and of refused moves, the same for both databases."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import product
from threading import Barrier
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from deploy.stores.opening import OpenedEvents, open_events
from domain.journal.registers import CardAccess, RefusalCount, place_of_access
from tests.deploy.stores.shared import events, journal_url, shared

__all__ = ["events", "journal_url", "shared"]  # fixtures

A, B = UUID(int=1), UUID(int=2)
ANNA = CardAccess("2026-11-21T19:04:00Z", A, "arbiter", "anna", "club")
LATER = replace(ANNA, minute="2026-11-21T19:05:00Z")
SEAT = replace(ANNA, view="seat:1")
BERTA = replace(ANNA, principal="berta")
OTHER = replace(LATER, game=B)
ALONE = replace(LATER, game=uuid4(), tournament=None)
EVERY = (ANNA, LATER, SEAT, BERTA, OTHER, ALONE)


def test_of_a_game_the_newest_minute_is_told_first(events: OpenedEvents):
    events.keep_looks(EVERY)
    assert events.list_looks(game=A) == [LATER, SEAT, BERTA, ANNA]


def test_of_a_tournament_the_looks_at_all_its_games_are_told(events: OpenedEvents):
    events.keep_looks(EVERY)
    assert events.list_looks(tournament="club") == [OTHER, LATER, SEAT, BERTA, ANNA]


def test_a_line_that_is_there_already_stays_one(events: OpenedEvents):
    events.keep_looks([ANNA, ANNA])
    events.keep_looks([ANNA, LATER])
    assert events.list_looks(game=A) == [LATER, ANNA]


def test_nothing_is_kept_of_nothing(events: OpenedEvents):
    events.keep_looks([])
    assert events.list_looks(game=A) == []


def test_more_lines_than_a_statement_holds_are_kept_all(events: OpenedEvents):
    many = [replace(ANNA, principal=f"p{number:04d}") for number in range(1201)]
    events.keep_looks(many)
    assert events.list_looks(game=A) == many[::-1]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_neither_skip_nor_repeat_a_line(events: OpenedEvents, limit: int):
    events.keep_looks(EVERY)
    told: list[CardAccess] = []
    while page := events.list_looks(tournament="club", before=place_of_access(told[-1]) if told else None, limit=limit):
        assert len(page) <= limit
        told += page
    assert told == events.list_looks(tournament="club")


def test_of_principals_every_line_is_told_and_can_be_taken_away(events: OpenedEvents):
    events.keep_looks(EVERY)
    assert events.looks_by(["berta", "nobody"]) == [BERTA]
    assert events.looks_by([]) == []
    assert (events.erase_looks(["berta", "nobody"]), events.erase_looks([])) == (1, 0)
    assert events.list_looks(game=A) == [LATER, SEAT, ANNA]


def test_lines_of_before_a_minute_are_forgotten(events: OpenedEvents):
    events.keep_looks(EVERY)
    assert events.forget_looks("2026-11-21T19:05:00Z") == 3
    assert events.list_looks(tournament="club") == [OTHER, LATER]


@contextmanager
def breaking(together: Barrier) -> Iterator[None]:
    """Abort the barrier if one thread fails, so that the other one does not wait for it."""
    try:
        yield
    except BaseException:
        together.abort()
        raise


def test_of_lines_that_two_processes_write_at_once_each_is_there_once(journal_url: str, events: OpenedEvents):
    """In whatever order they come: neither waits for the other for ever."""
    evenings = [
        [
            CardAccess(f"2026-{month:02d}-21T19:{minute:02d}:00Z", A, f"seat:{seat}", "anna", None)
            for minute, seat in product(range(60), range(8))
        ]
        for month in range(1, 13)
    ]
    together = Barrier(2, timeout=60)

    def write(backwards: bool) -> None:
        with closing(open_events(journal_url)) as own:
            for looks in evenings:
                together.wait()
                with breaking(together):
                    own.keep_looks(looks[::-1] if backwards else looks)

    with ThreadPoolExecutor(2) as threads:
        for one in (threads.submit(write, False), threads.submit(write, True)):
            one.result()
    assert events.list_looks(game=A) == sorted((look for looks in evenings for look in looks), reverse=True)


def test_refused_moves_add_up_by_hour_and_are_summed_within_bounds(events: OpenedEvents):
    ten, eleven = (RefusalCount(f"2026-11-21T{hour}:00:00Z", "casino", "wrong_sum", 2) for hour in (10, 11))
    events.add_refusals([eleven, ten, replace(ten, code="no_match", number=1)])
    events.add_refusals([ten, replace(ten, ruleset="canasta")])
    assert events.count_refusals("casino") == {"wrong_sum": 6, "no_match": 1}
    assert events.count_refusals("casino", eleven.hour) == {"wrong_sum": 2}
    assert events.count_refusals("casino", None, eleven.hour) == {"wrong_sum": 4, "no_match": 1}
    assert events.count_refusals("alcasan") == {}
