"""The score sheet, the points on the table, and the end of the match."""

from domain.effects import CardsMoved, GameClosed, HandClosed, Scored
from domain.games.canasta.score import minimum
from domain.score import sheet
from domain.table import fold
from tests.domain.games.canasta.positions import DECK, SEVEN_KINGS, Position
from tests.each import each

ONE_HAND: dict[str, object] = {"end": "hands", "hand_count": 1}


@each(
    ("total", "expected"),
    [(-1, 15), (0, 50), (1499, 50), (1500, 90), (2999, 90), (3000, 120), (9000, 120), (-4000, 15)],
)
def test_the_worth_of_the_first_melds_depends_on_the_total(total: int, expected: int):  # CAN-26
    assert minimum(total) == expected


def rows(position: Position) -> dict[str, list[int]]:
    """What the last hand brought, without the rows that brought nothing."""
    found = position.table.score.hands[-1].rows
    return {row: list(points) for row, points in found.items() if any(points)}


def test_a_hand_is_recorded_line_by_line():  # CAN-43 to CAN-47, COM-50
    position = Position("9S", "KS 2S", "3S", "AH", melds={0: SEVEN_KINGS, 1: "9: 9H 9D JK"}, red={0: "3H", 1: "3D"}, minimums=(50, 90))
    assert position.play("discard", card="9S") == (
        CardsMoved(("9S",), "hand:0", "pile", shown=True),
        Scored("melded_cards", (70, 70)),
        Scored("mixed_canastas", (0, 0)),
        Scored("natural_canastas", (500, 0)),
        Scored("going_out", (100, 0)),
        Scored("concealed_going_out", (0, 0)),
        Scored("red_threes", (100, 100)),
        Scored("all_red_threes", (0, 0)),
        Scored("hand_cards", (-5, -50)),
        HandClosed("went_out", {"out_seat": 0, "concealed": False, "minimums": (50, 90)}),
    )


def test_mixed_canastas_bring_300_and_natural_ones_500():  # CAN-44
    mixed = "K: KS KS KH KH KD KD 2D, 9: 9S 9S 9H 9H 9D JK JK JK"
    position = Position("4S", "4S", "4S", "4S", melds={0: mixed, 1: "Q: QS QS QH QH QD QD QC QC"})
    position.play("discard", card="4S")
    assert rows(position) == {
        "melded_cards": [280, 80],
        "mixed_canastas": [600, 0],
        "natural_canastas": [0, 500],
        "going_out": [100, 0],
        "hand_cards": [-5, -10],
    }


def test_black_threes_count_in_melds_and_in_hands():  # CAN-5, CAN-44, CAN-46
    position = Position("4S", "3S 3C", "3S", "TC", melds={0: f"{SEVEN_KINGS}, 3: 3S 3S 3C"})
    position.play("discard", card="4S")
    assert (rows(position)["melded_cards"], rows(position)["hand_cards"]) == ([85, 0], [-5, -20])


@each(
    ("red", "melds", "expected"),
    [
        ({1: "3H"}, {}, {"red_threes": [0, -100]}),
        ({1: "3H 3D"}, {1: "9: 9S 9H 9D"}, {"red_threes": [0, 200]}),
        ({1: "3H 3H 3D 3D"}, {1: "9: 9S 9H 9D"}, {"red_threes": [0, 400], "all_red_threes": [0, 400]}),
        ({1: "3H 3H 3D 3D"}, {}, {"red_threes": [0, -400], "all_red_threes": [0, -400]}),
        ({0: "3H", 1: "3H 3D 3D"}, {}, {"red_threes": [100, -300]}),
    ],
)
def test_red_threes_count_for_a_party_with_a_meld_and_against_one_without(
    red: dict[int, str], melds: dict[int, str], expected: dict[str, list[int]]
):  # CAN-45
    position = Position("4S", melds={0: SEVEN_KINGS, **melds}, red=red)
    position.play("discard", card="4S")
    assert {row: points for row, points in rows(position).items() if "red" in row} == expected


def test_a_concealed_going_out_brings_another_hundred():  # CAN-42, CAN-44
    position = Position("KS KS KH KH KD KD KC")
    position.lay(SEVEN_KINGS)
    assert (rows(position)["going_out"], rows(position)["concealed_going_out"]) == ([100, 0], [100, 0])


def test_when_the_stock_is_exhausted_nobody_has_gone_out():  # CAN-43
    position = Position("9S", stock="", phase="draw", melds={0: SEVEN_KINGS})
    position.play("pass")
    assert rows(position) == {"melded_cards": [70, 0], "natural_canastas": [500, 0], "hand_cards": [-20, -20]}


# The points on the table


def test_points_on_the_table_are_shown_during_the_hand():  # CAN-51
    position = Position("9S 8S", melds={0: f"{SEVEN_KINGS}, 9: 9H 9D JK"}, red={0: "3H", 1: "3D"})
    assert position.view["provisional"] == [70 + 500 + 70 + 100, 0]


