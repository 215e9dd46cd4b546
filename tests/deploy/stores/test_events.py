"""Store contract for single appends and groups, the same for both databases."""

from threading import Thread
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deploy.stores.migrating import MigrationRequiredError, migrate, pending
from deploy.stores.opening import OpenedEvents, open_events
from domain.journal.commits import (
    CommandKey,
    Commit,
    CommitOutcome,
    Conflict,
    DuplicateKeyError,
    StoreUnavailableError,
    Text,
    find_conflicts,
)
from tests.append_only import drop_triggers
from tests.deploy.stores.shared import events, journal_url, own_events, shared
from tests.deploy.stores.stores import commit, event, stored, told

__all__ = ["events", "journal_url", "own_events", "shared"]  # fixtures

A, B = uuid4(), uuid4()


def test_sequences_follow_the_order_of_the_commits_across_games(events: OpenedEvents):
    outcomes = events.commit_group([commit(A, 1, 2), commit(B, 1), commit(A, 3)])
    assert (outcomes, stored(events)) == ([(1, 2), (3,), (4,)], [(1, A, 1), (2, A, 2), (3, B, 1), (4, A, 3)])


def test_one_commit_may_append_to_several_games(events: OpenedEvents):
    outcomes = events.commit_group([Commit((event(A, 1), event(B, 1), event(A, 2)))])
    assert (outcomes, stored(events)) == ([(1, 2, 3)], [(1, A, 1), (2, B, 1), (3, A, 2)])


def test_a_conflict_drops_the_conflicting_commit_whole_and_no_other(events: OpenedEvents):
    events.commit_group([commit(A, 1)])
    outcomes = events.commit_group([commit(B, 1), commit(A, 1, 2), commit(A, 2), commit(B, 2)])
    assert told(outcomes)[1] == "Conflict"
    assert [(game, version) for _, game, version in stored(events)] == [(A, 1), (B, 1), (A, 2), (B, 2)]


def test_a_commit_that_builds_on_a_dropped_one_is_dropped_too(events: OpenedEvents):
    events.commit_group([commit(A, 1)])
    outcomes = events.commit_group([commit(A, 1, 2), commit(A, 3)])
    assert (told(outcomes), stored(events)) == (["Conflict", "Conflict"], [(1, A, 1)])


def test_of_two_commits_on_the_same_version_the_first_is_stored(events: OpenedEvents):
    events.commit_group([commit(A, 1)])
    events.commit_group([commit(A, 2, state=b"first"), commit(A, 2, state=b"second")])
    assert [row.state for row in events.select_events(A)] == [b"{}", b"first"]


@pytest.mark.parametrize("version", [2, 4])
def test_a_gap_is_refused(events: OpenedEvents, version: int):
    outcomes = events.commit_group([commit(A, version)])
    assert (told(outcomes), stored(events)) == (["Conflict"], [])


@pytest.mark.parametrize("versions", [(), (0,), (1, 3), (2, 1), (1, 1)])
def test_a_commit_is_not_even_made_without_events_or_with_versions_that_do_not_follow(versions: tuple[int, ...]):
    with pytest.raises(ValueError, match=r"event|follow"):
        commit(A, *versions)


def test_a_key_is_taken_by_the_first_command_of_its_principal(events: OpenedEvents):
    outcomes = events.commit_group([commit(A, 1, key="k"), commit(B, 1, key="k")])
    outcomes += events.commit_group([commit(B, 1, key="k"), Commit((event(B, 1),), CommandKey("berta", "k", "digest"))])
    assert told(outcomes) == [outcomes[0], "DuplicateKeyError", "DuplicateKeyError", outcomes[3]]
    assert [(game, version) for _, game, version in stored(events)] == [(A, 1), (B, 1)]


def test_the_key_is_judged_before_the_version(events: OpenedEvents):
    events.commit_group([commit(A, 1, key="k")])
    assert told(events.commit_group([commit(A, 1, key="k")])) == ["DuplicateKeyError"]


def test_a_dropped_commit_leaves_neither_key_nor_text(events: OpenedEvents):
    events.commit_group([commit(A, 1)])
    events.commit_group([commit(A, 1, key="k", text="t")])
    assert (events.find_command("anna", "k"), events.text("t")) == (None, None)


def test_a_text_is_never_overwritten(events: OpenedEvents):
    events.commit_group([commit(A, 1, text="t")])
    outcome = events.commit_group([Commit((event(A, 2),), None, (Text("t", "other words"),))])
    assert (told(outcome), events.text("t"), len(stored(events))) == (["Conflict"], "words", 1)


def test_a_value_that_no_database_can_hold_leaves_nothing_of_its_group(events: OpenedEvents):
    with pytest.raises(UnicodeEncodeError):
        events.commit_group([commit(A, 1), Commit((event(B, 1),), None, (Text("t", "\ud800"),))])
    assert (stored(events), events.text("t")) == ([], None)
    assert len(events.insert_events([event(A, 1)])) == 1


def test_the_synchronous_door_raises_what_speaks_against_a_commit(events: OpenedEvents):
    assert events.insert_events([]) == ()
    assert events.insert_events([event(A, 1)], command=CommandKey("anna", "k", "digest"), texts=[Text("t", "words")]) == (1,)
    with pytest.raises(Conflict):
        events.insert_events([event(A, 1)])
    with pytest.raises(DuplicateKeyError):
        events.insert_events([event(A, 2)], command=CommandKey("anna", "k", "digest"))


