"""Names of cards in the place of their codes: whole names in JSON, unique beginnings of them in a line (COM-22, NOT-13)."""

from collections.abc import Callable
from typing import Any

import pytest

from domain.cards import HIDDEN
from domain.errors import Refused
from domain.events.game import MovePlayed
from domain.games import RULESETS
from domain.moves import Line, NotOneMove, resolve_entry
from domain.notation.card_names import folded
from domain.notation.reading import read
from domain.notation.reading_types import Incomplete, MoveReading, Tells, Unreadable
from domain.rules import KnownFaces, Rulebook
from domain.table import Table, fold
from domain.table_changes import read_table_change
from replay.cases import full_deck
from replay.sample_games import find_minimum_seats
from tests.domain.games.conftest import random_game
from tests.domain.games.quartett.decks import NAMES, waters
from tests.domain.games.setups import TRIED
from tests.each import each

EVERY_GAME = pytest.mark.parametrize("key", sorted(RULESETS))
NO_CARD = ("type", "rank", "category", "value")


def bound(key: str, **options: Any) -> Rulebook:
    return RULESETS[key].bind(options, find_minimum_seats(RULESETS[key], options))


def dealt(rulebook: Rulebook, *first: str) -> Table:
    table = Table(rulebook.setup)
    return fold(table, rulebook.deal(table, 0, full_deck({"deck": list(first), "fill": "sorted"}, rulebook)))


def with_names(value: Any, name_of: Callable[[str], str]) -> Any:
    match value:
        case dict():
            return {key: one if key in NO_CARD else with_names(one, name_of) for key, one in value.items()}
        case list() | tuple():
            return [with_names(one, name_of) for one in value]
        case str():
            return name_of(value)
        case _:
            return value


@EVERY_GAME
def test_every_card_has_a_name_of_its_own_in_both_languages(key: str):
    names, words = bound(key).card_names, RULESETS[key].about().words
    assert {card for cards in names.names.values() for card in cards} == names.codes
    assert [found for found in names.names.values() if len(found) != 1] == []
    shown = [(code, name) for said in words.values() for name_of, name in said.items() if (code := name_of[5:]) in names.codes]
    assert [(card, name) for card, name in shown if names.code_of(name.upper()) != card] == []


@EVERY_GAME
def test_a_move_with_names_is_recorded_as_the_move_with_codes(key: str):
    playout = random_game(key, TRIED[key]().set_ups[0]._replace(longest=40), f"names of {key}")
    names = {card: name for cards in playout.rulebook.card_names.names.values() for card, name in cards.items()}
    for step, move in playout.moves():
        named = with_names(move, lambda card: folded(names[card]).upper() if card in names else card)
        assert resolve_entry(playout.rulebook, step.before, (step.seat, named)) == resolve_entry(
            playout.rulebook, step.before, (step.seat, move)
        )


def test_a_code_goes_before_a_name_and_a_name_before_one_that_differs_in_case_alone():
    deck = waters()
    for card, name in zip(deck["cards"], ["R3x", "Ash", "ASH", "Beech", *list(NAMES.values())[4:]], strict=True):
        card["name"] = name
    deck["cards"][0]["name_de"] = "B1"
    names = bound("quartett-classic", deck_def=deck).card_names
    assert [names.code_of(text) for text in ("B1", "Ash", "ASH", "ash", "BEECH", "Birch")] == ["B1", "R2", "R3", "ash", "R4", "Birch"]


def test_a_name_of_several_cards_is_refused_with_their_names():
    deck = waters()
    deck["cards"][1]["name"], deck["cards"][2]["name"] = "Ash", "ASH"
    rulebook = bound("quartett-classic", deck_def=deck)
    table = dealt(rulebook)
    for card, problem in (("ash", '"ash": Ash (R2) and ASH (R3)'), ("Birch", 'the code or the name "Birch"')):
        with pytest.raises(Refused) as refused:
            resolve_entry(rulebook, table, (table.to_act[0], {"type": "ask", "target": 0, "card": card}))
        assert refused.value.code == "malformed_move"
        assert problem in RULESETS["quartett-classic"].sentence(refused.value, "en")


def test_told_cards_and_decks_take_names_and_hold_codes():
    rulebook = bound("casino")
    deck = full_deck({"deck": ["Pik König", "HERZ 10", "ace of Clubs"], "fill": "sorted"}, rulebook)
    assert isinstance(deck, tuple)
    assert deck[:3] == ("KS", "TH", "AC")
    assert sorted(deck) == sorted(rulebook.deck)
    table = Table(rulebook.setup)
    unknown = (HIDDEN,) * len(rulebook.deck)
    effects = rulebook.deal(table, 0, unknown, {"board": ["Karo 2", "Karo 3", "Karo 4", "karo 5"]})
    table = fold(table, effects)
    assert table.cards("board") == ("2D", "3D", "4D", "5D")
    told = resolve_entry(rulebook, table, KnownFaces({"hand:1": ["pik könig"]}))
    assert told.known == {"hand:1": ("KS",)}
    beside = KnownFaces({"hand:0": ["PIK ASS"]}, {"hand:0": ["Herz Ass"]})
    move = resolve_entry(rulebook, table, (1, {"type": "trail", "card": "King of Spades"}, beside))
    assert isinstance(move, MovePlayed)
    assert (move.move, move.known, move.lacks) == ({"type": "trail", "card": "KS"}, {"hand:0": ("AS",)}, {"hand:0": ("AH",)})


