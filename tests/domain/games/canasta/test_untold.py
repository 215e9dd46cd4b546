"""Cards that nobody has told the record: what is told when, and what counts as nothing until it is (CAN-53 to CAN-56)."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest

from domain.cards import HIDDEN
from domain.effects import Effects, Known
from domain.errors import Refused
from domain.games.canasta import EDITION_1
from domain.games.canasta.cards import DECK, count_ranks, is_wild, points, rank_of
from domain.games.canasta.going_out import may_go_out
from domain.games.canasta.melds import Meld, can_go_out
from domain.rules import KnownFaces, Rulebook
from domain.sight import PUBLIC, masked
from domain.table import Table, fold
from tests.domain.games.canasta.positions import CANASTA, SEVEN_KINGS, SIX_KINGS, Position, groups, refusal_of
from tests.domain.games.positions import cards, json_of, moved
from tests.each import each

UNKNOWN = (HIDDEN,) * 108
NOBODY = [""] * 3


def dealt(known: Mapping[str, str], seats: int = 4, deck: Sequence[str] = UNKNOWN, options: dict[str, object] | None = None) -> Effects:
    """A deal by the last seat, so that seat 0 begins."""
    rulebook = CANASTA.bind(options or {}, seats)
    return rulebook.deal(Table(rulebook.setup), seats - 1, deck, told(known))


def told(zones: Mapping[str, str]) -> dict[str, list[str]]:
    return {zone: list(cards(text)) for zone, text in zones.items()}


def asked(known: Mapping[str, str], **fields: Any) -> tuple[tuple[str, ...], object]:
    """Code and rules of a deal that is refused, and what it asks for."""
    with pytest.raises(Refused) as error:
        dealt(known, **fields)
    return (error.value.code, *error.value.rules), error.value.detail["asks"]


def play(position: Position, move: dict[str, object], known: Mapping[str, str] | None = None) -> Effects:
    effects = position.rulebook.resolve(position.table, position.seat, move, KnownFaces(told(known or {})))
    position.table = fold(position.table, effects)
    return effects


def refused(position: Position, move: dict[str, object], known: Mapping[str, str] | None = None) -> Refused:
    with pytest.raises(Refused) as error:
        play(position, move, known)
    return error.value


DRAW: dict[str, object] = {"type": "draw"}
PASS: dict[str, object] = {"type": "pass"}
ASK: dict[str, object] = {"type": "ask"}


def discard(card: str) -> dict[str, object]:
    return {"type": "discard", "card": card}


def lay(text: str) -> dict[str, object]:
    return {"type": "meld", "melds": groups(text)}


def take(rank: str, named: str = "", melds: str = "") -> dict[str, object]:
    return {"type": "take", "rank": rank, "cards": list(cards(named)), "melds": groups(melds)}


# The deal


def test_the_cards_turned_up_are_asked_for_until_one_stays_on_top():  # CAN-53
    rules = ("card_unknown", "COM-73", "CAN-53")
    assert asked({}) == (rules, ({"zone": "pile", "places": (0,)},))
    assert asked({"pile": "2S"}) == (rules, ({"zone": "pile", "places": (1,)},))
    assert asked({"pile": "2S 3H"}) == (rules, ({"zone": "pile", "places": (2,)},))
    assert moved(dealt({"pile": "2S 3H 3S"}))[4:] == [(card, "stock", "pile") for card in ("2S", "3H", "3S")]


def test_where_the_first_card_is_left_it_is_all_that_is_asked_for():  # CAN-8, CAN-53
    left: dict[str, object] = {"first_upcard": "left"}
    assert asked({}, options=left) == (("card_unknown", "COM-73", "CAN-53"), ({"zone": "pile", "places": (0,)},))
    for card in ("2S", "3H", "3S", "9S"):
        assert moved(dealt({"pile": card}, options=left))[4:] == [(card, "stock", "pile")]


def test_nothing_but_the_cards_turned_up_is_asked_for():  # CAN-53
    table = fold(Table(CANASTA.bind({}, 2).setup), dealt({"pile": "4S"}, seats=2))
    assert (table.cards("hand:0"), table.cards("hand:1"), table.cards("red:0")) == (UNKNOWN[:15], UNKNOWN[:15], ())
    assert (table.cards("pile"), table.cards("stock")) == (("4S",), UNKNOWN[:77])


def test_what_is_known_of_the_deck_is_not_asked_for():  # CAN-53
    deck = [*UNKNOWN[:44], "JK", *UNKNOWN[:63]]
    assert asked({}, deck=deck) == (("card_unknown", "COM-73", "CAN-53"), ({"zone": "pile", "places": (1,)},))
    assert moved(dealt({"pile": "? 4S"}, deck=deck))[4:] == [("JK", "stock", "pile"), ("4S", "stock", "pile")]


def test_red_threes_of_a_dealt_hand_are_told_with_the_deal():  # CAN-53
    assert moved(dealt({"hand:1": "3H 3D", "pile": "4S"}))[5:] == [
        ("3H", "hand:1", "red:1"),
        ("?", "stock", "hand:1"),
        ("3D", "hand:1", "red:1"),
        ("?", "stock", "hand:1"),
    ]


def test_red_threes_drawn_for_others_are_told_as_the_stock_after_the_last_card_turned_up():  # CAN-53
    assert moved(dealt({"hand:0": "3H", "hand:2": "3D", "pile": "2S 4S", "stock": "? 3H"}))[6:] == [
        ("3H", "hand:0", "red:0"),
        ("?", "stock", "hand:0"),
        ("3D", "hand:2", "red:0"),
        ("3H", "stock", "red:0"),
        ("?", "stock", "hand:2"),
    ]


def test_more_can_be_told_of_a_hand_than_has_to_be():  # COM-70
    table = fold(Table(CANASTA.bind({}, 2).setup), dealt({"hand:0": "KS KS 3H", "pile": "4S", "stock": "9C"}, seats=2))
    assert table.cards("hand:0") == ("KS", "KS", *UNKNOWN[:12], "9C")


@each(
    ("known", "rules"),
    [
        ({"pile": "4S 4S"}, ("COM-70",)),
        ({"pile": "2S ? ? 4S"}, ("COM-70",)),
        ({"hand:0": "3H 3H", "hand:1": "3H"}, ("COM-70",)),
        ({"hand:4": "KS"}, ("COM-70",)),
        ({"red:0": "3H"}, ("COM-70",)),
        ({"meld:0:K": "KS"}, ("COM-70",)),
    ],
)
def test_what_cannot_lie_where_it_is_told_of_a_deal(known: dict[str, str], rules: tuple[str, ...]):  # COM-70
    assert refusal_of(lambda: dealt(known)) == ("card_impossible", *rules)


# Drawing


def drawing(**fields: Any) -> Position:
    all_fields: dict[str, Any] = {"phase": "draw", "stock": "? ? ? ?", **fields}
    return Position("? ? ? ?", "? ?", "? ?", "? ?", **all_fields)


def test_a_card_that_is_drawn_need_not_be_told_and_is_no_red_three_then():  # CAN-54
    position = drawing()
    assert moved(play(position, DRAW)) == [("?", "stock", "hand:0")]
    assert position.table.cards("red:0") == ()


def test_a_red_three_is_told_with_the_draw_that_lays_it():  # CAN-54
    position = drawing()
    effects = play(position, DRAW, {"stock": "3H 3D"})
    assert effects[0] == Known("stock", ("3D", "3H"))
    assert moved(effects) == [("3H", "stock", "red:0"), ("3D", "stock", "red:0"), ("?", "stock", "hand:0")]


def test_a_red_three_that_is_the_last_card_of_the_stock_ends_the_hand():  # CAN-12, CAN-55
    position = drawing(stock="?")
    counts = {"hand:0": "5S 5H 5C 6S", "hand:1": "4S 4H", "hand:2": "6H 6C", "hand:3": "4C 4S"}
    assert [ask["count"] for ask in refused(position, DRAW, {"stock": "3H"}).detail["asks"]] == [4, 2, 2, 2]  # pyrefly: ignore[not-iterable]
    play(position, DRAW, {"stock": "3H", **counts})
    assert position.table.score.hands[-1].end == "stock_exhausted"


@each("known", [{"hand:0": "3H"}, {"hand:1": "3D"}, {"hand:0": "9S 3H"}])
def test_told_of_a_hand_a_red_three_cannot_be_there(known: dict[str, str]):  # CAN-54
    position = Position("9S ?", "? ?", *NOBODY[:2])
    error = refused(position, discard("9S"), known)
    assert (error.code, error.rules, error.detail["problem"]) == ("card_impossible", ("COM-71",), "barred")
    assert refusal_of(lambda: position.rulebook.tell(position.table, told(known)))[0] == "card_impossible"


def test_a_move_that_names_a_red_three_names_a_card_that_the_hand_does_not_hold():  # CAN-23, CAN-54
    position = Position("9S ?", *NOBODY)
    assert (refused(position, discard("3H")).code, refused(position, lay("9: 9S 3H")).code) == ("card_not_in_hand", "card_not_in_hand")


@each(
    ("known", "problem"),
    [
        ({"hand:1": "KC"}, "accounted"),
        ({"hand:1": "9S 9H 8D"}, "full"),
        ({"pile": "5D"}, "other"),
        ({"stock": "? ? ? ? 5D"}, "place"),
        ({"meld:0:K": "KC"}, "zone"),
    ],
)
def test_what_cannot_lie_where_it_is_told(known: dict[str, str], problem: str):  # COM-71
    position = drawing(melds={0: f"{SEVEN_KINGS}, 9: 9C 9C 9D"}, pile="KC 4D")
    assert refused(position, DRAW, known).detail["problem"] == problem


# Taking the pile


def test_red_threes_of_a_pile_are_known_and_those_that_replace_them_are_told():  # CAN-13, CAN-54
    position = drawing(pile="3H 4D KC", pile_marks={"frozen": "3H", "red_threes": 1}, melds={0: "A: AS AS AH"})
    effects = play(position, take("K", "KS KH"), {"stock": "3D"})
    assert moved(effects)[-4:] == [
        ("3H 4D", "pile", "hand:0"),
        ("3H", "hand:0", "red:0"),
        ("3D", "stock", "red:0"),
        ("?", "stock", "hand:0"),
    ]


def test_cards_of_a_pile_stay_known_in_the_hand_of_whoever_takes_it():
    """They were seen when they were discarded, though they lie covered and the hand is nobody else's business."""
    position = Position("KS KH ? ?", "? ?", "? ?", "? ?", phase="draw", pile="5S 6S 7S KC", melds={0: "A: AS AS AH"})
    play(position, take("K", "KS KH"))
    assert position.table.cards("hand:0") == ("?", "?", "5S", "6S", "7S")
    assert masked(position.table, PUBLIC).cards("hand:0") == ("?",) * 5
    assert moved(play(position, discard("6S"))) == [("6S", "hand:0", "pile")]


