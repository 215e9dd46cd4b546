"""Ratings from the results that count: which games, in which order, and what a late change does."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce, PlackettLuceRating

from deploy.stores.opening import open_projections
from domain import codec
from domain.access import WHOLE
from domain.events import Event, Recorded, Stamp, digest
from domain.events.game import GameAnnulled
from domain.events.player import PlayerErased, PlayerMerged, PlayerSeparated
from projections.engine.store import Store
from projections.models.score_lines import rated_games
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.rating_list import RatingFilters, find_update_start, list_ratings, rating_steps
from projections.models.score_lines.table_list import ResultFilters, player_results_page
from tests.databases import in_a_file
from tests.projections.helpers import projected, projector, rows
from tests.projections.histories import START, History, Log, dealt, finished, game_id, opened, trailed
from tests.projections.models.evenings import Evening
from tests.projections.models.test_score_lines import Directory

CASINO = RatingFilters("casino")


def game(number: int, players: tuple[str | None, ...], places: tuple[int, int] = (1, 2), day: int | None = None) -> list[Recorded]:
    """A game that was played on a day, by its number if none is named, whenever it is recorded."""
    events: list[Event] = [opened(players), dealt(), trailed(0, "AS"), finished(0, (7, 3), places)]
    found: list[Recorded] = []
    played = START + timedelta(days=number if day is None else day)
    for position, event in enumerate(events, 1):
        stamp = Stamp(START + timedelta(days=1000), "p_recorder", played)
        found.append(codec.encode_event(game_id(number), position, digest(found[-1].state) if found else None, stamp, event))
    return found


def season(chance: Random, count: int = 12) -> list[list[Recorded]]:
    return [game(number, tuple(chance.sample("abcd", 2)), chance.choice([(1, 2), (2, 1), (1, 1)])) for number in range(1, count + 1)]


def ratings(store: Store, filters: RatingFilters = CASINO) -> list[Any]:
    return [(one.place, one.player, one.rating) for one in list_ratings(store, filters)]


def by_openskill(store: Store) -> dict[str, tuple[float, float, int]]:
    """The ratings that bare openskill gives the results of the list of results, in the order in which they were played."""
    model = PlackettLuce()
    found: dict[str, tuple[PlackettLuceRating, int]] = {}
    for teams in _listed_games(store):
        before = [[found.get(player, (model.rating(), 0)) for player in team] for _, team in teams]
        rated = model.rate([[rating for rating, _ in team] for team in before], ranks=[place for place, _ in teams])
        for (_, team), was, now in zip(teams, before, rated, strict=True):
            found |= {player: (rating, games + 1) for player, (_, games), rating in zip(team, was, now, strict=True)}
    return {player: (rating.mu, rating.sigma, games) for player, (rating, games) in found.items()}


def _listed_games(store: Store) -> Iterator[list[tuple[int, list[str]]]]:
    results = player_results_page(store, WHOLE, ResultFilters(), None, 10_000).results
    games: dict[Any, list[Any]] = {}
    for one in reversed(results):
        games.setdefault((one.tournament, one.round, one.table, one.game), []).insert(0, one)
    for own in sorted(games.values(), key=lambda own: min(one.played_at for one in own)):
        parties: dict[int, tuple[int, list[str]]] = {}
        for one in own:
            if one.place is not None and one.player is not None:
                parties.setdefault(one.party, (one.place, []))[1].append(one.player)
        whole = own[0].finished and all(one.player for one in own) and {one.party for one in own} == parties.keys()
        players = [player for _, team in parties.values() for player in team]
        if whole and own[0].how != "forfeited" and len(parties) > 1 and len(set(players)) == len(players):
            yield [parties[party] for party in sorted(parties)]


def test_the_list_has_the_best_first_and_a_date_leaves_out_later_games(store: Store):
    log = Log([*game(1, ("anna", "bert")), *game(2, ("anna", "carl")), *game(3, ("bert", "anna"))])
    projected(store, log, SCORE_LINES)
    assert [(place, player, one.games) for place, player, one in ratings(store)] == [(1, "anna", 3), (2, "bert", 2), (3, "carl", 1)]
    early = RatingFilters("casino", before=START + timedelta(days=2))
    assert [(place, player, one.games) for place, player, one in ratings(store, early)] == [(1, "anna", 1), (2, "bert", 1)]
    assert [player for _, player, _ in ratings(store, RatingFilters("casino", minimum=2))] == ["anna", "bert"]


def test_the_course_of_a_rating_goes_from_game_to_game_page_by_page(store: Store):
    projected(store, Log([*game(1, ("anna", "bert")), *game(2, ("carl", "anna")), *game(3, ("anna", "carl"))]), SCORE_LINES)
    first, cursor = rating_steps(store, "anna", "casino", None, 2)
    rest, end = rating_steps(store, "anna", None, cursor, 2)
    steps = [*first, *rest]
    assert [(one.game, one.place, one.after.games) for one in steps] == [(game_id(3), 1, 3), (game_id(2), 2, 2), (game_id(1), 1, 1)]
    assert [one.before for one in steps[:2]] == [one.after for one in steps[1:]]
    assert (steps[2].before.points, steps[2].expected, end) == (1500, 1.5, None)


@settings(max_examples=5)
@given(st.integers(0, 2**32))
def test_the_order_in_which_results_arrive_makes_no_difference(seed: int):
    chance = Random(seed)
    games = season(chance)
    with TemporaryDirectory() as folder:
        told = []
        for number, order in enumerate((games, chance.sample(games, len(games)))):
            with closing(open_projections(f"sqlite:///{Path(folder) / f'{number}.db'}")) as store:
                projected(store, Log([event for one in order for event in one]), SCORE_LINES, batch=chance.choice([1, 7, 500]))
                told.append((ratings(store), {player: (one.mu, one.sigma, one.games) for _, player, one in ratings(store)}))
                assert told[-1][1] == by_openskill(store)
        assert told[0] == told[1]


@settings(max_examples=5)
@given(st.integers(0, 2**32), st.sampled_from([1, 5, 500]))
def test_a_tournament_with_rulings_and_mergers_is_rated_as_its_results_say(seed: int, batch: int):
    evening = Evening(Random(seed))
    for _ in range(50):
        evening.step()
    with TemporaryDirectory() as folder, closing(open_projections(f"sqlite:///{Path(folder) / 'k.db'}")) as store:
        made = projected(store, evening.log, SCORE_LINES, batch=batch)
        assert {player: (one.mu, one.sigma, one.games) for _, player, one in ratings(store)} == by_openskill(store)
        assert [one.same for one in made.verify()] == [True]


def test_a_late_result_an_annulment_and_a_merger_reckon_anew_from_there_on(store: Store):
    people = Directory()
    log = Log([*people.register("anna"), *people.register("bert"), *people.register("carl")])
    annulled = History(2, opened(("bert", "anna")), dealt(), trailed(0, "AS"), finished(0, (7, 3), (1, 2)))
    log.append(*annulled.events, *game(4, ("anna", "carl")), *game(3, ("carl", "bert")))
    made = projected(store, log, SCORE_LINES)
    for news in (
        game(1, ("anna", "bert"), day=-5),
        annulled.add(GameAnnulled(None, 1)).events[-1:],
        people.tell("carl", PlayerMerged("bert")),
        people.tell("carl", PlayerSeparated()),
        people.tell("bert", PlayerErased()),
    ):
        log.append(*news)
        made.catch_up()
        assert {player: (one.mu, one.sigma, one.games) for _, player, one in ratings(store)} == by_openskill(store)
    assert sum(one.games for _, _, one in ratings(store)) == 6


def test_while_many_games_follow_a_change_the_list_says_since_when_it_is_recomputed(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rated_games, "GAMES_A_STEP", 5)
    games = season(Random(3))
    made = projector(store, Log([event for one in games for event in one]), [SCORE_LINES])
    assert made.step()
    assert find_update_start(store, "casino") == START + timedelta(days=1000)
    made.catch_up()
    assert find_update_start(store, "casino") is None
    assert {player: (one.mu, one.sigma, one.games) for _, player, one in ratings(store)} == by_openskill(store)
    before = rows(store, SCORE_LINES)
    made.rebuild()
    assert rows(store, SCORE_LINES) == before


@in_a_file
def test_a_game_with_an_unknown_player_is_not_rated(store: Store):
    projected(store, Log(game(1, ("anna", None))), SCORE_LINES)
    assert ratings(store) == []
