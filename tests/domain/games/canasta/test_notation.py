"""Canasta in lines: what is typed, how it is written, and what is said where a line is no move (``docs/notation.md``)."""

import json
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import UNSET

from domain.errors import Refused
from domain.notation.reading import read
from domain.notation.reading_types import Ambiguous, IllegalReading, Incomplete, MoveReading, Reading, Tells, Unreadable
from domain.notation.syntax import MoveFaces
from domain.notation.writing import write
from domain.rules import KnownFaces, Move, Rulebook
from domain.table import Table, fold
from domain.texts import LANGUAGES
from replay.cases import full_deck, get_known_deck
from tests.domain.games.canasta.positions import CANASTA, Position
from tests.domain.games.positions import cards
from tests.each import each
from tests.notation.law import as_played
from tests.notation.short import write_short

ROOT = Path(__file__).resolve().parents[4]


def group(rank: str, named: str) -> Move:
    return {"rank": rank, "cards": cards(named)}


def meld(*groups: Move) -> Move:
    return {"type": "meld", "melds": groups}


def take(rank: str, named: str = "", *groups: Move) -> Move:
    return {"type": "take", "rank": rank, "cards": cards(named), "melds": groups}


def discard(card: str) -> Move:
    return {"type": "discard", "card": card}


DRAW: Move = {"type": "draw"}
FOUR_KINGS = meld(group("K", "KS KH KD 2S"))
KINGS_AND_A_SEVEN = meld(group("K", "KS KH KD 2S"), group("7", "7D"))
TAKEN = take("9", "9S 9H", group("K", "KS KH KD 2S"))


def playing() -> Position:
    """The party has sevens and queens."""
    return Position("KS KH KD 2S 7D 9S 9H JK AC", melds={0: "7: 7S 7H 7C, Q: QS QH QD"})


def before_drawing(hand: str = "9S 9H KS KH KD 2S 5H", **others: Any) -> Position:
    """A nine lies on top."""
    fields: dict[str, Any] = {"pile": "4D 9C", "phase": "draw", **others}
    return Position(hand, **fields)


def opened(**others: Any) -> Position:
    return before_drawing(melds={0: "9: 9D 9D 9H"}, **others)


def asked() -> Position:
    return Position("KS KH", "AS", phase="answer", turn=2, marks={"question": "pending"})


UNKNOWN = " ".join("?" * 11)


def untold(**others: Any) -> Position:
    """Nobody knows any hand, nor the stock."""
    fields: dict[str, Any] = {"pile": "4D 9C", "phase": "draw", "stock": "? ? ? ?", **others}
    return Position(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, **fields)


def answer(position: Position, line: str, language: str = "en") -> Reading:
    return read(position.rulebook, position.table, position.seat, line, language)


def meant(position: Position, line: str, language: str = "en") -> Move:
    found = answer(position, line, language)
    assert isinstance(found, MoveReading), found
    return found.move


def offered(position: Position, line: str, language: str = "en") -> list[str]:
    """What an ambiguous line offers."""
    found = answer(position, line, language)
    assert isinstance(found, Ambiguous), found
    return [option.written for option in found.options]


def forms(position: Position, move: Move, language: str = "en") -> tuple[str, str]:
    """Full and short."""
    where = position.table, position.seat
    return write(position.rulebook, move, language, before=where), write_short(position.rulebook, *where, move, language)


# What is typed and written


