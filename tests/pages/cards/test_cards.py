"""Every card of every deck is drawn from its code, in words too, and looks like no other."""

from typing import Any

import pytest

from api.common.pages.shell import address_of
from domain.cards import HIDDEN
from domain.games import RULESETS
from domain.texts import Language
from tests.domain.games.quartett.decks import planes
from tests.pages.cards.drawing import Deck, Drawn, decks, drawn, quartett
from tests.pages.conftest import Drawing, Visit

LANGUAGES: tuple[Language, ...] = ("en", "de")
DECKS = decks()
FRENCH = next(deck for deck in DECKS if deck.drawn == "french" and "JK" in deck.cards)
DECKTET = next(deck for deck in DECKS if deck.drawn == "decktet")
UNTOLD = Deck("untold", "casino", None, ("KH", "PAWN-MSL", "a code that is much too long for any card"))
MARKUP = "<img src=x onerror=alert(1)>"
BEFORE_AND_AFTER = """async script => {
  const {card, need} = await import(script);
  const called = () => card("KH", {deck: "french"}).firstChild.getAttribute("aria-label");
  const before = called();
  await need("french");
  return [before, called()];
}"""


def read_aloud(called: str, language: str) -> str:
    """``9 of Moons/Waves`` as ``9 of Moons and Waves``."""
    *some, last = called.split("/")
    return f"{', '.join(some)} {'und' if language == 'de' else 'and'} {last}" if some else last


def wild() -> Deck:
    """A deck that somebody wrote to break out of its cards."""
    long = "Rinderkennzeichnungs-und-Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
    categories = [
        {"id": f"c{n}", "name": MARKUP if n == 0 else f"{long} {n}", "unit": "W" * 40 * (n % 2), "better": ("high", "low")[n % 2]}
        for n in range(12)
    ]
    names = (MARKUP, "W" * 60, "漢字カード🂡🂢🂣🂤🂥🂦🂧🂨" * 3, f"{long} {long}")
    cards = [
        {
            "id": f"{n}A",
            "group": "A",
            "number": n,
            "name": names[n - 1],
            "values": {f"c{m}": None if (n + m) % 3 == 0 else -123456789.125 * n * (m + 1) for m in range(12)},
        }
        for n in range(1, 5)
    ]
    groups = [{"letter": "A", "name": MARKUP * 3}]
    return quartett({"id": "wild", "name": MARKUP, "categories": categories, "groups": groups, "cards": cards})


@pytest.fixture(scope="module", params=LANGUAGES)
def everything(request: pytest.FixtureRequest, drawing: Drawing) -> tuple[Language, list[tuple[Deck, list[Drawn]]]]:
    """Every card of every deck, and a hidden one; in English only of decks whose cards their game has words for."""
    decks = (*DECKS, wild(), UNTOLD) if request.param == "de" else [deck for deck in DECKS if isinstance(deck.drawn, str)]
    return request.param, [(deck, drawn(drawing(request.param), deck, (*deck.cards, HIDDEN))) for deck in decks]


def test_a_card_is_called_as_its_game_calls_it(everything: tuple[Language, list[tuple[Deck, list[Drawn]]]]):
    language, lying = everything
    for deck, shown in lying:
        if isinstance(deck.drawn, str):
            words = RULESETS[deck.ruleset].about().words[language]
            called = {card: read_aloud(words[f"card.{card}"], language) for card in deck.cards}
            assert {one.code: one.label for one in shown if one.code != HIDDEN} == called


def test_no_two_cards_of_a_deck_look_alike_even_without_colour(everything: tuple[Language, list[tuple[Deck, list[Drawn]]]]):
    for deck, shown in everything[1]:
        alike = [len(set(told)) for told in ([one.label for one in shown], [one.full for one in shown], [one.small for one in shown])]
        assert alike == [len(deck.cards) + 1] * 3, deck.name


def test_nothing_leaves_the_card(everything: tuple[Language, list[tuple[Deck, list[Drawn]]]]):
    for deck, shown in everything[1]:
        assert {one.code: one.outside for one in shown if one.outside} == {}, deck.name


def test_names_of_a_deck_are_words_and_never_markup(drawing: Drawing):
    page = drawing()
    shown = drawn(page, wild(), lit="c0")
    assert page.locator(".card img, .card script").count() == 0
    assert shown[0].label == f"1A {MARKUP}: {MARKUP} -123,456,789.125"
    assert "<img src=x" in shown[0].texts


