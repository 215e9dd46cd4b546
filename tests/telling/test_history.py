"""A game that was recorded with unknown cards is stored, judged again, rewound and exported as any other."""

from itertools import cycle

import msgspec
import pytest
from msgspec.structs import replace

from domain.cards import HIDDEN
from domain.effects import ZoneAdded
from domain.events.game import HandDealt, MovePlayed
from domain.game import project
from domain.games import EDITIONS, RULESETS
from replay.audit import audit
from replay.export import export
from replay.record import events_of, parse
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.laws import read_back
from tests.telling.bystanders import BYSTANDERS
from tests.telling.law import PARTS, Part, Recording

_STEPS = 40
_EVERY = 8

SAMPLE: list[tuple[str, int, Part]] = [
    (key, number, part)
    for key in BYSTANDERS
    for (number, _), part in zip(enumerate(TRIED[key]().set_ups[::_EVERY]), cycle(PARTS), strict=False)
]


def recorded_again(key: str, number: int, part: Part) -> Recording:
    set_up = TRIED[key]().set_ups[_EVERY * number]
    playout = random_game(key, set_up._replace(longest=_STEPS), f"{key} {set_up}")
    recording = Recording(playout, part, playout.random("history"))
    assert list(recording.breaches()) == []
    return recording


@pytest.mark.parametrize(("key", "number", "part"), SAMPLE)
def test_what_was_told_is_stored_judged_again_and_given_back(key: str, number: int, part: Part):
    recording = recorded_again(key, number, part)
    history = recording.history()
    game = project(None, read_back(history))
    assert game
    assert game.table == recording.table
    assert audit(history, EDITIONS).verdict == "sound"
    assert audit(history, {}).divergences == ()
    record = msgspec.json.decode(msgspec.json.encode(export("again", history)))
    assert events_of(parse(record), RULESETS) == tuple(event.event for event in history)


def test_the_audit_judges_the_same_act_again_from_what_was_told():
    """A card that somebody wrote into the stored telling later is found, and so is one that he took out."""
    history = list(recorded_again("casino", 0, "nothing").history())
    place = next(place for place, event in enumerate(history) if isinstance(event.event, MovePlayed))
    played = history[place]
    assert isinstance(played.event, MovePlayed)
    for known in ({"hand:0": ("KS", "KH")}, {"hand:0": ("KS", "KS")}):
        history[place] = replace(played, event=replace(played.event, known=known))
        assert audit(history, EDITIONS).verdict == "divergent"


def test_a_card_that_is_lost_is_found_among_unknown_ones_too():
    history = list(recorded_again("casino", 0, "nothing").history())
    dealt = history[1]
    assert isinstance(dealt.event, HandDealt)
    first, stock, *others = dealt.event.effects
    assert isinstance(stock, ZoneAdded)
    told = next(card for card in stock.cards if card != HIDDEN)
    for cards in (stock.cards[1:], (told, *stock.cards[1:]), (*stock.cards, HIDDEN)):
        effects = (first, replace(stock, cards=cards), *others)
        history[1] = replace(dealt, event=replace(dealt.event, effects=effects))
        assert "cards" in {one.kind for one in audit(history, EDITIONS).divergences}, cards
