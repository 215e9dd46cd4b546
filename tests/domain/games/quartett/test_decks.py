"""Decks: what a definition has to fulfil, and how it is kept."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.errors import Refused
from domain.games.quartett.definition import BadDeck
from domain.games.quartett.options import deck_of, load_installed_decks
from tests.domain.games.positions import refusal_of
from tests.domain.games.quartett.decks import planes, waters
from tests.domain.games.quartett.positions import CLASSIC, TRUMPF
from tests.each import each


def problem(deck_def: object) -> tuple[str, dict[str, object]]:
    with pytest.raises(BadDeck) as bad:
        deck_of(deck_def)
    return bad.value.problem, bad.value.detail


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The deck with something done to it."""
    deck = waters()
    change(deck)
    return deck


def test_two_decks_are_installed():  # QDK-1
    assert {name: (len(deck_of(name).cards), len(deck_of(name).quartets)) for name in load_installed_decks()} == {
        "metals": (12, 3),
        "wood": (32, 8),
    }


def test_the_deck_of_woods_has_five_categories():  # QDK-8
    categories = deck_of("wood").categories
    assert {category.id: (category.better, category.unit) for category in categories.values()} == {
        "density": ("high", "kg/m³"),
        "durability": ("low", "class"),
        "height": ("high", "m"),
        "diameter": ("high", "cm"),
        "bending": ("high", "N/mm²"),
    }


@each("name", sorted(load_installed_decks()))
def test_an_installed_deck_is_found_by_its_own_id(name: str):  # QDK-6
    assert (load_installed_decks()[name]["id"], deck_of(name).option) == (name, name)


def test_a_deck_of_our_own_is_played_with():  # QDK-1, QDK-6
    deck = deck_of(waters())
    assert deck.cards == ("R1", "R2", "R3", "R4", "B1", "B2", "B3", "B4")
    assert deck.values["width"]["R3"] == 3.0


def test_the_groups_are_in_the_order_of_the_deck():  # QDK-5
    deck = deck_of(changed(lambda deck: deck["groups"].reverse()))
    assert deck.cards == ("B1", "B2", "B3", "B4", "R1", "R2", "R3", "R4")
    assert deck.in_order(("R1", "?", "B4", "R3", "B2")) == ["B2", "B4", "R1", "R3", "?"]


def test_a_card_is_found_by_its_id_or_its_name_exactly():  # QDK-3, QKL-7
    deck = deck_of("wood")
    assert [deck.find_card(text) for text in ("A4", "Azobé", "azobé", "Azobe", "a4", "A5", "")] == [
        "A4",
        "A4",
        None,
        None,
        None,
        None,
        None,
    ]


def test_the_ids_may_begin_with_the_number():  # QDK-9
    deck = deck_of(planes())
    assert deck.cards == ("1A", "2A", "3A", "4A", "1B", "2B", "3B", "4B")
    assert deck.quartets == {"A": ("1A", "2A", "3A", "4A"), "B": ("1B", "2B", "3B", "4B")}


def test_only_the_ids_of_the_deck_count_as_ids():  # QDK-9
    deck = deck_of(planes())
    assert [deck.find_card(text) for text in ("1A", "A1", "A2", "Dove")] == ["1A", "1B", None, "1A"]


def test_a_value_may_be_a_dash():  # QDK-10
    values = deck_of(planes()).values
    assert (values["speed"]["1A"], values["length"]["1A"], values["speed"]["3A"]) == (180, None, None)


def test_high_and_low_categories():  # QDK-4
    categories = deck_of(waters()).categories
    assert (categories["depth"].best((1, 2.5, -1)), categories["width"].best((1, 2.5, -1))) == (2.5, -1)


def test_the_whole_definition_is_kept_with_the_game():  # QDK-6
    for ruleset in (TRUMPF, CLASSIC):
        setup = ruleset.bind({"deck_def": waters()}, 3).setup
        assert msgspec.json.decode(msgspec.json.encode(setup.options["deck_def"])) == waters()
        setup = ruleset.bind({}, 3).setup
        assert setup.options["deck_def"] == load_installed_decks()["wood"]


