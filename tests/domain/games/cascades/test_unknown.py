"""Cards that nobody has told: what is told when, and what the record asks for."""

from typing import Any

import pytest

from domain.cards import HIDDEN, Card
from domain.effects import CardsMoved, DetailAnnounced, Effects, HandClosed, Known, MarkSet, SightSet
from domain.errors import Refused
from domain.games import RULESETS
from domain.rules import KnownFaces, Move, Rulebook
from domain.sight import PUBLIC, Viewer, masked, redact_effects
from domain.table import Table, fold
from tests.domain.games.cascades.positions import ACE, CASCADES, ENDLESS, Position
from tests.domain.games.positions import cards
from tests.each import each

TURN: Move = {"type": "turn"}
UNTOLD = ("? ? ?", "? ? ?", "? ? ?")


def begun(known: object = None, deck: str = "", options: dict[str, object] | None = None) -> tuple[Rulebook, Table]:
    """A game dealt from a deck that begins with these cards, all others unknown."""
    rulebook = CASCADES.bind(options or {}, 1)
    table = Table(rulebook.setup)
    named = cards(deck)
    whole = named + (HIDDEN,) * (len(rulebook.deck) - len(named))
    effects = rulebook.deal(table, 0, whole) if known is None else rulebook.deal(table, 0, whole, known)
    return rulebook, fold(table, effects)


def judged(position: Position, move: Move, **known: str) -> Effects:
    """``stock="? ? 7-ML"`` tells cards of the zone beside the move; ``reserve_0`` is the upper reserve pile."""
    told = {zone.replace("_", ":"): cards(text) for zone, text in known.items()}
    return position.rulebook.resolve(position.table, 0, move, KnownFaces(known=told))


def asked(call: Any) -> tuple[str, tuple[str, ...], object]:
    """Code and rules of a refusal, and what it asks for."""
    with pytest.raises(Refused) as refused:
        call()
    return refused.value.code, refused.value.rules, refused.value.detail.get("asks")


def impossible(call: Any) -> tuple[tuple[str, ...], object, object, object]:
    """The rules of the refusal, and which card cannot lie where and why."""
    with pytest.raises(Refused) as refused:
        call()
    assert refused.value.code == "card_impossible"
    detail = refused.value.detail
    return refused.value.rules, detail["zone"], detail["card"], detail["problem"]


def wanted(*asks: tuple[str, tuple[int, ...]]) -> tuple[str, tuple[str, ...], object]:
    return "card_unknown", ("COM-73", "CSC-48"), tuple({"zone": zone, "places": places} for zone, places in asks)


def play(card: Card, tier: int) -> Move:
    return {"type": "play", "card": card, "tier": tier}


# The deal


def test_a_deal_asks_for_the_second_and_third_card_that_are_turned():  # CSC-48
    assert asked(begun) == wanted(("stock", (1, 2)))


def test_a_deal_with_the_two_cards_that_lie_open_is_accepted():  # CSC-48: counted from index 9
    rulebook, table = begun({"stock": ["?", "3-SK", "4-MS"]})
    assert (table.cards("tier:0"), table.cards("waste"), table.cards("reserve:0")) == (("4-MS",), ("?", "3-SK"), ("?", "?", "?"))
    assert rulebook.view(masked(table, PUBLIC))["waste_top"] == "3-SK"


def test_reserve_piles_may_be_told_with_the_deal_their_top_card_first():  # section 15
    _, table = begun({"stock": ["?", "3-SK", "4-MS"], "reserve:1": ["8-YK", "?", "8-MS"]})
    assert table.cards("reserve:1") == ("8-MS", "?", "8-YK")


@each(
    ("known", "why"),
    [
        ({"waste": ["3-SK"]}, ("waste", "?", "zone")),
        ({"base:0": ["A-M"]}, ("base:0", "?", "zone")),
        ({"stock": ["?", "4-MS", "4-MS"]}, ("stock", "4-MS", "accounted")),
        ({"reserve:0": ["?", "?", "?", "4-MS"]}, ("reserve:0", "4-MS", "place")),
    ],
)
def test_what_cannot_be_is_refused_with_the_deal(known: object, why: tuple[str, str, str]):  # COM-70
    assert impossible(lambda: begun(known)) == (("COM-70",), *why)


# The ace variant


def test_a_deal_with_aces_aside_asks_for_all_of_them_and_for_the_last_card_turned():  # CSC-48: counted without the aces
    assert asked(lambda: begun(options=ACE)) == wanted(("base:0", (0, 1)), ("base:1", (0, 1)), ("base:2", (0, 1)), ("stock", (2,)))


