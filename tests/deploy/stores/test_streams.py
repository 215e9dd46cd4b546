"""Queries of an audit: every stream with its kind, and the sequences of its events, the same for both databases."""

from uuid import uuid4

from deploy.stores.opening import OpenedEvents
from domain.journal.commits import StoredEvent
from tests.deploy.stores.shared import events, journal_url, shared

__all__ = ["events", "journal_url", "shared"]  # fixtures

GAME, NIGHT, PLAYER, CUP, LISTS, OTHER = (uuid4() for _ in range(6))


def test_every_stream_has_a_kind_the_oldest_first(events: OpenedEvents):
    names = (
        (NIGHT, 1, "tournament.announced/1"),
        (GAME, 1, "game.opened/1"),
        (PLAYER, 1, "player.registered/1"),
        (LISTS, 1, "ratings.published/1"),
    )
    events.insert_events([StoredEvent(CUP, 1, "series.announced/1", b"{}")])
    later = ((NIGHT, 2, "entry.accepted/1"), (GAME, 2, "hand.dealt/1"), (GAME, 3, "move.played/1"))
    for id, position, name in (*names, *later):
        events.insert_events([StoredEvent(id, position, name, b"{}")])
    kinds = [(CUP, "series", 1), (NIGHT, "tournament", 2), (GAME, "game", 3), (PLAYER, "player", 1), (LISTS, "ratings", 1)]
    assert [tuple(one) for one in events.streams()] == kinds
    assert events.games() == [GAME]
    assert [events.select_sequences(id) for id in (GAME, NIGHT, OTHER)] == [[3, 7, 8], [2, 6], []]


def test_an_event_under_a_wrong_name_makes_no_other_kind_of_a_stream(events: OpenedEvents):
    """A stream in a damaged store is still audited as its own kind."""
    names = ("tournament.announced/1", "entry.dreamt/1", "entry.accepted/1", "player.parted/1")
    events.insert_events([StoredEvent(NIGHT, position, name, b"{}") for position, name in enumerate(names, 1)])
    of_game = ("game.dreamt/1", "round.closed/1", "move.played/1")
    events.insert_events([StoredEvent(GAME, position, name, b"{}") for position, name in enumerate(of_game, 1)])
    assert [(one.id, one.kind) for one in events.streams()] == [(NIGHT, "tournament"), (GAME, "game")]
