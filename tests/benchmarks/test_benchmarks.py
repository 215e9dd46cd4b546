"""That everything can be measured. How quick it is, ``./run bench`` tells: a test would only tell how busy the machine is."""

import socket
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, repeat
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from msgspec.structs import replace

from api.app import ROUTES
from deploy.compose import open_services
from deploy.config.settings import Settings
from domain import codec
from domain.events import Recorded, digest
from domain.events.game import GameOpened, HandDealt, MovePlayed
from domain.game import project
from domain.games import RULESETS
from domain.games.casino import RULESET as CASINO
from domain.journal.commits import from_stored
from tests.benchmarks import engines, exports, listing, rebuild, untold
from tests.benchmarks.filters import lists_of, queries
from tests.benchmarks.games import played, recorded
from tests.benchmarks.measure import Figure, a_second
from tests.benchmarks.moves.machine import Watched
from tests.benchmarks.moves.rounds import Measured, Taken, figure
from tests.benchmarks.moves.sender import Load, send
from tests.benchmarks.playouts import SET_UPS, random_moves, set_ups
from tests.benchmarks.season import fill, fixtures, players


@pytest.mark.parametrize("key", RULESETS)
def test_every_ruleset_is_played_in_every_set_up_that_is_measured(key: str):
    assert all(next(random_moves(key, options, seats)) for options, seats in set_ups(RULESETS[key]))


def test_a_ruleset_of_which_nothing_is_known_is_measured_with_its_usual_options_and_the_fewest_seats():
    assert set_ups(replace(CASINO, key="sixth")) == [({}, 2)]
    assert SET_UPS.keys() <= RULESETS.keys()


@pytest.mark.parametrize("key", RULESETS)
def test_a_measured_game_is_a_history_that_folds(key: str):
    options, seats = set_ups(RULESETS[key])[0]
    history = recorded(played(1, key, options, seats))
    assert [type(event.event) for event in history[:3]] == [GameOpened, HandDealt, MovePlayed]
    game = project(None, history)
    assert game is not None
    assert (game.table.hand, game.table.in_hand) == (1, False)


def test_moves_a_second_are_counted_over_whole_games():
    assert a_second(repeat(1_000), 0.01) > 1_000


def test_a_goal_is_a_largest_ratio():
    assert [Figure("any", 1, "µs", ratio=ratio, goal=1.0).reached for ratio in (0.5, 1.0, 1.5)] == [True, True, False]


def test_the_other_engines_play_whole_games_where_they_are_installed():
    assert all(game(Random(1)) > 0 for _, game in engines.games())


def test_every_filter_of_every_list_is_measured():
    """The form of an answer is no filter."""
    asked = lists_of(next(fixtures()), 100)
    lists = {
        path: {*handler.opt["operation"].query.__struct_encode_fields__} - {"cursor", "limit", "min_sequence", "format", "dialect"}
        for handler in ROUTES
        for path in handler.paths
        if "cursor" in handler.opt["operation"].query.__struct_fields__ and path.startswith("/v1/") and "{" not in path
    }
    assert {path: set(filters) for path, filters in asked.items() if path in lists} == lists


def test_a_season_to_measure_is_recorded_with_its_players_and_tournaments(tmp_path: Path):
    with open_services(Settings(data=tmp_path), alone=True) as services:
        recorded = list(fill(services.journal.store, 50))
        names = [event.name for _, event in services.journal.feed(0, 10_000)]
        assert [services.journal.game(game).opened.tournament for game in services.journal.store.games()] == [
            one.tournament for one in recorded
        ]
        assert (names.count("game.opened/1"), names.count("tournament.announced/1")) == (50, 2)
        assert names.count("player.registered/1") == len(players())


def test_of_the_positions_that_are_listed_the_slowest_are_looked_at_again():
    found = list(islice(listing.pages("canasta", 1), 60))
    worst = listing.worst_of(found)
    assert min(page.seconds for page in worst) >= max(page.seconds for page in found if all(page is not one for one in worst))
    assert all(page.again() > 0 for page in worst)