def test_dashes_are_kept_with_the_game_as_they_came():  # QDK-6, QDK-10
    for ruleset in (TRUMPF, CLASSIC):
        setup = ruleset.bind({"deck_def": planes()}, 3).setup
        assert msgspec.json.decode(msgspec.json.encode(setup.options["deck_def"])) == planes()
        assert ruleset.bind(msgspec.json.decode(msgspec.json.encode(setup.options)), 3).setup == setup


def test_a_stored_game_is_played_on_with_the_deck_that_it_holds():  # QDK-6
    older = changed(lambda deck: deck.update(id="wood"))
    setup = TRUMPF.bind({"deck_def": older}, 2).setup
    again = TRUMPF.bind(msgspec.json.decode(msgspec.json.encode(setup.options)), 2)
    assert again.setup == setup
    assert again.deck == deck_of(waters()).cards


def test_what_is_only_for_people_is_kept_as_far_as_it_can_be_stored():  # QDK-1
    deep: list[Any] = [[[[[[[[1]]]]]]]]
    deck = waters(labels={"a": 1.5}, unheard=deep, huge=10**30)
    deck["cards"][0] |= {"latin": "Nilus", "unheard": deep, "half": "\ud800"}
    kept = deck_of(deck).definition
    assert (kept["note"], kept["labels"]) == ("invented", {"a": 1.5})
    assert not {"unheard", "huge"} & set(kept)
    assert kept["cards"][0] == {**waters()["cards"][0], "latin": "Nilus"}  # pyrefly: ignore[bad-index, unsupported-operation]


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in waters().items() if name != key}


UNREADABLE: dict[str, object] = {
    **{f"no {key}": without(key) for key in ("id", "name", "categories", "groups", "cards")},
    "nothing": {},
    "another format": waters(format=2),
    "a format that is no integer": waters(format=1.0),
    "no text as id": waters(id=7),
    "an empty id": waters(id=""),
    "an empty name": waters(name=""),
    "no categories": waters(categories=[]),
    "a category without a unit": changed(lambda deck: deck["categories"][0].pop("unit")),
    "a category with an empty id": changed(lambda deck: deck["categories"][0].update(id="")),
    "a category that is better in between": changed(lambda deck: deck["categories"][0].update(better="middle")),
    "no groups": waters(groups=[]),
    "27 groups": waters(groups=[{"letter": "A", "name": ""}] * 27),
    "a group of two letters": changed(lambda deck: deck["groups"][0].update(letter="RR")),
    "a group without a name": changed(lambda deck: deck["groups"][0].pop("name")),
    "a card without a name": changed(lambda deck: deck["cards"][0].pop("name")),
    "a card with an empty name": changed(lambda deck: deck["cards"][0].update(name="")),
    "a card number 5": changed(lambda deck: deck["cards"][0].update(number=5, id="R5")),
    "a card number 0": changed(lambda deck: deck["cards"][0].update(number=0, id="R0")),
    "a card number that is text": changed(lambda deck: deck["cards"][0].update(number="1")),
    "a card number with a fraction": changed(lambda deck: deck["cards"][0].update(number=1.0)),
    "a value that is text": changed(lambda deck: deck["cards"][0]["values"].update(depth="1")),
    "a value that is true": changed(lambda deck: deck["cards"][0]["values"].update(depth=True)),
    "a value without end": changed(lambda deck: deck["cards"][0]["values"].update(depth=float("inf"))),
    "a value of 65 bits": changed(lambda deck: deck["cards"][0]["values"].update(depth=2**63)),
    "a name that is half a surrogate pair": changed(lambda deck: deck["cards"][0].update(name="\ud800")),
}


@each("deck", UNREADABLE.values(), ids=UNREADABLE)
def test_what_has_not_the_form_of_a_deck(deck: object):  # QDK-1, QDK-2, QDK-4, QDK-7
    assert problem(deck)[0] == "deck_form"


