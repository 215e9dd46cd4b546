"""`kiebitz demo`."""

import asyncio
import tempfile
from pathlib import Path

import click

from api.app import create_app
from deploy.compose import opened_house
from deploy.console import line, progress, show
from deploy.demo.evening import Played, evening
from deploy.demo.plans import first_plans, plans, record_of
from deploy.demo.sheets import name_in, sheet, totals
from deploy.hints import command
from deploy.language import lang_option, said
from deploy.serve_lock import sole_writer
from deploy.settings import DEFAULT_HOST, DEFAULT_PORT, prepared_folder, read_settings
from deploy.tokens import issue
from domain.games import RULESETS


@click.command("demo")
@click.option("--data", type=click.Path(path_type=Path), metavar="FOLDER", help="Record into this folder; default: a new temporary one.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other cards and moves.")
@click.option("--games", type=click.IntRange(1, 200), help="How many games; default: at least one of every ruleset.")
@lang_option
def demo_command(data: Path | None, seed: int, games: int | None, language: str) -> None:
    """Record an evening with a table of every game through the API, and print its score sheets.

    \b
    Two games were played elsewhere, chance plays the others. Whatever is not over after some 300 moves goes on.
    \b
    Examples:
      kiebitz demo
      kiebitz demo --lang de --data ./evening --games 20 --seed 7
    """
    folder = data or Path(tempfile.mkdtemp(prefix="kiebitz-demo-"))
    first = len(first_plans(RULESETS))
    played, secret = _recorded(folder, seed, games or first)
    abouts = {key: ruleset.about() for key, ruleset in RULESETS.items()}
    for one in played[:first]:
        show(sheet(one, abouts[one.plan.ruleset], language))
    show(totals(played, {key: name_in(about, language) for key, about in abouts.items()}, language))
    for one in played:
        line(f"  {one.plan.table:12} {one.game['id']}")
    _what_next(played[0], secret, folder, language)


def _recorded(folder: Path, seed: int, games: int) -> tuple[list[Played], str]:
    settings = read_settings({}, data=folder)  # not the environment's: a demo has no business in the club's own database
    prepared_folder(settings.data)
    with sole_writer(settings.lock_file, "demo"), opened_house(settings, alone=True) as house, progress("Playing", games) as done:
        _, secret = issue(house.registers, house.clock, "director", "demo")
        planned = ((plan, record_of(plan, RULESETS, seed)) for plan in plans(RULESETS, games))
        return asyncio.run(evening(create_app(house), secret, planned, done)), secret


def _what_next(first: Played, secret: str, folder: Path, language: str) -> None:
    url = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"
    game = f"{url}/v1/games/{first.game['id']}"
    line(f"\n{said('next_start', language, folder=folder)}")
    line(f"  {command('serve', {'data': folder})}")
    line(said("next_ask", language, table=first.plan.table))
    line(f"  export KIEBITZ_TOKEN={secret}")
    line(f'  curl -H "Authorization: Bearer $KIEBITZ_TOKEN" "{game}/score-sheet?format=csv"')
    line(f'  curl -H "Authorization: Bearer $KIEBITZ_TOKEN" "{game}/table?position=42"')
    line(said("next_all", language, url=f"{url}/docs"))