ACES = {"base:0": ["A-K", "A-S"], "base:1": ["A-W", "A-L"], "base:2": ["A-Y", "A-M"]}


def test_aces_that_the_deck_does_not_name_stand_for_its_first_six_cards():  # CSC-48
    _, table = begun({**ACES, "stock": ["?", "?", "4-MS"]}, options=ACE)
    assert [table.cards(f"base:{tier}") for tier in range(3)] == [("A-K", "A-S"), ("A-W", "A-L"), ("A-Y", "A-M")]
    assert (table.cards("waste"), len(table.cards("stock"))) == (("?", "?", "4-MS"), 27)


def test_aces_that_the_deck_names_are_taken_out_where_they_lie():  # CSC-48
    _, table = begun(deck="? A-M A-S ? A-W A-L A-Y 4-MS A-K", options=ACE)
    assert [table.cards(f"base:{tier}") for tier in range(3)] == [("A-M", "A-S"), ("A-W", "A-L"), ("A-Y", "A-K")]
    assert table.cards("waste") == ("?", "?", "4-MS")


@each("deck", ["A-M A-S A-W A-L A-Y", "? ? ? ? ? ? ? A-M", "? ? 4-MS"])
def test_a_deck_names_all_six_aces_or_none_which_then_are_its_first_cards(deck: str):  # CSC-48
    assert asked(lambda: begun({**ACES, "stock": ["?", "?", "5-ML"]}, deck=deck, options=ACE)) == ("bad_deck", ("COM-70", "CSC-6"), None)


@each(
    ("known", "why"),
    [
        ({"base:0": ["2-MK"]}, ("base:0", "2-MK", "barred")),
        ({"stock": ["A-M"]}, ("stock", "A-M", "barred")),
        ({"base:0": ["A-M", "A-S", "A-W"]}, ("base:0", "A-W", "place")),
        ({"base:0": ["A-M"], "base:2": ["?", "A-M"]}, ("base:2", "A-M", "accounted")),
        ({"reserve:0": ["4-MS"]}, ("reserve:0", "?", "zone")),
    ],
)
def test_aces_lie_aside_and_nothing_else_does(known: object, why: tuple[str, str, str]):  # CSC-34, COM-70
    assert impossible(lambda: begun(known, options=ACE)) == (("COM-70",), *why)


# Turning


def test_a_turn_asks_for_its_last_card():  # CSC-48
    position = Position("4-MS", waste="2-MK", stock="? ? ? ?")
    assert asked(lambda: position.judge(TURN)) == wanted(("stock", (2,)))
    assert judged(position, TURN, stock="? ? 7-ML") == (
        Known("stock", ("7-ML", "?", "?")),
        CardsMoved(("?", "?", "7-ML"), "stock", "waste"),
        MarkSet("turns", 2),
    )


@each(("stock", "place"), [("?", 0), ("? ?", 1)])
def test_of_the_last_cards_of_the_stock_the_last_one_is_asked_for(stock: str, place: int):  # CSC-13, CSC-48
    position = Position("4-MS", waste="2-MK", stock=stock, reserve=("? ? 8-YK", "", ""))
    assert asked(lambda: position.judge(TURN)) == wanted(("stock", (place,)))


def test_the_end_of_a_pass_asks_for_the_card_of_the_pile_that_opens_as_well():  # CSC-20, CSC-48
    position = Position("4-MS", waste="2-MK", stock="? ?", reserve=UNTOLD)
    assert asked(lambda: position.judge(TURN)) == wanted(("reserve:0", (0,)), ("stock", (1,)))
    assert judged(position, TURN, stock="? 7-ML", reserve_0="9-LK")[-2:] == (
        SightSet("reserve:0", "top"),
        CardsMoved(("9-LK",), "reserve:0", "reserve:0", shown=True),
    )


def test_a_waste_that_is_turned_over_is_told_as_the_stock_that_it_becomes():  # CSC-49: its first card is the lowest of the waste
    position = Position("4-MS", waste="? ? ? ? 2-MK", stock="", reserve=UNTOLD)
    assert asked(lambda: position.judge(TURN)) == wanted(("stock", (2,)))
    assert judged(position, TURN, stock="? ? 7-ML")[:4] == (
        Known("waste", ("7-ML", "?", "2-MK")),
        CardsMoved(("2-MK", "?", "7-ML", "?", "?"), "waste", "stock"),
        MarkSet("pass", 2),
        MarkSet("placed_before", 1),
    )