def test_after_the_hand_there_are_none():  # CAN-51
    position = Position("9S", melds={0: SEVEN_KINGS})
    position.play("discard", card="9S")
    assert position.view["provisional"] == [0, 0]


# The end of the match


def over(position: Position) -> GameClosed | None:
    effects = position.play("discard", card="9S")
    return next((effect for effect in effects if isinstance(effect, GameClosed)), None)


def test_the_match_is_over_after_the_hand_in_which_a_party_reached_the_target():  # CAN-48, CAN-50
    # 70 + 500 + 100 - 10 for the partner's card.
    assert over(Position("9S", melds={0: SEVEN_KINGS}, options={"target_score": 660})) == GameClosed((1, 2), {})
    assert over(Position("9S", melds={0: SEVEN_KINGS}, options={"target_score": 661})) is None


def test_start_totals_count_along():  # CAN-47, CAN-48
    position = Position("9S", melds={0: SEVEN_KINGS}, options={"target_score": 2000, "start_totals": [1340, 1999]})
    assert over(position) == GameClosed((1, 2), {})
    assert sheet(position.table.setup, position.table.score).totals == (2000, 1979)


def test_the_highest_total_wins_also_if_both_passed_the_target():  # CAN-50
    melds = {0: "K: KS KS KH KH KD KD 2D", 1: "Q: QS QS QH QH QD QD QC"}
    assert over(Position("9S", "AS", melds=melds, options={"target_score": 400})) == GameClosed((2, 1), {})


def test_equal_totals_are_both_winners():  # CAN-50
    position = Position("9S", melds={0: SEVEN_KINGS}, options={**ONE_HAND, "start_totals": [0, 680]})
    assert over(position) == GameClosed((1, 1), {})
    assert sheet(position.table.setup, position.table.score).winners == (0, 1)


def test_a_match_of_hands_is_over_after_so_many():  # CAN-48
    two: dict[str, object] = {"end": "hands", "hand_count": 2}
    assert over(Position("9S", melds={0: SEVEN_KINGS}, options=two)) is None
    assert over(Position("9S", melds={0: SEVEN_KINGS}, options=two, hand=2)) == GameClosed((1, 2), {})
    # The target is not looked at.
    assert over(Position("9S", melds={0: SEVEN_KINGS}, options={**two, "target_score": 1})) is None


def test_the_next_hand_begins_with_new_minimums():  # CAN-26
    position = Position("9S", melds={0: SEVEN_KINGS}, options={"start_totals": [1000, 5]})
    position.play("discard", card="9S")
    assert position.view["minimums"] == [50, 50]
    position.table = fold(position.table, position.rulebook.deal(position.table, 0, DECK))
    assert position.view["minimums"] == [90, 15]


# The target looked at after every move


AT_ONCE: dict[str, object] = {"target_score": 600, "target_check": "immediate"}


def test_a_hand_is_broken_off_when_the_points_on_the_table_reach_the_target():  # CAN-49
    position = Position("KC 9S 8S", "TC", melds={0: "K: KS KS KH KH KD KD"}, red={0: "3H", 1: "3D"}, options=AT_ONCE)
    position.lay("K: KC")
    hand = position.table.score.hands[0]
    assert (hand.end, hand.facts) == ("target_reached", {"out_seat": None, "concealed": False, "minimums": (50, 50)})
    assert rows(position) == {"melded_cards": [70, 0], "natural_canastas": [500, 0], "red_threes": [100, 0]}
    assert (position.view["phase"], position.view["winners"]) == ("game_over", [0])


def test_a_red_three_may_reach_it():  # CAN-49
    position = Position("9S", melds={0: SEVEN_KINGS}, stock="3H 4D", phase="draw", options=AT_ONCE)
    position.play("draw")
    assert position.table.score.hands[0].end == "target_reached"


def test_totals_before_the_hand_count_along():  # CAN-49
    position = Position("9S 8S", melds={0: SEVEN_KINGS}, options={**AT_ONCE, "start_totals": [29, 0]})
    position.play("discard", card="9S")
    assert position.table.in_hand
    position = Position("9S 8S", melds={0: SEVEN_KINGS}, options={**AT_ONCE, "start_totals": [30, 0]})
    position.play("discard", card="9S")
    assert position.table.phase == "game_over"


def test_a_hand_that_the_move_ended_is_counted_as_usual():  # CAN-49
    position = Position("9S", melds={0: SEVEN_KINGS}, options=AT_ONCE)
    position.play("discard", card="9S")
    assert (position.table.score.hands[0].end, rows(position)["going_out"]) == ("went_out", [100, 0])


@each("options", [{"target_score": 100}, {**AT_ONCE, **ONE_HAND, "target_score": 100}], ids=["hand_end", "hands"])
def test_otherwise_a_hand_is_played_to_its_end(options: dict[str, object]):  # CAN-48, CAN-49
    position = Position("9S 8S", melds={0: SEVEN_KINGS}, options=options)
    position.play("discard", card="9S")
    assert position.table.in_hand
