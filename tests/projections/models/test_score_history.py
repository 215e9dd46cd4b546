"""A player's history: games, totals and trends."""

from datetime import UTC, datetime

from msgspec.structs import replace

from domain.access import WHOLE
from domain.events import Recorded, Stamp
from domain.events.game import GameOpened, PointsAdjusted
from domain.events.player import PlayerMerged
from domain.setup import Setup
from projections.engine.store import Store
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_history import (
    HistoryFilters,
    Month,
    PlayerGame,
    Totals,
    find_counted_player,
    months,
    player_games_page,
    player_totals,
)
from tests.databases import in_a_file
from tests.projections.helpers import projected
from tests.projections.histories import History, Log, a_whole_game, counted, dealt, finished, game_id, opened
from tests.projections.models.test_score_lines import Directory, rewound

ALL = HistoryFilters()


def at(month: int, history: History) -> list[Recorded]:
    """The history as if it had been recorded in that month."""
    return [replace(one, stamp=Stamp(datetime(2026, month, 1, tzinfo=UTC), "p_recorder")) for one in history.events]


def game(number: int, points: tuple[int, int], **kwargs) -> History:
    places = (1, 2) if points > points[::-1] else (2, 1)
    return History(number, opened(**kwargs), dealt(), finished(0, points, places))


def sums(store: Store, player: str, latest: int = 10, filters: HistoryFilters = ALL) -> tuple[Totals, ...]:
    return player_totals(store, WHOLE, player, filters, months(store, WHOLE, player, filters), latest)


def test_months_and_totals_of_two_rulesets(store: Store):
    log = Log(at(1, game(1, (10, 0))))
    log.append(*at(1, game(2, (2, 20))), *at(3, game(3, (6, 0))), *at(3, game(4, (1, 9), ruleset="canasta")))
    log.append(*at(3, History(5, opened(), dealt(), counted(0, (50, 50)))), *at(4, History(6, opened(), dealt())))
    projected(store, log, SCORE_LINES)
    # Anna has a point more for a sweep in every hand.
    assert months(store, WHOLE, "anna", ALL) == (
        Month("canasta", "2026-03", 1, 1, 0, 1, 2, 2.0, 2.0),
        Month("casino", "2026-01", 2, 2, 1, 2, 14, 7.0, 7.0),
        Month("casino", "2026-03", 2, 1, 1, 2, 7 + 51, 7.0, 7.0),
    )
    assert sums(store, "anna", latest=1) == (
        Totals("canasta", 1, 1, 0, 1, 2, 2.0, 2.0, 0.0),
        Totals("casino", 4, 3, 2, 4, 14 + 7 + 51, 7.0, 7.0, 0.0),
    )
    assert sums(store, "bert", latest=1)[1].trend == 5 - (5 + 25 + 5) / 3


FILTERED = [
    (HistoryFilters(ruleset="canasta"), [3]),
    (HistoryFilters(tournament="t1"), [2, 1]),
    (HistoryFilters(played_from=datetime(2026, 2, 1, tzinfo=UTC)), [3, 2]),
    (HistoryFilters(played_before=datetime(2026, 2, 1, tzinfo=UTC), tournament="t2"), []),
]


def test_filters_hold_for_games_and_totals(store: Store):
    log = Log(at(1, game(1, (10, 0), tournament="t1")))
    log.append(*at(2, game(2, (10, 0), tournament="t1")), *at(3, game(3, (10, 0), ruleset="canasta")))
    projected(store, log, SCORE_LINES)
    for filters, expected in FILTERED:
        found = player_games_page(store, WHOLE, "anna", filters, None, 10).games
        assert [one.game for one in found] == [str(game_id(number)) for number in expected], filters
        assert sum(one.games for one in sums(store, "anna", filters=filters)) == len(expected), filters


@in_a_file
def test_a_game_with_what_it_brought(store: Store):
    history = game(7, (10, 0), tournament="t1", round=2, table="4b").add(PointsAdjusted(None, 0, -3, None))
    projected(store, Log(history.events), SCORE_LINES)
    opened_at, played_at = history.events[0].stamp.at, history.events[2].stamp.at
    expected = PlayerGame(str(game_id(7)), "casino", "t1", 2, "4b", played_at, opened_at, 1, 10 + 1 - 3, 1, True)
    assert player_games_page(store, WHOLE, "anna", ALL, None, 10).games == (expected,)


@in_a_file
def test_a_game_that_is_taken_back_from_its_end_is_not_finished(store: Store):
    history = rewound(a_whole_game(1, hands=2), 7, ruling=1)
    projected(store, Log(history.events), SCORE_LINES)
    (one,) = player_games_page(store, WHOLE, "anna", ALL, None, 10).games
    assert (one.hands, one.place, one.finished) == (1, None, False)
    assert sums(store, "anna")[0].average is None


@in_a_file
def test_places_that_a_ruling_changed_count(store: Store):
    projected(store, Log(game(1, (10, 0)).add(PointsAdjusted(1, 0, -20, None, 1, (2, 1))).events), SCORE_LINES)
    assert [sums(store, player)[0].wins for player in ("anna", "bert")] == [0, 1]


@in_a_file
def test_a_lost_solitaire_is_finished_without_a_place(store: Store):
    setup = Setup("cascades", {}, 1, ((0,),), ("cards", "sweeps"), (0,), {})
    lost = finished(0, (3,), (None,))  # pyrefly: ignore[bad-argument-type]
    projected(store, Log(History(1, GameOpened(setup, 1, ("anna",), "game_over"), dealt(dealer=0), lost).events), SCORE_LINES)
    (one,) = player_games_page(store, WHOLE, "anna", ALL, None, 10).games
    assert (one.place, one.finished, sums(store, "anna")[0].wins) == (None, True, 0)


@in_a_file
def test_two_ids_of_one_person_at_one_table_are_one_game(store: Store):
    directory = Directory()
    log = Log([*directory.register("anna"), *directory.register("bert")])
    log.append(*game(1, (10, 3)).events, *directory.tell("bert", PlayerMerged("anna")))
    projected(store, log, SCORE_LINES)
    (one,) = player_games_page(store, WHOLE, "anna", ALL, None, 10).games
    assert (one.points, one.hands, one.place) == (11 + 3 + 5, 1, 1)
    assert [find_counted_player(store, WHOLE, player) for player in ("anna", "bert", "carl")] == ["anna", "anna", None]