def test_a_number_is_never_used_twice_even_if_its_event_is_gone(own_events: OpenedEvents):
    own_events.commit_group([commit(A, 1, 2)])
    drop_triggers(own_events)
    own_events.change("DELETE FROM events")
    assert own_events.commit_group([commit(A, 1)]) == [(3,)]


def test_events_of_a_stream_are_read_in_order_between_two_positions(events: OpenedEvents):
    history = [event(A, version, str(version).encode()) for version in range(1, 8)]
    events.insert_events([*history[:4], event(B, 1), *history[4:]])
    assert events.select_events(A) == history
    assert events.select_events(A, 2, 6) == history[2:6]
    assert events.select_events(A, 2, limit=2) == history[2:4]
    assert events.select_events(uuid4()) == []


def test_events_of_all_streams_are_read_with_their_sequences(events: OpenedEvents):
    events.insert_events([event(A, 1), event(B, 1), event(A, 2)])
    rows = [(1, event(A, 1)), (2, event(B, 1)), (3, event(A, 2))]
    assert events.events_after(0, 10) == rows
    assert events.events_after(1, 1) == rows[1:2]
    assert events.events_after(0, 10, upto=2, names=["move.played/1", "other"]) == rows[:2]
    assert [events.events_after(0, 10, names=names) for names in (["other"], [])] == [[], []]
    assert [events.events_after(0, 10, others=others) for others in (["other"], ["move.played/1"])] == [rows, []]
    assert [events.events_after(0, 10, stream=stream) for stream in (A, B, uuid4())] == [[rows[0], rows[2]], [rows[1]], []]
    assert events.events_after(1, 1, upto=3, stream=A, names=["move.played/1"]) == rows[2:]


def test_the_head_of_an_empty_store_is_0(events: OpenedEvents):
    assert events.head() == 0
    events.insert_events([event(A, 1), event(A, 2)])
    assert events.head() == 2


def test_a_reader_wakes_when_something_is_appended_in_this_process(events: OpenedEvents):
    assert not events.wait_for(0, timeout=0)
    woken: list[bool] = []
    reader = Thread(target=lambda: woken.append(events.wait_for(0, timeout=30)))
    reader.start()
    events.insert_events([event(A, 1)])
    reader.join()
    assert (woken, events.wait_for(1, timeout=0)) == ([True], False)


def test_a_reader_wakes_when_something_is_appended_by_another(events: OpenedEvents, journal_url: str):
    other = open_events(journal_url)
    other.insert_events([event(A, 1)])
    other.close()
    assert events.wait_for(0, timeout=30)


def test_a_closed_store_says_so(own_events: OpenedEvents):
    own_events.close()
    with pytest.raises(StoreUnavailableError):
        own_events.insert_events([event(A, 1)])
    with pytest.raises(StoreUnavailableError):
        own_events.select_events(A)


def test_a_database_that_was_never_migrated_is_not_opened(database_url: str):
    with pytest.raises(MigrationRequiredError, match="run kiebitz migrate"):
        open_events(database_url)


def test_migrating_twice_changes_nothing(database_url: str):
    missing = pending(database_url)
    assert missing[0] == "journal-0001-tables"
    assert (migrate(database_url), migrate(database_url), pending(database_url)) == (missing, [], [])


def test_other_addresses_are_refused():
    with pytest.raises(ValueError, match="neither"):
        open_events("mysql://localhost/kiebitz")


@st.composite
def a_group(draw: st.DrawFn) -> list[tuple[int, int, int, str | None]]:
    """Commits on three games: (game, base, events, key), mostly of what a careful client would send."""
    stands = [0, 0, 0]
    group = []
    for _ in range(draw(st.integers(1, 12))):
        game, number = draw(st.integers(0, 2)), draw(st.integers(1, 3))
        base = max(0, stands[game] + draw(st.sampled_from([0, 0, 0, 0, -1, 1])))
        group.append((game, base, number, draw(st.sampled_from([None, None, None, "k", "l"]))))
        stands[game] = base + number
    return group


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(groups=st.lists(a_group(), min_size=1, max_size=4))
def test_groups_answer_as_if_each_commit_had_come_alone(events: OpenedEvents, groups: list[list[tuple[int, int, int, str | None]]]):
    games, run = [uuid4() for _ in range(3)], uuid4().hex
    heads: dict[UUID, int] = {}
    keys: set[tuple[str, str]] = set()
    for group in groups:
        commits = [
            commit(games[game], *range(base + 1, base + number + 1), key=key and f"{key}-{run}", state=str(place).encode())
            for place, (game, base, number, key) in enumerate(group)
        ]
        expected = []
        for single in commits:
            [verdict] = find_conflicts([single], heads, keys, (), (), ())
            expected.append(type(verdict).__name__)
            if verdict is None:
                heads.update(single.heads())
                keys.update({("anna", single.command.key)} if single.command else ())
        outcomes = events.commit_group(commits)
        assert [named(outcome) for outcome in outcomes] == expected
        sequences = [sequence for outcome in outcomes if isinstance(outcome, tuple) for sequence in outcome]
        assert sequences == sorted(set(sequences))
        for game in games:
            assert [row.position for row in events.select_events(game)] == list(range(1, heads.get(game, 0) + 1))


def named(outcome: CommitOutcome) -> str:
    return "NoneType" if isinstance(outcome, tuple) else type(outcome).__name__
