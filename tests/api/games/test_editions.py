"""A game that was begun under an older edition of its rules: its hand is played to the end by that edition, the next by the newest."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from api.services import Services
from domain.effects import DetailAnnounced, Effects
from domain.errors import Refused
from domain.games import EDITIONS, RULESETS
from domain.rules import NOTHING_TOLD, KnownFaces, Ruleset
from domain.table import Table
from tests.api.conftest import Caller, running, settings_of
from tests.api.play import a_legal_move
from tests.domain.toy import TOY, Toy, ToyRuleset

DECK = ["1", "2", "2", "3"]
"""Dealt by seat 1: seat 0 holds 1 and 2, seat 1 holds 2 and 3."""


class SilentToy(Toy, frozen=True):
    """In edition 2 nobody may lay a 3, and who lays a card says so."""

    def resolve(self, table: Table, seat: object, move: object, told: KnownFaces = NOTHING_TOLD) -> Effects:
        effects = super().resolve(table, seat, move, told)
        if move == lay("3"):
            raise Refused("card_not_in_hand", "TOY-1", card="3")
        return (DetailAnnounced(int(str(seat)), "laid"), *effects)


class OlderRuleset(ToyRuleset, frozen=True):
    edition: int = 2

    def bind(self, options: object, seats: object) -> Toy:
        bound = super().bind(options, seats)
        return SilentToy(bound.setup, bound.hands)


OLDER = OlderRuleset()


class Keeping(Struct, frozen=True):
    """A house that plays the last of these editions and keeps them all."""

    rulesets: tuple[Ruleset, ...]

    def __call__(self, services: Services) -> Services:
        editions = {("toy", ruleset.edition): ruleset for ruleset in self.rulesets}
        return replace(services, rulesets={"toy": self.rulesets[-1]}, editions=editions)


BEFORE, AFTER, WITHOUT = Keeping((OLDER,)), Keeping((OLDER, TOY)), Keeping((TOY,))


def lay(card: str) -> dict[str, Any]:
    return {"type": "lay", "card": card}


def begun(folder: Path) -> str:
    """A game of two hands; in the first one card is laid."""
    with running(settings_of(folder), BEFORE) as service:
        recorder = service.caller("recorder")
        game = recorder.open(ruleset="toy", options={"hands": 2})
        recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": DECK})
        play(recorder, game, 0, "1")
        return game


def play(caller: Caller, game: str, seat: int, card: str) -> dict[str, Any]:
    answer = caller.post(f"/v1/games/{game}/moves", {"seat": seat, "move": lay(card)})
    return dict(answer.json())


def under(folder: Path, services: Callable[[Services], Services]) -> Any:
    return running(settings_of(folder), services)


def words_of(told: dict[str, Any]) -> list[str]:
    return [effect[0] for effect in told["events"][0]["body"]["effects"]]


def test_a_hand_is_played_to_its_end_by_the_edition_under_which_it_was_dealt(tmp_path: Path):
    game = begun(tmp_path)
    with under(tmp_path, AFTER) as service:
        recorder = service.caller("recorder")
        assert play(recorder, game, 1, "3")["code"] == "card_not_in_hand"
        assert words_of(play(recorder, game, 1, "2")) == ["said", "moved", "scored", "closed"]
        recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": DECK})
        assert words_of(play(recorder, game, 0, "1")) == ["moved", "turn"]
        play(recorder, game, 1, "3")
        assert recorder.get(f"/v1/games/{game}").json()["phase"] == "game_over"
        assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def test_what_would_be_legal_is_asked_of_the_edition_of_the_hand(tmp_path: Path):
    game = begun(tmp_path)
    with under(tmp_path, AFTER) as service:
        recorder = service.caller("recorder")
        play(recorder, game, 1, "2")
        recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": DECK})
        play(recorder, game, 0, "1")
        for position, legal in ((3, False), (6, True)):
            asked = {"position": position, "seat": 1, "move": lay("3")}
            assert recorder.post(f"/v1/games/{game}/legal-moves", asked).json()["legal"] == legal
            tried = {"position": position, "moves": [{"seat": 1, "move": lay("3")}]}
            assert recorder.post(f"/v1/games/{game}/branches", tried).json()["moves"][0]["legal"] == legal


def test_under_an_edition_that_is_not_kept_no_move_is_made_until_the_hand_is_dealt_anew(tmp_path: Path):
    game = begun(tmp_path)
    with under(tmp_path, WITHOUT) as service:
        recorder, arbiter = service.caller("recorder"), service.caller("arbiter")
        assert play(recorder, game, 1, "2")["code"] == "edition_not_kept"
        assert recorder.get(f"/v1/games/{game}/legal-moves?seat=1").json()["code"] == "edition_not_kept"
        assert recorder.get(f"/v1/games/{game}/table").json()["hands"] == [["2"], ["2", "3"]]
        back = {"decision": "rewind", "to": 1, "reason": "The rules have changed."}
        assert arbiter.post(f"/v1/games/{game}/rulings", back).status_code == 201
        recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": DECK})
        assert words_of(play(recorder, game, 0, "1")) == ["moved", "turn"]
        found = recorder.get(f"/v1/games/{game}/audit").json()
        assert (found["verdict"], found["divergences"]) == ("not_judged", [])


def test_between_hands_an_edition_that_is_not_kept_stands_in_nobody_s_way(tmp_path: Path):
    with under(tmp_path, BEFORE) as service:
        game = service.caller("recorder").open(ruleset="toy")
    with under(tmp_path, WITHOUT) as service:
        recorder = service.caller("recorder")
        assert play(recorder, game, 1, "2")["code"] == "hand_over"
        recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": DECK})
        assert words_of(play(recorder, game, 0, "1")) == ["moved", "turn"]


NOT_NEWEST = [(key, edition) for (key, edition), ruleset in EDITIONS.items() if ruleset is not RULESETS[key]]


def as_under(key: str, edition: int) -> Callable[[Services], Services]:
    """The house as it was when the older edition was the newest."""
    return lambda services: replace(services, rulesets={**services.rulesets, key: EDITIONS[key, edition]})


@pytest.mark.parametrize(("key", "edition"), NOT_NEWEST)
def test_a_hand_that_was_dealt_under_an_older_edition_goes_on_under_it_and_audits_sound(tmp_path: Path, key: str, edition: int):
    chance = random.Random(key)
    with under(tmp_path, as_under(key, edition)) as service:
        recorder = service.caller("recorder")
        game = recorder.open(ruleset=key)
        # No deck by chance: a hand may be over after fewer moves than are made here.
        dealt = recorder.post(f"/v1/games/{game}/hands", {"dealer": 1, "deck": [], "fill": "sorted"})
        assert dealt.json()["events"][0]["body"]["edition"] == edition
        for _ in range(8):
            assert recorder.post(f"/v1/games/{game}/moves", a_legal_move(recorder, game, chance)).status_code == 201
    with under(tmp_path, lambda services: services) as service:
        recorder, arbiter = service.caller("recorder"), service.caller("arbiter")
        for _ in range(12):
            assert recorder.post(f"/v1/games/{game}/moves", a_legal_move(recorder, game, chance)).status_code == 201
        assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"
        back = {"decision": "rewind", "to": 1, "reason": "The hand is dealt anew."}
        assert arbiter.post(f"/v1/games/{game}/rulings", back).status_code == 201
        assert recorder.deal(game)["events"][0]["body"]["edition"] == RULESETS[key].edition
        assert recorder.get(f"/v1/games/{game}/audit").json()["verdict"] == "sound"


def test_an_older_edition_tells_a_seat_that_tries_no_more_than_it_sees(tmp_path: Path):
    """The first edition of the Trumpfspiel refused a card in the stack and one elsewhere differently (QTR-7)."""
    with under(tmp_path, as_under("quartett-trumpf", 1)) as service:
        recorder = service.caller("recorder")
        deck = list(EDITIONS["quartett-trumpf", 1].bind({"deck_def": "metals"}, 2).deck)
        other = [*deck[:2], deck[3], deck[2], *deck[4:]]
        told = [[tried(recorder, dealt, card) for card in deck] for dealt in (deck, other)]
        assert told[0] == told[1]
        assert told[0][0] == {"legal": True}


def tried(recorder: Caller, deck: list[str], card: str) -> dict[str, Any]:
    """What seat 0 is told of announcing the card, in a game of this deck."""
    game = recorder.open(ruleset="quartett-trumpf", options={"deck_def": "metals"})
    recorder.deal(game, *deck)
    line = {"seat": 0, "move": {"type": "announce", "category": "density", "card": card}}
    [found] = recorder.post(f"/v1/games/{game}/branches", {"position": 2, "view": "seat:0", "moves": [line]}).json()["moves"]
    return {name: found[name] for name in ("legal", "code") if name in found}
