"""Which positions a hand can have been in progress at, so that nobody has to walk a whole game to show one hand of it."""

from domain.events.game import DisputeRuled
from domain.game import fold_event
from domain.ruling import Order, rule
from replay.selection import positions_of
from tests.domain.test_game import Recorder
from tests.each import each
from tests.projections.histories import table_at


def play(recorder: Recorder, hands: int) -> None:
    for _ in range(hands):
        recorder.deal()
        recorder.lay((0, "1"), (1, "3"))


def back(recorder: Recorder, to: int) -> None:
    order = Order(to=to, restored=table_at(recorder.history, to))
    recorder.add(*rule(recorder.game, recorder.rulebook, DisputeRuled(0, None, "arbiter", "rewind", None), order))


def positions(recorder: Recorder, hand: int) -> list[int]:
    """Where the hand is the one in progress, or played last: by folding the whole game."""
    game, found = None, []
    for recorded in recorder.history:
        game = fold_event(game, recorded)
        if game.table.hand == hand:
            found.append(recorded.position)
    return found


def test_a_hand_goes_from_its_deal_to_the_next_one():
    recorder = Recorder(hands=3)
    play(recorder, 3)
    assert [positions_of(recorder.game, hand) for hand in (1, 2, 3)] == [(2, 4), (5, 7), (8, 10)]


@each("to", [1, 3, 4, 6, 7, 9])
@each("again", [0, 1])
def test_what_was_taken_back_belongs_to_any_hand_that_it_may_have_been(to: int, again: int):
    recorder = Recorder(hands=5)
    play(recorder, 3)
    back(recorder, to)
    if to in (1, 4, 7):
        play(recorder, again)
    for hand in range(1, 5):
        first, last = positions_of(recorder.game, hand)
        assert all(first <= position <= last for position in positions(recorder, hand))
