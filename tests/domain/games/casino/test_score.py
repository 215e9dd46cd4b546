"""The end of a hand, the count, and the end of the game."""

from domain.effects import CardsMoved, DetailAnnounced, GameClosed, HandClosed, Scored, SightSet
from domain.games.casino.score import ROWS, DecidedHand, Rows, decide_winner, hand_rows, places
from domain.score import sheet
from tests.domain.games.casino.positions import SWEEPS, Position, groups
from tests.domain.games.positions import cards, json_of
from tests.each import each

NOTHING = dict.fromkeys(ROWS, (0, 0))


def rows_of(*piles: str, sweeps: tuple[int, ...] | None = None) -> Rows:
    return hand_rows([cards(pile) for pile in piles], sweeps or (0,) * len(piles))


# The count of a hand


def test_each_row_counts_for_whoever_has_its_cards():  # CNO-60
    assert rows_of("TD AS 5H AH", "2S AC AD", sweeps=(0, 2)) == {
        "cards": (3, 0),
        "spades": (0, 0),
        "big_casino": (2, 0),
        "little_casino": (0, 1),
        "ace_spades": (1, 0),
        "ace_clubs": (0, 1),
        "ace_hearts": (1, 0),
        "ace_diamonds": (0, 1),
        "sweeps": (0, 2),
    }


def test_the_rows_stand_in_the_order_in_which_they_are_credited():  # CNO-60
    assert tuple(rows_of("", "")) == ROWS


def test_shared_most_cards_count_for_nobody():  # CNO-61
    assert rows_of("5H 6H", "7H 8H", "9H")["cards"] == (0, 0, 0)
    assert rows_of("5H 6H", "7H 8H", "9H TH JH")["cards"] == (0, 0, 3)


def test_shared_most_spades_count_for_nobody():  # CNO-61
    assert rows_of("5S 6H", "7S 8H")["spades"] == (0, 0)
    assert rows_of("5S 6H", "7S 8S")["spades"] == (0, 1)


def test_piles_without_a_card_score_nothing():  # CNO-54
    assert rows_of("", "") == NOTHING


# The end of a hand


def test_the_last_capturer_gets_what_is_left_and_everything_is_counted():  # CNO-50, CNO-51, CNO-60
    position = Position("TD", "5C", board="TS 2S KH", stock="", piles={0: "3S", 1: "AS 4H 5H 6H"})
    position.play("capture", card="TD", groups=groups("TS"))
    assert position.play("trail", card="5C") == (
        CardsMoved(("5C",), "hand:1", "board", shown=True),
        DetailAnnounced(0, "residue", {"party": 0, "cards": ("2S", "KH", "5C")}),
        CardsMoved(("2S", "KH", "5C"), "board", "won:0"),
        SightSet("won:0", "all"),
        SightSet("won:1", "all"),
        Scored("cards", (3, 0)),
        Scored("spades", (1, 0)),
        Scored("big_casino", (2, 0)),
        Scored("little_casino", (1, 0)),
        Scored("ace_spades", (0, 1)),
        Scored("ace_clubs", (0, 0)),
        Scored("ace_hearts", (0, 0)),
        Scored("ace_diamonds", (0, 0)),
        Scored("sweeps", (0, 0)),
        HandClosed("played_out", {"counts": {"cards": (6, 4), "spades": (3, 1)}, "residue": {"party": 0, "cards": 3}}),
    )
    view = position.view
    assert (view["phase"], view["turn"], view["to_act"], view["totals"]) == ("hand_over", None, [], [7, 1])
    assert (view["table"], view["piles"][0]) == ([], ["3S", "TS", "TD", "2S", "KH", "5C"])


