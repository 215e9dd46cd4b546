"""Decks that nobody chose, at the table: who may give what when, the deal that follows, and when the secret is told."""

from collections.abc import Callable
from typing import TypeAlias

import pytest

from domain.dealing import deal, is_fair, join, list_secrets_to_reveal, open_chance
from domain.effects import dealt_deck
from domain.errors import Refused
from domain.events import NAMES
from domain.events.game import GameAbandoned, HandDealt, RewindRecorded
from domain.events.shuffles import ShuffleOpened, ShuffleRevealed
from domain.game import Game
from domain.journal.snapshots import decode_snapshot, encode_snapshot
from domain.shuffling import TYPED, DealCount, commitment_to_chance, counts, name_of_seat, seed_of, shuffled
from tests.domain.fair import DICE, FairGame, chance_of, secret_of
from tests.domain.recorded import RealGame
from tests.each import each


def names(game: FairGame, since: int = 0) -> list[str]:
    return [NAMES[type(recorded.event)].removesuffix("/1") for recorded in game.history[since:]]


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def begun(dice: int = 0, seats: int = 3) -> FairGame:
    game = FairGame(seats=seats)
    game.begin(dice=dice)
    return game


def test_devices_and_dice_make_the_deck():
    game = begun(dice=8)
    game.join(0, 2)
    game.open(2, 0)
    game.throw()
    assert names(game) == [
        "game.opened",
        "shuffle.committed",
        *["shuffle.joined"] * 2,
        *["shuffle.opened"] * 2,
        "shuffle.typed",
        "hand.dealt",
    ]
    dealt = game.last
    assert isinstance(dealt, HandDealt)
    chances = [(name_of_seat(0), chance_of(0)), (name_of_seat(2), chance_of(2)), (TYPED, DICE.encode())]  # in the order of joining
    due = shuffled(seed_of(secret_of(1), game.game.id, 2, chances), game.rulebook.deck)
    assert (dealt.how, dealt_deck(dealt.effects)) == ("fair", due)


def test_without_dice_the_last_one_to_open_brings_the_deal():
    game = begun()
    game.join(0, 1)
    game.open(0)
    assert game.table.hand == 0
    game.open(1)
    assert names(game)[-2:] == ["shuffle.opened", "hand.dealt"]


def test_dice_alone_are_enough():
    game = begun(dice=8)
    game.throw()
    assert names(game)[-2:] == ["shuffle.typed", "hand.dealt"]


def test_whoever_has_not_joined_holds_nobody_up():
    game = begun(seats=3)
    game.join(1)
    game.open(1)
    assert game.table.hand == 1


def test_who_does_not_open_ends_the_try_and_is_named():
    game = begun(seats=3)
    game.join(0, 1, 2)
    game.open(1)
    game.begin()
    assert names(game)[-2:] == ["shuffle.committed", "shuffle.revealed"]
    game.join(1)
    game.open(1)
    assert counts(game.game.tries) == (DealCount(1, 2, ((0, 2),)),)
    assert game.judged().verdict == "sound"


def test_the_secret_is_told_once_the_hand_is_over():
    game = FairGame()
    game.begin(dice=8)
    game.throw()
    assert (list_secrets_to_reveal(game.game), "shuffle.revealed" in names(game)) == ((), False)
    game.play()
    told = game.last
    assert told == ShuffleRevealed(2, secret_of(1).hex())
    assert game.game.tries[0].revealed_at == game.game.position


def test_an_abandoned_game_tells_its_secret_at_once():
    game = FairGame()
    game.begin(dice=8)
    game.throw()
    game.give(GameAbandoned(None))
    assert names(game)[-2:] == ["game.abandoned", "shuffle.revealed"]


def test_the_secret_of_a_hand_that_was_taken_back_waits_for_the_one_that_replaces_it():
    game = FairGame()
    game.fair_hand()
    game.begin(dice=8)
    game.throw()
    dealt = game.game.dealt_at
    game.add(RewindRecorded(dealt - 3, None, 1, game.at(dealt - 3)))
    assert (game.table.hand, list_secrets_to_reveal(game.game)) == (1, ())
    game.begin(dice=8)
    game.throw()
    game.play()
    assert names(game)[-2:] == ["shuffle.revealed"] * 2
    assert counts(game.game.tries)[1] == DealCount(2, 2, ())


def test_what_was_begun_is_off_when_the_hand_before_goes_on():
    game = FairGame()
    game.fair_hand()
    last = max(recorded.position for recorded in game.history if recorded.name == "move.played/1")
    game.begin()
    game.join(0)
    game.rewind(last - 1)
    game.give()
    assert names(game)[-2:] == ["game.rewound", "shuffle.revealed"]
    assert refusal(lambda: game.open(0)) == "no_shuffle_begun"


