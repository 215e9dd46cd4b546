"""Going out: who can, who may, who has to; asking the partner; going out concealed."""

from itertools import product
from random import Random

from domain.effects import DetailAnnounced, MarkSet, TurnPassed
from domain.games.canasta.cards import Held, count_ranks, is_wild, points, rank_of
from domain.games.canasta.melds import NONE, Meld, can_go_out
from domain.table import fold
from tests.domain.games.canasta.positions import DECK, SEVEN_KINGS, SIX_KINGS, Position, refusal_of
from tests.domain.games.positions import cards
from tests.each import each

ASKING = "KS KS KH KH KD KD KC AS AS AH AH 9H"
"""A hand that can go out at once."""


# Whether somebody can go out


@each(
    ("hand", "melds", "expected"),
    [
        ("", {"K": Meld(7)}, True),
        ("", {"K": Meld(6)}, False),
        ("9S", {"K": Meld(7)}, True),
        ("9S", {"K": Meld(6)}, False),
        ("KC", {"K": Meld(6)}, True),
        ("2S", {"K": Meld(6)}, True),
        ("2S", {"K": Meld(4, 3)}, True),
        ("2S 2H", {"K": Meld(4, 3)}, False),
        ("9S 9H", {"K": Meld(7)}, False),
        ("9S 9H 2S", {"K": Meld(7)}, True),
        ("9S 9H 8S 8H 2S", {"K": Meld(7)}, False),
        ("9S 9H 8S 8H 2S 2D", {"K": Meld(7)}, True),
        ("9S 9H 9D 9C 2S 2D JK", {}, True),
        ("9S 9H 9D 2S 2D JK", {}, False),
        ("9S 9H 9D 9C 2S 2D 2H JK", {}, True),
        ("9S 9H 9D 9C 2S 2D 2H 2C JK", {}, False),
        ("3S 3S 3C", {"K": Meld(7)}, True),
        ("3S 3S", {"K": Meld(7)}, False),
        ("3S", {"K": Meld(7)}, True),
        ("3S 3S 2D", {"K": Meld(7)}, False),
        ("3S 9S", {"K": Meld(7), "3": Meld(3)}, True),
    ],
)
def test_all_but_one_card_have_to_be_laid_with_a_canasta_in_the_end(hand: str, melds: dict[str, Meld], expected: bool):  # CAN-37
    assert can_go_out(count_ranks(cards(hand)), melds) is expected


@each(("minimum", "expected"), [(50, True), (85, True), (86, False), (90, False)])
def test_a_party_without_a_meld_has_to_reach_its_minimum_as_well(minimum: int, expected: bool):  # CAN-37
    assert can_go_out(count_ranks(cards("9S 9S 9H 9H 9D 9D 9C 7H 7D 7C 8D")), {}, minimum) is expected


def can_by_trying(hand: tuple[str, ...], melds: dict[str, Meld], minimum: int) -> bool:
    """Every discard, and every way to give the wild cards to ranks."""
    choices = [hand, *(hand[:place] + hand[place + 1 :] for place in range(len(hand)))]
    return any(points(laid) >= minimum and lays(laid, melds) for laid in choices)


def lays(laid: tuple[str, ...], melds: dict[str, Meld]) -> bool:
    wild = [card for card in laid if is_wild(card)]
    after: Held = count_ranks(card for card in laid if not is_wild(card))
    ranks = sorted({*after, *melds})
    for places in product(ranks, repeat=len(wild)):
        result = {
            rank: Meld(melds.get(rank, NONE).natural + after[rank], melds.get(rank, NONE).wild + places.count(rank)) for rank in ranks
        }
        legal = all(
            meld.size >= 3 and meld.wild <= min(3, meld.natural) and not (rank == "3" and meld.wild) for rank, meld in result.items()
        )
        if legal and any(meld.size >= 7 for meld in result.values()):
            return True
    return False


def test_going_out_is_computed_as_trying_everything_would_find():  # CAN-37
    chance = Random(5)
    found = set()
    for _ in range(800):
        ranks = chance.sample("AK93", 3)
        pool = [card for card in DECK if card not in ("3H", "3D") and (is_wild(card) or rank_of(card) in ranks)]
        hand = tuple(chance.sample(pool, chance.randint(0, 9)))
        melds = {rank: Meld(chance.randint(3, 6), chance.randint(0, 2)) for rank in ranks[:2] if rank != "3" and chance.random() < 0.5}
        minimum = 0 if melds else chance.choice([0, 50, 90])
        found.add(can_go_out(count_ranks(hand), melds, minimum))
        assert can_go_out(count_ranks(hand), melds, minimum) == can_by_trying(hand, melds, minimum), (hand, melds, minimum)
    assert found == {True, False}


