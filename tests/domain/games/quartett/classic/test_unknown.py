"""Classic Quartett with cards that nobody has told (QKL-18, QKL-19)."""

from functools import partial
from typing import Any

from domain.cards import HIDDEN
from domain.effects import CardsMoved, DetailAnnounced, Effects, Known, MarkSet, TurnPassed
from domain.rules import KnownFaces
from domain.table import Table, fold
from tests.domain.games.positions import moved, refusal_of
from tests.domain.games.quartett.positions import CLASSIC, METALS, Position, asks_of, classic, said
from tests.each import each

UNKNOWN = (HIDDEN,) * 12


def ask(at: Position, target: int, card: str, known: object = None, lacks: object = None) -> Effects:
    told = {name: zones for name, zones in (("known", known), ("lacks", lacks)) if zones is not None}
    return at.judge({"type": "ask", "target": target, "card": card}, told=KnownFaces(**told))


def dealt(known: object = None, deck: tuple[str, ...] = UNKNOWN) -> Position:
    """A hand of three seats that seat 2 dealt."""
    position = Position(CLASSIC.bind(METALS, 3), [])
    told = () if known is None else (known,)
    position.table = fold(position.table, position.rulebook.deal(Table(position.rulebook.setup), 2, deck, *told))
    return position


# What is asked for


def test_whether_the_seat_holds_the_card_is_asked_for():  # QKL-18
    assert asks_of(lambda: ask(dealt(), 1, "A2")) == (("COM-73", "QKL-18"), ({"zone": "hand:1", "face": "A2"},))


def test_a_card_that_is_told_with_the_question_is_handed_over():  # QKL-9, QKL-18
    assert ask(dealt(), 1, "A2", known={"hand:1": ["A2"]}) == (
        Known("hand:1", ("A2",)),
        MarkSet("asks", 1),
        DetailAnnounced(0, "asked", {"target": 1, "card": "A2"}),
        DetailAnnounced(1, "gave", "A2"),
        CardsMoved(("A2",), "hand:1", "hand:0", shown=True),
        TurnPassed("ask", 0, (0,)),
    )


def test_a_card_that_is_told_to_be_lacking_is_refused_by_the_seat():  # QKL-11, QKL-18
    assert ask(dealt(), 1, "A2", lacks={"hand:1": ["A2"]}) == (
        MarkSet("asks", 1),
        DetailAnnounced(0, "asked", {"target": 1, "card": "A2"}),
        DetailAnnounced(1, "refused", "A2"),
        TurnPassed("ask", 1, (1,)),
    )


def test_what_a_seat_lacked_is_asked_for_again():  # QKL-18: it may have got the card since
    position = dealt()
    position.table = fold(position.table, ask(position, 1, "A2", lacks={"hand:1": ["A2"]}))
    assert asks_of(lambda: ask(position, 0, "A2"))[1] == ({"zone": "hand:0", "face": "A2"},)


@each(
    ("hands", "given"),
    [
        (("A1 ?", "A2 ?", "?"), True),  # known to lie there
        (("A1 ?", "? ?", "A2"), False),  # known to lie elsewhere
        (("A1 ?", "B1 B2", "? ?"), False),  # no unknown card there
    ],
)
def test_what_is_known_of_the_card_is_not_asked_for(hands: tuple[str, ...], given: bool):  # QKL-18
    assert bool(moved(ask(classic(*hands), 1, "A2"))) == given


def test_also_what_can_lie_nowhere_else_is_asked_for_and_cannot_be_denied():  # QKL-18, COM-71
    position = classic("A1 B1 B2 B3 B4", "? ?", "C1 C2 C3 C4 A4")
    assert asks_of(lambda: ask(position, 1, "A2"))[1] == ({"zone": "hand:1", "face": "A2"},)
    assert refusal_of(lambda: ask(position, 1, "A2", lacks={"hand:1": ["A2"]})) == ("card_impossible", ("COM-71",))


def test_known_faults_are_found_before_anything_is_asked_for():  # COM-73
    position = classic("A1 ?", "", "? ?")
    faults = [refusal_of(partial(ask, position, target, card))[0] for target, card in ((0, "A2"), (1, "A2"), (2, "A1"))]
    assert faults == ["bad_target", "target_out", "card_already_held"]


def test_by_its_name_the_same_card_is_asked_for():  # QKL-7, QKL-18
    assert asks_of(lambda: ask(dealt(), 1, "Tin"))[1] == ({"zone": "hand:1", "face": "A3"},)


# Quartets


def test_a_quartet_told_with_the_question_that_completes_it_is_laid_down():  # QKL-12, QKL-18
    effects = ask(dealt(), 1, "A2", known={"hand:1": ["A2"], "hand:0": ["A1", "A3", "A4"]})
    assert moved(effects) == [("A2", "hand:1", "hand:0"), ("A1 A2 A3 A4", "hand:0", "laid:0")]
    assert said(effects)[-1] == (0, "quartet", "A")


