"""The audit of games whose decks nobody chose: whatever does not follow from the secret and the chances is found."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.effects import dealt_deck
from domain.events import Event
from domain.events.game import GameOpened, HandDealt
from domain.events.shuffles import ShuffleCommitmentMade, ShuffleOpened, ShuffleRevealed, ShuffleTyped
from domain.games import RULESETS
from replay.content import as_stored
from tests.domain.fair import FairGame, secret_of

SEATS = {"cascades": 1, "quartett-classic": 3}


def fair(key: str = "casino") -> FairGame:
    game = FairGame(key, SEATS.get(key, 2))
    game.begin(dice=8)
    game.join(0)
    game.begin(dice=8)  # seat 0 does not answer
    game.fair_hand()
    return game


def told_otherwise(change: Callable[[Event], Event | None]) -> FairGame:
    """The same game as if it had been recorded so from the beginning, with all links."""
    game = fair()
    events = [changed for recorded in game.history if (changed := change(recorded.event)) is not None]
    game.history.clear()
    game.add(*events)
    return game


@pytest.mark.parametrize("key", RULESETS)
def test_a_game_of_any_ruleset_is_sound(key: str):
    found = fair(key).judged()
    assert (found.verdict, found.judged, found.unjudged) == ("sound", found.events, ())


def _another_secret(event: Event) -> Event:
    return replace(event, secret=secret_of(99).hex()) if isinstance(event, ShuffleRevealed) else event


def _another_deck(event: Event) -> Event:
    if not isinstance(event, HandDealt):
        return event
    game = fair()
    deck = dealt_deck(event.effects)
    swapped = (deck[1], deck[0], *deck[2:])
    return replace(event, effects=game.rulebook.deal(game.at(1), event.dealer, swapped))


def _another_dealer(event: Event) -> Event:
    return replace(event, dealer=1 - event.dealer) if isinstance(event, ShuffleCommitmentMade) else event


def _other_dice(event: Event) -> Event:
    return replace(event, dice="1 1 1 1 1 1 1 1") if isinstance(event, ShuffleTyped) else event


def _fewer_dice(event: Event) -> Event:
    return replace(event, dice="6 3 1") if isinstance(event, ShuffleTyped) else event


def _another_chance(event: Event) -> Event:
    return replace(event, chance="00" * 16) if isinstance(event, ShuffleOpened) else event


def _untyped(event: Event) -> Event | None:
    return None if isinstance(event, ShuffleTyped) else event


def _as_it_came(event: Event) -> Event:
    return replace(event, how="shuffled") if isinstance(event, HandDealt) else event


def _never_promised(event: Event) -> Event:
    return GameOpened(event.setup, event.edition, event.players, event.openness) if isinstance(event, GameOpened) else event


TAMPERINGS: dict[str, tuple[Callable[[Event], Event | None], set[str]]] = {
    "another secret": (_another_secret, {"refused"}),
    "another deck": (_another_deck, {"deck", "effects"}),
    "another dealer": (_another_dealer, {"deck"}),
    "other dice": (_other_dice, {"deck"}),
    "fewer dice": (_fewer_dice, {"refused", "deck"}),
    "another chance": (_another_chance, {"refused", "deck"}),
    "no dice": (_untyped, {"refused"}),
    "a deck as it came": (_as_it_came, {"refused"}),
    "no fair decks": (_never_promised, {"refused"}),
}


@pytest.mark.parametrize(("change", "kinds"), TAMPERINGS.values(), ids=TAMPERINGS)
def test_what_does_not_follow_is_found(change: Callable[[Event], Event | None], kinds: set[str]):
    found = told_otherwise(change).judged()
    assert {one.kind for one in found.divergences} & kinds
    assert found.verdict == "divergent"


def test_the_deck_that_is_due_is_told_beside_the_one_that_was_dealt():
    game, sound = told_otherwise(_another_deck), fair()
    [found] = [one for one in game.judged().divergences if one.kind == "deck"]
    due = next(dealt_deck(one.event.effects) for one in sound.history if isinstance(one.event, HandDealt))
    assert (found.position, found.recomputed) == (game.game.position, as_stored(due))
    assert found.recorded == as_stored((due[1], due[0], *due[2:]))


def test_a_secret_that_was_kept_leaves_the_deck_unjudged():
    def kept(event: Event) -> Event | None:
        return None if isinstance(event, ShuffleRevealed) else event

    found = told_otherwise(kept).judged()
    assert (found.verdict, [one.reason for one in found.unjudged]) == (
        "not_judged",
        ["the secret of the deck of hand 1 was not revealed, though the hand is over"],
    )


def test_a_secret_is_told_only_when_it_is_due():
    game = FairGame()
    game.begin(dice=8)
    game.throw()
    game.add(ShuffleRevealed(2, secret_of(1).hex()))
    assert [(one.position, one.kind, one.recomputed) for one in game.judged().divergences] == [
        (game.game.position, "refused", "nothing_to_reveal")
    ]
