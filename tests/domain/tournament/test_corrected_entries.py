"""Line-ups for good and for some rounds, and an entry that is put right: it was really somebody else."""

from typing import Any
from uuid import UUID

from domain.events.game import PlayersCorrected, PlayerSeated
from domain.events.tournament import (
    CorrectedLineUp,
    EntryAccepted,
    EntryChanged,
    EntryCorrected,
    EntryWithdrawn,
    RoundClosed,
    TournamentEnded,
)
from domain.game import Game, project
from domain.tournament.entries import change_entry, correct_entry, correct_seats
from domain.tournament.games import SeatedHands, TableGame
from domain.tournament.line_ups import LineUp, list_line_ups
from domain.tournament.state import shift_entry_event
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_corrected_entry
from tests.domain.tournament.recorded import PAIRS, entries, paired, pairs, plan, recorded, refusal
from tests.each import each
from tests.projections.histories import History, counted, dealt, finished, opened

TWO_ROUNDS = (*entries(4), paired(1, (1, 2), (3, 4)), RoundClosed(1), paired(2, (1, 3), (2, 4)))


def rectify(now: Tournament, entrant: int, players: list[str], **told: Any) -> EntryCorrected:
    given: dict[str, Any] = {"from_round": None, "back_from": None, "reason": None, **told}
    return correct_entry(now, entrant, players, **given)


def stood(now: Tournament, entrant: int = 1, until: int = 6) -> list[str]:
    return ["".join(now.entrant(entrant).players(round)) for round in range(1, until)]


# Substitutes for some rounds


def test_a_substitute_for_one_round_leaves_the_next_to_the_one_replaced():
    change = change_entry(recorded(plan(), *TWO_ROUNDS), 1, ["x"], None, back_from=3)
    assert change == EntryChanged(1, ("x",), 2, back_from=3)
    now = recorded(plan(), *TWO_ROUNDS, change)
    assert stood(now) == ["p1", "x", "p1", "p1", "p1"]
    assert (now.entrant(1).latest.players, now.entrant(1).regulars(2)) == (("p1",), ("p1",))


def test_a_substitute_for_one_round_may_stay_for_good_after_all():
    now = recorded(plan(), *TWO_ROUNDS, EntryChanged(1, ("x",), 2, back_from=3))
    assert stood(recorded(plan(), *TWO_ROUNDS, EntryChanged(1, ("x",), 2, back_from=3), change_entry(now, 1, ["x"], None)))[1:] == ["x"] * 4
    with refusal("nothing_changes", entrant=1):
        change_entry(now, 1, ["x"], None, back_from=3)
    with refusal("back_at_once", round=2, next=3):
        change_entry(now, 1, ["y"], 2, back_from=2)


def test_a_substitute_plays_for_another_entrant_in_another_round():
    now = recorded(plan(), *TWO_ROUNDS, EntryChanged(1, ("x",), 2, back_from=3))
    with refusal("entered_already", player="x", entrant=1):
        change_entry(now, 3, ["x"], 2, back_from=3)
    assert change_entry(now, 3, ["x"], 3, back_from=4) == EntryChanged(3, ("x",), 3, back_from=4)


def test_a_substitute_for_the_round_after_the_one_in_play_moves_back_with_it():
    now = recorded(plan(), *entries(4), paired(1, (1, 2), (3, 4)), EntryAccepted(5, ("p5",), 2, follows=1))
    late = change_entry(now, 5, ["x"], None, back_from=3)
    assert late == EntryChanged(5, ("x",), 2, follows=1, back_from=3)
    assert shift_entry_event(late, 1) == EntryChanged(5, ("x",), 1, follows=1, back_from=2)


# Entries that are put right


def test_the_wrong_member_is_put_right_from_the_first_round_on():
    now = recorded(plan(), *TWO_ROUNDS)
    assert rectify(now, 1, ["y"]) == EntryCorrected(1, ("y",), 1, None, None)
    right = recorded(plan(), *TWO_ROUNDS, rectify(now, 1, ["y"]), TournamentEnded("finished", None))
    assert (stood(right), set(right.entrant(1).all_players)) == (["y"] * 5, {"y"})


