"""What the store promises of single appends and of groups. The same for both databases."""

from threading import Thread
from uuid import UUID, uuid4

import pytest
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, Notification
from eventsourcing.utils import Environment
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.journal.commits import judge
from domain.journal.migrate import migrate, pending
from domain.journal.storage import CommandKey, Commit, KeyTaken, Outcome, Recorder, Text, Unavailable, Unmigrated, open_recorder
from tests.domain.journal.stores import commit, event, stored, told

A, B = uuid4(), uuid4()


def test_sequences_follow_the_order_of_the_commits_across_games(recorder: Recorder):
    outcomes = recorder.commit_group([commit(A, 1, 2), commit(B, 1), commit(A, 3)])
    assert (outcomes, stored(recorder)) == ([(1, 2), (3,), (4,)], [(1, A, 1), (2, A, 2), (3, B, 1), (4, A, 3)])


def test_one_commit_may_append_to_several_games(recorder: Recorder):
    outcomes = recorder.commit_group([Commit((event(A, 1), event(B, 1), event(A, 2)))])
    assert (outcomes, stored(recorder)) == ([(1, 2, 3)], [(1, A, 1), (2, B, 1), (3, A, 2)])


def test_a_conflict_drops_the_conflicting_commit_whole_and_no_other(recorder: Recorder):
    recorder.commit_group([commit(A, 1)])
    outcomes = recorder.commit_group([commit(B, 1), commit(A, 1, 2), commit(A, 2), commit(B, 2)])
    assert told(outcomes)[1] == "Conflict"
    assert [(game, version) for _, game, version in stored(recorder)] == [(A, 1), (B, 1), (A, 2), (B, 2)]


def test_a_commit_that_builds_on_a_dropped_one_is_dropped_too(recorder: Recorder):
    recorder.commit_group([commit(A, 1)])
    outcomes = recorder.commit_group([commit(A, 1, 2), commit(A, 3)])
    assert (told(outcomes), stored(recorder)) == (["Conflict", "Conflict"], [(1, A, 1)])


def test_of_two_commits_on_the_same_version_the_first_is_stored(recorder: Recorder):
    recorder.commit_group([commit(A, 1)])
    recorder.commit_group([commit(A, 2, state=b"first"), commit(A, 2, state=b"second")])
    assert [row.state for row in recorder.select_events(A)] == [b"{}", b"first"]


@pytest.mark.parametrize("version", [2, 4])
def test_a_gap_is_refused(recorder: Recorder, version: int):
    outcomes = recorder.commit_group([commit(A, version)])
    assert (told(outcomes), stored(recorder)) == (["Conflict"], [])


@pytest.mark.parametrize("versions", [(), (0,), (1, 3), (2, 1), (1, 1)])
def test_a_commit_is_not_even_made_without_events_or_with_versions_that_do_not_follow(versions: tuple[int, ...]):
    with pytest.raises(ValueError, match=r"event|follow"):
        commit(A, *versions)


def test_a_key_is_taken_by_the_first_command_of_its_principal(recorder: Recorder):
    outcomes = recorder.commit_group([commit(A, 1, key="k"), commit(B, 1, key="k")])
    outcomes += recorder.commit_group([commit(B, 1, key="k"), Commit((event(B, 1),), CommandKey("berta", "k", "digest"))])
    assert told(outcomes) == [outcomes[0], "KeyTaken", "KeyTaken", outcomes[3]]
    assert [(game, version) for _, game, version in stored(recorder)] == [(A, 1), (B, 1)]


def test_the_key_is_judged_before_the_version(recorder: Recorder):
    recorder.commit_group([commit(A, 1, key="k")])
    assert told(recorder.commit_group([commit(A, 1, key="k")])) == ["KeyTaken"]


def test_a_dropped_commit_leaves_neither_key_nor_text(recorder: Recorder):
    recorder.commit_group([commit(A, 1)])
    recorder.commit_group([commit(A, 1, key="k", text="t")])
    assert (recorder.find_command("anna", "k"), recorder.text("t")) == (None, None)


def test_a_text_is_never_overwritten(recorder: Recorder):
    recorder.commit_group([commit(A, 1, text="t")])
    outcome = recorder.commit_group([Commit((event(A, 2),), None, (Text("t", "other words"),))])
    assert (told(outcome), recorder.text("t"), len(stored(recorder))) == (["Conflict"], "words", 1)


def test_a_value_that_no_database_can_hold_leaves_nothing_of_its_group(recorder: Recorder):
    with pytest.raises(UnicodeEncodeError):
        recorder.commit_group([commit(A, 1), Commit((event(B, 1),), None, (Text("t", "\ud800"),))])
    assert (stored(recorder), recorder.text("t")) == ([], None)
    assert len(recorder.insert_events([event(A, 1)])) == 1


def test_the_synchronous_door_raises_what_the_library_expects(recorder: Recorder):
    assert recorder.insert_events([]) == ()
    assert recorder.insert_events([event(A, 1)], command=CommandKey("anna", "k", "digest"), texts=[Text("t", "words")]) == (1,)
    with pytest.raises(IntegrityError):
        recorder.insert_events([event(A, 1)])
    with pytest.raises(KeyTaken):
        recorder.insert_events([event(A, 2)], command=CommandKey("anna", "k", "digest"))