def test_a_waste_that_is_turned_over_may_be_told_where_it_lies_as_well():  # COM-71: of the table before the move
    position = Position("4-MS", waste="? ? ? ? 2-MK", stock="", reserve=UNTOLD)
    assert judged(position, TURN, waste="2-MK ? 7-ML") == judged(position, TURN, stock="? ? 7-ML")


def test_cards_that_an_earlier_pass_has_shown_are_not_asked_for_again():  # CSC-48
    position = Position("4-MS", waste="? ? 7-ML ? 2-MK", stock="", reserve=UNTOLD)
    assert position.judge(TURN)[3] == CardsMoved(("?", "?", "7-ML"), "stock", "waste")


def test_what_is_known_already_may_be_told_again():  # COM-71
    position = Position("4-MS", waste="? ? 7-ML ? 2-MK", stock="", reserve=UNTOLD)
    assert judged(position, TURN, stock="? ? 7-ML", waste="2-MK") == position.judge(TURN)


@each(
    ("told", "why"),
    [
        ({"stock": "? ? 4-MS"}, ("stock", "4-MS", "accounted")),
        ({"stock": "? 3-SK"}, ("stock", "3-SK", "other")),
        ({"stock": "? ? ? ? ? 3-SK"}, ("stock", "3-SK", "place")),
        ({"reserve_0": "? ? ? 3-SK"}, ("reserve:0", "3-SK", "place")),
        ({"tier_0": "3-SK"}, ("tier:0", "?", "zone")),
    ],
)
def test_what_cannot_be_is_refused_with_a_turn(told: dict[str, str], why: tuple[str, str, str]):  # COM-71, CSC-49
    position = Position("4-MS", waste="? 6-MW ? ? 2-MK", stock="", reserve=UNTOLD)
    assert impossible(lambda: judged(position, TURN, **told)) == (("COM-71",), *why)


def test_only_a_turn_tells_of_a_stock_that_is_still_to_come():  # CSC-49
    position = Position("4-MS", waste="? ? 3-SK", stock="", reserve=UNTOLD)
    why = (("COM-71",), "stock", "7-ML", "place")
    assert impossible(lambda: judged(position, {"type": "resign"}, stock="7-ML")) == why
    assert impossible(lambda: position.rulebook.tell(position.table, {"stock": ["7-ML"]})) == why


def test_of_a_waste_that_is_turned_over_nobody_learns_what_was_told_of_it():  # CSC-44
    position = Position("4-MS", waste="6-MW ? ? ? 2-MK", stock="", reserve=UNTOLD)
    told = redact_effects(Viewer(0), position.table, judged(position, TURN, stock="? 3-SK 7-ML"))
    assert [effect for effect in told if isinstance(effect, CardsMoved | Known)] == [
        CardsMoved(("2-MK", "?", "7-ML", "?", "?"), "waste", "stock"),
        CardsMoved(("?", "?", "7-ML"), "stock", "waste"),
    ]


# Placing


def test_a_placing_asks_for_the_card_that_it_uncovers():  # CSC-48
    position = Position("4-MS", waste="? ? 6-MW")
    assert asked(lambda: position.judge(play("6-MW", 0))) == wanted(("waste", (1,)))
    assert judged(position, play("6-MW", 0), waste="? 5-ML") == (
        Known("waste", ("5-ML", "6-MW")),
        CardsMoved(("6-MW",), "waste", "tier:0", shown=True),
        CardsMoved(("5-ML",), "waste", "waste", shown=True),
    )


def test_a_placing_from_the_reserve_asks_for_the_next_card_of_the_pile():  # CSC-22, CSC-48
    position = Position("4-MS", waste="2-MK", reserve=("? ? 9-MS", "? ? ?", "? ? ?"), pass_=2)
    assert asked(lambda: position.judge(play("9-MS", 0))) == wanted(("reserve:0", (1,)))


def test_a_placing_that_empties_stock_and_waste_asks_for_the_top_of_every_pile_that_opens():  # CSC-24, CSC-48
    position = Position("4-MS", waste="3-SK", stock="", reserve=("9-MS", "? ? ?", "? ?"))
    assert asked(lambda: position.judge(play("3-SK", 0))) == wanted(("reserve:1", (0,)), ("reserve:2", (0,)))


def test_what_breaks_a_rule_is_refused_before_anything_is_asked():  # COM-73
    position = Position("4-MS", waste="? ? 7-WY")
    assert position.refusal("7-WY", 0) == ("suit_mismatch", ("CSC-26",))


# The ends


