"""How the events of a stream are linked, what that proves, and what is left of streams that older versions began."""

from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID

from domain import codec
from domain.events import Recorded, Stamp
from domain.events.game import GameResumed, GameSuspended
from domain.events.player import PlayerSeparated
from domain.events.tournament import RoundClosed
from domain.games import EDITIONS
from replay.audit import audit
from replay.audit_result import AuditMismatch, StoredContext
from tests.tampering import GAME, LENGTH, Rows, a_game, read, relinked, rows_of

OTHER = UUID(int=8, version=4)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def found(history: list[Recorded]) -> list[tuple[int, str]]:
    return [(one.position, one.kind) for one in audit(history, EDITIONS).divergences]


def test_a_link_is_the_digest_of_id_position_name_and_the_bytes_before():
    first, second, *_ = a_game()
    assert first.link == sha256(f"{GAME}\n1\ngame.opened/1\n".encode()).hexdigest()
    assert second.link == sha256(f"{GAME}\n2\nhand.dealt/1\n".encode() + first.state).hexdigest()


def test_of_two_games_swapped_under_each_others_ids_both_are_found():
    one, other = a_game(game=GAME, seed=3), a_game(game=OTHER, seed=4)
    for id, history in ((GAME, other), (OTHER, one)):
        swapped = read(rows_of(history), id)
        expected = sha256(f"{id}\n1\ngame.opened/1\n".encode()).hexdigest()
        assert audit(swapped, EDITIONS).divergences == (AuditMismatch(1, "stream", str(history[0].link), expected),)


def test_of_games_of_older_versions_the_links_do_not_know_the_id():
    assert found(read(rows_of(a_game(game=GAME, bound=False)), OTHER)) == []


def test_a_game_of_an_older_version_is_linked_on_as_it_began():
    history = list(a_game(bound=False))
    last = history[-1]
    history += codec.link_events(GAME, last.position, last.state, Stamp(NOON, "p"), [GameSuspended(None), GameResumed(None)], bound=False)
    assert history[0].link is None
    assert [one.link for one in history[1:]] == [sha256(before.state).hexdigest() for before in history[:-1]]
    assert found(history) == []


def test_a_first_link_that_was_taken_away_is_found_as_such():
    history = list(a_game())
    first = codec.encode_event(GAME, 1, None, history[0].stamp, history[0].event)
    assert found([first, *history[1:]]) == [(1, "link"), (2, "link")]


def test_an_event_linked_as_older_versions_did_does_not_belong_into_a_stream_of_today():
    history = list(a_game())
    last = history[-1]
    [event] = codec.link_events(GAME, last.position, last.state, Stamp(NOON, "p"), [GameSuspended(None)], bound=False)
    assert found([*history, event]) == [(LENGTH + 1, "link")]


def test_an_event_under_another_name_is_found_by_its_own_link():
    """Even the last one: its bytes would do for either name."""
    last = a_game()[-1]
    [event] = codec.link_events(GAME, last.position, last.state, Stamp(NOON, "p"), [GameSuspended(None)])
    renamed = codec.decode_event(GAME, event.position, "game.abandoned/1", event.state)
    assert found([*a_game(), renamed]) == [(LENGTH + 1, "link")]
    assert found([*a_game(), event]) == []


def test_events_moved_to_other_positions_are_found():
    rows = rows_of(a_game())
    moved: Rows = {position + 1 if position > 20 else position: row for position, row in rows.items()}
    assert found(read(moved))[:1] == [(22, "gap")]
    assert found(read({**rows, LENGTH: rows[LENGTH - 1]}))[:1] == [(LENGTH, "link")]


def test_whoever_links_all_anew_for_another_id_is_not_found():
    """Against this only helps what lies outside of the store."""
    assert found(read(relinked(rows_of(a_game()), OTHER), OTHER)) == []


def test_an_event_of_another_kind_of_stream_is_misplaced():
    history = list(a_game())
    last = history[-1]
    for event in (RoundClosed(1), PlayerSeparated()):
        history[LENGTH:] = codec.link_events(GAME, last.position, last.state, Stamp(NOON, "p"), [event])
        assert found(history) == [(LENGTH + 1, "misplaced")]


def test_sequences_that_do_not_rise_are_found():
    history = a_game()
    sequences = [*range(100, 100 + LENGTH)]
    assert audit(history, EDITIONS, StoredContext(sequences)).verdict == "sound"
    sequences[30], sequences[31] = sequences[31], sequences[30]
    assert audit(history, EDITIONS, StoredContext(sequences)).divergences == (
        AuditMismatch(32, "sequence", "sequence 130", "one after 131"),
    )


def test_a_game_whose_opening_cannot_be_read_is_still_checked_by_its_links():
    history = list(a_game())
    history[0] = codec.decode_event(GAME, 1, "game.opened/1", b"nonsense")
    assert found(history)[:2] == [(1, "unreadable"), (2, "link")]