@each(
    ("position", "move", "full", "short", "typed"),
    [
        (before_drawing(), DRAW, ".", "", ()),
        (before_drawing(), TAKEN, "x 9s9h K=KsKhKd2s", "x99kkk2", ("x99 kkk2", "X 9 9 K K K 2", "x99 k=kkk2", "x9h9skkk2")),
        (opened(), take("9"), "x", "x", ("X",)),
        (playing(), KINGS_AND_A_SEVEN, "K=KsKhKd2s 7+7d", "kkk27", ("kkk2 +7", "kkk2+7", "7 kkk2", "+7 =kkk2")),
        (playing(), FOUR_KINGS, "K=KsKhKd2s", "kkk2", ("k=kkk2", "kskhkd2s", "kkk+2", "kkk2=")),
        (playing(), meld(group("7", "7D")), "7+7d", "+7", ("7+", "7+7", "+7d", "7=7d")),
        (playing(), meld(group("Q", "2S")), "Q+2s", "q+2", ("q+2s",)),
        (playing(), meld(group("Q", "JK")), "Q+*", "Q+*", ("q+jk", "q=*", "q+*")),
        (playing(), discard("7D"), "7d -", "7", ("7d", "-7", "7-", "- 7d")),
        (playing(), discard("9S"), "9s -", "9s", ("-9s", "9s-", "9♠")),
        (playing(), discard("2S"), "2s -", "2", ("2s",)),
        (playing(), discard("JK"), "* -", "*", ("jk", "JK", "-*")),
        (asked(), {"type": "answer", "consent": True}, "Y", "Y", ("y",)),
        (asked(), {"type": "answer", "consent": False}, "N", "N", ("n",)),
    ],
)
def test_a_move_is_written_in_full_and_short_and_typed_as_one_likes(
    position: Position, move: Move, full: str, short: str, typed: tuple[str, ...]
):
    assert forms(position, move) == (full, short)
    assert [as_played(meant(position, line)) for line in (full, short, *typed)] == [as_played(move)] * (len(typed) + 2)


def test_in_german_the_letters_are_german_and_the_english_ones_are_read_too():
    assert forms(before_drawing(), TAKEN, "de") == ("x 9p9h K=KpKhKk2p", "x99kkkk2")
    assert forms(playing(), discard("AC"), "de") == ("Ax -", "a")
    assert forms(asked(), {"type": "answer", "consent": True}, "de") == ("J", "J")
    lines = ("x 9p9h K=KpKhKk2p", "x 9s9h K=KsKhKd2s", "x 9p9h k k k 2", "x99 kpkhkk2")
    assert [as_played(meant(before_drawing(), line, "de")) for line in lines] == [as_played(TAKEN)] * len(lines)
    assert meant(Position("QS JD"), "d", "de") == meant(Position("QS JD"), "q", "de") == discard("QS")
    assert meant(Position("QS JD"), "b", "de") == meant(Position("QS JD"), "jd", "de") == discard("JD")


def test_asking_and_passing_are_one_sign():
    canasta = "K: KS KS KH KH KD KD KC"
    asking = Position("7S 7H 7D 9S", melds={0: canasta})
    assert meant(asking, "?") == {"type": "ask"}
    assert forms(asking, {"type": "ask"}) == ("?", "?")
    last = before_drawing(stock="", pile="4D 3S")
    assert meant(last, "~") == meant(last, "") == {"type": "pass"}
    assert forms(last, {"type": "pass"}) == ("~", "")


def test_the_sign_says_whether_a_meld_is_new_or_added_to():
    queens = meld(group("Q", "QS QH QC"))
    assert forms(Position("QS QH QC AS AH"), queens)[0] == "Q=QsQhQc"
    assert forms(Position("QS QH QC AS AH", melds={0: "Q: QD QD QH"}), queens)[0] == "Q+QsQhQc"
    assert forms(Position("QS QH QC AS AH", melds={1: "Q: QD QD QH"}), queens)[0] == "Q=QsQhQc"


def test_without_the_table_three_cards_are_written_as_a_new_meld_and_fewer_as_laid_off():
    assert write(playing().rulebook, meld(group("Q", "QS QH QC"), group("7", "7D 2S")), "en") == "Q=QsQhQc 7+7d2s"


def test_natural_cards_are_written_before_wild_ones_and_melds_from_the_aces_down():
    assert forms(playing(), meld(group("7", "2S 7D"), group("K", "KD JK KS KH")))[0] == "K=KsKhKd* 7+7d2s"


def test_a_wild_card_belongs_to_the_natural_card_typed_before_it_also_after_a_blank():
    assert meant(playing(), "kkk7 2*") == meld(group("K", "KS KH KD"), group("7", "7D 2S JK"))


def test_wild_cards_that_begin_the_line_belong_to_the_card_behind_them():
    assert meant(playing(), "2kkk") == meant(playing(), "2 kkk") == meld(group("K", "2S KS KH KD"))
    assert meant(playing(), "2* 7 kkk") == meld(group("7", "2S JK 7D"), group("K", "KS KH KD"))


