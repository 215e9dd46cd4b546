"""The game keeps what was told beside its moves, and between them (COM-71, COM-75)."""

import pytest
from msgspec import UNSET

from domain.cards import FRENCH_DECK
from domain.effects import Known
from domain.errors import Refused
from domain.events.game import CardsTold, GameSuspended, MovePlayed
from domain.moves import play_moves
from domain.opening import opening
from domain.rules import KnownFaces
from tests.domain.games.casino.positions import CASINO
from tests.domain.recorded import GrowingGame
from tests.domain.unknown_cards.tables import BOARD, RULES, UNKNOWN
from tests.projections.histories import table_at


class Recorder(GrowingGame):
    def __init__(self, deck: object = UNKNOWN, known: object = BOARD) -> None:
        super().__init__(opening(CASINO, {}, 2))
        self.add(self.game.deal(RULES, 1, 1, deck, "recorded", known))


def trail(card: str) -> dict[str, str]:
    return {"type": "trail", "card": card}


def test_a_move_keeps_what_was_told_beside_it_as_it_was_given():
    recorder = Recorder()
    told = KnownFaces({"hand:0": ["6S", "7S"]}, {"hand:1": ["TD"]})
    [played] = play_moves(recorder.game, RULES, [(0, trail("6S"), told)])
    assert isinstance(played, MovePlayed)
    assert (played.known, played.lacks) == ({"hand:0": ("6S", "7S")}, {"hand:1": ("TD",)})


def test_where_nothing_was_told_the_stored_bytes_are_those_of_before():
    recorder = Recorder(FRENCH_DECK, UNSET)
    recorder.add(*play_moves(recorder.game, RULES, [(0, trail("AS"))]))
    assert recorder.history[-1].state.endswith(
        b'"body":{"seat":0,"move":{"type":"trail","card":"AS"},'
        b'"effects":[["moved",["AS"],"hand:0","board",false,true],["turn","play",1,[1]]]}}'
    )


def test_something_may_be_told_between_two_moves_of_a_batch():
    recorder = Recorder()
    told, played = play_moves(recorder.game, RULES, [KnownFaces({"hand:0": ["6S"]}), (0, trail("6S"))])
    assert told == CardsTold({"hand:0": ("6S",)}, (Known("hand:0", ("6S",)),))
    assert not any(isinstance(effect, Known) for effect in played.effects)


def test_a_telling_that_cannot_be_is_refused_with_its_place():
    recorder = Recorder()
    with pytest.raises(Refused) as refused:
        play_moves(recorder.game, RULES, [(0, trail("6S")), KnownFaces({"hand:1": ["6S"]})])
    assert (refused.value.code, refused.value.index) == ("card_impossible", 1)


def test_a_rewind_takes_back_what_was_told_after_its_position():
    recorder = Recorder()
    dealt = recorder.game.table
    recorder.add(*play_moves(recorder.game, RULES, [KnownFaces({"hand:1": ["TD"]}), (0, trail("6S"))]))
    restored = table_at(recorder.history, 2)
    assert restored
    recorder.add(recorder.game.rewind(2, None, restored))
    assert recorder.game.table == dealt
    assert [position for position in range(1, 6) if recorder.game.is_void(position)] == [3, 4]


def test_in_a_suspended_game_nothing_is_told():  # COM-65
    recorder = Recorder()
    recorder.add(GameSuspended(None))
    with pytest.raises(Refused) as refused:
        play_moves(recorder.game, RULES, [KnownFaces({"hand:1": ["TD"]})])
    assert refused.value.code == "game_suspended"


def test_a_hand_of_which_not_every_card_is_known_may_be_stopped():  # COM-43
    recorder = Recorder()
    recorder.add(*play_moves(recorder.game, RULES, [(0, trail("6S"))]))
    stopped = RULES.stop(recorder.game.table)
    assert not stopped.counts
    assert not any(isinstance(effect, Known) for effect in stopped.effects)
