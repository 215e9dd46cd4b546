"""Register of prepared boards, the same for both databases."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from deploy.stores.opening import OpenedEvents, open_events
from domain.journal.commits import Board, BoardReplaced, Commit, PreparedBoard
from domain.journal.registers import Duplicate
from tests.deploy.stores.shared import events, journal_url, shared
from tests.deploy.stores.stores import commit, stored, told

__all__ = ["events", "journal_url", "shared"]  # fixtures

SEVEN = Board("club", 2, 7, ("3H", "8C", "AS"))
EIGHT = replace(SEVEN, number=8)
OTHER = replace(SEVEN, deck=("8C", "AS", "3H"))
A, B, C = uuid4(), uuid4(), uuid4()
AT = "2026-11-21T19:04:11Z"


def prepare(events: OpenedEvents, *boards: Board, replace: bool = False, at: str = AT, by: str = "dora") -> None:
    events.prepare_boards(boards, at, by, replace=replace)


def dealing(game: UUID, board: Board = SEVEN) -> Commit:
    return replace(commit(game, 1, 2), board=board)


def test_a_board_is_found_by_tournament_round_and_number(events: OpenedEvents):
    prepare(events, SEVEN, EIGHT)
    places = [("club", 2, 7), ("club", 2, 8), ("club", 2, 9), ("club", 1, 7), ("other", 2, 7)]
    assert [events.find_board(*place) for place in places] == [SEVEN, EIGHT, None, None, None]


def test_the_list_tells_who_prepared_what_and_when_and_no_deck(events: OpenedEvents):
    prepare(events, EIGHT, SEVEN, replace(SEVEN, round=1))
    prepare(events, Board("other", 1, 1, ("AS",)))
    events.commit_group([dealing(A)])
    assert events.list_boards("club") == [
        PreparedBoard(1, 7, AT, "dora", False),
        PreparedBoard(2, 7, AT, "dora", True),
        PreparedBoard(2, 8, AT, "dora", False),
    ]


def test_what_is_there_already_keeps_the_whole_list_out(events: OpenedEvents):
    prepare(events, SEVEN)
    with pytest.raises(Duplicate):
        prepare(events, EIGHT, OTHER)
    assert (events.find_board("club", 2, 7), events.find_board("club", 2, 8)) == (SEVEN, None)


def test_it_is_replaced_where_that_is_asked_for(events: OpenedEvents):
    prepare(events, SEVEN)
    prepare(events, OTHER, EIGHT, replace=True, at="2026-11-22T10:00:00Z", by="emil")
    assert (events.find_board("club", 2, 7), events.find_board("club", 2, 8)) == (OTHER, EIGHT)
    assert events.list_boards("club")[0] == PreparedBoard(2, 7, "2026-11-22T10:00:00Z", "emil", False)


def test_what_was_dealt_is_not_replaced_and_keeps_the_whole_list_out(events: OpenedEvents):
    prepare(events, SEVEN)
    events.commit_group([dealing(A)])
    with pytest.raises(Duplicate):
        prepare(events, EIGHT, OTHER, replace=True)
    assert (events.find_board("club", 2, 7), events.find_board("club", 2, 8)) == (SEVEN, None)
    assert events.list_boards("club") == [PreparedBoard(2, 7, AT, "dora", True)]


def test_several_tables_are_dealt_it(events: OpenedEvents):
    prepare(events, SEVEN)
    assert told(events.commit_group([dealing(A), commit(B, 1)])) == [(1, 2), (3,)]
    assert told(events.commit_group([dealing(C)])) == [(4, 5)]


@pytest.mark.parametrize("there", [(), (OTHER,), (EIGHT,)])
def test_a_deal_of_another_deck_than_the_one_that_lies_there_is_left_out(events: OpenedEvents, there: tuple[Board, ...]):
    if there:
        prepare(events, *there)
    assert told(events.commit_group([commit(B, 1), dealing(A), commit(B, 2)]))[1] == "BoardReplaced"
    assert [(stream, position) for _, stream, position in stored(events)] == [(B, 1), (B, 2)]
    assert [one.dealt for one in events.list_boards("club")] == [False] * len(there)


def test_a_deal_that_is_not_stored_takes_no_board(events: OpenedEvents):
    prepare(events, SEVEN)
    events.commit_group([commit(A, 1)])
    assert told(events.commit_group([dealing(A)])) == ["Conflict"]
    assert [one.dealt for one in events.list_boards("club")] == [False]


def test_of_a_deal_and_a_replacement_that_come_at_once_one_is_done(journal_url: str, events: OpenedEvents):
    together = Barrier(2, timeout=60)

    def deal(board: Board) -> bool:
        together.wait()
        return not isinstance(one.commit_group([dealing(uuid4(), board)])[0], BoardReplaced)

    def swap(board: Board) -> bool:
        together.wait()
        try:
            prepare(other, replace(board, deck=OTHER.deck), replace=True)
        except Duplicate:
            return False
        return True

    with closing(open_events(journal_url)) as one, closing(open_events(journal_url)) as other, ThreadPoolExecutor(2) as threads:
        for number in range(1, 11):
            board = replace(SEVEN, number=number)
            prepare(events, board)
            dealt, swapped = (done.result() for done in [threads.submit(act, board) for act in (deal, swap)])
            assert dealt != swapped
            assert events.find_board("club", 2, number) == (board if dealt else replace(board, deck=OTHER.deck))
