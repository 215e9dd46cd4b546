"""Ratings of a million results computed anew, after a late ruling, and of more that follow, beside bare openskill."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from openskill.models import PlackettLuce

from deploy.stores.opening import open_projections
from projections.engine.store import Store, create_tables
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.rated_games import GAMES_A_STEP, update_ratings
from projections.values import as_json
from tests.benchmarks.measure import Figure, compared

RESULTS = 1_000_000
_PLAYERS = 5_000
_GAME = "INSERT INTO rated_games (opened, ruleset, played_at, teams) VALUES (?, '{ruleset}', ?, ?)"
_CHANGE = "INSERT INTO rating_changes (ruleset, played_at, opened, since) VALUES ('casino', ?, ?, 0)"

Teams = Sequence[tuple[tuple[str, ...], int]]


def goals(quick: bool) -> Iterator[Figure]:
    return figures(quick, 50_000)


def figures(quick: bool, results_stored: int = RESULTS) -> Iterator[Figure]:
    number = 5_000 if quick else results_stored
    with TemporaryDirectory() as folder, closing(open_projections(f"sqlite:///{Path(folder) / 'k.db'}")) as store:
        chance = Random(1)
        with store.transaction() as tx:
            create_tables(tx, SCORE_LINES)
            tx.run_many(
                _GAME.format(ruleset="casino"), ((place, place, as_json(one)) for place, one in enumerate(results(chance, number), 1))
            )
            tx.run(_CHANGE, (0, 0))
        bare = _time_straight_run(results(Random(1), number)) / number
        rebuilt = _time_update(store) / number
        yield compared(f"ratings of {number:,} results, a result", rebuilt, "bare openskill", bare, goal=3.0)
        late = _time_late_ruling(store, min(number, GAMES_A_STEP))
        yield compared(f"ratings after a ruling that {min(number, GAMES_A_STEP):,} results follow", late, "a second", 1, 1.0, 1e3, "ms")
        for count, times in ((100, 20), (1, 500)):
            # bare openskill in turn with it: after a transaction the processor has forgotten the loop of both
            both = [(_time_following(store, news), _time_straight_run(iter(news))) for news in _portions(chance, count, times)]
            followed, straight = (median(figures) / count for figures in zip(*both, strict=True))
            yield compared(f"ratings of {count} more results of an evening, each", followed, "bare openskill", straight, goal=3.0)


def _portions(chance: Random, count: int, times: int) -> Iterator[Sequence[Teams]]:
    return (list(results(chance, count, 60)) for _ in range(times))


def results(chance: Random, number: int, among: int = _PLAYERS) -> Iterator[Teams]:
    """Games of two to four single players and of two pairs, with ties."""
    for _ in range(number):
        players = [f"p{one}" for one in chance.sample(range(among), 4)]
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


def _time_update(store: Store) -> float:
    """Return the seconds of processor time until nothing is left to compute."""
    start, left = process_time(), True
    while left:
        with store.transaction() as tx:
            left = update_ratings(tx)
    return process_time() - start


def _time_late_ruling(store: Store, following: int) -> float:
    """Return the seconds of processor time until the ratings from a result on are computed anew."""
    with store.transaction() as tx:
        ((last,),) = tx.query("SELECT MAX(opened) FROM rated_games")
        tx.run(_CHANGE, (int(last) - following + 1, int(last) - following + 1))
    return _time_update(store)


def _time_following(store: Store, news: Sequence[Teams]) -> float:
    """Return the seconds of processor time by which the transaction that stores some results takes longer because it also rates them."""

    def store_results(ruleset: str) -> float:
        start = process_time()
        with store.transaction() as tx:
            ((last,),) = tx.query("SELECT MAX(opened) FROM rated_games")
            tx.run_many(_GAME.format(ruleset=ruleset), [(place, place, as_json(one)) for place, one in enumerate(news, int(last) + 1)])
            if ruleset == "casino":
                tx.run(_CHANGE, (int(last) + 1, int(last) + 1))
                update_ratings(tx)
        return process_time() - start

    without = store_results("unrated")
    return store_results("casino") - without