def test_the_cards_that_are_laid_with_the_top_card_tell_themselves():  # COM-72
    position = drawing(pile="4D KC", melds={0: "A: AS AS AH"})
    effects = play(position, take("K", "KS KS"))
    assert effects[:2] == (Known("hand:0", ("KS",)), Known("hand:0", ("KS", "KS")))
    assert position.table.cards("hand:0") == ("?", "?", "4D")


def test_of_equal_cards_the_known_one_is_meant_first():  # COM-72
    position = Position("KS ? ?", *NOBODY, melds={0: "A: AS AS AH"})
    play(position, discard("KS"))
    assert position.table.cards("hand:0") == ("?", "?")


# The end of a hand


def test_whoever_goes_out_is_asked_for_the_cards_that_the_others_keep():  # CAN-55
    position = Position("? ?", "? ? 9S", "? ?", "7S 7H", melds={0: SEVEN_KINGS})
    play(position, lay("K: KC"))
    error = refused(position, discard("4S"))
    assert (error.code, error.rules) == ("card_unknown", ("COM-73", "CAN-55"))
    assert error.detail["asks"] == ({"zone": "hand:1", "count": 3}, {"zone": "hand:2", "count": 2})
    play(position, discard("4S"), {"hand:1": "QS 9S QH", "hand:2": "4D JK"})
    hand = position.table.score.hands[-1]
    assert (hand.end, dict(hand.rows)["hand_cards"]) == ("went_out", (-55, -40))


