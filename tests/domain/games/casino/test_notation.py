"""Moves of Casino as one short line: what is written, what a line means, and what is said where it means nothing."""

from typing import Any

from domain.notation.reading import read
from domain.notation.reading_types import Ambiguous, IllegalReading, Incomplete, MoveReading, Reading, Tells, Unreadable
from domain.notation.syntax import MoveFaces
from domain.notation.writing import write
from domain.rules import Move
from domain.texts import LANGUAGES
from tests.domain.games.casino.positions import ROYAL, Position, groups
from tests.domain.notation.test_page import EXAMPLES, Example
from tests.each import each
from tests.notation.short import write_short

HOLDS_ALL = Position("9C 3S AS TD", board="5D 4H 9D 6C", builds=[(9, 1, "6S 3D"), (9, 1, "7S 2H, 9S")], options=ROYAL)
"""Nines take in many ways; three and six build nine."""


def answer(position: Position, line: str, language: str = "en") -> Reading:
    assert position.table.turn is not None
    return read(position.rulebook, position.table, position.table.turn, line, language)


def meant(position: Position, line: str, language: str = "en") -> str | None:
    """The full form of what a line means; none, if it has not one meaning."""
    found = answer(position, line, language)
    return found.written if isinstance(found, MoveReading) else None


def offered(position: Position, line: str, language: str = "en") -> list[str]:
    """The full forms of what an ambiguous or incomplete line may mean."""
    found = answer(position, line, language)
    assert isinstance(found, Ambiguous | Incomplete)
    return [option.written for option in found.options]


def move(type_: str, card: str, *named: str, **fields: Any) -> Move:
    """A move with its groups as text."""
    return {"type": type_, "card": card, **({"groups": tuple(map(tuple, groups(*named)))} if named else {}), **fields}


def with_groups(found: Reading) -> object:
    assert isinstance(found, MoveReading)
    return found.move["groups"]


# How moves are written

FORMS: list[tuple[Move, str, str]] = [
    (move("trail", "9C"), "9c -", "9x -"),
    (move("capture", "9C", "5D 4H", "9D", builds=(2,)), "9c x 5d4h 9d #2", "9x x 5k4h 9k #2"),
    (move("capture", "9C", groups=(), builds=(1, 2)), "9c x #1 #2", "9x x #1 #2"),
    (move("capture", "KH", "KS", builds=()), "Kh x Ks", "Kh x Kp"),
    (move("build", "3S", "3S 6C", value=9), "3s6c =9", "3p6x =9"),
    (move("build", "3S", "9D", "6C 3S", "5D 4H", value=9), "3s6c =9 9d 5d4h", "3p6x =9 9k 5k4h"),
    (move("raise", "AS", build=1, value=10), "As ^ #1 =10", "Ap ^ #1 =10"),
    (move("raise", "AS", "6C 4H", "TD", build=1, value=10), "As ^ #1 =10 6c4h Td", "Ap ^ #1 =10 6x4h Tk"),
    (move("add", "6D", "6D 3H", build=1), "6d3h + #1", "6k3h + #1"),
    (move("add", "6D", "QC", "6D 3H 3C", build=12), "6d3h3c + #12 Qc", "6k3h3x + #12 Dx"),
]


@each(("made", "english", "german"), FORMS, ids=[english for _, english, _ in FORMS])
def test_the_full_form_names_the_played_card_first_and_every_group(made: Move, english: str, german: str):  # NOT-9
    assert (write(HOLDS_ALL.rulebook, made, "en"), write(HOLDS_ALL.rulebook, made, "de")) == (english, german)


SHORT = [
    ("9c x 5d4h 9d #1 #2", "9x", "9 x"),
    ("9c x 5d4h", "954", "954"),
    ("9c x #2", "9#2", "9#2"),
    ("9c -", "9-", "9-"),
    ("3s6c =9", "36=", "36="),
    ("3s6c =9 5d4h", "36 =9 54", "36 =9 54"),
    ("As ^ #1 =10", "a^", "a^"),
    ("3s6c + #2", "36#2", "36#2"),
]


@each(("full", "english", "german"), SHORT, ids=[full for full, _, _ in SHORT])
def test_the_short_form_is_the_shortest_line_of_one_meaning(full: str, english: str, german: str):  # NOT-10
    found = answer(HOLDS_ALL, full)
    assert isinstance(found, MoveReading)
    short = {language: write_short(HOLDS_ALL.rulebook, HOLDS_ALL.table, 0, found.move, language) for language in LANGUAGES}
    assert short == {"en": english, "de": german}


