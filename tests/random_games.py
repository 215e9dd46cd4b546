"""Random games of all rulesets and options, random tournaments and random series, checked against every law (``./run law``).

The laws are those of ``tests/laws.py``, of unknown cards (COM-77), of fair decks, of ``tests/tournaments``, and of series. Exits 1 at the
first breach. All is random; ``--seed`` with the printed number repeats it.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain, cycle
from random import Random, SystemRandom

import click

from domain.games import RULESETS
from tests.domain.fair_by_chance import ChanceGame
from tests.domain.games.conftest import random_game
from tests.domain.games.every_law import breaches
from tests.domain.games.setups import TRIED, SetUp
from tests.domain.series.law import find_differences
from tests.fair_laws import FAIR_LAWS
from tests.laws import Playout
from tests.telling.bystanders import BYSTANDERS
from tests.telling.law import PARTS, Part, it_goes_as_it_went
from tests.telling.tucking import TRUMPF, play_with_free_tucks
from tests.tournaments.course import play_tournaments
from tests.tournaments.hall import BreachError

LONGEST = 400
"""Number of steps that are recorded again with untold cards."""


@click.command()
@click.option("--games", default=300, show_default=True, help="Games that are played.")
@click.option("--tournaments", default=24, show_default=True, help="Tournaments that are played over HTTP.")
@click.option("--series", default=20, show_default=True, help="Seasons of ten tournaments, each under ten plans.")
@click.option("--only", multiple=True, type=click.Choice(sorted(RULESETS)), help="Only this ruleset.")
@click.option("--seed", type=int, help="Plays the same games as another run, which printed it.")
@click.option("--looks", default=200, show_default=True, help="Steps of a game at which a law looks that asks much of each.")
def main(games: int, tournaments: int, series: int, only: tuple[str, ...], seed: int | None, looks: int) -> None:
    """Check random games, tournaments and series against the laws."""
    seed = SystemRandom().randrange(10**9) if seed is None else seed
    click.echo(f"--seed {seed}")
    _play_games(games, only, seed, looks)
    _play_tournaments(tournaments, seed)
    _reckon_series(series, seed)


def _play_games(games: int, only: tuple[str, ...], seed: int, looks: int) -> None:
    set_ups = [(key, set_up) for key in only or sorted(RULESETS) for set_up in TRIED[key]().set_ups]
    Random(seed).shuffle(set_ups)
    kept: Counter[str] = Counter()
    steps = 0
    for number, (key, set_up) in zip(range(games), cycle(set_ups), strict=False):
        name = f"{seed}/{number}"
        playout = random_game(key, set_up, name)._replace(looks=looks)
        part = Random(name).choice(PARTS)
        laws = (
            breaches(playout),
            _with_unknown_cards(playout, part),
            _with_free_tucks(key, set_up, name, part),
            _with_a_fair_deck(key, set_up, name),
        )
        breach = next(chain.from_iterable(laws), None)
        if breach:
            click.echo(f"{key}, {set_up}, game {number}: {breach}", err=True)
            sys.exit(1)
        kept[f"{key}, {part} known"] += 1
        steps += len(playout.steps)
    for played, count in sorted(kept.items()):
        click.echo(f"{played}: {count} games")
    click.echo(f"{games} games, {steps} steps, no breach")


def _play_tournaments(tournaments: int, seed: int) -> None:
    tried: Counter[str] = Counter()
    try:
        for hall in play_tournaments(tournaments, seed):
            tried.update({f"{act}: {answer}": times for (act, answer), times in hall.tried.items()})
            tried["checks"] += hall.checks
    except BreachError as breach:
        click.echo(breach, err=True)
        sys.exit(1)
    for act, times in sorted(tried.items()):
        click.echo(f"{act}, {times} times")
    click.echo(f"{tournaments} tournaments, no breach")


def _reckon_series(seasons: int, seed: int) -> None:
    for season in range(seed, seed + seasons):
        if difference := next(find_differences(season, plans=10), None):
            click.echo(difference, err=True)
            sys.exit(1)
    click.echo(f"{seasons} seasons under ten plans each, no breach")


def _with_unknown_cards(playout: Playout, part: Part) -> Iterator[str]:
    if playout.ruleset.key in BYSTANDERS:
        yield from it_goes_as_it_went(playout._replace(steps=playout.steps[:LONGEST]), part)


def _with_free_tucks(key: str, set_up: SetUp, name: str, part: Part) -> Iterator[str]:
    if key == TRUMPF:
        playout = play_with_free_tucks(set_up, name)
        yield from it_goes_as_it_went(playout._replace(steps=playout.steps[:LONGEST]), part)


def _with_a_fair_deck(key: str, set_up: SetUp, name: str) -> Iterator[str]:
    game = ChanceGame(key, set_up, name).played()
    return (f"{law.__name__}: {breach}" for law in FAIR_LAWS for breach in law(game))


if __name__ == "__main__":
    main()