def test_a_hand_is_stopped_when_the_cards_that_count_were_told_before():  # COM-43, CAN-55
    position = Position("4S 5S", "? 9S", "", "")
    with pytest.raises(Refused) as stopped:
        position.rulebook.stop(position.table)
    assert (stopped.value.code, stopped.value.detail["asks"]) == ("card_unknown", ({"zone": "hand:1", "count": 2},))
    english, german = (CANASTA.sentence(stopped.value, language) for language in ("en", "de"))
    assert english.endswith('Tell by "tellings" first, and stop it then: all 2 cards of "hand:1".')
    assert german.endswith("Bitte erst mit „tellings“ nennen und das Spiel dann beenden: alle 2 Karten in „hand:1“.")
    told_before = fold(position.table, position.rulebook.tell(position.table, told({"hand:1": "9S QH"})))
    hand = fold(told_before, position.rulebook.stop(told_before).effects).score.hands[-1]
    assert (hand.end, dict(hand.rows)["hand_cards"]) == ("stock_exhausted", (-10, -20))


def test_whoever_passes_is_asked_for_his_own_cards_too():  # CAN-18, CAN-55
    position = Position("? 9S", "? 9H", "9D", "", phase="draw", stock="")
    assert refused(position, PASS).detail["asks"] == ({"zone": "hand:0", "count": 2}, {"zone": "hand:1", "count": 2})


