"""The verifier in one file and decks that nobody chose: what was given is held against what was dealt, without any rules."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.effects import dealt_deck
from domain.events import Event
from domain.events.game import HandDealt
from domain.events.shuffles import ShuffleOpened, ShuffleRevealed, ShuffleTyped
from replay.proof import single_file
from tests.domain.fair import FairGame, secret_of
from tests.each import each
from tests.replay.proof.made import Log, record
from tests.replay.proof.places import WORKED


def fair() -> FairGame:
    game = FairGame("casino", 2)
    game.begin(dice=8)
    game.join(0)
    game.begin(dice=8)  # seat 0 does not answer
    for _ in range(2):
        game.fair_hand()
    return game


def file_of(game: FairGame) -> Any:
    log = Log()
    return json.loads(record(log, game.history, log.add(*game.history)).as_bytes())


@each("deck", WORKED["3_decks"], ids=lambda deck: f"{len(deck['cards'])} cards, {len(deck['chances'])} chances")
def test_the_worked_decks_come_from_their_cards(deck: dict[str, Any]):
    given = {one["who"]: bytes.fromhex(one["chance"]) for one in deck["chances"]}
    seats = {int(who[5:]): chance for who, chance in given.items() if who != "typed"}
    tried = {"joined": dict.fromkeys(seats, ""), "open": seats, "typed": given.get("typed")}
    seed = single_file.seed_of(bytes.fromhex(deck["secret"]), single_file.stream_of(deck["game"]), deck["position"], tried)
    assert seed.hex() == deck["seed"]
    assert single_file.reverse_shuffle(seed, deck["deck"]) == deck["cards"]


def test_all_decks_of_a_record_come_from_one_order_of_the_cards():
    game = fair()
    assert single_file.decks(file_of(game)) == (2, 0, list(game.rulebook.deck))


def test_a_hand_that_is_not_over_keeps_its_secret():
    game = FairGame("casino", 2)
    game.begin(dice=8)
    game.throw()
    assert single_file.decks(file_of(game)) == (0, 1, [])


def test_of_a_record_that_begins_later_no_deck_is_judged():
    file = file_of(fair())
    assert single_file.decks({**file, "first": 3, "events": file["events"][2:]}) == (0, 0, [])


def _swapped(event: Event) -> Event:
    if not isinstance(event, HandDealt):
        return event
    game, deck = fair(), dealt_deck(event.effects)
    return replace(event, effects=game.rulebook.deal(game.at(1), event.dealer, (deck[1], deck[0], *deck[2:])))


OTHERWISE: dict[str, Callable[[Event], Event]] = {
    "another secret": lambda event: replace(event, secret=secret_of(99).hex()) if isinstance(event, ShuffleRevealed) else event,
    "another chance": lambda event: replace(event, chance="00" * 16) if isinstance(event, ShuffleOpened) else event,
    "fewer dice": lambda event: replace(event, dice="6 3 1") if isinstance(event, ShuffleTyped) else event,
    "free text": lambda event: replace(event, dice="a cut") if isinstance(event, ShuffleTyped) else event,
    "two cards swapped": _swapped,
}


@pytest.mark.parametrize("change", OTHERWISE.values(), ids=OTHERWISE)
def test_what_does_not_follow_is_named(change: Callable[[Event], Event]):
    game = fair()
    events = [change(recorded.event) for recorded in game.history]
    game.history.clear()
    game.add(*events)
    with pytest.raises(single_file.VerificationError) as refused:
        single_file.decks(file_of(game))
    assert refused.value.why == "deck"
