"""What a reach leaves of each list. The same for both databases."""

from collections.abc import Iterable

import pytest

from domain.access import PUBLISHED, WHOLE, VisibilityScope
from domain.events.game import DisputeRaised, DisputeRuled
from domain.events.tournament import EntryAccepted, TournamentPublished
from projections.engine.store import Store
from projections.models.disputes import DISPUTES, DisputeFilters, disputes_page
from projections.models.game_index import GAME_INDEX, GameFilters, games_page
from projections.models.player_places import APPEARANCES
from projections.models.players import PLAYERS, Club, PlayerFilters, clubs, is_within, matching_ids, players_page
from projections.models.reading import filter_players, filter_tournaments
from projections.models.rulings import RULINGS, RulingFilters, rulings_page
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_history import HistoryFilters, find_counted_player, months, player_games_page, player_totals
from projections.models.score_lines.score_list import ScoreFilters, count, entries, latest
from projections.models.score_lines.table_list import ResultFilters, player_results_page
from projections.models.tournaments import TOURNAMENTS, TournamentFilters, tournaments_page
from tests.domain.tournament.recorded import plan
from tests.projections.helpers import projected
from tests.projections.histories import History, Log, a_whole_game, game_id
from tests.projections.models.test_players import Directory

SPRING, FREE = VisibilityScope(tournament="spring"), VisibilityScope(game=game_id(3))
PROJECTIONS = (GAME_INDEX, SCORE_LINES, DISPUTES, RULINGS, TOURNAMENTS, PLAYERS, APPEARANCES)
PLACES = {1: "spring", 2: "autumn", 3: None, 4: "winter"}
GAMES = ((WHOLE, [1, 2, 3, 4]), (SPRING, [1, 2]), (FREE, [2, 3]), (PUBLISHED, [2]))
"""Autumn is published. ``anna`` plays in all four games, each time against somebody else."""


def a_game(number: int) -> History:
    history = a_whole_game(number, 1, players=("anna", f"other-{number}"), tournament=PLACES[number], round=1, table="1")
    return history.add(DisputeRaised(1, 3, 1, None, False)).add(DisputeRuled(1, 1, "arbiter", "stands", None, ()))


def the_events() -> Log:
    people = Directory().register("anna", *(f"other-{number}" for number in PLACES), "guest", club="lehrte").register("nobody", "root")
    people.merge("other-1", "root")
    tournaments = [History(10 + number, plan(tournament=name)) for number, name in PLACES.items() if name]
    tournaments[0].add(EntryAccepted(1, ("guest",), 1))
    tournaments[1].add(TournamentPublished("names"))
    games = [a_game(number) for number in PLACES]
    return Log([*people.events, *(event for history in [*tournaments, *games] for event in history.events)])


@pytest.fixture
def full(store: Store) -> Store:
    projected(store, the_events(), *PROJECTIONS)
    return store


def numbers(games: Iterable[object]) -> list[int]:
    ids = set(map(str, games))
    return [number for number in PLACES if str(game_id(number)) in ids]


def test_games_and_what_they_came_to_are_those_of_the_reach(full: Store):
    for reach, expected in GAMES:
        assert numbers(row.id for row in games_page(full, reach, GameFilters(), None, 10, public=False).items) == expected
        assert numbers(row.id for row in games_page(full, reach, GameFilters(player="anna"), None, 10, public=False).items) == expected
        assert numbers(row.game for row in player_results_page(full, reach, ResultFilters(), None, 10).results) == expected
        assert numbers(row.game for row in disputes_page(full, reach, DisputeFilters(), None, 10, public=False).rows) == expected
        assert numbers(row.game for row in rulings_page(full, reach, RulingFilters(), None, 10, public=False).rulings) == expected


def test_score_lines_are_those_of_the_reach_and_as_of_what_changed_there(full: Store):
    head = latest(full, WHOLE)
    for reach, expected in GAMES:
        for filters in (ScoreFilters(), ScoreFilters(player="anna"), ScoreFilters(club="lehrte")):
            steps = entries(full, reach, filters, head)
            assert numbers(one.game.id for step in steps for one in step) == expected
            assert count(full, reach, filters, head) == len(expected)
        assert latest(full, reach) == max(row.sequence for row in player_results_page(full, reach, ResultFilters(), None, 10).results)


def test_totals_and_averages_count_nothing_beyond_the_reach(full: Store):
    for reach, expected in GAMES:
        assert numbers(one.game for one in player_games_page(full, reach, "anna", HistoryFilters(), None, 10).games) == expected
        by_month = months(full, reach, "anna", HistoryFilters())
        (sums,) = player_totals(full, reach, "anna", HistoryFilters(), by_month, 10)
        assert (sums.games, sums.wins, sums.points) == (len(expected), len(expected), 2 * len(expected))


def test_players_are_those_who_appear_in_the_reach_and_those_for_whom_they_count(full: Store):
    met = {
        SPRING: {"anna", "other-1", "root", "other-2", "guest"},
        FREE: {"anna", "other-2", "other-3"},
        PUBLISHED: {"anna", "other-2"},
    }
    everybody = {"anna", "guest", "nobody", "root", *(f"other-{number}" for number in PLACES)}
    for reach, expected in [*met.items(), (WHOLE, everybody)]:
        assert {row.player for row in players_page(full, reach, PlayerFilters(), None, 20).players} == expected
        assert {player for player in everybody if is_within(full, reach, player)} == expected
        members = len(expected - {"other-1", "root", "nobody"})
        assert clubs(full, reach, "", 10) == (Club("lehrte", members),)
    for reach, expected in met.items():
        assert matching_ids(full, reach, PlayerFilters()) == frozenset(expected)
        assert filter_players(full, reach, everybody) == expected
    assert matching_ids(full, WHOLE, PlayerFilters()) is None


def test_for_whom_lines_count_is_told_of_players_within_the_reach(full: Store):
    asked = ("other-1", "root", "guest", "other-4", "nobody", "stranger")
    assert [find_counted_player(full, WHOLE, player) for player in asked] == ["root", "root", "guest", "other-4", "nobody", None]
    assert [find_counted_player(full, SPRING, player) for player in asked] == ["root", "root", "guest", None, None, None]


def test_tournaments_are_ones_own_and_those_that_are_published(full: Store):
    everything = ("spring", "autumn", "winter")
    for reach, expected in ((WHOLE, everything), (SPRING, ("spring", "autumn")), (FREE, ("autumn",)), (PUBLISHED, ("autumn",))):
        found = tournaments_page(full, reach, TournamentFilters(), None, 10).rows
        assert {row.tournament for row in found} == set(expected)
        if not reach.whole:
            assert filter_tournaments(full, reach, everything) == set(expected)


def test_what_is_withdrawn_is_read_no_longer(store: Store):
    log = the_events()
    made = projected(store, log, *PROJECTIONS)
    log.append(*History(12, plan(tournament="autumn"), TournamentPublished("names"), TournamentPublished("no")).events[2:])
    made.catch_up()
    assert games_page(store, PUBLISHED, GameFilters(), None, 10, public=True).items == ()
    assert players_page(store, PUBLISHED, PlayerFilters(), None, 10).players == ()