# Going out


def went_out(position: Position) -> tuple[object, ...]:
    hand = position.table.score.hands[-1]
    return hand.end, hand.facts["out_seat"], hand.facts["concealed"]


def test_the_last_card_may_be_melded_or_discarded():  # CAN-36
    position = Position("9S 9H 9D", melds={0: SEVEN_KINGS})
    position.lay("9: 9S 9H 9D")
    assert went_out(position) == ("went_out", 0, False)
    position = Position("9S", melds={0: SEVEN_KINGS})
    position.play("discard", card="9S")
    assert went_out(position) == ("went_out", 0, False)


def test_the_canasta_may_be_completed_by_the_same_move():  # CAN-36
    position = Position("KC", melds={0: SIX_KINGS})
    position.lay("K: KC")
    assert went_out(position) == ("went_out", 0, False)


def test_nobody_discards_his_last_card_without_a_canasta():  # CAN-36
    assert Position("9S", melds={0: SIX_KINGS, 1: SEVEN_KINGS}).refusal("discard", card="9S") == ("going_out_needs_canasta", "CAN-36")


@each("text", ["9: 9S 9H 9D", "9: 9S 9H 9D, K: KC"])
def test_a_meld_leaves_two_cards_or_a_way_out(text: str):  # CAN-38
    position = Position("9S 9H 9D KC", melds={0: "K: KS KS KH KH KD"})
    assert position.laying_refused(text) == ("going_out_needs_canasta", "CAN-36", "CAN-38")
    position = Position("9S 9H 9D KC", melds={0: SIX_KINGS})
    assert position.lay(text)


def test_after_going_out_the_flags_of_the_turn_have_lapsed():  # CAN-41
    position = Position("9S", melds={0: SEVEN_KINGS}, marks={"question": "granted", "must_go_out": True})
    position.play("discard", card="9S")
    assert (position.view["question"], position.view["must_go_out"], position.view["phase"]) == (None, False, "hand_over")


# Asking


def test_the_partner_is_asked_and_only_he_acts():  # CAN-39, COM-50
    position = Position(ASKING)
    assert position.play("ask") == (
        DetailAnnounced(0, "question_asked", {"partner": 2}),
        MarkSet("question", "pending"),
        TurnPassed("answer", 0, (2,)),
    )
    assert (position.view["turn"], position.view["to_act"], position.view["question"]) == (0, [2], "pending")


def test_while_the_question_is_open_the_partner_only_answers():  # CAN-39, CAN-52
    position = Position(ASKING, "TC", "9S 9S 9D")
    position.play("ask")
    assert position.refusal("draw") == ("answer_pending", "CAN-39", "CAN-52")
    assert position.refusal("ask") == ("answer_pending", "CAN-39", "CAN-52")
    assert position.refusal("discard", card="9S") == ("answer_pending", "CAN-39", "CAN-52")
    assert position.laying_refused("9: 9S 9S 9D") == ("answer_pending", "CAN-39", "CAN-52")
    asker = {"type": "discard", "card": "9H"}
    assert refusal_of(lambda: position.judge(asker, 0)) == ("not_your_turn", "COM-25", "CAN-10", "CAN-39")


def test_nobody_answers_who_was_not_asked():  # CAN-39
    assert Position(ASKING).refusal("answer", consent=True) == ("no_question", "CAN-39")
    assert Position(ASKING, phase="draw").refusal("answer", consent=True) == ("no_question", "CAN-39")


def test_two_players_have_nobody_to_ask():  # CAN-39
    assert Position(ASKING, seats=2).refusal("ask") == ("no_partner", "CAN-39")


@each("consent", [True, False])
def test_the_partner_is_asked_once_in_a_turn(consent: bool):  # CAN-39
    position = Position(ASKING)
    position.play("ask")
    position.play("answer", consent=consent)
    assert position.refusal("ask") == ("already_asked", "CAN-39")


def test_nobody_asks_with_a_single_card():  # CAN-39
    assert Position("9S", melds={0: SEVEN_KINGS}).refusal("ask") == ("ask_too_late", "CAN-39")


