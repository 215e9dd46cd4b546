"""`kiebitz demo`."""

import asyncio
import tempfile
from pathlib import Path

import click

from api.app import create_app
from deploy.compose import opened_house
from deploy.console import line, progress, show
from deploy.demo.evening import Played, evening
from deploy.demo.plans import FIRST, plans
from deploy.demo.sheets import sheet, totals
from deploy.hints import command
from deploy.serve_lock import sole_writer
from deploy.settings import DEFAULT_HOST, DEFAULT_PORT, prepared_folder, read_settings
from deploy.tokens import issue


@click.command("demo")
@click.option("--data", type=click.Path(path_type=Path), metavar="FOLDER", help="Record into this folder; default: a new temporary one.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other cards and moves.")
@click.option("--games", type=click.IntRange(1, 200), default=len(FIRST), show_default=True, help="How many games.")
def demo_command(data: Path | None, seed: int, games: int) -> None:
    """Record a Casino evening through the API, and print its score sheets.

    \b
    Examples:
      kiebitz demo
      kiebitz demo --data ./evening --games 12 --seed 7
    """
    folder = data or Path(tempfile.mkdtemp(prefix="kiebitz-demo-"))
    played, secret = _recorded(folder, seed, games)
    for one in played[: len(FIRST)]:
        show(sheet(one))
    show(totals(played))
    for one in played:
        line(f"  {one.plan.table:10} {one.game['id']}")
    _what_next(played[0], secret, folder)


def _recorded(folder: Path, seed: int, games: int) -> tuple[list[Played], str]:
    settings = read_settings({}, data=folder)  # not the environment's: a demo has no business in the club's own database
    prepared_folder(settings.data)
    with sole_writer(settings.lock_file, "demo"), opened_house(settings, alone=True) as house, progress("Playing", games) as done:
        _, secret = issue(house.registers, house.clock, "director", "demo")
        return asyncio.run(evening(create_app(house), secret, plans(games), seed, done)), secret


def _what_next(first: Played, secret: str, folder: Path) -> None:
    game = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}/v1/games/{first.game['id']}"
    line(f"\nThe games are in {folder}. Start the service there:")
    line(f"  {command('serve', {'data': folder})}")
    line(f"and ask it, from another terminal, about table {first.plan.table}: its score sheet, or what seat 1 saw at position 42:")
    line(f"  export KIEBITZ_TOKEN={secret}")
    line(f'  curl -H "Authorization: Bearer $KIEBITZ_TOKEN" "{game}/score-sheet?format=csv"')
    line(f'  curl -H "Authorization: Bearer $KIEBITZ_TOKEN" "{game}/table?position=42&view=seat:1"')
    line(f"All that can be asked: http://{DEFAULT_HOST}:{DEFAULT_PORT}/docs")