def test_a_quartet_that_nobody_tells_is_none_and_is_laid_by_nothing_when_it_is_told_later():  # QKL-18
    position = dealt()
    position.table = fold(position.table, ask(position, 1, "A2", known={"hand:1": ["A2"]}))
    position.table = fold(position.table, position.rulebook.tell(position.table, {"hand:0": ["A1", "A3", "A4"]}))
    effects = ask(position, 1, "B2", known={"hand:1": ["B2"]})
    assert moved(effects) == [("B2", "hand:1", "hand:0")]
    assert fold(position.table, effects).cards("laid:0") == ()


def test_quartets_of_the_deal_are_told_with_it():  # QKL-4, QKL-18
    position = dealt({"hand:1": ["C1", "C2", "C3", "C4"]})
    assert (position.view()["quartets"], position.view()["hand_counts"]) == ([[], ["C"], []], [4, 0, 4])
    assert dealt().view()["quartets"] == [[], [], []]


def test_the_cards_of_a_deal_go_to_the_hands_one_at_a_time():  # QKL-3, COM-70
    position = dealt({"hand:0": ["B1"]}, ("A1", "?", "?", "?", "A2", *UNKNOWN[5:]))
    assert position.view()["hands"] == [["A1", "B1", "?", "?"], ["A2", "?", "?", "?"], ["?", "?", "?", "?"]]


# What a seat may ask for


def test_who_may_hold_a_card_of_the_quartet_may_ask_for_another_one():  # QKL-19
    assert ask(classic("?", "B1 ?", "? ?"), 1, "A2", lacks={"hand:1": ["A2"]})


def test_a_card_of_no_quartet_that_the_asker_can_hold():  # QKL-19: A2 to A4 lie elsewhere
    position = classic("B1 ?", "A3 ? ?", "A2 A4 ?")
    assert refusal_of(lambda: ask(position, 1, "A1")) == ("group_not_held", ("QKL-8",))


def test_nobody_asks_for_a_card_that_he_is_known_to_hold_or_must_hold():  # QKL-19
    assert refusal_of(lambda: ask(classic("A1 ?", "? ?", "?"), 1, "A1")) == ("card_already_held", ("QKL-8",))
    alone = classic("? ?", "B1 B2 B3 B4", "A3 A4 C1 C2 C3 C4")
    assert refusal_of(lambda: ask(alone, 1, "A1")) == ("card_already_held", ("QKL-8",))


def test_faces_that_the_asker_is_told_to_lack_are_none_that_he_can_hold():  # QKL-19, COM-71
    position = classic("B1 ?", "A1 ? ?", "? ?")
    told = {"hand:0": ["A3", "A4"]}
    assert refusal_of(lambda: ask(position, 1, "A2", lacks=told)) == ("group_not_held", ("QKL-8",))


@each(
    ("known", "lacks"),
    [
        ({"hand:1": ["A1"]}, None),  # lies in another hand
        ({"hand:2": ["A1", "A2"]}, None),  # has one unknown card only
        ({"laid:0": ["A1"]}, None),  # nothing is told of quartets: they lie open
        (None, {"hand:0": ["A1"]}),  # it is known to lie there
    ],
)
def test_what_cannot_be_is_refused(known: dict[str, Any] | None, lacks: dict[str, Any] | None):  # COM-71
    position = classic("A1 ?", "? ?", "B1 ?")
    assert refusal_of(lambda: ask(position, 1, "A2", known, lacks)) == ("card_impossible", ("COM-71",))


# What may be asked


def test_an_unknown_card_lets_a_seat_ask_for_whatever_it_may_not_hold():  # COM-76
    position = classic("A1 ?", "? ? B1", "B2 B3 B4", laid=("C", "", ""))
    assert [(move["card"], move["target"]) for move in position.rulebook.legal(position.table, 0) if move["target"] == 1] == [
        ("A2", 1),
        ("A3", 1),
        ("A4", 1),
    ]


def test_every_question_that_is_listed_is_accepted_with_some_answer():  # COM-76
    position = classic("A1 ?", "? ? C1", "? ?", "A3 B1")
    for move in position.rulebook.legal(position.table, 0):
        zone = f"hand:{move['target']}"
        try:
            position.judge(move)
        except Exception:
            assert position.judge(move, told=KnownFaces(lacks={zone: [move["card"]]})), move


def test_who_is_out_and_whose_turn_it_is_are_known_by_numbers_of_cards():  # QKL-13, QKL-19
    position = classic("A1 ?", "?", "? ?")
    effects = ask(position, 1, "A2", known={"hand:1": ["A2"]})
    assert effects[-2:] == (DetailAnnounced(1, "out"), TurnPassed("ask", 0, (0,)))