def test_substitutes_stay_where_an_entry_is_put_right():
    history = (*TWO_ROUNDS, EntryChanged(1, ("x",), 2, back_from=3), EntryChanged(1, ("z",), 4))
    assert stood(recorded(plan(), *history, EntryCorrected(1, ("y",), 1, None, None))) == ["y", "x", "y", "z", "z"]
    assert stood(recorded(plan(), *history, EntryCorrected(1, ("y",), 1, 3, None))) == ["y", "x", "p1", "z", "z"]
    assert stood(recorded(plan(), *history, EntryCorrected(1, ("w",), 2, None, None))) == ["p1", "w", "p1", "z", "z"]


def test_of_a_partnership_one_is_put_right():
    history = (plan(PAIRS), *pairs(2), paired(1, (1, 1, 2, 2)), RoundClosed(1), EntryChanged(1, ("p1a", "x"), 2))
    right = recorded(*history, rectify(recorded(*history), 1, ["q", "p1b"]))
    assert [right.entrant(1).players(round) for round in (1, 2)] == [("q", "p1b"), ("q", "x")]


def test_what_cannot_have_been_is_refused():
    now = recorded(plan(), *TWO_ROUNDS, EntryWithdrawn(4, 3, None))
    with refusal("entered_already", player="p2", entrant=2):
        rectify(now, 1, ["p2"])
    with refusal("entered_already", player="p4", entrant=4):
        rectify(now, 1, ["p4"], back_from=2)
    with refusal("nothing_changes", entrant=1):
        rectify(now, 1, ["p1"])
    with refusal("not_to_be_rectified", entrant=1, round=3, first=1, last=2):
        rectify(now, 1, ["y"], from_round=3)
    with refusal("players_per_entry", needed=1, given=2):
        rectify(now, 1, ["y", "z"])


# Two who were entered for each other


def exchange(now: Tournament, entrant: int, players: list[str], **told: Any) -> EntryCorrected:
    return rectify(now, entrant, players, exchange=True, **told)


def test_two_who_were_entered_for_each_other_change_places():
    history = (plan(), *TWO_ROUNDS, EntryChanged(3, ("x",), 2, back_from=3))
    event = exchange(recorded(*history), 1, ["p3"])
    assert event == EntryCorrected(1, ("p3",), 1, None, None, (CorrectedLineUp(3, ("p1",), 1),))
    right = recorded(*history, event)
    assert (stood(right, 1), stood(right, 3)) == (["p3"] * 5, ["p1", "x", "p1", "p1", "p1"])
    assert warn_about_corrected_entry(recorded(*history), event) == (Remark("exchanged", {"entrants": (1, 3), "round": 1}),)


def test_an_exchange_with_somebody_who_was_not_entered_is_none():
    now = recorded(plan(), *TWO_ROUNDS)
    assert exchange(now, 1, ["y"]) == rectify(now, 1, ["y"])
    assert warn_about_corrected_entry(now, rectify(now, 1, ["y"])) == ()


def test_partners_of_two_pairs_change_places():
    now = recorded(plan(PAIRS), *pairs(2), paired(1, (1, 1, 2, 2)), RoundClosed(1))
    assert exchange(now, 1, ["p1a", "p2b"]).line_ups == (CorrectedLineUp(1, ("p1a", "p2b"), 1), CorrectedLineUp(2, ("p2a", "p1b"), 1))


def test_after_an_exchange_each_plays_for_one_entrant_in_every_round():
    now = recorded(plan(), *TWO_ROUNDS, EntryWithdrawn(3, 3, None), EntryChanged(4, ("p3",), 3))
    with refusal("entered_already", player="p3", entrant=4):
        exchange(now, 1, ["p3"])
    assert exchange(now, 1, ["p3"], back_from=3).line_ups[1] == CorrectedLineUp(3, ("p1",), 1)


def table_game(table: str, *seated: SeatedHands, round: int = 1) -> TableGame:
    last = seated[-1].players
    return TableGame(UUID(int=int(table)), 1, 1, round, table, "casino", {}, last, ((0,), (1,)), (0, 0), None, "open", seated)