def test_a_hand_that_is_only_reported_ends_what_was_begun_for_it():
    game = FairGame()
    game.begin(dice=8)
    game.give(game.game.report(game.rulebook, game.ruleset.edition, game.next_dealer, {"points": [7, 4]}))
    assert names(game)[-2:] == ["hand.reported", "shuffle.revealed"]
    assert refusal(game.throw) == "no_shuffle_begun"
    game.fair_hand()
    assert [one.hand for one in game.game.tries] == [1, 2]
    assert game.judged().verdict == "sound"


def test_a_snapshot_keeps_what_was_given():
    game = FairGame()
    game.fair_hand()
    game.begin(dice=8)
    game.join(1)
    assert decode_snapshot(encode_snapshot(game.game), game.game.last) == game.game


def test_a_game_that_was_not_opened_so_knows_no_shuffle():
    game = RealGame("casino")
    assert not is_fair(game.game)
    game.deal()
    fair = FairGame()
    assert refusal(lambda: fair.deal()) == "shuffle_is_fair"


def test_the_rules_say_who_may_deal_and_when():
    game = FairGame()
    assert refusal(lambda: game.begin(dealer=7)) == "bad_dealer"
    game.begin(dice=8)
    game.throw()
    assert refusal(lambda: game.begin(dealer=0)) == "hand_in_progress"


Steps: TypeAlias = tuple[tuple[str, object], ...]
REFUSED: dict[str, tuple[Steps, str]] = {
    "few dice are promised": ((("begin", 7),), "dice_promise"),
    "nothing was begun": ((("join", 0),), "no_shuffle_begun"),
    "dice were not promised": ((("begin", 0), ("throw", DICE)), "dice_not_promised"),
    "joining after the first opening": ((("begin", 0), ("join", 0), ("join", 1), ("open", 0), ("join", 2)), "joining_closed"),
    "joining twice": ((("begin", 0), ("join", 0), ("join", 0)), "joined_already"),
    "a seat that is not there": ((("begin", 0), ("join", 3)), "no_such_seat"),
    "opening without joining": ((("begin", 0), ("join", 0), ("open", 1)), "not_joined"),
    "opening twice": ((("begin", 0), ("join", 0), ("join", 1), ("open", 0), ("open", 0)), "opened_already"),
    "dice before the devices": ((("begin", 8), ("join", 0), ("throw", DICE)), "dice_last"),
    "free text": ((("begin", 8), ("throw", "a cut in the middle")), "dice_form"),
    "dice without spaces": ((("begin", 8), ("throw", "63115246")), "dice_form"),
    "too few dice": ((("begin", 8), ("throw", "6 3 1 1 5 2 4")), "dice_number"),
    "too many dice": ((("begin", 8), ("throw", DICE + " 1")), "dice_number"),
}


@each(("steps", "code"), REFUSED.values(), ids=REFUSED)
def test_what_could_be_tried_out_or_comes_too_late_is_refused(steps: Steps, code: str):
    game, (*before, (act, given)) = FairGame(seats=3), steps
    for name, value in before:
        getattr(game, name)(value)
    assert refusal(lambda: getattr(game, act)(given)) == code


@each("given", [chance_of(1).hex(), chance_of(0).hex().upper(), "not hexadecimal", chance_of(0)[:15].hex(), ""])
def test_an_opening_has_to_be_what_the_device_was_bound_to(given: str):
    game = begun()
    game.join(0)
    assert refusal(lambda: open_chance(game.game, 0, given)) == "opening_does_not_fit"


def test_a_device_cannot_pass_for_another_by_its_commitment():
    game = begun()
    game.join(0)
    game.give(join(game.game, 1, commitment_to_chance(name_of_seat(0), chance_of(0)).hex()))
    assert refusal(lambda: open_chance(game.game, 1, chance_of(0).hex())) == "opening_does_not_fit"


def test_a_deal_says_what_it_waits_for():
    def waits(game: Game) -> str:
        return refusal(lambda: deal(game, FairGame().rulebook, 1, lambda commitment: None))

    nobody, joined, dice = begun(), begun(), begun(dice=8)
    joined.join(0)
    opened = begun(dice=8)
    opened.add(ShuffleOpened(0, ""))
    assert [waits(game.game) for game in (nobody, joined, dice)] == ["device_needed", "chances_missing", "dice_missing"]
    assert waits(FairGame().game) == "no_shuffle_begun"


def test_without_its_secret_no_deck_follows():
    game = begun(dice=8)
    game.secrets.clear()
    assert refusal(game.throw) == "secret_lost"