def test_the_last_card_of_the_last_pass_is_asked_for_before_the_game_is_lost():  # CSC-41, CSC-48
    position = Position("4-MS", waste="2-WL", stock="?", reserve=("", "", ""), pass_=3)
    assert asked(lambda: position.judge(TURN)) == wanted(("stock", (0,)))
    assert not any(isinstance(effect, HandClosed) for effect in judged(position, TURN, stock="7-ML"))
    assert any(isinstance(effect, HandClosed) for effect in judged(position, TURN, stock="7-WY"))


def test_a_card_that_comes_to_lie_open_is_asked_for_before_the_game_is_lost():  # CSC-41, CSC-48
    position = Position("4-MS", waste="? 6-MW", stock="", reserve=("", "", ""), pass_=3)
    assert asked(lambda: position.judge(play("6-MW", 0))) == wanted(("waste", (1,)))


def test_a_barren_pass_is_found_by_the_cards_that_it_has_shown():  # CSC-38, CSC-50
    position = Position("4-MS", waste="? ? 7-WY ? ?", stock="?", options=ENDLESS, pass_=5, placed_before=1)
    assert asked(lambda: position.judge(TURN)) == wanted(("stock", (0,)))
    assert [type(effect) for effect in judged(position, TURN, stock="9-WY")][-2] is HandClosed
    assert judged(position, TURN, stock="9-MS")[-1] == DetailAnnounced(None, "pass_ended", 5)


def test_a_card_that_no_pass_has_shown_keeps_a_pass_from_being_barren():  # COM-74: what forces an end has to be known
    position = Position("4-MS", waste="? ? ? ? ?", stock="9-WY", options=ENDLESS, pass_=5, placed_before=1)
    assert position.judge(TURN)[-1] == DetailAnnounced(None, "pass_ended", 5)


def test_giving_up_asks_for_nothing_and_leaves_untold_cards_as_they_are():  # CSC-50
    position = Position("4-MS", waste="? ? 6-MW", stock="? ? ?", reserve=UNTOLD)
    position.resign()
    view = position.rulebook.view(masked(position.table, PUBLIC))
    assert (view["waste"], view["stock"], view["reserve"]) == (("?", "?", "6-MW"), ("?", "?", "?"), (("?",) * 3,) * 3)


def test_cards_may_be_told_after_the_end():  # CSC-50, COM-75
    position = Position("4-MS", waste="? ? 6-MW", stock="? ? ?", reserve=UNTOLD)
    position.resign()
    told = position.rulebook.tell(position.table, {"stock": ["?", "7-ML"], "waste": ["6-MW", "5-ML"], "reserve:2": ["8-YK"]})
    assert told == (Known("stock", ("7-ML", "?")), Known("waste", ("5-ML", "6-MW")), Known("reserve:2", ("8-YK",)))


def test_cards_may_be_told_with_the_act_that_ends_the_game():  # CSC-50
    position = Position("4-MS", waste="? ? 6-MW", stock="? ? ?", reserve=UNTOLD)
    assert judged(position, {"type": "resign"}, stock="7-ML")[0] == Known("stock", ("7-ML",))


# What can be played


def test_only_what_lies_open_can_be_placed():  # COM-76
    position = Position("4-MS", waste="? ? 6-MW", stock="? ? ?", reserve=UNTOLD)
    assert list(position.rulebook.legal(masked(position.table, Viewer(0)), 0)) == [play("6-MW", 0), TURN, {"type": "resign"}]


@each("language", ["en", "de"])
def test_what_is_asked_for_and_what_cannot_be_is_said_in_words(language: str):
    position = Position("4-MS", waste="2-MK", stock="? ? ? ?")
    with pytest.raises(Refused) as unknown:
        position.judge(TURN)
    with pytest.raises(Refused) as deck:
        begun(deck="A-M", options=ACE)
    said = tuple(RULESETS["cascades"].sentence(refused.value, language) for refused in (unknown, deck))
    assert said == SAID[language]


SAID = {
    "en": (
        (
            'Not every card that this act needs is known. Send the act again and tell in "known": '
            'which card lies in "stock" at place 3 from the top.'
        ),
        "A deck in which cards are unknown names all six aces or none; if none, its first six cards are unknown and stand for them.",
    ),
    "de": (
        (
            "Nicht jede Karte, auf die es hier ankommt, ist bekannt. Bitte noch einmal senden und in „known“ nennen: "
            "welche Karte in „stock“ an Stelle 3 von oben liegt."
        ),
        (
            "Ein Kartenspiel mit unbekannten Karten nennt alle sechs Asse oder keines; "
            "nennt es keines, sind seine ersten sechs Karten unbekannt und stehen für sie."
        ),
    ),
}