def test_a_number_is_never_used_twice_even_if_its_event_is_gone(recorder: Recorder):
    recorder.commit_group([commit(A, 1, 2)])
    recorder.change("DELETE FROM events")
    assert recorder.commit_group([commit(A, 1)]) == [(3,)]


def test_events_are_selected_as_the_library_does(recorder: Recorder):
    events = [event(A, version, str(version).encode()) for version in range(1, 8)]
    recorder.insert_events([*events[:4], event(B, 1), *events[4:]])
    assert recorder.select_events(A) == events
    assert recorder.select_events(A, gt=2, lte=6) == events[2:6]
    assert recorder.select_events(A, desc=True, limit=2) == [events[6], events[5]]
    assert recorder.select_events(uuid4()) == []


def test_notifications_are_selected_as_the_library_does(recorder: Recorder):
    recorder.insert_events([event(A, 1), event(B, 1), event(A, 2)])
    rows = [Notification(game, version, "move.played/1", b"{}", n) for n, (game, version) in enumerate([(A, 1), (B, 1), (A, 2)], 1)]
    assert recorder.select_notifications(None, 10) == rows
    assert recorder.select_notifications(2, 10) == rows[1:]
    assert recorder.select_notifications(1, 1, inclusive_of_start=False) == rows[1:2]
    assert recorder.select_notifications(None, 10, stop=2, topics=["move.played/1", "other"]) == rows[:2]
    assert recorder.select_notifications(None, 10, topics=["other"]) == []


def test_the_highest_sequence_is_none_in_an_empty_store(recorder: Recorder):
    assert recorder.max_notification_id() is None
    recorder.insert_events([event(A, 1), event(A, 2)])
    assert recorder.max_notification_id() == 2


def test_a_reader_wakes_when_something_is_appended_in_this_process(recorder: Recorder):
    assert not recorder.wait_for(0, timeout=0)
    woken: list[bool] = []
    reader = Thread(target=lambda: woken.append(recorder.wait_for(0, timeout=30)))
    reader.start()
    recorder.insert_events([event(A, 1)])
    reader.join()
    assert (woken, recorder.wait_for(1, timeout=0)) == ([True], False)


def test_a_reader_wakes_when_something_is_appended_by_another(recorder: Recorder, journal_url: str):
    other = open_recorder(journal_url)
    other.insert_events([event(A, 1)])
    other.close()
    assert recorder.wait_for(0, timeout=30)


def test_a_closed_store_says_so(recorder: Recorder):
    recorder.close()
    with pytest.raises(Unavailable):
        recorder.insert_events([event(A, 1)])
    with pytest.raises(Unavailable):
        recorder.select_events(A)


class Counter(Aggregate):
    pass


class Counters(Application[UUID]):
    def __init__(self, recorder: Recorder) -> None:
        self._given = recorder
        super().__init__()

    def construct_env(self, name: str, env: object = None) -> Environment:
        return Environment(name, {})

    def construct_recorder(self) -> ApplicationRecorder:
        return self._given


def test_the_library_s_application_works_on_it_unchanged(recorder: Recorder):
    counters, counter = Counters(recorder), Counter()
    [recording] = counters.save(counter)
    assert counters.repository.get(counter.id) == counter
    assert [event.originator_version for event in counters.events.get(counter.id)] == [1]
    assert counters.notification_log.select(1, 10) == [recording.notification]


def test_a_database_that_was_never_migrated_is_not_opened(database_url: str):
    with pytest.raises(Unmigrated, match="run kiebitz migrate"):
        open_recorder(database_url)


def test_migrating_twice_changes_nothing(database_url: str):
    missing = pending(database_url)
    assert missing[0] == "journal-0001-tables"
    assert (migrate(database_url), migrate(database_url), pending(database_url)) == (missing, [], [])


def test_other_addresses_are_refused():
    with pytest.raises(ValueError, match="neither"):
        open_recorder("mysql://localhost/kiebitz")


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


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(groups=st.lists(a_group(), min_size=1, max_size=4))
def test_groups_answer_as_if_each_commit_had_come_alone(recorder: Recorder, groups: list[list[tuple[int, int, int, str | None]]]):
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
            [verdict] = judge([single], heads, keys, ())
            expected.append(type(verdict).__name__)
            if verdict is None:
                heads.update(single.heads())
                keys.update({("anna", single.command.key)} if single.command else ())
        outcomes = recorder.commit_group(commits)
        assert [named(outcome) for outcome in outcomes] == expected
        sequences = [sequence for outcome in outcomes if isinstance(outcome, tuple) for sequence in outcome]
        assert sequences == sorted(set(sequences))
        for game in games:
            assert [row.originator_version for row in recorder.select_events(game)] == list(range(1, heads.get(game, 0) + 1))


def named(outcome: Outcome) -> str:
    return "NoneType" if isinstance(outcome, tuple) else type(outcome).__name__
