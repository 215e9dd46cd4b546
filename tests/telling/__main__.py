"""``./run law --games 10000`` plays so many random games, spread over all rulesets and options, and records each again with cards that
nobody told (COM-77). Exits 1 at the first breach.
"""

import sys
from collections import Counter
from itertools import cycle

import click

from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.telling.bystanders import BYSTANDERS
from tests.telling.law import PARTS, Part, it_goes_as_it_went


@click.command()
@click.option("--games", default=300, show_default=True, help="Games that are played.")
@click.option("--only", multiple=True, type=click.Choice(sorted(BYSTANDERS)), help="Only this ruleset.")
@click.option("--seed", default=0, show_default=True, help="Another seed plays other games.")
@click.option("--longest", default=400, show_default=True, help="Steps of a game that are looked at.")
def main(games: int, only: tuple[str, ...], seed: int, longest: int) -> None:
    """Holds random games against the law of unknown cards."""
    set_ups = [(key, set_up) for key in only or sorted(BYSTANDERS) for set_up in TRIED[key]().set_ups]
    kept: Counter[tuple[str, str]] = Counter()
    steps = 0
    for number, (key, set_up) in zip(range(games), cycle(set_ups), strict=False):
        # Set-ups come round again and again, each time with another part known.
        part: Part = PARTS[(number // len(set_ups) + number) % len(PARTS)]
        playout = random_game(key, set_up._replace(longest=longest), f"{seed}/{number}")
        breach = next(it_goes_as_it_went(playout, part), None)
        if breach:
            click.echo(f"{key}, {set_up}, seed {seed}/{number}: {breach}", err=True)
            sys.exit(1)
        kept[key, part] += 1
        steps += len(playout.steps)
    for (played, known), count in sorted(kept.items()):
        click.echo(f"{played}, {known} known: {count} games")
    click.echo(f"{games} games, {steps} steps, no breach")


if __name__ == "__main__":
    main()