def test_if_nobody_captured_the_cards_stay_on_the_table():  # CNO-54
    position = Position("TD", "", board="2S", stock="")
    effects = position.play("trail", card="TD")
    assert effects[1] == DetailAnnounced(None, "residue", {"party": None, "cards": ("2S", "TD")})
    assert effects[-1] == HandClosed("played_out", {"counts": {"cards": (0, 0), "spades": (0, 0)}, "residue": {"party": None, "cards": 2}})
    assert position.view["table"] == ["2S", "TD"]


def test_without_cards_left_there_is_no_residue():  # CNO-51
    position = Position("TD", "", board="TS", stock="")
    effects = position.play("capture", card="TD", groups=groups("TS"))
    assert [effect for effect in effects if isinstance(effect, DetailAnnounced)] == [DetailAnnounced(0, "captured", 10)]
    assert isinstance(effects[-1], HandClosed)
    assert effects[-1].facts["residue"] == {"party": None, "cards": 0}


def test_the_very_last_card_can_sweep():  # CNO-53
    position = Position("TD", "", board="TS", stock="", options=SWEEPS)
    assert Scored("sweeps", (1, 0)) in position.play("capture", card="TD", groups=groups("TS"))


NO_LAST_SWEEP: dict[str, object] = {**SWEEPS, "last_sweep": "not"}


def test_where_that_is_agreed_the_very_last_card_makes_no_sweep():  # CNO-53
    position = Position("TD", "", board="TS", stock="", options=NO_LAST_SWEEP)
    effects = position.play("capture", card="TD", groups=groups("TS"))
    assert (Scored("sweeps", (0, 0)) in effects, DetailAnnounced(0, "swept", "TD") in effects) == (True, False)
    assert position.view["sweep_cards"] == [[], []]


@each(("left", "stock"), [("5C", ""), ("", "2D 2C 3D 3C 4D 4C 5D 5C")])
def test_as_long_as_somebody_has_to_trail_there_is_a_sweep(left: str, stock: str):  # CNO-53
    position = Position("TD", left, board="TS", stock=stock, options=NO_LAST_SWEEP)
    assert DetailAnnounced(0, "swept", "TD") in position.play("capture", card="TD", groups=groups("TS"))


def test_getting_the_residue_is_no_sweep():  # CNO-53
    position = Position("TD", "", board="TS 5H", stock="", options=SWEEPS)
    assert Scored("sweeps", (0, 0)) in position.play("capture", card="TD", groups=groups("TS"))


def test_partners_count_together():  # CNO-62
    options: dict[str, object] = {"partners": True}
    position = Position("TD", "", "", "", board="TS", stock="", seats=4, options=options, piles={0: "5H 6H", 1: "2S 3H 4H"})
    assert Scored("cards", (3, 0)) in position.play("capture", card="TD", groups=groups("TS"))


def test_what_lies_on_the_table_stays_until_the_next_hand():  # COM-31
    position = Position("TD", "", board="TS", stock="", options=SWEEPS)
    position.play("capture", card="TD", groups=groups("TS"))
    view = position.view
    assert (view["deal"], view["last_deal"], view["last_capturer"]) == (6, True, 0)
    assert (view["piles"], view["sweep_cards"], view["hands"]) == ([["TS", "TD"], []], [["TD"], []], [[], []])


# Counting out


def credits(**rows: tuple[int, ...]) -> Rows:
    """A hand in which the rows named bring points and the others none."""
    parties = len(next(iter(rows.values())))
    return {row: rows.get(row, (0,) * parties) for row in ROWS}


def test_below_the_target_the_game_goes_on():  # CNO-64, CNO-65
    rows = credits(cards=(3, 0), sweeps=(0, 1))
    assert decide_winner((17, 19), rows, 21, by_order=False) is None
    assert decide_winner((17, 19), rows, 21, by_order=True) is None


def test_by_total_the_highest_total_wins():  # CNO-64
    rows = credits(cards=(3, 0), spades=(0, 1), ace_spades=(0, 1), sweeps=(0, 4))
    assert decide_winner((19, 18), rows, 21, by_order=False) == DecidedHand("total", (1,))


