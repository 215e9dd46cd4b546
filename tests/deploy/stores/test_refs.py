"""Register of refs, by which imported games are recognised, the same for both databases."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from deploy.stores.opening import OpenedEvents, open_events
from domain.journal.commits import Commit, Copies, DuplicateRefError, ForeignRef, Origin, Ref
from tests.deploy.stores.shared import events, journal_url, shared
from tests.deploy.stores.stores import commit, stored, told

__all__ = ["events", "journal_url", "shared"]  # fixtures

REF = Ref("d" * 64, 1)
SECOND = replace(REF, copy=2)
A, B, C = uuid4(), uuid4(), uuid4()


def brought(game: UUID, ref: Ref = REF, **given: str) -> Commit:
    return replace(commit(game, 1, 2, **given), ref=ref)  # pyrefly: ignore[bad-argument-type]


def test_a_game_is_found_by_its_ref(events: OpenedEvents):
    events.commit_group([brought(A), brought(B, SECOND)])
    assert [events.find_ref(ref) for ref in (REF, SECOND, replace(REF, copy=3), Ref("e" * 64, 1))] == [A, B, None, None]


def test_of_what_comes_again_nothing_is_stored_and_what_comes_with_it_is(events: OpenedEvents):
    events.commit_group([brought(A)])
    outcomes = events.commit_group([commit(B, 1), brought(C, key="k", text="t"), commit(B, 2)])
    assert told(outcomes)[1] == "DuplicateRefError"
    assert [(game, position) for _, game, position in stored(events)] == [(A, 1), (A, 2), (B, 1), (B, 2)]
    assert (events.find_ref(REF), events.find_command("anna", "k"), events.text("t")) == (A, None, None)


def test_of_two_that_come_at_once_the_first_is_stored(events: OpenedEvents):
    assert told(events.commit_group([brought(A), brought(B)])) == [(1, 2), "DuplicateRefError"]


def test_where_a_game_is_not_stored_its_ref_is_not_taken(events: OpenedEvents):
    events.commit_group([commit(A, 1)])
    assert told(events.commit_group([brought(A), commit(B, 1)]))[0] == "Conflict"
    assert events.find_ref(REF) is None
    assert isinstance(events.commit_group([brought(C)])[0], tuple)


def test_a_key_that_was_used_goes_before_the_ref(events: OpenedEvents):
    events.commit_group([brought(A, key="k")])
    assert told(events.commit_group([brought(B, key="k")])) == ["DuplicateKeyError"]


def test_of_many_processes_that_bring_the_same_at_once_one_stores_it(journal_url: str, events: OpenedEvents):
    together, games = Barrier(4, timeout=60), [uuid4() for _ in range(4)]

    def bring(game: UUID) -> str:
        with closing(open_events(journal_url)) as own:
            together.wait()
            try:
                own.insert_events(brought(game).events, ref=REF)
            except DuplicateRefError:
                return "there already"
            return "stored"

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(bring, games))
    assert sorted(found) == ["stored", "there already", "there already", "there already"]
    assert events.find_ref(REF) == games[found.index("stored")]
    assert len(stored(events)) == 2


@pytest.mark.parametrize("first", [1, 3])
def test_equal_records_of_a_file_are_counted(first: int):
    copies = Copies(first)
    assert [copies.next(digest) for digest in "xyxx"] == [Ref("x", first), Ref("y", first), Ref("x", first + 1), Ref("x", first + 2)]


# What a record is called elsewhere

ELSEWHERE = ForeignRef("club", "17")
ORIGIN = Origin(ELSEWHERE, "d" * 64, '{"sheet":"blue"}')


def came(game: UUID, origin: Origin = ORIGIN, **given: str) -> Commit:
    return replace(commit(game, 1, 2, **given), origin=origin)  # pyrefly: ignore[bad-argument-type]


def test_a_game_is_found_by_what_it_is_called_elsewhere_and_keeps_what_was_written_beside_it(events: OpenedEvents):  # COM-66
    unnamed = Origin(None, "e" * 64, '{"sheet":"red"}')
    events.commit_group([came(A), came(B, unnamed), commit(C, 1)])
    assert [events.find_by_ref(ref) for ref in (ELSEWHERE, ForeignRef("club", "18"), ForeignRef("other", "17"))] == [
        (A, ORIGIN.digest),
        None,
        None,
    ]
    assert [events.find_origin(game) for game in (A, B, C)] == [ORIGIN, unnamed, None]


def test_what_is_called_the_same_is_not_stored_again_and_what_comes_with_it_is(events: OpenedEvents):
    events.commit_group([came(A)])
    assert told(events.commit_group([commit(B, 1), came(C, replace(ORIGIN, digest="f" * 64)), commit(B, 2)]))[1] == "DuplicateRefError"
    assert [(game, position) for _, game, position in stored(events)] == [(A, 1), (A, 2), (B, 1), (B, 2)]
    assert (events.find_by_ref(ELSEWHERE), events.find_origin(C)) == ((A, ORIGIN.digest), None)


def test_of_two_of_one_name_that_come_at_once_the_first_is_stored(events: OpenedEvents):
    assert told(events.commit_group([came(A), came(B)])) == [(1, 2), "DuplicateRefError"]


def test_where_a_game_is_not_stored_its_name_elsewhere_is_not_taken(events: OpenedEvents):
    events.commit_group([commit(A, 1)])
    assert told(events.commit_group([came(A), commit(B, 1)]))[0] == "Conflict"
    assert (events.find_by_ref(ELSEWHERE), events.find_origin(A)) == (None, None)


def test_what_was_written_beside_a_record_is_erased_for_good_with_the_fingerprint_of_the_request(events: OpenedEvents):
    events.commit_group([came(A, key="k")])
    assert [events.erase_meta(game) for game in (A, A, B)] == [True, False, False]
    command = events.find_command("anna", "k")
    assert (events.find_origin(A), command and command.fingerprint) == (replace(ORIGIN, meta=None), "")