def test_a_rank_before_a_sign_names_the_meld_unless_it_stands_behind_a_card_that_it_could_continue():
    assert meant(playing(), "k=kkk q+2") == meant(playing(), "kkkq+2") == meld(group("K", "KS KH KD"), group("Q", "2S"))
    assert meant(playing(), "kkk+2") == FOUR_KINGS
    assert offered(Position("KS KH KD QC 2S 9S 9H", melds={0: "Q: QS QH QD"}), "kkkq+2") == ["K=KsKhKd Q+2s", "K=KsKhKd Q+Qc2s"]


def test_with_a_wild_top_card_the_natural_cards_say_which_meld_it_joins():
    wild = before_drawing(pile="4D 2C", melds={0: "A: AS AH AD"}, pile_marks={"frozen": "2C"})
    assert meant(wild, "x99") == take("9", "9S 9H")
    assert meant(wild, "xkkk 992") == take("K", "KS KH KD", group("9", "9S 9H 2S"))


# Several meanings


def test_cards_of_one_rank_are_told_apart_by_their_suits():
    assert offered(playing(), "9") == offered(playing(), "-9") == ["9s -", "9h -"]
    assert offered(playing(), "kk2") == ["K=KsKh2s", "K=KsKd2s", "K=KhKd2s"]
    found = answer(playing(), "9", "de")
    assert isinstance(found, Ambiguous)
    assert found.says == "9♠ oder 9♥?"


def test_a_single_meaning_needs_no_suits():
    assert meant(playing(), "kkk") == meld(group("K", "KS KH KD"))


def test_the_letters_of_german_suits_can_be_ranks():
    assert offered(playing(), "kkk2", "de") == ["K=KpKk2p", "K=KhKk2p", "K=KpKhKk2p"]
    assert meant(playing(), "k k k 2", "de") == FOUR_KINGS
    assert offered(Position("JK JD 4S"), "jk", "de") == ["* -", "Bk -"]
    assert meant(Position("JK JD 4S"), "jk") == discard("JK")


def test_taking_the_pile_without_naming_a_card_is_any_way_to_take_it():
    assert meant(opened(), "x") == take("9")
    assert meant(before_drawing("9S 9H KS 5H", minimums=(15, 15)), "x") == take("9", "9S 9H")
    assert offered(before_drawing("9S 9H 9D 4S 5H", minimums=(15, 15)), "x") == ["x 9s9h", "x 9s9d", "x 9h9d", "x 9s9h9d"]


def test_a_line_that_may_be_very_many_moves_offers_some():
    assert len(offered(untold(), "x99kkk2")) == 12


def test_in_an_unknown_hand_the_suits_are_typed():
    in_play = untold(phase="play")
    assert offered(in_play, "9") == ["9s -", "9h -", "9d -", "9c -"]
    assert meant(in_play, "9s") == discard("9S")
    assert meant(untold(), "x9s9hkskhkd2s") == TAKEN
    assert forms(in_play, discard("9S")) == ("9s -", "9s")


# No move


@each(
    ("position", "line", "code"),
    [
        (playing(), "99", "meld_too_small"),
        (playing(), "k+2", "meld_too_small"),
        (Position("KS KH KD 9S"), "kkk", "initial_meld_too_low"),
        (before_drawing(), "x99", "initial_meld_too_low"),
        (before_drawing(), "x9", "natural_pair_needed"),
        (before_drawing(), "xkkk", "natural_pair_needed"),
        (before_drawing(melds={0: "A: AS AH AD"}), "x9", "two_cards_needed"),
        (opened(pile_marks={"frozen": "2C"}), "x9", "pile_frozen"),
        (opened(pile_marks={"frozen": "2C"}), "x2", "pile_frozen"),
    ],
)
def test_what_more_cards_would_cure_is_incomplete(position: Position, line: str, code: str):
    found = answer(position, line)
    assert isinstance(found, Incomplete), found
    assert found.refused is not None
    assert (found.refused.code, found.says) == (code, CANASTA.sentence(found.refused, "en"))