def test_in_order_the_first_at_the_target_wins_whatever_others_still_get():  # CNO-65
    rows = credits(cards=(3, 0), spades=(0, 1), ace_spades=(0, 1), sweeps=(0, 4))
    assert decide_winner((18, 18), rows, 21, by_order=True) == DecidedHand("cards", (0,))


@each("row", ROWS[:-1])
def test_each_row_may_decide_in_its_place(row: str):  # CNO-65
    later = dict.fromkeys(ROWS[ROWS.index(row) + 1 :], (0, 5))
    assert decide_winner((20, 20), credits(**{row: (1, 0)}, **later), 21, by_order=True) == DecidedHand(row, (0,))


def test_sweeps_are_credited_to_all_at_once():  # CNO-65
    assert decide_winner((19, 18), credits(sweeps=(2, 4)), 21, by_order=True) == DecidedHand("sweeps", (1,))


def test_a_shared_highest_total_wins_nothing():  # CNO-66
    rows = credits(cards=(3, 0, 0), spades=(0, 1, 0), ace_spades=(0, 2, 0))
    assert decide_winner((19, 19, 5), rows, 21, by_order=False) == DecidedHand("total", (0, 1))
    assert decide_winner((19, 19, 5), rows, 21, by_order=False).winner is None  # pyrefly: ignore[missing-attribute]


def test_sweeps_may_tie_as_well():  # CNO-66
    assert decide_winner((19, 18), credits(sweeps=(2, 3)), 21, by_order=True) == DecidedHand("sweeps", (0, 1))


def test_after_a_tie_the_highest_total_decides_also_in_order():  # CNO-66
    rows = credits(cards=(3, 0), sweeps=(0, 4))
    assert decide_winner((22, 22), rows, 21, by_order=True) == DecidedHand("total", (1,))
    assert decide_winner((22, 21), credits(ace_spades=(0, 1)), 21, by_order=True) == DecidedHand("total", (0, 1))


def test_the_winner_is_first_and_the_others_follow_by_their_totals():  # CNO-67
    assert places((21, 25, 7, 25), 0) == (1, 2, 4, 2)
    assert places((30, 5, 5), 0) == (1, 2, 2)


def test_the_game_ends_with_places_and_what_decided_it():  # CNO-65, CNO-67, section 15
    options: dict[str, object] = {"target": 3, "count_out": "order"}
    position = Position("TD", "", board="TS", stock="", options=options, piles={0: "5H 6H", 1: "AS AC AH"})
    effects = position.play("capture", card="TD", groups=groups("TS"))
    assert effects[-1] == GameClosed((1, 2), {"target": 3, "decided_by": "cards"})
    scores = sheet(position.table.setup, position.table.score)
    assert (scores.finished, scores.winners, scores.totals) == (True, (0,), (5, 3))
    assert (position.view["phase"], position.view["winners"]) == ("game_over", [0])


def test_a_tie_is_told_and_another_hand_is_played():  # CNO-66
    position = Position("TD", "", board="TH", stock="", options={"target": 2}, piles={0: "5H", 1: "AS 4C 3C"})
    effects = position.play("capture", card="TD", groups=groups("TH"))
    assert effects[-1] == DetailAnnounced(None, "game_tied", (0, 1))
    assert (position.view["phase"], position.view["totals"], position.view["winners"]) == ("hand_over", [2, 2], None)


def test_before_the_game_is_over_nothing_has_decided_it():  # section 15
    position = Position("TD", "KC", board="TS")
    assert json_of(sheet(position.table.setup, position.table.score).facts) == {"target": 21, "decided_by": None}


def test_the_points_of_a_hand_without_sweeps_add_up_to_11():  # section 15
    piles = ("AS 2S 3S 4S 5S 6S 7S TD AH", "8S AC AD")
    assert sum(sum(points) for points in rows_of(*piles).values()) == 11