def test_nobody_asks_who_cannot_go_out():  # CAN-37, CAN-39
    assert Position("9S 8S", melds={0: SEVEN_KINGS}).refusal("ask") == ("cannot_go_out", "CAN-37", "CAN-39")


# The answer


def test_a_no_is_recorded_and_the_asker_goes_on():  # CAN-39, CAN-40
    position = Position(ASKING)
    position.play("ask")
    assert position.play("answer", consent=False) == (
        DetailAnnounced(2, "question_answered", {"asker": 0, "consent": False}),
        MarkSet("question", "denied"),
        TurnPassed("play", 0, (0,)),
    )


def test_after_a_no_two_cards_are_kept():  # CAN-40
    position = Position("KC 9S 9H 9D 8S", melds={0: SEVEN_KINGS}, marks={"question": "denied"})
    assert position.laying_refused("K: KC, 9: 9S 9H 9D") == ("going_out_denied", "CAN-40")
    position.lay("9: 9S 9H 9D")
    assert position.laying_refused("K: KC") == ("going_out_denied", "CAN-40")
    assert position.play("discard", card="8S")


def test_after_a_no_black_threes_are_kept():  # CAN-40
    position = Position("3S 3S 3C 9S", melds={0: SEVEN_KINGS}, marks={"question": "denied"})
    assert position.laying_refused("3: 3S 3S 3C") == ("going_out_denied", "CAN-40")


def test_the_answer_is_forgotten_with_the_turn():  # CAN-41
    position = Position("9S 8S", melds={0: SEVEN_KINGS}, marks={"question": "denied"})
    position.play("discard", card="9S")
    assert position.view["question"] is None


def test_after_a_yes_the_asker_goes_out_in_this_turn():  # CAN-41
    position = Position(ASKING)
    position.play("ask")
    assert position.play("answer", consent=True)[1:3] == (MarkSet("question", "granted"), MarkSet("must_go_out", True))
    assert position.refusal("discard", card="9H") == ("must_go_out", "CAN-41")
    position.lay("K: KS KS KH KH KD KD KC")
    position.lay("A: AS AS AH AH")
    position.play("discard", card="9H")
    assert went_out(position) == ("went_out", 0, True)


def test_after_a_yes_each_meld_keeps_going_out_possible():  # CAN-41
    position = Position("9S 9H 8S 8H 2S 2D 7C", melds={0: SEVEN_KINGS}, marks={"question": "granted", "must_go_out": True})
    assert position.laying_refused("9: 9S 9H 2S 2D") == ("must_go_out", "CAN-41")
    assert position.laying_refused("K: 2S") == ("must_go_out", "CAN-41")
    assert position.lay("9: 9S 9H 2S")


# Concealed


def test_going_out_is_concealed_without_a_meld_before_the_turn():  # CAN-42
    position = Position(ASKING, melds={1: SEVEN_KINGS})
    position.lay("K: KS KS KH KH KD KD KC")
    position.lay("A: AS AS AH AH")
    position.play("discard", card="9H")
    assert went_out(position) == ("went_out", 0, True)


def test_taking_the_pile_does_not_spoil_it_nor_do_red_threes():  # CAN-14, CAN-42
    position = Position("KS KS KH KH KD KD", pile="KC", phase="draw", red={0: "3H"})
    position.take("K", "KS KS KH KH KD KD")
    assert went_out(position) == ("went_out", 0, True)


def test_it_is_not_concealed_if_the_partner_had_melded():  # CAN-42
    position = Position("TC", "TC", ASKING, melds={0: "9: 9S 9D 9C"}, turn=2)
    position.lay("K: KS KS KH KH KD KD KC, A: AS AS AH AH, 9: 9H")
    assert went_out(position) == ("went_out", 2, False)


def test_it_is_not_concealed_in_a_later_turn():  # CAN-42
    position = Position("KS KS KH KH KD KD KC AS AH", seats=2, stock="5D 6D")
    position.lay("K: KS KS KH KH KD KD KC")
    position.play("discard", card="AH")
    position.play("draw")
    position.play("discard", card="TC")
    position.play("draw")
    position.play("discard", card="6D")
    position.table = fold(position.table, (TurnPassed("play", 0, (0,)),))
    position.play("discard", card="AS")
    assert went_out(position) == ("went_out", 0, False)
