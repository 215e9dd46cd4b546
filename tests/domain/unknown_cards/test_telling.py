"""Cards are told with a move, by it, or between two moves; what cannot be is refused (COM-71, COM-72, COM-75)."""

from typing import Any

from domain.effects import CardsMoved, Known, TurnPassed
from domain.rules import KnownFaces
from domain.table import Table, fold
from tests.domain.unknown_cards.tables import RULES, dealt, refusal, trail
from tests.each import each


def hand(table: Table, seat: int) -> tuple[str, ...]:
    return table.cards(f"hand:{seat}")


def test_a_card_that_a_move_names_is_told_by_it_before_it_goes():  # COM-72
    assert trail(dealt(), 0, "6S") == (
        Known("hand:0", ("6S",)),
        CardsMoved(("6S",), "hand:0", "board", shown=True),
        TurnPassed("play", 1, (1,)),
    )


def test_a_card_that_is_known_to_lie_there_is_told_by_nothing():
    assert trail(dealt(hand_0=("6S",)), 0, "6S")[0] == CardsMoved(("6S",), "hand:0", "board", shown=True)


def test_a_card_that_is_accounted_for_elsewhere_is_not_in_the_hand():  # COM-72: the game's own code
    assert refusal(lambda: trail(dealt(), 0, "9C")) == ("card_not_in_hand", {"card": "9C"})


def test_a_hand_holds_at_least_what_is_told_of_it():  # COM-71
    table = fold(dealt(hand_0=("6S",)), trail(dealt(hand_0=("6S",)), 0, "7S", known={"hand:0": ["7S", "6S"]}))
    assert sorted(hand(table, 0)) == ["6S", "?", "?"]


def test_where_the_order_counts_the_next_card_to_leave_comes_first():  # COM-71
    assert RULES.tell(dealt(), {"stock": ["?", "7S", "?", "8S"]}) == (Known("stock", ("8S", "?", "7S", "?")),)


def test_what_is_known_and_agrees_may_be_told_again():  # COM-71
    assert RULES.tell(dealt(hand_0=("6S",)), {"hand:0": ["6S"], "board": ["?", "KD"]}) == ()


@each(
    ("known", "card", "problem"),
    [
        ({"hand:0": ["9C"]}, "9C", "accounted"),
        ({"hand:0": ["6S", "6S"]}, "6S", "accounted"),
        ({"hand:0": ["6S"], "hand:1": ["6S"]}, "6S", "accounted"),
        ({"board": ["4S"]}, "4S", "other"),
        ({"board": ["?", "?", "?", "?", "4S"]}, "4S", "place"),
        ({"hand:0": ["6S", "7S", "8S", "TS", "JS"]}, "JS", "full"),
        ({"hand:7": ["6S"]}, "?", "zone"),
        ({"won:0": ["6S"]}, "?", "zone"),
        ({"nowhere": []}, "?", "zone"),
    ],
)
def test_a_face_that_cannot_be_there_is_refused(known: Any, card: str, problem: str):  # COM-71
    zone = [*known][-1]
    others = {"zones": ["board", "hand:0", "hand:1", "stock"]} if problem == "zone" else {}
    assert refusal(lambda: RULES.tell(dealt(), known)) == ("card_impossible", {"zone": zone, "card": card, "problem": problem, **others})
    assert refusal(lambda: trail(dealt(), 0, "5H", known=known))[0] == "card_impossible"


def test_what_a_zone_is_known_to_hold_it_does_not_lack():  # COM-71
    refused = refusal(lambda: trail(dealt(hand_0=("6S",)), 0, "7S", lacks={"hand:0": ["6S"]}))
    assert refused == ("card_impossible", {"zone": "hand:0", "card": "6S", "problem": "held"})
    assert refusal(lambda: trail(dealt(), 0, "7S", known={"hand:1": ["8S"]}, lacks={"hand:1": ["8S"]}))[1]["problem"] == "held"
    assert refusal(lambda: trail(dealt(), 0, "7S", lacks={"hand:0": ["7S"]}))[1]["problem"] == "held"  # the move itself says so


@each("wrong", [None, [], "hand:0", {"hand:0": "6S"}, {"hand:0": [6]}, {"hand:0": ["1S"]}, {"hand:0": None}, {"hand:0": ["6S"] * 53}])
def test_what_is_of_a_wrong_form_is_a_malformed_move(wrong: Any):  # COM-71
    assert refusal(lambda: trail(dealt(), 0, "6S", known=wrong))[0] == "malformed_move"
    assert refusal(lambda: trail(dealt(), 0, "6S", lacks=wrong))[0] == "malformed_move"
    assert refusal(lambda: RULES.tell(dealt(), wrong))[0] == "malformed_move"


def test_that_an_untold_card_is_lacking_says_nothing():
    assert refusal(lambda: trail(dealt(), 0, "6S", lacks={"hand:0": ["?"]}))[0] == "malformed_move"


def test_what_is_told_is_judged_after_the_turn_and_before_the_rules_of_the_game():  # COM-71
    impossible = {"hand:0": ["9C"]}
    assert refusal(lambda: trail(dealt(), 1, "9C", known=impossible))[0] == "not_your_turn"
    assert refusal(lambda: trail(dealt(), 0, "9C", known=impossible))[0] == "card_impossible"


def test_on_a_table_that_is_fully_known_telling_what_agrees_changes_nothing():
    table = Table(RULES.setup)
    table = fold(table, RULES.deal(table, 1, RULES.deck))
    card = table.cards("hand:0")[0]
    move = {"type": "trail", "card": card}
    assert RULES.resolve(table, 0, move, KnownFaces({"hand:0": [card]}, {"hand:1": [card]})) == RULES.resolve(table, 0, move)
    other = table.cards("hand:1")[0]
    assert refusal(lambda: RULES.resolve(table, 0, move, KnownFaces({"hand:0": [other]})))[0] == "card_impossible"


def test_told_after_the_end_of_a_hand_a_card_has_no_other_consequence():  # COM-75
    table = dealt()
    over = fold(table, (TurnPassed("hand_over", None, ()),))
    assert RULES.tell(over, {"hand:1": ["TD"]}) == (Known("hand:1", ("TD",)),)