def test_a_card_without_a_value_has_a_dash_and_says_so(drawing: Drawing):
    (dove, heron) = drawn(drawing(), quartett(planes()), ("1A", "3A"))
    assert dove.texts.count("–") == 1
    assert heron.texts.count("–") == 1
    values: dict[str, Any] = next(card for card in planes()["cards"] if card["id"] == "1A")["values"]
    assert dove.label.count("no value") == list(values.values()).count(None)


def test_a_card_of_a_quartett_says_its_values_and_of_an_announced_category_that_one(drawing: Drawing):
    wood = next(deck for deck in DECKS if deck.name == "wood")
    page = drawing("de")
    (whole,) = drawn(page, wood, ("A4",))
    (lit,) = drawn(page, wood, ("A4",), lit="density")
    assert whole.label == (
        "A4 Azobé (Bongossi): Rohdichte 1.060 kg/m³, Dauerhaftigkeitsklasse 2, Baumhöhe 45 m, "
        "Stammdurchmesser 160 cm und Biegefestigkeit 180 N/mm²"
    )
    assert lit.label == "A4 Azobé (Bongossi): Rohdichte 1.060 kg/m³"
    assert "1.060" in lit.small
    assert lit.full != whole.full


def test_a_longer_bar_is_always_the_better_value(drawing: Drawing):
    """The period of the periodic table is a category in which the lowest wins."""
    metals = next(deck for deck in DECKS if deck.name == "metals")
    page = drawing()
    drawn(page, metals)
    bars = page.locator(".card .full").evaluate_all(
        "cards => cards.map(card => [...card.querySelectorAll('rect.ink')].map(bar => bar.width.baseVal.value))"
    )
    for place, category in enumerate(metals.drawn["categories"]):
        values = [card["values"][category["id"]] for card in metals.drawn["cards"]]
        by_length = [value for _, value in sorted(zip((bar[place] for bar in bars), values, strict=True))]
        assert by_length == sorted(values, reverse=category["better"] == "low")


def test_the_letters_of_ranks_are_those_of_the_language(drawing: Drawing):
    spoken = {language: {one.code: one for one in drawn(drawing(language), FRENCH)} for language in LANGUAGES}
    changed = {code for code in FRENCH.cards if spoken["en"][code].small != spoken["de"][code].small}
    assert changed == {rank + suit for rank in "QJ" for suit in "SHDC"}


def test_hidden_and_unknown_cards_are_the_same_and_tell_nothing(drawing: Drawing):
    page = drawing()
    hidden, unknown = drawn(page, FRENCH, ("?", None))
    assert hidden == unknown
    assert (hidden.code, hidden.label) == ("?", "face-down card")
    for deck in (DECKTET, UNTOLD, quartett(planes())):
        assert drawn(page, deck, ("?",)) == [hidden]


def test_a_card_of_which_only_the_code_is_known_shows_the_code(drawing: Drawing):
    page = drawing()
    (known,) = drawn(page, UNTOLD, ("KH",))
    assert (known.label, known.texts) == ("KH", ["KH"])
    assert drawn(page, quartett(planes()), ("KH",)) == [known]


def test_a_card_drawn_again_is_like_the_first_and_keeps_its_own_words(drawing: Drawing):
    page, some = drawing(), DECKTET.cards[::6]
    first = drawn(page, DECKTET, some)
    named = drawn(page, DECKTET, some, label="the third of the tier")
    assert {one.label for one in named} == {"the third of the tier"}
    assert drawn(page, DECKTET, some) == first


def test_a_card_without_words_is_decoration(drawing: Drawing):
    page = drawing()
    drawn(page, FRENCH, ("KH",), label="")
    assert page.get_by_role("img").count() == 0
    drawn(page, FRENCH, ("KH",))
    assert page.get_by_role("img", name="king of hearts").count() == 1


def test_a_card_that_was_drawn_before_its_deck_came_is_drawn_anew_when_it_has(visit: Visit):
    told = visit().go("/").evaluate(BEFORE_AND_AFTER, address_of("cards.js"))
    assert told == ["KH", "king of hearts"]
