"""The one shape of score sheet (COM-40), folded from effects."""

from hypothesis import given

from domain.effects import DetailAnnounced, Effect, Effects, GameClosed, HandClosed, HandOpened, Scored
from domain.score import HandSheet, Score, Sheet, fold_score, places_by, sheet
from domain.setup import Setup
from tests.each import each
from tests.strategies import SETUP, histories

TWO = Setup("any", {}, 4, ((0, 2), (1, 3)), ("cards", "sweeps"), (10, -5), {"target": 21})

FIRST: tuple[Effect, ...] = (
    HandOpened(1, 3),
    Scored("sweeps", (1, 0)),
    Scored("cards", (0, 3)),
    Scored("sweeps", (1, 1)),
    HandClosed("played_out", {"residue": 4}),
)
FIRST_HAND = HandSheet(1, 3, "played_out", {"cards": (0, 3), "sweeps": (2, 1)}, (2, 4), (12, -1), {"residue": 4})


def after(*effects: Effect, setup: Setup = TWO) -> Score:
    return fold_score(setup, Score(), effects)


def test_a_finished_hand_has_every_row_of_the_game_its_sum_and_the_totals_after_it():
    assert after(*FIRST).hands == (FIRST_HAND,)


def test_a_row_without_a_line_holds_zeros():
    hand = after(HandOpened(1, 0), HandClosed("end", {})).hands[0]
    assert (hand.rows, hand.points, hand.totals) == ({"cards": (0, 0), "sweeps": (0, 0)}, (0, 0), (10, -5))


def test_totals_go_on_from_hand_to_hand():
    score = after(*FIRST, HandOpened(2, 0), Scored("cards", (3, 0)), HandClosed("played_out", {}))
    assert [hand.totals for hand in score.hands] == [(12, -1), (15, -1)]


def test_lines_of_a_hand_in_progress_count_for_nothing_yet():
    assert sheet(TWO, after(HandOpened(1, 0), Scored("cards", (3, 0)))).totals == (10, -5)


def test_a_hand_dealt_again_overwrites_its_number():
    score = after(*FIRST, HandOpened(2, 0), HandClosed("second", {}), HandOpened(1, 3), HandClosed("again", {}))
    assert [(hand.hand, hand.end) for hand in score.hands] == [(1, "again")]


def test_the_sheet_of_a_game_that_goes_on_names_no_winners():
    assert sheet(TWO, after(*FIRST)) == Sheet(
        parties=((0, 2), (1, 3)),
        rows=("cards", "sweeps"),
        start_totals=(10, -5),
        hands=(FIRST_HAND,),
        totals=(12, -1),
        finished=False,
        places=None,
        winners=None,
        facts={"target": 21},
    )


def test_the_winners_are_the_parties_with_place_one():
    done = sheet(TWO, after(*FIRST, GameClosed((1, 1), {})))
    assert (done.finished, done.places, done.winners) == (True, (1, 1), (0, 1))


def test_a_lost_solitaire_is_finished_without_a_winner():  # COM-41
    done = sheet(Setup("any", {}, 1, ((0,),), ("row",), (0,)), after(GameClosed((None,), {}), setup=TWO))
    assert (done.finished, done.places, done.winners) == (True, (None,), ())


def test_facts_of_the_end_come_on_top_of_those_of_the_setup():
    assert sheet(TWO, after(*FIRST, GameClosed((1, 2), {"decided_by": "cards", "target": 22}))).facts == {
        "target": 22,
        "decided_by": "cards",
    }


def test_a_hand_dealt_after_the_end_takes_the_end_back():
    assert sheet(TWO, after(GameClosed((1, 2), {"by": "x"}), HandOpened(2, 0))).finished is False


@each("points", [(), (3,), (3, 0, 7)])
def test_a_line_of_wrong_length_is_added_as_far_as_it_goes(points: tuple[int, ...]):  # damaged history
    hand = after(HandOpened(1, 0), Scored("cards", points), HandClosed("end", {})).hands[0]
    assert hand.rows["cards"] == (*points, 0, 0)[:2]


def test_a_line_of_an_unknown_row_is_shown_and_counted():  # damaged history
    hand = after(HandOpened(1, 0), Scored("unheard of", (1, 2)), HandClosed("end", {})).hands[0]
    assert (hand.rows, hand.points) == ({"cards": (0, 0), "sweeps": (0, 0), "unheard of": (1, 2)}, (1, 2))


def test_a_hand_closed_twice_counts_its_points_once():  # damaged history
    score = after(*FIRST, HandClosed("again", {}))
    assert [hand.totals for hand in score.hands] == [(12, -1), (12, -1)]


def test_effects_without_points_write_nothing_on_the_sheet():
    assert after(DetailAnnounced(0, "last")) == Score()


@each(
    ("points", "places"),
    [((), ()), ((5,), (1,)), ((3, 7), (2, 1)), ((7, 7, 3), (1, 1, 3)), ((1, 5, 5, 5), (4, 1, 1, 1)), ((-5, 0), (2, 1))],
)
def test_equal_parties_share_the_better_place_and_the_next_stay_vacant(points: tuple[int, ...], places: tuple[int, ...]):  # COM-40
    assert places_by(points) == places


@given(histories)
def test_every_history_has_a_sheet(history: Effects):
    done = sheet(SETUP, fold_score(SETUP, Score(), history))
    assert all(len(hand.points) == len(hand.totals) == len(SETUP.parties) for hand in done.hands)
    assert all(tuple(map(sum, zip(*hand.rows.values(), strict=True))) == hand.points for hand in done.hands)
