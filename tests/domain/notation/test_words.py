"""Lines as hands type them: words in the place of letters and signs, commas, colons, full stops and sums (NOT-14 to NOT-16)."""

from itertools import combinations
from typing import Any

import pytest

from domain.games import RULESETS
from domain.notation.letters import SignUnit, blank_commas, blank_stop, blank_sums, list_step_words, replace_words
from domain.notation.reading import read
from domain.notation.reading_types import IllegalReading, Incomplete, MoveReading, Reading, Tells, Unreadable
from domain.notation.syntax import MoveFaces
from domain.notation.writing import notation_of, write_move
from domain.rules import Rulebook
from domain.texts import LANGUAGES
from replay.sample_games import find_minimum_seats
from tests.domain.games.alcasan.positions import Position as Alcasan
from tests.domain.games.canasta.positions import Position as Canasta
from tests.domain.games.cascades.positions import EXTENDED
from tests.domain.games.cascades.positions import Position as Cascades
from tests.domain.games.casino.positions import ROYAL
from tests.domain.games.casino.positions import Position as Casino
from tests.domain.games.quartett.positions import classic, trumpf
from tests.each import each

POSITIONS: dict[str, Any] = {
    "alcasan": Alcasan("7 7 air 5", "9", pile="5"),
    "canasta": Canasta("KS KH KD 2S 7D 9S 9H JK AC", melds={0: "7: 7S 7H 7C, Q: QS QH QD"}),
    "canasta, draw": Canasta("9S 9H KS KH KD 2S 5H", pile="4D 9C", phase="draw"),
    "canasta, asked": Canasta("KS KH", "AS", phase="answer", turn=2, marks={"question": "pending"}),
    "cascades": Cascades("5-ML", waste="CROWN-L", options=EXTENDED),
    "casino": Casino("9C 3S AS", board="5D 4H 9D 6C", builds=[(9, 1, "6S 3D")], options=ROYAL),
    "classic": classic("A1 A3 B1", "A2 B2", "A4"),
    "trumpf": trumpf("A1 A2 A3 A4", "B1 B2 B3 B4"),
}


def answer(name: str, line: str, language: str = "en") -> Reading:
    position = POSITIONS[name]
    return read(position.rulebook, position.table, position.table.to_act[0], line, language)


def meant(name: str, line: str, language: str = "en") -> str:
    """Return the full form of the move, in English."""
    found = answer(name, line, language)
    assert isinstance(found, MoveReading), found
    return write_move(notation_of(POSITIONS[name].rulebook), found.move, "en")


# Punctuation (NOT-14)


@each(
    ("name", "line", "full"),
    [
        ("canasta", "kkk2, 7.", "K=KsKhKd2s 7+7d"),
        ("canasta, draw", "x99: k,k,k,2", "x 9s9h K=KsKhKd2s"),
        ("canasta, draw", "..", None),
        ("canasta, draw", ". .", None),
        ("alcasan", "7,7", "77"),
        ("alcasan", "7,7 . ; at last", "77"),
        ("casino", "9cx5d,4h.", "9c x 5d4h"),
        ("classic", "1: a2", "@1 ? A2"),
        ("trumpf", "a1, 2", "A1 =2"),
    ],
)
def test_commas_colons_and_a_final_stop_are_blanks(name: str, line: str, full: str | None):
    assert isinstance(answer(name, line), Unreadable) if full is None else meant(name, line) == full


@each("line", [".", " . ", ""])
def test_a_lone_stop_stays_the_plain_next_step(line: str):
    assert meant("canasta, draw", line) == meant("cascades", line) == "."


def test_a_stop_says_why_there_is_no_next_step_and_the_empty_line_asks_for_a_move():
    for line in (".", "draw", "ziehen."):
        found = answer("canasta", line)
        assert isinstance(found, Incomplete)
        assert found.refused is not None
        assert found.refused.code == "already_drawn"
    found = answer("canasta", "")
    assert isinstance(found, Incomplete)
    assert found.says == "Type a move: there is more than one."


def test_told_cards_may_be_listed_with_commas():
    assert answer("canasta", "@1: !3h, 9 spades, pik 4.") == Tells(MoveFaces({"hand:1": ("3H", "9S", "4S")}))


# Words (NOT-15)


