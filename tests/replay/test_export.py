"""The portable record on its way out."""

import msgspec
import pytest

from domain import codec
from domain.events import Recorded
from replay.export import FORMAT, HistoryPages, export, write_full_record, write_record
from tests.projections.histories import DECK, History, dealt, opened, trailed
from tests.replay.test_record import decoded


def test_what_stands_of_a_game_is_exported():
    history = History(1, opened(("anna", None)), dealt(), trailed(0, "AS")).rewind(2).add(trailed(0, "KS")).add(trailed(1, "TS"))
    moves = [
        {"seat": 0, "move": {"type": "trail", "card": "KS"}},
        {"seat": 1, "move": {"type": "trail", "card": "TS"}},
    ]
    assert export("round 3", history.events) == {
        "name": "round 3",
        "ruleset": "casino",
        "options": {"royal": False},
        "seats": 2,
        "players": ["anna", None],
        "hands": [{"dealer": 1, "deck": list(DECK), "moves": moves}],
    }


def test_a_game_without_named_players_is_exported_without_players():
    assert "players" not in export("n", History(1, opened((None, None))).events)


def test_a_hand_that_was_taken_back_whole_is_not_exported():
    history = History(1, opened(), dealt(), trailed(0, "AS")).rewind(1).add(dealt(1, 0))
    assert [(hand["dealer"], hand["moves"]) for hand in export("n", history.events)["hands"]] == [(0, [])]


def test_damaged_history_is_exported_as_far_as_it_can_be_read():
    history = History(1, opened(), dealt(), trailed(0, "AS"))
    damaged = [history.events[0], codec.decode_event(history.id, 2, "hand.dealt/1", b"{}"), history.events[2]]
    assert export("n", damaged)["hands"] == []
    assert decoded(write_full_record("n", damaged))["events"][1] == {"position": 2, "name": "hand.dealt/1", "unreadable": "{}"}


def test_a_full_record_holds_every_event_as_it_is_stored():
    history = History(1, opened(), dealt(), trailed(0, "AS")).rewind(2)
    full = decoded(write_full_record("n", history.events))
    assert (full["format"], full["id"], full["edition"]) == (FORMAT, str(history.id), 1)
    assert full["hands"][0]["moves"] == []
    assert [event.pop("position") for event in full["events"]] == [1, 2, 3, 4]
    names = [event.pop("name") for event in full["events"]]
    assert names == ["game.opened/1", "hand.dealt/1", "move.played/1", "game.rewound/1"]
    assert [msgspec.json.encode(event) for event in full["events"]] == [recorded.state for recorded in history.events]


def test_a_history_read_page_by_page_gives_the_same_records(monkeypatch: pytest.MonkeyPatch):
    events = History(1, opened(), dealt(), trailed(0, "AS"), trailed(1, "TS")).rewind(2).add(trailed(0, "KS")).events
    monkeypatch.setattr("replay.export.PAGE", 2)

    def read(after: int, limit: int) -> list[Recorded]:
        return list(events[after : after + limit])

    for write in (write_record, write_full_record):
        assert b"".join(write("n", HistoryPages(read))) == b"".join(write("n", events))
    assert list(HistoryPages(read, 3)) == list(events[:3])