def test_the_short_form_is_the_same_however_the_cards_were_grouped():  # NOT-12
    one_way = move("capture", "9C", "5D 4H", "9D", builds=(1, 2))
    another = move("capture", "9C", "9D", "4H 5D", builds=(2, 1))
    assert write_short(HOLDS_ALL.rulebook, HOLDS_ALL.table, 0, one_way, "en") == "9x"
    assert write_short(HOLDS_ALL.rulebook, HOLDS_ALL.table, 0, another, "en") == "9x"


# What is typed

TYPED = [
    ("9 x", "9c x 5d4h 9d #1 #2"),
    ("9x954", "9c x 9d 5d4h"),
    ("9 9", "9c x 9d"),
    ("9x#2", "9c x #2"),
    ("9x#1#2", "9c x #1 #2"),
    ("3 6 =", "3s6c =9"),
    ("a^", "As ^ #1 =10"),
    ("A^=10", "As ^ #1 =10"),
    ("a^64", "As ^ #1 =10 6c4h"),
    ("a^10", "As ^ #1 =10"),
    ("36+#1", "3s6c + #1"),
    ("10-", "Td -"),
    ("T♦-", "Td -"),
    ("-t", "Td -"),
    ("9c x 5d4h ; nine takes nine", "9c x 5d4h"),
]


@each(("line", "full"), TYPED)
def test_a_line_means_the_move_whose_cards_are_named_all(line: str, full: str):  # NOT-1 to NOT-4
    assert meant(HOLDS_ALL, line) == full


@each("example", [one for one in EXAMPLES if one.game == "Casino"], ids=str)
def test_what_else_is_typed_means_the_move_as_the_page_says(example: Example):
    assert [meant(HOLDS_ALL, line) for line in (example.full, *example.typed)] == [example.full] * (1 + len(example.typed))


def test_every_language_reads_its_own_letters_and_the_english_ones():
    position = Position("QS JD AC KC", board="5H", options=ROYAL)
    assert [meant(position, line, "de") for line in ("dp-", "qs-", "d-", "bk-", "jd-", "ax-", "kx-")] == [
        "Dp -", "Dp -", "Dp -", "Bk -", "Bk -", "Ax -", "Kx -",
    ]  # fmt: skip
    assert [meant(position, line) for line in ("dp-", "bk-", "qs-")] == [None, None, "Qs -"]


def test_the_empty_line_is_the_only_move_there_is():  # NOT-5
    assert meant(Position("KH", board="2D"), "") == "Kh -"
    assert offered(Position("KH", board="KD"), "") == ["Kh -", "Kh x Kd"]


def test_the_rank_alone_may_do_anything_and_the_largest_capture_is_offered_first():  # NOT-6
    assert offered(Position("9C 2S", board="5D 4H 9D"), "9") == ["9c x 5d4h 9d", "9c x 5d4h", "9c x 9d", "9c -"]


def test_what_is_longer_is_told_beside_what_is_meant():
    found = answer(Position("9C 2S", board="5D 4H 9D"), "954")
    assert isinstance(found, MoveReading)
    assert (found.written, [option.written for option in found.longer]) == ("9c x 5d4h", ["9c x 5d4h 9d"])


def test_equal_cards_are_asked_for_by_their_suits():  # NOT-6
    found = answer(Position("9C 9D 2S", board="4H"), "9-", "de")
    assert isinstance(found, Ambiguous)
    assert found.says == "9♣ oder 9♦?"


def test_the_same_cards_may_take_or_build():
    position = Position("6C QS 2H", board="3D 3H", options=ROYAL)
    assert offered(position, "633") == ["6c x 3d3h", "6c3d3h =12"]
    assert (meant(position, "6x33"), meant(position, "633=")) == ("6c x 3d3h", "6c3d3h =12")


# All that can be taken


def test_x_takes_all_that_the_card_can_take():  # NOT-4
    assert meant(Position("9C 2S", board="5D 4H 9D KD"), "9x") == "9c x 5d4h 9d"
    assert meant(Position("KC 2S", board="KD 9D"), "kx") == "Kc x Kd"


def test_x_takes_nothing_for_sure_where_no_capture_holds_all_others():
    assert offered(Position("5C KS", board="2D 2H 3D"), "5x") == ["5c x 2d3d", "5c x 2h3d"]
    assert offered(Position("KC 2S", board="KD KH"), "kx") == ["Kc x Kd", "Kc x Kh"]


def test_x_of_a_royal_ace_takes_all_as_one_or_as_fourteen():  # CNO-6, CNO-25
    assert meant(Position("AC 2S", board="AD TD 4C", options=ROYAL), "ax") == "Ac x Ad Td4c"
    either = Position("AC 2S", board="TD 4C", builds=[(1, 1, "AH, AS")], options=ROYAL)
    assert offered(either, "ax") == ["Ac x Td4c", "Ac x #1"]


# Groups


