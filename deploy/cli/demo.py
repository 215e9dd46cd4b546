"""`kiebitz demo`."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import monotonic

import click

from api.app import create_app
from api.services import Services
from deploy.cli.console import print_line, progress, show
from deploy.cli.hints import command
from deploy.compose import open_services, settle_epoch
from deploy.demo.evening import Played, record_evening
from deploy.demo.filling import Filled, fill
from deploy.demo.plans import first_plans, plans, record_of
from deploy.demo.season import fixtures, rounds
from deploy.demo.sheets import name_in, sheet, totals
from deploy.language import lang_option, say, sentence
from deploy.serve_lock import lock_data_folder
from deploy.settings import DEFAULT_HOST, DEFAULT_PORT, Settings, read_settings
from deploy.tokens import issue
from deploy.usage import WrongCall
from domain.games import RULESETS

_EVENING, _SEASON, _THOUSANDS = 200, 100_000, 3_000
_URL = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"


@click.command("demo")
@click.option("--size", type=click.Choice(["small", "large"]), default="small", show_default=True, help="An evening, or a season.")
@click.option("--data", type=click.Path(path_type=Path), metavar="FOLDER", help="Record into this folder; default: a new temporary one.")
@click.option("--database-url", metavar="URL", help="Fill this PostgreSQL database; with --size large only.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other cards and moves.")
@click.option("--games", type=click.IntRange(1, _SEASON), help=f"How many; default: one of every ruleset, {_THOUSANDS} if large.")
@lang_option
def demo_command(size: str, data: Path | None, database_url: str | None, seed: int, games: int | None, language: str) -> None:
    """Record an evening with a table of every game through the API, and print its score sheets; or a whole season.

    \b
    Small: two games were played elsewhere, chance plays the others. Whatever is not over after some 300 moves goes on.
    Large: a season of tournaments with rulings, penalties and abandoned games. It can be broken off and gone on with.
    \b
    Examples:
      kiebitz demo
      kiebitz demo --lang de --data ./evening --games 20 --seed 7
      kiebitz demo --size large --data ./season --games 10000
    """
    folder = data or Path(tempfile.mkdtemp(prefix="kiebitz-demo-"))
    settings = read_settings({}, data=folder, database_url=database_url)  # what the environment names is the club's own
    if size == "large":
        _large(settings, seed, games or _THOUSANDS, language)
    elif database_url or (games or 0) > _EVENING:
        raise WrongCall(say("evening_games", count=_EVENING))
    else:
        _small(settings, seed, games, language)


def _small(settings: Settings, seed: int, games: int | None, language: str) -> None:
    first = len(first_plans(RULESETS))
    played, secret = _record_evening(settings, seed, games or first, language)
    abouts = {key: ruleset.about() for key, ruleset in RULESETS.items()}
    for one in played[:first]:
        show(sheet(one, abouts[one.plan.ruleset], language))
    show(totals(played, {key: name_in(about, language) for key, about in abouts.items()}, language))
    for one in played:
        print_line(f"  {one.plan.table:12} {one.game['id']}")
    game = f"{_URL}/v1/games/{played[0].game['id']}"
    ask = sentence("next_ask", language, table=played[0].plan.table)
    _what_next(settings, ask, secret, language, f"{game}/score-sheet?format=csv", f"{game}/table?position=42")


def _record_evening(settings: Settings, seed: int, games: int, language: str) -> tuple[list[Played], str]:
    with _open(settings) as services, progress(sentence("playing_games", language), games) as advance:
        _, secret = issue(services.registers, services.clock, "director", "demo")
        planned = ((plan, record_of(plan, RULESETS, seed)) for plan in plans(RULESETS, games))
        return asyncio.run(record_evening(create_app(services), secret, planned, advance)), secret


def _large(settings: Settings, seed: int, games: int, language: str) -> None:
    print_line(sentence("season_begins", language, store=settings.store))
    print_line(f"  {command(f'demo --size large --games {games} --seed {seed}', _flags(settings))}")
    start = monotonic()
    filled, secret = _fill(settings, seed, games, language)
    if filled.known:
        print_line(sentence("season_known", language, games=filled.known))
    rate = round(filled.games / (monotonic() - start) * 60)
    print_line(sentence("season_done", language, games=filled.games, moves=filled.moves, rate=rate))
    [last] = islice(fixtures(RULESETS, seed), games - 1, games)
    standings, scores = f"{_URL}/v1/tournaments/{last.tournament}/standings", f"{_URL}/v1/players/{last.players[0]}/scores"
    _what_next(settings, sentence("season_ask", language), secret, language, standings, scores, f"{_URL}/v1/feed")


def _fill(settings: Settings, seed: int, games: int, language: str) -> tuple[Filled, str]:
    with _open(settings) as services, progress(sentence("playing_games", language), games) as advance:
        # The same principals whenever it is gone on with: a key belongs to a principal.
        secrets = {role: issue(services.registers, services.clock, role, "demo", f"demo-{role}")[1] for role in ("director", "committee")}
        return asyncio.run(fill(create_app(services), secrets, rounds(RULESETS, seed), seed, games, advance)), secrets["director"]


@contextmanager
def _open(settings: Settings) -> Iterator[Services]:
    with lock_data_folder(settings, "demo"), open_services(settings, alone=settings.embedded) as services:
        settle_epoch(services, settings)
        yield services


def _what_next(settings: Settings, ask: str, secret: str, language: str, *addresses: str) -> None:
    print_line(f"\n{sentence('next_start', language, folder=settings.store)}")
    print_line(f"  {command('serve', _flags(settings))}")
    print_line(ask)
    print_line(f"  export KIEBITZ_TOKEN={secret}")
    for address in addresses:
        print_line(f'  curl -H "Authorization: Bearer $KIEBITZ_TOKEN" "{address}"')
    print_line(sentence("next_all", language, url=f"{_URL}/docs"))


def _flags(settings: Settings) -> dict[str, object]:
    """Those that name this store."""
    return {"data": settings.data} if settings.embedded else {"database_url": settings.database_url}