def test_somebody_who_sat_at_another_table_did_not_sit_here():
    now, here = recorded(plan(), *TWO_ROUNDS), table_game("1", SeatedHands(1, ("p1", "p2"), (0, 0)))
    there = table_game("2", SeatedHands(1, ("p3", "y"), (0, 0)), SeatedHands(2, ("p3", "p4"), (0, 0)))
    with refusal("sat_elsewhere", player="y", round=1, table="2"):
        rectify(now, 1, ["y"], games=[here, there])
    assert rectify(now, 1, ["y"], from_round=2, games=[here, there]).from_round == 2
    assert rectify(now, 1, ["z"], games=[here, there]).players == ("z",)
    with refusal("sat_elsewhere", player="y", round=1, table="1"):
        rectify(now, 1, ["y"], games=[table_game("1", SeatedHands(1, ("p1", "y"), (0, 0)))])


def test_where_both_sat_at_one_table_they_change_seats():
    now, here = recorded(plan(), *entries(2), paired(1, (1, 2))), table_game("1", SeatedHands(1, ("p1", "p2"), (0, 0)))
    event = exchange(now, 1, ["p2"], games=[here])
    assert correct_seats(now, event, here, two_hands(("p1", "p2"), ("p1", "p2"))) == (PlayersCorrected(("p2", "p1"), 1, None),)


def test_in_an_exchange_too_somebody_who_sat_elsewhere_did_not_sit_here():
    now, here = recorded(plan(), *TWO_ROUNDS), table_game("1", SeatedHands(1, ("p1", "p3"), (0, 0)))
    with refusal("sat_elsewhere", player="p3", round=1, table="1"):
        exchange(now, 1, ["p3"], games=[here])


def two_hands(first: tuple[str, str], second: tuple[str, str]) -> Game:
    """A game in which others may sit there from hand 2 on."""
    changed = (PlayerSeated(seat, player) for seat, player in enumerate(second) if player != first[seat])
    history = History(1, opened(first), dealt(), counted(0, (1, 1)), *changed, dealt(2), finished(0, (2, 2), (1, 2)))
    game = project(None, history.events)
    assert game
    return game


@each(
    ("first", "second", "acts"),
    [
        (("p1", "bert"), ("p1", "bert"), [PlayersCorrected(("y", "bert"), 1, None)]),
        (("p1", "cora"), ("p1", "bert"), [PlayersCorrected(("y", "cora"), 1, None), PlayersCorrected(("y", "bert"), 2, None)]),
        (("x", "bert"), ("p1", "bert"), [PlayersCorrected(("y", "bert"), 2, None)]),
        (("p1", "bert"), ("y", "bert"), [PlayersCorrected(("y", "bert"), 1, None)]),
        (("x", "bert"), ("x", "bert"), []),
    ],
)
def test_a_game_names_who_really_sat_there_in_the_hands_of_the_one_named_by_mistake(
    first: tuple[str, str], second: tuple[str, str], acts: list[Any]
):
    seated = [SeatedHands(1, first, (0, 0)), *([SeatedHands(2, second, (0, 0))] if second != first else [])]
    now = recorded(plan(), *entries(2), paired(1, (1, 2)))
    assert list(correct_seats(now, EntryCorrected(1, ("y",), 1, None, None), table_game("1", *seated), two_hands(first, second))) == acts


def test_a_game_in_which_somebody_sat_down_meanwhile_is_read_again():
    now, known = recorded(plan(), *entries(2), paired(1, (1, 2))), table_game("1", SeatedHands(1, ("p1", "bert"), (0, 0)))
    with refusal("seats_changed", table="1"):
        correct_seats(now, EntryCorrected(1, ("y",), 1, None, None), known, two_hands(("p1", "bert"), ("p1", "cora")))


def test_stretches_of_rounds_join_where_the_players_are_the_same():
    line_ups = (LineUp(1, ("a",)), LineUp(2, ("b",), 4), LineUp(4, ("a",)), LineUp(6, ("c",)))
    assert list_line_ups(line_ups, 1) == (LineUp(1, ("a",), 2), LineUp(2, ("b",), 4), LineUp(4, ("a",), 6), LineUp(6, ("c",)))
    assert list_line_ups(line_ups, 3, 5) == (LineUp(3, ("b",), 4), LineUp(4, ("a",), 5))