BROKEN: dict[str, tuple[object, str, dict[str, object]]] = {
    "an unknown id": ("stones", "deck_unknown", {"id": "stones", "installed": ("metals", "wood")}),
    "neither id nor definition": (7, "deck_unknown", {"id": 7, "installed": ("metals", "wood")}),
    "no definition": (None, "deck_unknown", {"id": None, "installed": ("metals", "wood")}),
    "an id with a blank": (waters(id="my waters"), "deck_id", {"id": "my waters"}),
    "a category twice": (
        changed(lambda deck: deck["categories"].append(deck["categories"][0])),
        "deck_category_twice",
        {"category": "depth"},
    ),
    "a small letter": (changed(lambda deck: deck["groups"][0].update(letter="r")), "deck_letter", {"letter": "r"}),
    "a letter twice": (changed(lambda deck: deck["groups"][1].update(letter="R")), "deck_letter_twice", {"letter": "R"}),
    "an id that does not fit": (
        changed(lambda deck: deck["cards"][0].update(id="R2")),
        "deck_card_id",
        {"card": "R2", "group": "R", "number": 1},
    ),
    "a card of no group": (changed(lambda deck: deck["cards"][0].update(id="C1", group="C")), "deck_card_foreign", {"card": "C1"}),
    "a card twice": (changed(lambda deck: deck["cards"].append(deck["cards"][3])), "deck_card_twice", {"card": "R4"}),
    "a card missing": (changed(lambda deck: deck["cards"].pop()), "deck_card_missing", {"card": "B4"}),
    "an id with the number last among others": (
        planes(cards=[{**card, "id": "A2"} if card["id"] == "2A" else card for card in planes()["cards"]]),
        "deck_card_id_turned",
        {"card": "A2", "group": "A", "number": 2},
    ),
    "an id with the number first among others": (
        changed(lambda deck: deck["cards"][1].update(id="2R")),
        "deck_card_id",
        {"card": "2R", "group": "R", "number": 2},
    ),
    "a name that is such an id": (
        planes(cards=[{**card, "name": "2A"} if card["id"] == "1A" else card for card in planes()["cards"]]),
        "deck_name_is_id",
        {"name": "2A"},
    ),
    "dashes only": (
        changed(lambda deck: deck["cards"][2].update(values=dict.fromkeys(("depth", "class", "width")))),
        "deck_value_none",
        {"card": "R3"},
    ),
    "a name twice": (changed(lambda deck: deck["cards"][0].update(name="Po")), "deck_name_twice", {"name": "Po"}),
    "a name that is an id": (changed(lambda deck: deck["cards"][0].update(name="B4")), "deck_name_is_id", {"name": "B4"}),
    "a value missing": (
        changed(lambda deck: deck["cards"][2]["values"].pop("depth")),
        "deck_value_missing",
        {"card": "R3", "category": "depth"},
    ),
    "a value too many": (
        changed(lambda deck: deck["cards"][2]["values"].update(age=7)),
        "deck_value_foreign",
        {"card": "R3", "category": "age"},
    ),
}


@each(("deck", "key", "detail"), BROKEN.values(), ids=BROKEN)
def test_a_deck_that_breaks_a_rule(deck: object, key: str, detail: dict[str, object]):  # QDK-1 to QDK-4, QDK-7
    assert problem(deck) == (key, detail)


@each("deck", [*UNREADABLE.values(), *(deck for deck, _, _ in BROKEN.values())], ids=[*UNREADABLE, *BROKEN])
def test_a_game_is_not_opened_with_such_a_deck(deck: object):  # QDK-7
    assert refusal_of(lambda: TRUMPF.bind({"deck_def": deck}, 2)) == ("bad_option", ("COM-10", "QDK-7", "QTR-2"))
    assert refusal_of(lambda: CLASSIC.bind({"deck_def": deck}, 3)) == ("bad_option", ("COM-10", "QDK-7", "QKL-1"))


def test_a_deck_that_is_none_is_told_what_is_wrong_with_it():  # QDK-7
    with pytest.raises(Refused) as refused:
        TRUMPF.bind({"deck_def": BROKEN["a value missing"][0]}, 2)
    assert TRUMPF.sentence(refused.value, "en") == (
        'The card R3 has no number for the category "depth". Every card needs one for every category.'
    )
    assert TRUMPF.sentence(refused.value, "de") == (
        "Die Karte R3 hat keine Zahl für die Kategorie „depth“. Jede Karte braucht eine für jede Kategorie."
    )