@each(
    ("position", "line", "code"),
    [
        (playing(), "5", "card_not_in_hand"),
        (playing(), "kkkk", "card_not_in_hand"),
        (playing(), "22", "card_not_in_hand"),
        (playing(), "2*", "rank_not_meldable"),
        (playing(), "+2", "rank_not_meldable"),
        (playing(), "+2 7", "rank_not_meldable"),
        (playing(), "2+7", "rank_not_meldable"),
        (playing(), "k=ks2sJK q=*", "card_not_in_hand"),
        (playing(), "7+7d9s", "rank_mismatch"),
        (playing(), "k+9", "rank_mismatch"),
        (playing(), "q+9s", "rank_mismatch"),
        (playing(), "k=kskh k=kd", "duplicate_rank"),
        (Position("KS 2S 2H 9S", melds={0: "7: 7S 7H 7C"}), "k22", "too_many_wilds"),
        (Position("3S 3C KS KH KD 9S", melds={0: "7: 7S 7H 7C"}), "3s3c*", "card_not_in_hand"),
        (Position("3S 3C 3C 9S KH", melds={0: "7: 7S 7H 7C"}), "333", "black_threes_not_last"),
        (Position("9S"), "9", "going_out_needs_canasta"),
        (Position("KS KH KD 9S", melds={0: "7: 7S 7H 7C"}), "kkk", "going_out_needs_canasta"),
        (playing(), "x99", "already_drawn"),
        (playing(), "~", "already_drawn"),
        (playing(), "?", "cannot_go_out"),
        (playing(), "y", "no_question"),
        (asked(), "9", "answer_pending"),
        (before_drawing(), "9", "not_drawn"),
        (before_drawing(), "kkk2", "not_drawn"),
        (before_drawing(), "~", "stock_not_empty"),
        (before_drawing(pile="4D 3C"), "x", "pile_blocked"),
        (before_drawing(pile=""), "x99", "pile_blocked"),
        (before_drawing("9S", pile="9C", options={"one_card_pile": "forbidden"}), "x", "one_card_pile"),
    ],
)
def test_what_no_card_would_cure_is_impossible(position: Position, line: str, code: str):
    found = answer(position, line)
    assert isinstance(found, IllegalReading), found
    assert found.refused.code == code
    assert found.says.endswith(f" ({', '.join(found.refused.rules)})")


def test_a_line_without_a_move_is_answered_in_the_language_of_the_reader():
    said = {language: answer(playing(), "99", language) for language in ("en", "de")}
    assert [isinstance(found, Incomplete) and found.says for found in said.values()] == [
        "The meld of nines would have 2 cards. It needs at least three.",
        "Die Meldung aus Neunen hätte nur 2 Karten. Nötig sind mindestens drei.",
    ]


def test_a_sign_alone_is_the_beginning_of_moves():
    for line, first in (("-", "Ks -"), ("=", "K=KsKhKd"), ("+", "K=KsKhKd")):
        found = answer(playing(), line)
        assert isinstance(found, Incomplete)
        assert found.options[0].written == first


def test_the_empty_line_asks_for_a_move_where_there_are_several():
    found = answer(playing(), "")
    assert isinstance(found, Incomplete)
    assert [option.written for option in found.options][:3] == ["Ks -", "9s -", "2s -"]


@each(("line", "place"), [("§", 0), ("9^", 1), ("#9", 0), ("9 9 -", 4), ("9x", 1)])
def test_what_canasta_does_not_know_means_nothing(line: str, place: int):
    found = answer(playing(), line)
    assert isinstance(found, Unreadable), found
    assert found.at == place


# What is told


@each(
    ("line", "move", "told"),
    [
        ("!3h", DRAW, {"stock": ("3H",)}),
        (".!3h3d", DRAW, {"stock": ("3H", "3D")}),
        ("!3h?", DRAW, {"stock": ("3H", "?")}),
        ("x9s9h kskhkd2s !3h", TAKEN, {"stock": ("3H",)}),
    ],
)
def test_red_threes_are_told_behind_the_move_that_draws_them(line: str, move: Move, told: dict[str, tuple[str, ...]]):
    found = answer(untold(), line)
    assert isinstance(found, MoveReading)
    assert (as_played(found.move), found.told) == (as_played(move), MoveFaces(told))


