"""Who sat at a table: by its games where they count, else by the line-ups of the round."""

from typing import Any
from uuid import UUID

from domain.events.tournament import EntryChanged, ResultEntered
from domain.tournament.games import SeatedHands, TableGame, keep_id
from domain.tournament.seat_history import list_seated_players
from domain.tournament.tally import table_outcome
from tests.domain.tournament.recorded import PAIRS, entries, paired, pairs, plan, recorded

DUEL = (*entries(2), paired(1, (1, 2)))


def game(*players: tuple[str | None, ...], standing: str = "open", parties: tuple[tuple[int, ...], ...] = ((0,), (1,))) -> TableGame:
    """Hand by hand with these players."""
    seated = tuple(SeatedHands(hand, one, (0,) * len(parties)) for hand, one in enumerate(players, 1))
    told: Any = ("casino", {}, players[-1], parties, (0, 0), None, standing, seated)
    return TableGame(UUID(int=1), 1, 1, 1, "1", *told)


def sat(*events: object, games: tuple[TableGame, ...] = ()) -> list[str]:
    """The players of each seat of table 1 in round 1."""
    now = recorded(*events)
    table = now.table(1, "1")
    found = list_seated_players(now, table, table_outcome(now, 1, table, games), games, keep_id)
    return [" ".join(players) for players in found]


def test_without_a_game_those_of_the_line_up_of_the_round_sat_there():
    assert sat(plan(), *DUEL) == ["p1", "p2"]
    assert sat(plan(), *DUEL, EntryChanged(1, ("x",), 1), EntryChanged(1, ("y",), 2)) == ["x", "p2"]


def test_a_game_says_who_sat_there_one_after_the_other():
    assert sat(plan(), *DUEL, games=(game(("p1", "p2"), ("x", "p2"), ("p1", "p2")),)) == ["x p1", "p2"]
    assert sat(plan(), *DUEL, games=(game(("guest", None)),)) == ["guest", "p2"]
    assert sat(plan(), *DUEL, games=(game(("x", "y"), standing="annulled"),)) == ["p1", "p2"]


def test_where_a_result_counts_without_games_those_of_the_line_up_have_it():
    assert sat(plan(), *DUEL, ResultEntered(1, "1", (3, 2), None), games=(game(("x", "p2")),)) == ["p1", "p2"]


def test_parties_that_sat_the_other_way_round_are_shown_on_the_seats_of_their_entrants():
    assert sat(plan(), *DUEL, games=(game(("p2", "p1")),)) == ["p1", "p2"]
    table = (plan(PAIRS), *pairs(2), paired(1, (1, 2, 1, 2)))
    turned = game(("p2a", "p1a", "p2b", "p1b"), parties=((0, 2), (1, 3)))
    assert sat(*table, games=(turned,)) == ["p1a", "p2a", "p1b", "p2b"]