def test_effects_that_an_official_gives_take_names_too():
    rulebook = bound("casino")
    table = dealt(rulebook)
    given = [["moved", ["PIK ASS"], "hand:1", "hand:0"], ["moved", ["10 of spades"], "hand:0", "hand:1"]]
    coded = [["moved", ["AS"], "hand:1", "hand:0"], ["moved", ["TS"], "hand:0", "hand:1"]]
    assert read_table_change(rulebook, table, given) == read_table_change(rulebook, table, coded)


def test_a_question_that_was_recorded_with_a_name_is_still_judged_so():
    table = dealt(CLASSIC, "A1", "A4", "B1")
    by_code, by_name = (CLASSIC.resolve(table, 1, {"type": "ask", "target": 2, "card": card}) for card in ("A4", "Azobé"))
    assert by_name == by_code


# Lines

CLASSIC = bound("quartett-classic")


def answer(line: str, language: str = "en", rulebook: Rulebook = CLASSIC) -> Any:
    """Return the reading for seat 1, which holds A1."""
    table = dealt(rulebook, *(("A1", "A4", "B1") if rulebook is CLASSIC else ()))
    return read(rulebook, table, table.to_act[0], line, language)


@each("line", ["@2 ? Azobé", "2 Azobé", "2azobe", "2 AZO", "@2?azobé (bongossi)", "2 azobe\u0301"])
@each("language", ["en", "de"])
def test_a_line_takes_a_name_or_its_beginning(line: str, language: str):
    found = answer(line, language)
    assert isinstance(found, MoveReading)
    assert (found.move, found.written) == ({"type": "ask", "target": 2, "card": "A4"}, "@2 ? A4")


def test_the_beginning_of_several_names_is_refused_with_all_of_them_wherever_the_cards_lie():
    found = answer("2 be")
    assert isinstance(found, Incomplete)
    assert (found.options, found.says) == ((), '"be" may be Beech (H1) or Bergahorn (H2). Type more of the name, or the code.')
    assert answer("2 be", "de").says == "„be“ kann Beech (H1) oder Bergahorn (H2) sein. Bitte mehr vom Namen tippen oder den Code."
    assert answer("@2 !be") == found
    table = dealt(CLASSIC)
    with pytest.raises(NotOneMove) as refused:
        resolve_entry(CLASSIC, table, Line(None, "2 be", "en"))
    assert (refused.value.code, refused.value.options) == ("line_incomplete", ())


def test_cards_that_may_be_meant_are_shown_in_the_language_of_the_reader():
    cascades = bound("cascades")
    english, german = '"4" may be 4 of Moons/Suns (4-MS)', "„4“ kann 4 Mond/Sonne (4-MS)"
    for line in ("4!4", "4 mo!4"):
        assert answer(line, "en", cascades).says.startswith(english)
        assert answer(line, "de", cascades).says.startswith(german)


def test_a_whole_name_goes_before_longer_ones_and_a_name_goes_as_far_as_it_can():
    deck = waters()
    for card, name in zip(deck["cards"], ["Ash", "Ash Grove", "Elm", "Oak", *list(NAMES.values())[4:]], strict=True):
        card["name"] = name
    rulebook = bound("quartett-classic", deck_def=deck)
    told = [answer(f"@2 !{line}", rulebook=rulebook) for line in ("ash", "ash g", "ash elm", "lag oak")]
    assert [one.told.known["hand:2"] for one in told if isinstance(one, Tells)] == [("R1",), ("R2",), ("R1", "R3"), ("B1", "R4")]


@each(
    ("key", "line", "language", "card"),
    [
        ("casino", "pik könig", "de", "KS"),
        ("casino", "PIK KONIG -", "de", "KS"),
        ("casino", "king of spades -", "de", "KS"),
        ("casino", "king of s", "en", "KS"),
        ("cascades", "3 of Suns/Knots -2", "en", "3-SK"),
        ("cascades", "3 sonne/knoten-2", "de", "3-SK"),
    ],
)
def test_cards_of_other_games_are_named_as_their_catalogues_name_them(key: str, line: str, language: str, card: str):
    rulebook = bound(key)
    found = answer(line, language, rulebook)
    assert isinstance(found, MoveReading)
    assert found.move["card"] == card


def test_where_letters_mean_something_names_are_not_looked_for():
    alcasan = bound("alcasan")
    assert answer("§").says == "§ means nothing here."
    assert answer("2 azobé §") == Unreadable(8, "§ means nothing here.")
    assert answer("fe", rulebook=alcasan).says == answer("f e", rulebook=alcasan).says  # fire and earth, and not the beginning of Feuer
    assert answer("9 §", rulebook=bound("casino")) == Unreadable(2, "§ means nothing here.")
