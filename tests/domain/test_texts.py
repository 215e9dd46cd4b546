"""Sentences for people."""

from domain.texts import COMMON, LANGUAGES, format_text, list_numbered_rules, name_of, names_by_language, sentence
from domain.texts.wording import Details, format_value
from tests.each import each

GAME = {
    "en": {"too_low": "{card} is too low.", "too_low.ABC-2": "{card} is lower than {top}.", "only_english": "English."},
    "de": {"too_low": "{card} ist zu niedrig."},
}
GENERAL = {"en": {"too_low": "never told", "over": "It is over."}, "de": {"over": "Es ist vorbei."}}
BOTH = (GAME, GENERAL)

CODES_OF_ALL_GAMES = {
    "bad_option",
    "bad_seats",
    "game_over",
    "hand_in_progress",
    "bad_dealer",
    "bad_deck",
    "malformed_move",
    "unknown_move",
    "hand_over",
    "not_your_turn",
    "game_suspended",
    "game_abandoned",
    "game_annulled",
    "malformed_record",
    "unknown_ruleset",
}
CODES_OF_A_REWIND = {"nothing_to_rewind", "rewind_ahead", "rewind_too_far", "rewind_to_void"}


def test_a_sentence_names_the_details():
    assert sentence("too_low", {"card": "7D"}, "en", BOTH) == "7D is too low."


def test_it_speaks_the_language_asked_for():
    assert sentence("too_low", {"card": "7D"}, "de", BOTH) == "7D ist zu niedrig."
    assert sentence("over", {}, "de-AT", BOTH) == "Es ist vorbei."


@each("language", ["fr", "", "?", "EN"])
def test_it_falls_back_to_english(language: str):
    assert sentence("over", {}, language, BOTH) == "It is over."
    assert sentence("only_english", {}, "de", BOTH) == "English."


def test_the_text_for_a_rule_goes_before_the_text_for_the_code():
    assert sentence("too_low", {"card": "7D", "top": "9H"}, "en", BOTH, ("ABC-1", "ABC-2")) == "7D is lower than 9H."
    assert sentence("too_low", {"card": "7D"}, "en", BOTH, ("ABC-1",)) == "7D is too low."


def test_a_missing_detail_is_shown_as_dots():
    assert sentence("too_low", {}, "en", BOTH) == "… is too low."


def test_a_missing_detail_is_shown_as_dots_in_whatever_form_it_is_asked_for():
    details = Details({}, {"quoted": "“{text}”"}, lambda value: None)
    assert "{types:q}, {types:or}, {types:# card|# cards}, {types}".format_map(details) == "…, …, … cards, …"


def test_a_code_without_a_text_speaks_for_itself():
    assert sentence("nobody_knows", {}, "en", BOTH) == "nobody_knows"


def test_details_are_never_taken_for_a_text():
    assert sentence("too_low", {"card": "{top} {0} {"}, "en", BOTH) == "{top} {0} { is too low."


@each(
    ("value", "text"),
    [
        (None, "nothing"),
        (True, "yes (true)"),
        (7, "7"),
        (("7D", "9H"), "7D, 9H"),
        ([1, [2, None]], "1, 2, nothing"),
        ((), "nothing"),
        ({"a": 1}, "an object"),
        ("x" * 500, "x" * 119 + "…"),
    ],
)
def test_values_are_shown_as_people_say_them_and_never_endless(value: object, text: str):
    assert format_value(value, COMMON["en"]) == text


def test_what_is_nested_deeply_is_shown_all_the_same():
    value: list[object] = ["7D"]
    for _ in range(100_000):
        value = [value]
    assert format_value(value, COMMON["en"])


@each("language", LANGUAGES)
def test_the_common_catalogue_knows_every_code_that_no_game_owns(language: str):
    assert set(COMMON[language]) >= CODES_OF_ALL_GAMES | CODES_OF_A_REWIND


def test_numbered_rules_are_read_from_a_page():
    number, text = list_numbered_rules("domain.games.casino")[0]
    assert (number, text) == ("CNO-1", "Two, three or four seats play.")


def test_cards_rows_and_ends_have_names():
    known = names_by_language("domain.games.casino", ["7D", "QS", "??"])
    assert {key: name for key, name in known["de"].items() if key.startswith("card.")} == {"card.7D": "Karo 7", "card.QS": "Pik Dame"}
    assert (name_of(known, "card", "QS", "en"), name_of(known, "row", "big_casino", "de-AT")) == ("queen of spades", "Großes Casino")


def test_a_card_with_several_suits_names_them_all():
    known = names_by_language("domain.games.cascades", ["4-MS", "CROWN-K"])
    assert [name_of(known, "card", card, "en") for card in ("4-MS", "CROWN-K")] == ["4 of Moons/Suns", "Crown of Knots"]


def test_a_name_falls_back_to_english_and_then_to_the_code():
    known = {"en": {"row.ace": "Ace"}, "de": {}}
    assert (name_of(known, "row", "ace", "de"), name_of(known, "row", "big_casino", "de")) == ("Ace", "big casino")


def test_what_is_counted_from_nothing_is_said_counted_from_one():
    counted = {"position": 0, "positions": (0, 2, "?"), "said": "end"}
    assert format_text("{position:+1}; {positions:+1 or}; {positions:+1}; {said:+1}", counted, "en") == "1; 1, 3 or ?; 1, 3, ?; end"
