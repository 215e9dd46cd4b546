"""Hands that an official stops (COM-43), in the history of their game."""

import pytest
from msgspec.structs import replace

from domain.errors import Refused
from domain.events.game import DisputeRuled, GameAbandoned, GameAnnulled, GameSuspended, HandEndedEarly
from domain.games import EDITIONS, RULESETS
from domain.score import VoidedHand
from replay.audit import audit
from tests.domain.recorded import Order, PointsChange, RealGame
from tests.each import each

STOP = HandEndedEarly((), True, None)


def seats_of(key: str) -> int:
    return {"cascades": 1, "quartett-classic": 3}.get(key, 2)


def in_hand(key: str, moves: int = 3, **options: object) -> RealGame:
    real = RealGame(key, options, seats_of(key))
    real.deal()
    real.play(moves)
    return real


@pytest.mark.parametrize("key", RULESETS)
def test_a_stopped_hand_of_every_game_is_sound(key: str):
    real = in_hand(key)
    real.enact(STOP)
    assert not real.table.in_hand
    assert real.judged().verdict == "sound"


@pytest.mark.parametrize("key", RULESETS)
def test_effects_that_the_rules_do_not_give_are_found(key: str):
    real = in_hand(key)
    real.enact(STOP)
    last = real.last
    assert isinstance(last, HandEndedEarly)
    del real.history[-1]
    real.add(replace(last, counts=not last.counts))
    assert "act" in {one.kind for one in audit(real.history, EDITIONS).divergences}


def test_a_stopped_hand_of_casino_is_struck_out_and_the_next_seat_deals_the_next():
    real = in_hand("casino")
    dealer, position = real.table.dealer, real.game.position + 1
    assert dealer is not None
    real.enact(STOP)
    zeros: dict[str, tuple[int, ...]] = dict.fromkeys(real.game.setup.rows, (0, 0))
    assert (real.sheet.hands, real.sheet.totals, real.sheet.finished) == ((), (0, 0), False)
    assert real.sheet.struck == (VoidedHand(1, dealer, "stopped", zeros, (0, 0), (0, 0), {}, position, None),)
    real.hand()
    assert (real.table.hand, real.table.dealer, [hand.hand for hand in real.sheet.hands]) == (2, 1 - dealer, [2])
    assert real.judged().verdict == "sound"


def test_a_game_of_cascades_that_is_stopped_is_finished_without_a_winner():
    real = in_hand("cascades")
    real.enact(STOP)
    assert (real.sheet.finished, real.sheet.places, real.sheet.winners, real.sheet.totals) == (True, (None,), (), (0,))
    assert (real.sheet.hands, [hand.end for hand in real.sheet.struck or ()]) == ((), ["stopped"])
    view = real.rulebook.view(real.table)
    assert (view["phase"], view["result"], view["end"]) == ("game_over", None, None)


def test_nothing_is_stopped_between_two_hands_or_before_the_first():
    real = RealGame("casino", {"target": 100})
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            real.enact(STOP)
        assert (refused.value.code, refused.value.rules) == ("no_hand_to_stop", ("COM-43",))
        real.hand()


def test_nothing_is_stopped_in_a_game_that_is_over():
    real = RealGame("alcasan")
    real.deal()
    real.enact(STOP)
    with pytest.raises(Refused) as refused:
        real.enact(STOP)
    assert (refused.value.code, refused.value.rules) == ("game_over", ("COM-23",))


@each("halt", [GameSuspended(None), GameAbandoned(None), GameAnnulled(None)])
def test_nothing_is_stopped_in_a_game_that_officials_halted(halt: GameSuspended | GameAbandoned | GameAnnulled):
    real = in_hand("casino")
    real.enact(halt)
    with pytest.raises(Refused) as refused:
        real.enact(STOP)
    assert (refused.value.code, refused.value.rules) == (f"game_{real.game.docket.standing}", ("COM-65",))


def test_the_recorder_does_not_rewind_beyond_a_stopped_hand_but_a_ruling_does():
    real = in_hand("casino")
    before, to = real.table, real.game.position
    real.enact(STOP)
    with pytest.raises(Refused) as refused:
        real.game.check_rewind(to)
    assert refused.value.code == "rewind_past_ruling"
    real.rule(DisputeRuled(0, None, "arbiter", "rewind", None), Order(to=to, restored=real.at(to)))
    assert (real.table, real.sheet.struck or ()) == (before, ())
    assert real.game.is_void(to + 1)
    real.play()
    assert ([hand.hand for hand in real.sheet.hands], real.sheet.struck or ()) == ([1], ())
    assert real.judged().verdict == "sound"


def test_a_hand_struck_out_before_stays_so_when_a_ruling_goes_back_behind_it():
    real = in_hand("casino")
    real.enact(STOP)
    struck = real.sheet.struck
    real.deal()
    to = real.game.position
    real.play(2)
    real.rule(DisputeRuled(0, None, "arbiter", "rewind", None), Order(to=to, restored=real.at(to)))
    assert real.sheet.struck == struck


def test_points_given_in_a_hand_that_is_struck_out_are_looked_at_when_it_is_stopped():  # COM-42
    real = RealGame("casino", {"target": 40})
    real.hand()
    real.deal()
    real.adjust(PointsChange(0, 40))
    assert real.table.in_hand
    real.enact(STOP)
    assert (real.table.phase, real.sheet.finished, real.sheet.winners) == ("game_over", True, (0,))
    assert real.judged().verdict == "sound"