def test_every_ruleset_is_measured_with_unknown_cards():
    assert set(untold.ENROLLED) == set(RULESETS)


@pytest.mark.parametrize("key", sorted(untold.ENROLLED.keys() - {"cascades"}))
def test_a_hand_with_unknown_cards_lists_what_it_lists_when_it_is_known_and_more(key: str):
    positions = list(untold.searched(key, 1, 30, 200))
    assert all(position.moves[0] <= position.moves[1] for position in positions)
    if key in ("canasta", "casino"):  # in the others fewer moves may be possible
        assert max(position.moves[1] for position in positions) == untold.FIRST


def test_a_top_card_without_a_face_is_not_listed_in_cascades():
    positions = list(untold.searched("cascades", 1, 100, 200))
    assert any(position.moves[1] < position.moves[0] for position in positions)
    assert all(position.moves[1] <= position.moves[0] for position in positions)


def test_of_the_combinations_of_filters_all_small_ones_are_asked_and_some_large_ones():
    few, of_few = queries({"a": ("1", "2"), "b": ("3",)})
    assert few == [(), (("a", "1"),), (("a", "2"),), (("b", "3"),), (("a", "1"), ("b", "3")), (("a", "2"), ("b", "3"))]
    many, of_many = queries(dict.fromkeys("abcdefgh", ("1", "2")))
    assert (of_few, of_many, len(many)) == (6, 3**8, 1 + 8 * 2 + 28 * 4 + 400)


def test_games_that_are_played_together_are_histories_of_their_own():
    games: dict[UUID, list[Recorded]] = {}
    for id, position, name, state in islice(rebuild.played_together(rebuild.games_of_all(1)), 3_000):
        games.setdefault(id, []).append(codec.decode_event(id, position, name, state))
    assert len(games) >= 50
    for history in games.values():
        assert [event.position for event in history] == list(range(1, len(history) + 1))
        assert [event.link for event in history[1:]] == [digest(event.state) for event in history[:-1]]
        assert isinstance(history[0].event, GameOpened)


def test_a_game_whose_lines_are_exported_has_as_many_as_the_measuring_counts_on():
    game = project(None, map(from_stored, exports.stored_game(1)))
    assert game is not None
    hands = game.table.score.hands
    assert sum(len(hand.rows) * game.setup.seats for hand in hands) == exports.LINES_A_GAME


def test_a_round_that_others_spoilt_does_not_count():
    measured = Measured()
    measured.add(Taken(1.0, [0.1] * 10), Watched(1.0, foreign=0.5))
    assert (measured.a_second, measured.note) == (10, "0 quiet, 1 spoilt")
    measured.add(Taken(1.0, [0.01] * 100), Watched(1.0, foreign=0.02))
    assert (measured.a_second, measured.note) == (100, "1 quiet, 1 spoilt")


def test_no_goal_is_held_against_fewer_than_five_quiet_rounds():
    measured, beside = Measured(), Measured()
    for _ in range(5):
        for one in (measured, beside):
            one.add(Taken(1.0, [0.1] * 10), Watched(1.0, foreign=0.0))
        assert figure("any", measured, "another", beside, 2.0).firm == (len(measured.quiet) >= 5)
    assert not figure("any", measured, "another", beside, 2.0).reached


def test_at_a_fixed_rate_a_request_is_late_from_when_it_was_due():
    """Both are due at once, on one line: the second one has waited for the answer to the first as well."""
    with socket.create_server(("127.0.0.1", 0)) as place, ThreadPoolExecutor(1) as thread:
        told = thread.submit(send, Load((place.getsockname()[1],), "", [[("/", "{}"), ("/", "{}")]], rate=1e9))
        line, _ = place.accept()
        with line:
            for _ in range(2):
                line.recv(1000)
                line.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}")
        first, second = told.result().latencies
        assert second > first
