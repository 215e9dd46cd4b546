"""``./run tables`` records games of the Trumpfspiel over HTTP as they are seen at a table, without an arbiter: winners tuck in an order of
their own, in a random one, or in that in which cards were shown. Exits 1 if a game could not be seen through.
"""

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tests.api.conftest import running, settings_of, without_limits
from tests.telling.at_a_table import record_at_a_table, set_up_number
from tests.telling.tucking import TUCKS


@click.command()
@click.option("--games", default=120, show_default=True, help="Games that are recorded.")
@click.option("--seed", default=0, show_default=True, help="Another seed plays other games.")
def main(games: int, seed: int) -> None:
    """Record games as they are seen at a table."""
    through: Counter[str] = Counter()
    steps = 0
    with TemporaryDirectory() as folder, running(settings_of(Path(folder)), without_limits) as service:
        for number in range(games):
            tuck, set_up = TUCKS[number % len(TUCKS)], set_up_number(number // len(TUCKS))
            found = record_at_a_table(service.caller("recorder"), set_up, tuck, f"{seed}/{number}")
            through[tuck] += found.breach is None
            steps += found.steps
            if found.breach:
                click.echo(f"{set_up}, {tuck} order, game {number}: {found.breach}", err=True)
    for tuck in TUCKS:
        click.echo(f"{tuck} order: {through[tuck]} of {len(range(TUCKS.index(tuck), games, len(TUCKS)))} games seen through")
    click.echo(f"{through.total()} of {games} games, {steps} steps recorded over HTTP without an arbiter")
    sys.exit(through.total() < games)


main()