def test_what_is_told_in_part_is_asked_for_again():  # CAN-55
    position = Position("KC", "? ?", "? ?", "", melds={0: SEVEN_KINGS})
    error = refused(position, discard("KC"), {"hand:1": "9S 9H", "hand:2": "9D"})
    assert error.detail["asks"] == ({"zone": "hand:2", "count": 2},)


def test_cards_are_asked_for_after_everything_else_was_found_in_order():  # CAN-55
    position = Position("KC", "? ?", *NOBODY[:2], melds={0: "A: AS AS AH"})
    assert refused(position, discard("KC")).code == "going_out_needs_canasta"
    position = Position("KC", "? ?", *NOBODY[:2], phase="draw")
    assert refused(position, PASS).code == "stock_not_empty"


def test_if_the_target_is_reached_no_hand_counts_and_nothing_is_asked_for():  # CAN-49, CAN-55
    position = Position("? ? ? ? ?", "? ?", "? ?", "? ?", options={"target_check": "immediate", "target_score": 50})
    play(position, lay("A: AS AH AD"))
    assert position.table.score.hands[-1].end == "target_reached"
    assert position.table.cards("hand:1") == ("?", "?")


# Going out


@each(
    ("hand", "pool", "expected"),
    [
        ("9S 9H ?", "9D", True),  # a third nine
        ("9S 9H ?", "2D", True),  # a wild card
        ("9S 9H ?", "8S", False),
        ("9S ?", "8S", False),
        ("9S ?", "9H 8S", False),  # one card is left over in any case, and two nines are no meld
        ("9S 8S ? ?", "9H 9D", True),  # the eight is discarded
        ("9S 8S ? ?", "9H 8H", False),
        ("9S 8S 7S ?", "9H 8H 7H 2D", False),
        ("?", "8S", True),
        ("? ?", "KC", True),
        ("3S ? ?", "3S 3C", True),
        ("3S 3S 3C 9S 9S ?", "2D 8S", True),
        ("3S 3S 9S ?", "3C 9S", True),
        ("3S 3S 9S 9S ?", "3C 9S", False),
    ],
)
def test_somebody_can_go_out_as_long_as_that_can_be(hand: str, pool: str, expected: bool):  # CAN-56
    held = [card for card in cards(hand) if card != HIDDEN]
    assert may_go_out(count_ranks(held), hand.count(HIDDEN), count_ranks(cards(pool)), {"K": Meld(7)}) is expected


@each(
    ("hand", "melds", "pool", "expected"),
    [
        ("?", {"K": Meld(6)}, "KC", True),
        ("?", {"K": Meld(6)}, "2S", True),
        ("?", {"K": Meld(3, 3)}, "2S", False),
        ("? ?", {"K": Meld(5)}, "KC 2D", True),
        ("? ? ?", {"K": Meld(3)}, "2S 2D JK", False),  # four natural cards at least
        ("? ? ? ?", {"K": Meld(3)}, "2S 2D JK KC", True),
        ("KS KH KD KC 2S 2H ?", {"9": Meld(3)}, "JK", True),
        ("KS KH KD KC 2S 2H ?", {"9": Meld(3)}, "9S", False),
    ],
)
def test_a_canasta_has_to_be_possible(hand: str, melds: dict[str, Meld], pool: str, expected: bool):  # CAN-56
    held = [card for card in cards(hand) if card != HIDDEN]
    assert may_go_out(count_ranks(held), hand.count(HIDDEN), count_ranks(cards(pool)), melds) is expected


@each(("minimum", "expected"), [(120, True), (135, False)])
def test_the_worth_of_the_first_melds_has_to_be_possible(minimum: int, expected: bool):  # CAN-56
    held = count_ranks(cards("9S 9S 9H 9H 9D 9D 9C"))
    assert may_go_out(held, 1, count_ranks(cards("JK 9C")), {}, minimum) is expected


def test_nobody_is_refused_who_can_go_out_with_some_faces_and_next_to_nobody_let_out_who_cannot():  # CAN-56
    chance, generous = Random(7), 0
    for _ in range(1500):
        ranks = chance.sample("AK93", 3)
        drawn = [card for card in DECK if card not in ("3H", "3D") and (is_wild(card) or rank_of(card) in (*ranks, "5"))]
        chance.shuffle(drawn)
        held, pool, unknown = drawn[: chance.randint(0, 7)], drawn[8 : 8 + chance.randint(5, 9)], chance.randint(1, 3)
        melds = {rank: Meld(chance.randint(3, 6), chance.randint(0, 2)) for rank in ranks[:2] if rank != "3" and chance.random() < 0.5}
        minimum = 0 if melds else chance.choice([0, 50, 90])
        due = any(can_go_out(count_ranks((*held, *faces)), melds, minimum) for faces in combinations(pool, unknown))
        answer = may_go_out(count_ranks(held), unknown, count_ranks(pool), melds, minimum)
        assert answer or not due, (held, pool, unknown, melds, minimum)
        generous += answer != due
    assert generous <= 20