@each(
    ("name", "line", "full"),
    [
        ("canasta, draw", "Draw.", "."),
        ("canasta, draw", "ziehen", "."),
        ("canasta, draw", "take 99, k k k 2", "x 9s9h K=KsKhKd2s"),
        ("canasta, draw", "nimm 9 9 könig könig king 2", "x 9s9h K=KsKhKd2s"),
        ("canasta", "discard 7", "7d -"),
        ("canasta", "joker", "* -"),
        ("canasta", "9 spades", "9s -"),
        ("canasta", "PIK 9", "9s -"),
        ("canasta", "konig herz", "Kh -"),
        ("canasta", "kreuz ass", "Ac -"),
        ("canasta, asked", "yes", "Y"),
        ("canasta, asked", "ja", "Y"),
        ("canasta, asked", "no", "N"),
        ("canasta, asked", "nein", "N"),
        ("alcasan", "luft", "A"),
        ("alcasan", "7 and 7", None),
        ("cascades", "turn", "."),
        ("cascades", "umdrehen", "."),
        ("cascades", "give up", "resign"),
        ("cascades", "aufgeben", "resign"),
        ("cascades", "krone", "CRl -1"),
        ("cascades", "crown leaves", "CRl -1"),
        ("cascades", "Krone Blatt 1", "CRl -1"),
        ("cascades", "Blatt Krone-", "CRl -1"),
        ("casino", "9 takes 5 4", "9c x 5d4h"),
        ("casino", "kreuz 9 nimmt karo5 herz4", "9c x 5d4h"),
        ("casino", "ass legen", "As -"),
        ("classic", "ask 1: copper", "@1 ? A2"),
        ("classic", "frage 1 copp", "@1 ? A2"),
        ("trumpf", "density", "A1 =1"),
        ("trumpf", "a1, Dichte", "A1 =1"),
        ("trumpf", "melting point", "A1 =2"),
        ("trumpf", "schmelz", "A1 =2"),
        ("trumpf", "iron per", "A1 =3"),
    ],
)
@each("language", LANGUAGES)
def test_a_word_stands_for_its_letters_or_its_sign_in_every_language(name: str, line: str, full: str | None, language: str):
    if full is None:
        assert isinstance(answer(name, line, language), Unreadable)
    else:
        assert meant(name, line, language) == full


def test_letters_that_are_a_legal_move_go_before_a_word():
    lays = Canasta("JS AC 9S 9H 5C", melds={0: "J: JH JD JC, A: AS AH AD"})
    found = read(lays.rulebook, lays.table, lays.seat, "ja", "de")
    assert isinstance(found, MoveReading)
    assert found.written == "A+Ax B+Bp"


def test_a_word_that_is_no_legal_move_is_refused_as_its_sign():
    found = answer("canasta", "nein", "de")
    assert isinstance(found, IllegalReading)
    assert found.refused.code == "no_question"


@each(("line", "at"), [("discard §", 8), ("9 spades §", 9), ("drawing", 0), ("x,§", 2)])
def test_places_are_those_of_the_typed_line(line: str, at: int):
    assert answer("canasta", line) == Unreadable(at, f"{line[at]} means nothing here.")


# Sums (NOT-16)


@each(
    ("name", "line", "full"),
    [
        ("casino", "3+6=9", "3s6c =9"),
        ("casino", "9 x 5 + 4", "9c x 5d4h"),
        ("casino", "9x5+4, 9, #1", "9c x 5d4h 9d #1"),
        ("casino", "3+6+#1", "3s6c + #1"),
        ("casino", "3+6", "3s6c + #1"),
        ("alcasan", "7+7", "77"),
        ("canasta", "kkk+2", "K=KsKhKd2s"),
    ],
)
def test_a_plus_between_summands_is_a_blank_where_it_means_nothing_else(name: str, line: str, full: str):
    assert meant(name, line) == full


def test_a_plus_with_a_meaning_of_its_own_keeps_it():
    assert isinstance(answer("canasta", "k+kk"), Incomplete)  # two kings for the meld of kings, not three
    assert isinstance(answer("casino", "9+9"), IllegalReading)  # added to a build, not taken


# The tables of words


@each("line", ["", "9x5, 4.", "take 9; note: x", "pik neun + karo 2", "azobe\u0301 könig", "x.5+4+king."])
def test_every_step_keeps_the_length_of_the_line(line: str):
    words = {"king": "k", "konig": "k", "take": "x"}
    assert {len(blank_commas(line)), len(blank_stop(line)), len(blank_sums(line)), len(replace_words(line, words))} == {len(line)}


def bound(key: str) -> Rulebook:
    return RULESETS[key].bind({}, find_minimum_seats(RULESETS[key], {}))


@pytest.mark.parametrize("key", sorted(RULESETS))
@each("language", LANGUAGES)
def test_every_sign_that_is_a_move_of_its_own_has_words_in_every_language(key: str, language: str):
    notation = notation_of(bound(key))
    spelled = [notation.units(move) for move in notation.grammar.examples]
    alone = {unit.sign for units in spelled for unit in units if isinstance(unit, SignUnit) and len(units) == 1}
    assert alone - notation.step_words[language].keys() == set()


@pytest.mark.parametrize("key", sorted(RULESETS))
@each("language", LANGUAGES)
def test_no_word_has_two_meanings_and_none_is_shorter_than_what_is_typed_for_it(key: str, language: str):
    notation = notation_of(bound(key))
    tables = [notation.card_words(notation.letters, language)]
    tables += [list_step_words({spoken: words}) for spoken, words in notation.step_words.items()]
    several = [word for one, other in combinations(tables, 2) for word in one.keys() & other.keys() if one[word] != other[word]]
    assert several == []
    assert [word for word, typed in notation.words(language).items() if not word or len(typed) > len(word)] == []
