"""The feed of the store: entries without bodies, in the order of the commits, on both databases."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from msgspec import UNSET

from deploy.stores.opening import OpenedEvents
from domain.journal.commits import StoredEvent
from domain.journal.feed import FeedEntry, FeedPage, both, feed_page, of_tournament, topics_of
from tests.deploy.stores.stores import stored

ROOT = Path(__file__).parents[3]
AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
STATE = b'{"at":"2026-11-21T09:30:00Z","by":"anna","link":null,"body":{}}'
ONE, TWO, THREE = UUID(int=1), UUID(int=2), UUID(int=3)

WRITER = """
import sys
from uuid import UUID
from domain.journal.commits import Conflict, StoredEvent
from deploy.stores.opening import open_events

events, game = open_events(sys.argv[1]), UUID(sys.argv[2])
for version in range(1, 121, 2):
    events.insert_events([StoredEvent(game, version + more, "move.played/1", b"{}") for more in (0, 1)])
    try:
        events.insert_events([StoredEvent(game, version, "move.played/1", b"{}")])  # a conflict, which may leave a gap
    except Conflict:
        pass
events.close()
"""


def record(events: OpenedEvents, game: UUID, *topics: str, state: bytes = STATE) -> list[int]:
    return list(events.insert_events([StoredEvent(game, version, topic, state) for version, topic in enumerate(topics, 1)]))


def all_of(events: OpenedEvents, **wanted: str) -> list[str]:
    """The names of the events."""
    kind, name = wanted.get("kind"), wanted.get("name")
    found = feed_page(events, kind, topics_of(name) if name else (), 0, events.head(), 100)  # pyrefly: ignore[bad-argument-type]
    return [entry.name for entry in found.entries]


def test_an_entry_names_an_event_and_its_place(events: OpenedEvents):
    sequences = record(events, ONE, "game.opened/1")
    sequences += record(
        events, TWO, "tournament.announced/1", "round.paired/1", state=b'{"at":"2026-11-21T09:30:00Z","body":{"tournament":"open"}}'
    )
    sequences += record(events, THREE, "player.registered/1", state=b'{"at":"2026-11-21T09:30:00Z","body":{"player":"p-7","club":null}}')
    expected = (
        FeedEntry(sequences[0], "game", ONE, 1, "game.opened/1", AT),
        FeedEntry(sequences[1], "tournament", TWO, 1, "tournament.announced/1", AT, tournament="open"),
        FeedEntry(sequences[2], "tournament", TWO, 2, "round.paired/1", AT, tournament="open"),
        FeedEntry(sequences[3], "player", THREE, 1, "player.registered/1", AT, player="p-7"),
    )
    assert feed_page(events, None, (), 0, sequences[-1], 10) == FeedPage(expected, sequences[3])
    assert feed_page(events, None, (), sequences[1], sequences[2], 10) == FeedPage(expected[2:3], sequences[2])


def test_bytes_that_cannot_be_read_have_no_time_and_no_name(events: OpenedEvents):
    for number, state in enumerate((b"", b"\xff", b'{"at":7}', b'{"by":"anna"}'), 1):
        record(events, UUID(int=number), "player.registered/1", state=state)
    found = feed_page(events, None, (), 0, events.head(), 10)
    assert [(entry.at, entry.player) for entry in found.entries] == [(None, UNSET)] * 4


def test_an_event_of_a_name_that_is_not_known_counts_as_one_of_a_game(events: OpenedEvents):
    record(events, ONE, "game.opened/1", "wind.blown/1")
    record(events, TWO, "player.registered/1")
    assert all_of(events, kind="game") == ["game.opened/1", "wind.blown/1"]
    assert all_of(events, kind="player") == ["player.registered/1"]
    assert all_of(events, kind="tournament") == []
    assert all_of(events, kind="game", name="player.registered") == []
    assert all_of(events, name="player.registered") == ["player.registered/1"]


def test_the_events_of_one_game_are_told_at_their_places_and_no_others(events: OpenedEvents):
    first = record(events, ONE, "game.opened/1", "hand.dealt/1")
    second = record(events, TWO, "game.opened/1", "hand.dealt/1")
    third = list(events.insert_events([StoredEvent(ONE, 3, "move.played/1", STATE)]))
    found = feed_page(events, None, (), 0, events.head(), 10, game=ONE)
    assert ([entry.sequence for entry in found.entries], found.reached) == ([*first, *third], events.head())
    assert [entry.sequence for entry in feed_page(events, "game", ("hand.dealt/1",), 0, third[0], 10, game=TWO).entries] == second[1:]
    assert feed_page(events, None, (), first[1], second[1], 10, game=ONE) == FeedPage((), second[1])
    assert feed_page(events, None, (), 0, third[0], 2, game=ONE).reached == first[1]
    assert feed_page(events, "player", (), 0, third[0], 10, game=ONE) == FeedPage((), third[0])


def test_a_stream_that_is_no_game_holds_no_events_of_one(events: OpenedEvents):
    [announced] = record(events, TWO, "tournament.announced/1")
    assert feed_page(events, None, (), 0, announced, 10, game=TWO) == FeedPage((), announced)
    assert feed_page(events, "tournament", (), 0, announced, 10, game=TWO) == FeedPage((), announced)


def test_one_game_is_not_looked_for_among_the_events_of_others(events: OpenedEvents, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("domain.journal.feed.SEARCHED", 2)
    record(events, TWO, *["move.played/1"] * 9)
    [last] = record(events, ONE, "game.opened/1")
    assert [entry.sequence for entry in feed_page(events, None, (), 0, last, 1, game=ONE).entries] == [last]


def test_of_a_tournament_its_own_events_are_told_and_those_of_its_games(events: OpenedEvents):
    own, other = (f'{{"at":"2026-11-21T09:30:00Z","body":{{"tournament":"{id}"}}}}'.encode() for id in ("open", "closed"))
    announced = record(events, ONE, "tournament.announced/1", state=own)
    record(events, UUID(int=4), "tournament.announced/1", state=other)
    record(events, UUID(int=5), "game.opened/1", "hand.dealt/1", state=other)
    opened = record(events, TWO, "game.opened/1", "hand.dealt/1", state=own)
    record(events, THREE, "game.opened/1")
    closed = list(events.insert_events([StoredEvent(ONE, 2, "round.closed/1", STATE)]))
    found = feed_page(events, None, (), 0, events.head(), 10, among=of_tournament("open"))
    assert [entry.sequence for entry in found.entries] == [*announced, *opened, *closed]
    neither = both(of_tournament("open"), of_tournament("closed"))
    assert feed_page(events, None, (), 0, events.head(), 10, among=neither) == FeedPage((), events.head())
    assert [
        entry.sequence for entry in feed_page(events, None, (), 0, events.head(), 10, game=TWO, among=of_tournament("open")).entries
    ] == opened
    assert feed_page(events, None, (), 0, events.head(), 10, game=TWO, among=of_tournament("closed")).entries == ()


def test_a_page_ends_with_its_last_entry_or_where_it_was_to_end(events: OpenedEvents):
    sequences = record(events, ONE, "game.opened/1", "hand.dealt/1", "move.played/1")
    assert [feed_page(events, None, (), 0, sequences[2], limit).reached for limit in (1, 2, 3, 4)] == [*sequences, sequences[2]]
    assert feed_page(events, None, (), sequences[2], sequences[0], 9) == FeedPage((), sequences[2])
    assert feed_page(events, "player", (), 0, sequences[1], 9) == FeedPage((), sequences[1])


def test_a_follower_misses_nothing_while_several_processes_write(events: OpenedEvents, journal_url: str):
    games = [uuid4() for _ in range(3)]
    writers = [subprocess.Popen([sys.executable, "-P", "-c", WRITER, journal_url, str(game)], cwd=ROOT) for game in games]
    followed: list[FeedEntry] = []
    after = 0
    while len(followed) < 360 and events.wait_for(after, timeout=60):
        found = feed_page(events, None, (), after, events.head(), 7)
        followed += found.entries
        after = found.reached
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert [(entry.sequence, entry.id, entry.position) for entry in followed] == stored(events)
    assert [[entry.position for entry in followed if entry.id == game] for game in games] == [list(range(1, 121))] * 3