def test_the_hands_that_are_left_are_told_by_their_seats():
    last = Position("9S", "?", "?", "? ?", melds={0: "K: KS KS KH KH KD KD KC"}, stock="? ?")
    found = answer(last, "9 @1 !ah @2 !jk @3 !2h5c")
    hands: dict[str, tuple[str, ...]] = {"hand:1": ("AH",), "hand:2": ("JK",), "hand:3": ("2H", "5C")}
    assert (isinstance(found, MoveReading) and (found.move, found.told)) == (discard("9S"), MoveFaces(hands))


def test_a_line_may_tell_cards_without_a_move():
    assert answer(untold(), "@1 !3h") == Tells(MoveFaces({"hand:1": ("3H",)}))
    assert answer(untold(), "@2 !ks9h") == Tells(MoveFaces({"hand:2": ("KS", "9H")}))
    assert answer(untold(), "@2 !~ks") == Tells(MoveFaces(lacks={"hand:2": ("KS",)}))


# The worked cases


CASES = {
    file.stem: json.loads(file.read_text(encoding="utf-8"))
    for file in sorted((ROOT / "tests/cases/canasta").glob("*.json"))
    if not file.stem.startswith("own-counted-")  # a line tells faces, and neither ranks nor the worth of a hand
}


class Typed(NamedTuple):
    """A move of a case, the table before it, what is told beside it, and the code with which it is refused."""

    rulebook: Rulebook
    table: Table
    seat: int
    move: Move
    told: KnownFaces
    code: str | None


def typed_moves(case: dict[str, Any]) -> Iterator[Typed]:
    rulebook = CANASTA.bind(case.get("options", {}), case["seats"])
    table = Table(rulebook.setup)
    for hand in case["hands"]:
        try:
            table = fold(table, rulebook.deal(table, hand["dealer"], full_deck(hand, rulebook), get_known_deck(hand)))
        except Refused:
            return
        for entry in hand["moves"]:
            told = KnownFaces(entry.get("known", UNSET), entry.get("lacks", UNSET))
            try:
                effects = (
                    rulebook.resolve(table, entry["seat"], entry["move"], told) if "move" in entry else rulebook.tell(table, told.known)
                )
            except Refused as refused:
                if "move" in entry:
                    yield Typed(rulebook, table, entry["seat"], entry["move"], told, refused.code)
                return
            if "move" in entry:
                yield Typed(rulebook, table, entry["seat"], entry["move"], told, None)
            table = fold(table, effects)


def tail(told: KnownFaces) -> str:
    """What is told, as it is typed."""
    known = told.known if isinstance(told.known, dict) else {}
    seats = {zone: f"@{zone[5:]}" for zone in known if zone.startswith("hand:")}
    return "".join(f" {seats.get(zone, '')}!{''.join(faces).lower().replace('jk', '*')}" for zone, faces in known.items())


@pytest.mark.parametrize(("name", "language"), list(zip(CASES, cycle(LANGUAGES), strict=False)))
def test_the_moves_of_the_worked_cases_are_read_as_they_are_written(name: str, language: str):
    for number, case in enumerate(typed_moves(CASES[name])):
        where = case.table, case.seat
        full = write(case.rulebook, case.move, language, before=where)
        found = read(case.rulebook, *where, full + tail(case.told), language)
        # What is told of cards that a draw does not touch is judged when it is sent.
        if case.code in (None, "card_unknown") or (case.code == "card_impossible" and full == "."):
            assert isinstance(found, MoveReading), full
            assert as_played(found.move) == played(case.move)
            assert found.told.known == ({} if case.told.known is UNSET else as_tuples(case.told.known))
            if number % 3 == 0:
                assert as_played(meant_by(case, write_short(case.rulebook, *where, case.move, language), language)) == played(case.move)
        else:
            assert isinstance(found, IllegalReading | Incomplete), full
            assert found.refused is not None
            assert found.refused.code == case.code


def played(move: Move) -> Any:
    """With the melds that a record may leave out."""
    return as_played({"melds": (), **move} if move["type"] == "take" else move)


def meant_by(case: Typed, line: str, language: str) -> Move:
    found = read(case.rulebook, case.table, case.seat, line, language)
    assert isinstance(found, MoveReading), line
    return found.move


def as_tuples(known: Any) -> dict[str, tuple[str, ...]]:
    return {zone: tuple(faces) for zone, faces in known.items()}
