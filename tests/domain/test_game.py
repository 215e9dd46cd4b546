"""The Game aggregate: what history folds to, and what may be recorded next."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

import pytest

from domain import codec
from domain.act_validation import complete_act
from domain.effects import CardsMoved, Scored, TurnPassed
from domain.errors import DataIntegrityError, InvalidFormatError, Refused
from domain.events import Event, Recorded, Stamp, digest
from domain.events.base import TextRef, Unreadable
from domain.events.game import (
    Act,
    DisputeRaised,
    GameAbandoned,
    GameOpened,
    GameResumed,
    GameSuspended,
    HandDealt,
    MovePlayed,
    NoteAdded,
    Openness,
    RewindRecorded,
    SheetSigned,
)
from domain.game import Deal, Game, fold_event, project
from domain.moves import play_moves
from domain.opening import OpennessContext, opening
from domain.paper import sheet_digest
from domain.score import sheet
from domain.sight import Viewer
from domain.table import Table
from tests.domain.toy import TOY, Toy
from tests.each import each
from tests.projections.histories import table_at

GAME = UUID(int=7)
ALONE = OpennessContext()
"""No other table plays any board."""

STAMP = Stamp(datetime(2026, 1, 1, tzinfo=UTC), "recorder")
DECK = ["1", "2", "2", "3"]
"""Dealt by seat 1: seat 0 holds 1 and 2, seat 1 holds 2 and 3."""


class Recorder:
    """A history that grows by what the game decides, as the journal lets it grow."""

    def __init__(self, hands: int = 1, openness: Openness = "game_over") -> None:
        self.rulebook: Toy = TOY.bind({"hands": hands}, 2)
        self.history: list[Recorded] = []
        self.add(opening(TOY, {"hands": hands}, 2, openness=openness))

    @property
    def game(self) -> Game:
        game = project(None, self.history)
        assert game
        return game

    def add(self, *events: Event) -> None:
        for event in events:
            link = digest(self.history[-1].state) if self.history else None
            self.history.append(codec.encode_event(GAME, len(self.history) + 1, link, STAMP, event))

    def enact(self, *acts: Act) -> None:
        for act in acts:
            self.add(complete_act(self.game, act, lambda: self.rulebook))

    def deal(self, dealer: object = 1, deck: object = DECK) -> None:
        self.add(self.game.deal(self.rulebook, TOY.edition, dealer, deck, "recorded"))

    def deal_board(self, board: int, dealer: object = 1) -> None:
        self.add(self.game.deal_board(self.rulebook, TOY.edition, dealer, DECK, board))

    def lay(self, *moves: tuple[int, str]) -> None:
        self.add(*play_moves(self.game, self.rulebook, [(seat, lay(card)) for seat, card in moves]))

    def rewind(self, to: int) -> None:
        restored = table_at(self.history, to)
        assert restored
        self.add(self.game.rewind(to, None, restored))


def lay(card: str) -> dict[str, Any]:
    return {"type": "lay", "card": card}


def test_a_game_opens_with_its_setup_and_an_empty_table():
    recorder = Recorder()
    game = recorder.game
    assert (game.position, game.version, game.setup, game.table) == (1, 1, recorder.rulebook.setup, Table(recorder.rulebook.setup))
    assert (game.deals, game.dealt_at, game.voids) == ((), 0, ())


def test_seats_are_empty_if_no_players_are_named():
    assert opening(TOY, {}, 2).players == (None, None)


def test_a_game_keeps_where_it_belongs():
    opened = opening(TOY, {"hands": 2}, 2, ["ada", None], openness="never", tournament="t", round=3, table="5")
    assert opened == GameOpened(TOY.bind({"hands": 2}, 2).setup, 3, ("ada", None), "never", "t", 3, "5")


@each("players", [["ada"], ["ada", "bob", None], ["ada", "ada"]])
def test_players_are_one_for_each_seat_and_nobody_twice(players: Sequence[str | None]):
    with pytest.raises(InvalidFormatError) as malformed:
        opening(TOY, {}, 2, players)
    assert malformed.value.code == "bad_players"


@each(("options", "seats", "code"), [({"hands": 0}, 2, "bad_option"), ({}, 3, "bad_seats")])
def test_what_the_ruleset_refuses_is_not_opened(options: object, seats: object, code: str):
    with pytest.raises(Refused) as refused:
        opening(TOY, options, seats)
    assert refused.value.code == code


def test_a_deal_names_the_dealer_the_edition_and_where_the_deck_came_from():
    recorder = Recorder()
    dealt = recorder.game.deal(recorder.rulebook, 3, 1, DECK, "shuffled")
    assert (dealt.dealer, dealt.edition, dealt.how, dealt.effects) == (
        1,
        3,
        "shuffled",
        recorder.rulebook.deal(recorder.game.table, 1, DECK),
    )


def test_a_move_is_recorded_with_what_it_does():
    recorder = Recorder()
    recorder.deal()
    assert play_moves(recorder.game, recorder.rulebook, [(0, lay("1"))]) == (
        MovePlayed(0, lay("1"), (CardsMoved(("1",), "hand:0", "board", shown=True), TurnPassed("lay", 1, (1,)))),
    )


def test_a_game_is_played_to_its_end():
    recorder = Recorder()
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    game = recorder.game
    done = sheet(game.setup, game.table.score)
    assert (game.position, game.table.phase, done.totals, done.places) == (4, "game_over", (0, 1), (2, 1))


def test_each_move_of_a_batch_is_played_on_what_the_one_before_left():
    recorder = Recorder()
    recorder.deal()
    first, second = play_moves(recorder.game, recorder.rulebook, [(0, lay("2")), (1, lay("2"))])
    assert isinstance(first, MovePlayed)
    assert isinstance(second, MovePlayed)
    assert (first.seat, second.seat, second.effects[1]) == (0, 1, Scored("won", (1, 0)))


def test_a_batch_with_a_refused_move_records_none_and_names_the_place():
    recorder = Recorder()
    recorder.deal()
    before = recorder.game
    with pytest.raises(Refused) as refused:
        play_moves(before, recorder.rulebook, [(0, lay("1")), (1, lay("1"))])
    assert (refused.value.code, refused.value.index) == ("card_not_in_hand", 1)
    assert recorder.game == before


def test_no_moves_are_no_events():
    recorder = Recorder()
    recorder.deal()
    assert play_moves(recorder.game, recorder.rulebook, []) == ()


# Rewinds


def test_a_rewind_puts_the_table_back_and_makes_what_came_after_void():
    recorder = Recorder()
    recorder.deal()
    before = recorder.game.table
    recorder.lay((0, "1"), (1, "3"))
    recorder.rewind(2)
    game = recorder.game
    assert (game.table, game.position, game.voids) == (before, 5, ((3, 4),))
    assert [position for position in range(1, 6) if game.is_void(position)] == [3, 4]


def test_play_goes_on_after_a_rewind():
    recorder = Recorder()
    recorder.deal()
    recorder.lay((0, "1"))
    recorder.rewind(2)
    recorder.lay((0, "2"), (1, "2"))
    assert recorder.game.table.score.hands[0].points == (1, 0)


def test_a_rewind_of_a_rewind_voids_that_too():
    recorder = Recorder()
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    recorder.rewind(3)
    recorder.lay((1, "2"))
    recorder.rewind(2)
    assert recorder.game.voids == ((4, 4), (3, 6))


def test_a_rewind_may_lead_to_the_place_where_an_earlier_one_had_led():
    recorder = Recorder()
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    recorder.rewind(3)
    restored = recorder.game.table
    recorder.lay((1, "2"))
    recorder.rewind(5)
    assert recorder.game.table == restored


@each(("to", "code"), [(5, "rewind_ahead"), (6, "rewind_ahead"), (1, "rewind_too_far"), (-1, "rewind_too_far"), (3, "rewind_to_void")])
def test_the_recorder_may_take_back_what_stands_of_the_last_hand_only(to: int, code: str):
    recorder = Recorder()
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    recorder.rewind(2)
    with pytest.raises(Refused) as refused:
        recorder.game.check_rewind(to)
    assert refused.value.code == code


def test_a_typed_deal_is_taken_back_until_the_first_move():
    recorder = Recorder()
    before = recorder.game.table
    recorder.deal()
    assert recorder.game.first_rewind_position == 1
    recorder.rewind(1)
    assert (recorder.game.table, recorder.game.deals, recorder.game.count_void_deals) == (before, (), {1: 1})
    recorder.deal()
    recorder.rewind(3)
    recorder.deal()
    recorder.lay((0, "1"))
    assert (recorder.game.count_void_deals, recorder.game.first_rewind_position) == ({1: 2}, 6)
    assert refusal_of_rewind(recorder.game, 5) == ("rewind_too_far", {"to": 5, "dealt_at": 6})


def test_a_move_that_was_taken_back_settles_the_deal_all_the_same():
    recorder = Recorder()
    recorder.deal()
    recorder.lay((0, "1"))
    recorder.rewind(2)
    assert refusal_of_rewind(recorder.game, 1)[0] == "rewind_too_far"
    assert recorder.game.first_rewind_position == 2


def test_what_is_no_move_settles_no_deal():
    recorder = Recorder(hands=2)
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    recorder.deal()
    recorder.enact(NoteAdded(None), SheetSigned(0, 5, sheet_digest(sheet(recorder.game.setup, recorder.game.table.score))))
    recorder.enact(DisputeRaised(0, 5, 0, None, suspends=False))
    assert recorder.game.first_rewind_position == 2
    recorder.rewind(4)
    assert recorder.game.dealt_at == 2
    assert refusal_of_rewind(recorder.game, 1)[0] == "rewind_too_far"


def test_while_the_game_is_suspended_nothing_is_taken_back():
    recorder = Recorder()
    recorder.deal()
    recorder.enact(DisputeRaised(0, 2, 0, None, suspends=True))
    assert (recorder.game.first_rewind_position, refusal_of_rewind(recorder.game, 1)[0]) == (None, "game_suspended")


@each("how", ["shuffled", "prepared", "fair"])
def test_a_deck_that_nobody_typed_is_taken_back_by_no_recorder(how: Literal["shuffled", "prepared", "fair"]):
    recorder = Recorder()
    recorder.add(HandDealt(1, TOY.edition, how, recorder.rulebook.deal(recorder.game.table, 1, DECK)))
    assert recorder.game.first_rewind_position == 2
    assert refusal_of_rewind(recorder.game, 1) == ("rewind_too_far", {"to": 1, "dealt_at": 2, "problem": "deck"})


def refusal_of_rewind(game: Game, to: int) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as refused:
        game.check_rewind(to)
    return refused.value.code, refused.value.detail


def test_before_the_first_hand_nothing_can_be_taken_back():
    with pytest.raises(Refused) as refused:
        Recorder().game.check_rewind(1)
    assert refused.value.code == "nothing_to_rewind"


def test_a_hand_that_was_finished_by_mistake_can_be_taken_up_again():
    recorder = Recorder()
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    recorder.rewind(3)
    game = recorder.game
    assert (game.table.phase, game.table.to_act, game.table.score.hands) == ("lay", (1,), ())


def test_a_ruling_that_takes_a_whole_hand_back_leaves_the_hand_before_it_as_the_last_one():
    recorder = Recorder(hands=2)
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    recorder.deal()
    restored = table_at(recorder.history, 3)
    assert restored
    recorder.add(RewindRecorded(3, None, 1, restored))
    assert (recorder.game.deals, recorder.game.dealt_at) == ((Deal(2, 3, 1),), 2)
    recorder.game.check_rewind(3)


# Who may see


@each(
    ("openness", "in_first", "between", "in_second", "over"),
    [
        ("hand_over", (False, False), (True, True), (True, False), (True, True)),
        ("game_over", (False, False), (False, False), (False, False), (True, True)),
        ("never", (False, False), (False, False), (False, False), (False, False)),
    ],
)
def test_the_cards_of_a_game_open_as_its_openness_says(openness: Openness, in_first: Any, between: Any, in_second: Any, over: Any):
    """At each stage: whether the first hand (position 2) and the present are open to everybody."""
    recorder = Recorder(hands=2, openness=openness)

    def stage() -> tuple[bool, bool]:
        return recorder.game.is_open(2, ALONE), recorder.game.is_open(recorder.game.position, ALONE)

    recorder.deal()
    stages = [stage()]
    recorder.lay((0, "1"), (1, "3"))
    stages.append(stage())
    recorder.deal()
    stages.append(stage())
    recorder.lay((0, "1"), (1, "3"))
    stages.append(stage())
    assert stages == [in_first, between, in_second, over]


def test_a_hand_taken_up_again_closes_again():
    recorder = Recorder(hands=2, openness="hand_over")
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    recorder.deal()
    restored = table_at(recorder.history, 3)
    assert restored
    recorder.add(RewindRecorded(3, None, 1, restored))
    assert [recorder.game.is_open(position, ALONE) for position in (1, 2, 3)] == [True, False, False]


def test_hands_that_were_taken_back_open_each_with_the_one_that_replaces_it():
    recorder = Recorder(hands=3, openness="hand_over")

    def play(*cards: tuple[int, str]) -> list[int]:
        """Deals, lays and answers the positions that are open now."""
        recorder.deal()
        recorder.lay(*cards)
        return [position for position in range(1, recorder.game.position + 1) if recorder.game.is_open(position, ALONE)]

    whole = ((0, "1"), (1, "3"))
    assert play(*whole) == [1, 2, 3, 4]
    assert play(*whole) == [1, 2, 3, 4, 5, 6, 7]
    assert play((0, "1")) == [1, 2, 3, 4, 5, 6, 7]
    restored = table_at(recorder.history, 4)
    assert restored
    recorder.add(RewindRecorded(4, None, 1, restored))  # position 10: the second and the third hand are taken back
    assert [recorder.game.is_open(position, ALONE) for position in (2, 4, 5, 7, 8, 9, 10)] == [True, True, False, False, False, False, True]
    assert [recorder.game.is_open_through(position, ALONE) for position in (4, 5, 10)] == [True, False, False]
    assert play((0, "1")) == [1, 2, 3, 4, 10]
    recorder.lay((1, "3"))
    assert [position for position in range(1, 14) if not recorder.game.is_open(position, ALONE)] == [8, 9]
    assert play(*whole) == list(range(1, 17))
    assert recorder.game.is_open_through(16, ALONE)


def test_words_about_a_hand_that_was_taken_back_wait_for_the_hand_that_replaces_it():
    recorder = Recorder(hands=2, openness="hand_over")
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    for text in (TextRef("shut", ""), TextRef("open", "", public=True)):
        recorder.enact(GameSuspended(text), GameResumed(None))
    told = [recorder.game.tells(text, position, ALONE) for text, position in (("shut", 5), ("open", 7), (None, 1))]
    opened = table_at(recorder.history, 1)
    assert opened
    recorder.add(RewindRecorded(1, TextRef("why", ""), 1, opened))
    assert told == [True, True, True]
    words = (("shut", 5), ("open", 7), ("why", 9), (None, 1))
    assert [recorder.game.tells(text, position, ALONE) for text, position in words] == [False, True, False, True]
    assert [recorder.game.is_open(position, ALONE) for position in (1, 4, 9)] == [True, False, False]
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    assert [recorder.game.tells(text, position, ALONE) for text, position in words] == [True] * 4


def test_a_viewer_sees_with_the_eyes_of_a_seat_and_as_much_as_is_open():
    recorder = Recorder(openness="hand_over")
    recorder.deal()
    assert (recorder.game.viewer(0, recorder.game.position, ALONE), recorder.game.viewer("public", 1, ALONE)) == (
        Viewer(0),
        Viewer("public", open=True),
    )


# Prepared boards


def test_the_deal_of_a_prepared_board_names_it():
    recorder = Recorder()
    dealt = recorder.game.deal_board(recorder.rulebook, 3, 1, DECK, 7)
    assert dealt == HandDealt(1, 3, "prepared", recorder.rulebook.deal(recorder.game.table, 1, DECK), 7)


def test_a_game_deals_a_board_once_as_long_as_its_hand_stands():
    recorder = Recorder(hands=2)
    recorder.deal_board(7)
    recorder.lay((0, "1"), (1, "3"))
    with pytest.raises(Refused, match="board_played"):
        recorder.deal_board(7)
    restored = table_at(recorder.history, 1)
    assert restored
    recorder.add(RewindRecorded(1, None, 1, restored))
    recorder.deal_board(7)
    assert (sorted(recorder.game.boards), [deal.board for deal in recorder.game.deals]) == ([7], [7])


def test_a_board_that_another_table_plays_is_shut_and_covered_whatever_the_openness_says():
    recorder = Recorder(hands=3, openness="hand_over")
    for board in (7, None, 8):
        recorder.deal() if board is None else recorder.deal_board(board)
        recorder.lay((0, "1"), (1, "3"))

    def told(*played: int) -> tuple[list[int], list[int], bool]:
        """The positions that are open, those that are covered for the public, and whether all hands may be told."""
        game, boards, positions = recorder.game, OpennessContext(frozenset(played)), range(1, recorder.game.position + 1)
        covered = [position for position in positions if game.viewer("public", position, boards).covered]
        return [position for position in positions if game.is_open(position, boards)], covered, game.are_hands_open(boards)

    assert told() == (list(range(1, 11)), [], True)
    assert told(7) == ([1, 5, 6, 7, 8, 9, 10], [2, 3, 4], False)
    assert told(8) == ([1, 2, 3, 4, 5, 6, 7], [8, 9, 10], False)
    assert told(9) == told()
    assert recorder.game.viewer("arbiter", 2, OpennessContext(frozenset({7}))) == Viewer("arbiter")
    assert recorder.game.viewer(0, 2, OpennessContext(frozenset({7}))) == Viewer(0)
    assert not recorder.game.tells("word", 5, OpennessContext(frozenset({7})))


def test_a_game_with_boards_is_never_open_for_good():
    recorder = Recorder(hands=2)
    recorder.deal_board(7)
    recorder.enact(GameAbandoned(None))
    assert (recorder.game.is_open(2, ALONE), recorder.game.is_open_forever(2, ALONE)) == (True, False)


# Damaged history


def damaged(position: int) -> Recorded:
    return codec.decode_event(GAME, position, "move.played/1", b"damaged")


def test_a_game_whose_opening_cannot_be_read_is_no_game():
    with pytest.raises(DataIntegrityError):
        fold_event(None, damaged(1))


def test_an_event_that_cannot_be_read_is_passed_over_and_counted():
    recorder = Recorder()
    recorder.deal()
    game = fold_event(recorder.game, damaged(3))
    assert isinstance(damaged(3).event, Unreadable)
    assert (game.position, game.last, game.table) == (3, b"damaged", recorder.game.table)


def test_a_second_opening_changes_nothing():
    recorder = Recorder()
    recorder.deal()
    table = recorder.game.table
    recorder.add(opening(TOY, {"hands": 2}, 2))
    assert (recorder.game.table, recorder.game.setup.options) == (table, {"hands": 1})


def test_a_history_without_events_is_no_game():
    assert project(None, []) is None


def test_a_history_can_be_folded_on_from_any_game():
    recorder = Recorder()
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    half = project(None, recorder.history[:2])
    assert project(half, recorder.history[2:]) == recorder.game


def test_a_deal_after_the_end_is_refused():  # COM-13
    recorder = Recorder()
    recorder.deal()
    recorder.lay((0, "1"), (1, "3"))
    with pytest.raises(Refused) as refused:
        recorder.deal()
    assert (refused.value.code, refused.value.rules) == ("game_over", ("COM-13",))


def test_events_of_a_game_are_linked_by_their_bytes():
    recorder = Recorder()
    recorder.deal()
    read = codec.decode_event(GAME, 2, recorder.history[1].name, recorder.history[1].state)
    assert isinstance(read.event, HandDealt)
    assert read.link == digest(recorder.history[0].state)