def test_groups_are_kept_as_typed():
    position = Position("9C 2S", board="5D 4H 4D 5H")
    assert with_groups(answer(position, "9c x 5d4d 5h4h")) == (("5D", "4D"), ("5H", "4H"))
    assert with_groups(answer(position, "9c x 4h5d 5h4d")) == (("4H", "5D"), ("5H", "4D"))


def test_cards_that_are_no_groups_as_typed_are_put_into_groups():
    position = Position("9C 2S", board="5D 4H 9D")
    for line in ("9 x 5 4 9", "9x549", "9 54 9"):
        assert meant(position, line) == "9c x 5d4h 9d"


# What is not said completely, or not allowed


def test_a_line_that_names_some_of_the_cards_is_incomplete():  # NOT-3
    found = answer(Position("9C 2S", board="5D 4H"), "9x5")
    assert isinstance(found, Incomplete)
    assert found.says == "5♦ makes 5 and cannot be taken with 9♣. Name groups that make 9 each."
    assert [option.written for option in found.options] == ["9c x 5d4h"]


def test_an_illegal_capture_is_never_read_as_a_larger_legal_one():  # NOT-3, CNO-42
    position = Position("8C 2H", board="8D", builds=[(8, 0, "5D 3S")])
    found = answer(position, "8x8")
    assert isinstance(found, Incomplete)
    assert (found.refused and found.refused.code, [option.written for option in found.options]) == ("build_uncovered", ["8c x 8d #1"])
    assert meant(position, "8x") == "8c x 8d #1"


def test_a_build_without_a_table_card_is_incomplete():  # NOT-8
    found = answer(Position("5D 5H", board="2C"), "5d=5", "de")
    assert isinstance(found, Incomplete)
    assert found.says == "Ein neues Build braucht außer 5♦ eine lose Karte. Nimm eine hinzu, oder lege die Karte ab."


def test_what_the_rules_refuse_is_answered_with_their_sentence_and_number():  # NOT-8
    found = answer(Position("9C 2S", board="6C"), "9x6")
    assert isinstance(found, IllegalReading)
    assert found.says == "6♣ makes 6 and cannot be taken with 9♣. Name groups that make 9 each. (CNO-23)"


UNREADABLE = [("9§", 1), ("9@2", 1), ("9x5-", 3), ("9-x", 2), ("9?", 1), ("9 x #", 4)]


@each(("line", "at"), UNREADABLE)
def test_what_means_nothing_is_pointed_at(line: str, at: int):
    found = answer(Position("9C 2S", board="5D 9D"), line)
    assert isinstance(found, Unreadable)
    assert found.at == at


MULTIPLE = (8, 1, "5C 3C, 8H")
REFUSED: list[tuple[str, Position, Move]] = [
    ("card_not_in_hand", Position("9C 2S", board="9D"), move("trail", "9D")),
    ("must_not_trail", Position("9C 2S", builds=[(9, 0, "5D 4H")]), move("trail", "2S")),
    ("nothing_captured", Position("9C 2S", board="2D"), move("capture", "9C")),
    ("card_used_twice", Position("9C 2S", board="5D 4H"), move("capture", "9C", "5D 4H", "5D 4H")),
    ("card_used_twice", Position("9C 2S", builds=[(9, 1, "5D 4H")]), move("capture", "9C", builds=(1, 1))),
    ("card_not_on_table", Position("9C 2S", board="5D"), move("capture", "9C", "5D 4H")),
    ("card_not_on_table", Position("3S 8C", builds=[(5, 1, "3D 2H")]), move("raise", "3S", "8D", build=1, value=8)),
    ("card_in_build", Position("9C 2S", board="4S", builds=[(5, 1, "3D 2H")]), move("capture", "9C", "4S 3D 2H")),
    ("no_such_build", Position("9C 2S", board="9D"), move("capture", "9C", "9D", builds=(3,))),
    ("no_such_build", Position("9C 2S", board="9D"), move("raise", "2S", build=1, value=9)),
    ("build_value_mismatch", Position("9C 2S", builds=[MULTIPLE]), move("capture", "9C", builds=(1,))),
    ("build_value_mismatch", Position("KC 2S", builds=[MULTIPLE]), move("capture", "KC", builds=(1,))),
    ("one_picture_only", Position("KC 2S", board="KD KH"), move("capture", "KC", "KD", "KH")),
    ("no_match", Position("KC 2S", board="QD"), move("capture", "KC", "QD")),
    ("picture_no_value", Position("9C 2S", board="KD"), move("capture", "9C", "KD")),
    ("wrong_sum", Position("9C 2S", board="5D 3H"), move("capture", "9C", "5D 3H")),
    ("wrong_sum", Position("3C 9S", board="5D"), move("build", "3C", "3C 5D", value=9)),
    ("wrong_sum", Position("3C 8S", board="4D", builds=[MULTIPLE]), move("add", "3C", "3C 4D", build=1)),
    (
        "mixed_values",
        Position("AC 2S", board="AD TD 4C", builds=[(1, 1, "AH")], options=ROYAL),
        move("capture", "AC", "TD 4C", builds=(1,)),
    ),
    ("build_uncovered", Position("9C 2S", board="9D", builds=[(9, 0, "5D 4H")]), move("capture", "9C", "9D")),
    ("picture_in_build", Position("KC 2S", board="2D"), move("build", "KC", "KC 2D", value=12)),
    ("picture_in_build", Position("9C 2S", board="KD"), move("build", "9C", "9C KD", value=9)),
    ("multiple_build_fixed", Position("AC 9S", builds=[MULTIPLE]), move("raise", "AC", build=1, value=9)),
    ("wrong_raise_value", Position("AC 9S", builds=[(8, 1, "5C 3C")]), move("raise", "AC", build=1, value=10)),
    ("build_needs_table_card", Position("5D 5H", board="2C"), move("build", "5D", "5D", value=5)),
    ("no_capturing_card", Position("3C 2S", board="5D"), move("build", "3C", "3C 5D", value=8)),
]


