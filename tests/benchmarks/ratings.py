"""Ratings of a million results computed anew, and one more that follows, beside bare openskill."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from openskill.models import PlackettLuce

from deploy.stores.opening import open_projections
from projections.engine.projection import create_tables
from projections.engine.store import Store
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.rated_games import update_ratings
from projections.values import as_json
from tests.benchmarks.measure import Figure, compared

RESULTS = 1_000_000
_PLAYERS = 5_000
_GAME = "INSERT INTO rated_games (opened, ruleset, played_at, teams) VALUES (?, 'casino', ?, ?)"
_CHANGE = "INSERT INTO rating_changes (ruleset, played_at, opened, since) VALUES ('casino', ?, ?, 0)"

Teams = Sequence[tuple[tuple[str, ...], int]]


def figures(quick: bool) -> Iterator[Figure]:
    number = 5_000 if quick else RESULTS
    with TemporaryDirectory() as folder, closing(open_projections(f"sqlite:///{Path(folder) / 'k.db'}")) as store:
        chance = Random(1)
        with store.transaction() as tx:
            create_tables(tx, SCORE_LINES)
            tx.run_many(_GAME, ((place, place, as_json(one)) for place, one in enumerate(results(chance, number), 1)))
            tx.run(_CHANGE, (0, 0))
        bare = _time_straight_run(results(Random(1), number)) / number
        rebuilt = _time_update(store) / number
        yield compared(f"ratings of {number:,} results, a result", rebuilt, "bare openskill", bare, goal=3.0)
        some = [_time_update(store, list(results(chance, 100))) / 100 for _ in range(5)]
        yield compared("ratings of 100 more results in a batch, a result", median(some), "bare openskill", bare, goal=3.0)
        one = [_time_update(store, list(results(chance, 1))) for _ in range(100)]
        yield compared("ratings of one more result in its own transaction", median(one), "bare openskill", bare)


def results(chance: Random, number: int) -> Iterator[Teams]:
    """Games of two to four single players and of two pairs, with ties."""
    for _ in range(number):
        players = [f"p{one}" for one in chance.sample(range(_PLAYERS), 4)]
        sizes = chance.choice([(1, 1), (1, 1, 1), (1, 1, 1, 1), (2, 2)])
        yield [(tuple(players.pop() for _ in range(size)), chance.randint(1, len(sizes))) for size in sizes]


def _time_straight_run(games: Iterator[Teams]) -> float:
    model, all = PlackettLuce(), list(games)
    found = {player: model.rating() for teams in all for team, _ in teams for player in team}
    start = process_time()
    for teams in all:
        rated = model.rate([[found[player] for player in team] for team, _ in teams], ranks=[place for _, place in teams])
        for (team, _), after in zip(teams, rated, strict=True):
            found.update(zip(team, after, strict=True))
    return process_time() - start


def _time_update(store: Store, news: Sequence[Teams] = ()) -> float:
    """Return the seconds of processor time until nothing is left to compute, with some more results that follow all others."""
    start, left = process_time(), True
    while left:
        with store.transaction() as tx:
            if news:
                ((last,),) = tx.query("SELECT MAX(opened) FROM rated_games")
                tx.run_many(_GAME, [(place, place, as_json(one)) for place, one in enumerate(news, int(last) + 1)])
                tx.run(_CHANGE, (int(last) + 1, int(last) + 1))
                news = ()
            left = update_ratings(tx)
    return process_time() - start
