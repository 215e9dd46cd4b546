"""The laws of ``tests/fair_laws.py`` over every game, and planted errors that they must find. ``./run law`` plays more."""

from collections.abc import Callable
from hashlib import sha256
from random import Random

import pytest

from domain import dealing as dealing
from domain.games import RULESETS
from tests import fair_laws
from tests.domain import fair
from tests.domain.fair_by_chance import ChanceGame
from tests.domain.games.setups import TRIED
from tests.domain.games.test_laws import LosesACard, RemembersOutsideTheTable, found
from tests.fair_laws import FAIR_LAWS
from tests.laws import Breaches


def begun(key: str, kind: type[ChanceGame] = ChanceGame) -> ChanceGame:
    seed = f"fair {key}"
    return kind(key, Random(seed).choice(TRIED[key]().set_ups), seed)


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_the_laws_of_decks_that_nobody_chose_hold(key: str):
    game = begun(key).played()
    assert {law.__name__: found(law(game)) for law in FAIR_LAWS} == {law.__name__: [] for law in FAIR_LAWS}


class TakesItsSecretFromTheGame(ChanceGame):
    """What anybody could try."""

    def draw_secret(self) -> bytes:
        return sha256(self.game.id.bytes).digest()


def test_a_secret_that_follows_from_what_is_told_is_found():
    assert found(fair_laws.nobody_can_make_a_deck_before_its_secret_is_told(begun("casino", kind=TakesItsSecretFromTheGame).played())) != []


def test_a_secret_that_is_told_before_it_is_due_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fair, "commitment_to_secret", lambda secret: secret)
    assert found(fair_laws.nobody_can_make_a_deck_before_its_secret_is_told(begun("casino").played())) != []


@pytest.mark.parametrize("law", [fair_laws.the_deck_is_the_one_that_follows, fair_laws.what_was_recorded_is_decided_again])
def test_a_deck_that_somebody_chose_is_found(monkeypatch: pytest.MonkeyPatch, law: Callable[[ChanceGame], Breaches]):
    monkeypatch.setattr(dealing, "shuffled", lambda seed, cards: tuple(cards))
    assert found(law(begun("casino").played())) != []


@pytest.mark.parametrize(
    ("planted", "law"),
    [
        (LosesACard, fair_laws.cards_are_conserved),
        (RemembersOutsideTheTable, fair_laws.what_was_recorded_is_decided_again),
    ],
)
def test_a_planted_error_is_found(planted: type, law: Callable[[ChanceGame], Breaches]):
    game = begun("quartett-trumpf")  # that comes to its end
    game.rulebook = planted(game.rulebook)
    assert found(law(game.played())) != []