@each(("code", "position", "refused"), REFUSED, ids=[f"{number} {code}" for number, (code, _, _) in enumerate(REFUSED)])
@each("language", LANGUAGES)
def test_an_illegal_line_in_full_form_is_refused_with_the_code_of_its_move(
    code: str, position: Position, refused: Move, language: str
):  # NOT-8
    fields = {name: value for name, value in refused.items() if name != "type"}
    assert position.refusal(str(refused["type"]), **fields)[0] == code
    found = answer(position, write(position.rulebook, refused, language), language)
    assert isinstance(found, IllegalReading | Incomplete)
    assert found.refused
    assert found.refused.code == code


# Letters that can be cut in several ways


def test_german_letters_that_are_a_suit_and_a_rank_are_kept_apart_by_blanks_or_the_full_form():  # NOT-6, NOT-7
    position = Position("KD 2S", board="KS KC", options=ROYAL)
    assert offered(position, "kkk", "de") == ["Kk x Kp", "Kk x Kx", "Kk x Kp Kx"]
    assert meant(position, "k k k", "de") == "Kk x Kp Kx"
    assert meant(position, "Kk x Kp", "de") == "Kk x Kp"
    assert meant(position, "kk k k", "de") == "Kk x Kp Kx"


def test_a_german_x_is_a_suit_and_a_sign():
    clubs, spades = Position("9C 2S", board="9D"), Position("9S 2S", board="9D")
    assert offered(clubs, "9x", "de") == ["9x x 9k", "9x -"]
    assert meant(clubs, "9xx", "de") == "9x x 9k"
    assert meant(spades, "9x", "de") == "9p x 9k"


# Cards that nobody has told


def test_hands_are_told_beside_the_line_and_without_a_move():
    found = answer(HOLDS_ALL, "9- @1 !ks9h")
    assert isinstance(found, MoveReading)
    assert (found.written, found.told) == ("9c -", MoveFaces({"hand:1": ("KS", "9H")}))
    assert answer(HOLDS_ALL, "@1 !ks9h") == Tells(MoveFaces({"hand:1": ("KS", "9H")}))


def test_an_unknown_hand_may_hold_every_unseen_card_so_the_suit_is_typed():
    position = Position("? ? ? ?", "? ? ? ?", board="9D 4H", stock="? ?")
    assert meant(position, "9c-") == "9c -"
    assert offered(position, "9-") == ["9s -", "9h -", "9c -"]
    assert meant(position, "9cx") == "9c x 9d"
    assert meant(position, "kc-") == "Kc -"
    assert isinstance(answer(position, "9d-"), IllegalReading)


# Long lists


def test_a_table_full_of_cards_is_read_by_the_cards_that_are_named():
    board = "AS AH 2D 2H 3S 3H 4S 4H 5D 5H 6C 6D 7S 7H"
    position = Position("KC KD QC 9C", board=board, options=ROYAL)
    assert meant(position, "kcx 76 76 553 4432d") == "Kc x 7s6c 7h6d 5d5h3s 4s4h3h2d"
    assert offered(position, "kcx 76 76 553 4432") == ["Kc x 7s6c 7h6d 5d5h3s 4s4h3h2d", "Kc x 7s6c 7h6d 5d5h3s 4s4h3h2h"]
    assert meant(position, "9c 54 54 63 63 72 72") == "9c x 5d4s 5h4h 6c3s 6d3h 7s2d 7h2h"
    assert isinstance(answer(position, "k"), Ambiguous)