def test_a_question_is_refused_only_if_nobody_could_go_out_with_such_cards():  # CAN-39, CAN-56
    asking = Position("9S ? ?", *NOBODY, melds={0: SEVEN_KINGS})
    assert play(asking, ASK)
    hopeless = Position("9S 8S 7S ?", *NOBODY, melds={0: SEVEN_KINGS})
    assert refused(hopeless, ASK).code == "cannot_go_out"


def test_black_threes_are_laid_as_long_as_the_player_may_be_able_to_go_out():  # CAN-24, CAN-56
    laid = lay("3: 3S 3S 3C")
    assert play(Position("? ? ? ? ?", *NOBODY, melds={0: SEVEN_KINGS}), laid)
    assert refused(Position("? ? ? 9S 8S", *NOBODY, melds={0: SEVEN_KINGS}), laid).code == "black_threes_not_last"


def test_a_card_that_nobody_knows_may_be_the_one_that_completes_the_canasta():  # CAN-38, CAN-56
    laid = lay("9: 9S 9H 9D")
    assert play(Position("9S 9H 9D ?", *NOBODY, melds={0: SIX_KINGS}), laid)
    nowhere = Position("9S 9H 9D ?", *NOBODY, melds={0: "K: KS KS KH KH KD"})
    assert refused(nowhere, laid).code == "going_out_needs_canasta"


def test_what_was_taken_to_be_possible_and_is_not_is_found_with_the_last_card():  # CAN-36, COM-74
    position = Position("9S 9H 9D ?", *NOBODY, melds={0: SIX_KINGS})
    play(position, lay("9: 9S 9H 9D"))
    assert refused(position, discard("5S")).code == "going_out_needs_canasta"
    assert play(position, lay("K: KC"))


# Passing


def passing(melds: str, hand: str, pool: str = "") -> Position:
    """The stock is empty and an ace lies on the pile."""
    return Position(hand, *NOBODY, melds={0: melds}, pile="AC", phase="draw", stock="")


def test_who_could_take_whatever_his_cards_are_must_take():  # CAN-19, CAN-56
    assert refused(passing("A: AS AS AH", "? ?"), PASS).code == "must_take"
    assert refused(passing(f"A: AS AS AH, {SEVEN_KINGS}", "?"), PASS).code == "must_take"


def test_nobody_must_take_because_of_a_card_that_he_may_hold():  # CAN-19, CAN-56
    position = passing(f"A: AS AS AH, {SIX_KINGS}", "?")
    assert play(position, PASS, {"hand:0": "9S"})
    assert position.table.score.hands[-1].end == "stock_exhausted"
    assert play(passing(f"A: AS AS AH, {SIX_KINGS}", "?"), take("A"))


def test_whose_card_is_told_with_the_pass_must_take_if_it_lets_him():  # CAN-19, COM-71
    assert refused(passing(f"A: AS AS AH, {SIX_KINGS}", "?"), PASS, {"hand:0": "KC"}).code == "must_take"


# What others see of it


def test_to_everybody_else_unknown_is_the_same_as_hidden():
    full = Position("9S 9H", "KC KD", "5D 4D", "QS QH", phase="draw", stock="7C 8C 8D")
    unknown = Position("? ?", "? ?", "? ?", "? ?", phase="draw", stock="? ? ?")
    views = [json_of(position.rulebook.view(masked(position.table, PUBLIC))) for position in (full, unknown)]
    assert views[0] == views[1]


def test_in_the_first_edition_cards_are_told_in_the_same_way():
    rulebook: Rulebook = EDITION_1.bind({}, 2)
    table = Table(rulebook.setup)
    table = fold(table, rulebook.deal(table, 1, UNKNOWN, {"pile": ["4S"]}))
    assert refusal_of(lambda: rulebook.resolve(table, 0, DRAW, KnownFaces({"hand:0": ["3H"]})))[0] == "card_impossible"
    assert rulebook.resolve(table, 0, DRAW, KnownFaces({"stock": ["3H"]}))


def test_cards_of_a_hand_that_nobody_told_are_worth_nothing_yet():  # CAN-46
    assert points(UNKNOWN) == 0
