"""`kiebitz demo`."""

import asyncio
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

import click
import platformdirs
from msgspec import Struct

from api.app import create_app
from api.services import Services
from deploy.cli.console import print_line, progress, show
from deploy.cli.hints import command, describe_phone_access, flags_of
from deploy.cli.options import setting_options
from deploy.compose import open_services, settle_epoch
from deploy.config.settings import DEFAULT_HOST, DEFAULT_PORT, Settings, read_settings
from deploy.config.tokens import issue
from deploy.config.usage import WrongCall
from deploy.demo.evening import Played, record_all
from deploy.demo.filling import Filled, fill
from deploy.demo.links import sign_in_links
from deploy.demo.plans import first_plans, plans, record_of
from deploy.demo.season import fixtures, rounds
from deploy.demo.sheets import name_in, sheet, totals
from deploy.processes.serve_lock import lock_data_folder
from deploy.server.serve import serve
from deploy.system.clock import now
from deploy.system.language import lang_option, say, sentence
from domain.games import RULESETS
from domain.journal.registers import Registers

_OWN = "kiebitz-demo"
"""The folder of the evening, beside that of the club."""

_EVENING, _SEASON, _THOUSANDS = 200, 100_000, 3_000
_URL = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"


class _Evening(Struct, frozen=True):
    """``night``: the games of its tournament, by round and table; ``secret``: that of a director."""

    played: list[Played]
    night: dict[str, str]
    secret: str


@click.command("demo")
@click.option("--size", type=click.Choice(["small", "large"]), default="small", show_default=True, help="An evening, or a season.")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Record into this folder; default: one of its own for the evening, for a season a new temporary one.",
)
@click.option("--database-url", metavar="URL", help="Fill this PostgreSQL database; with --size large only.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed, other cards and moves.")
@click.option("--games", type=click.IntRange(1, _SEASON), help=f"How many; default: one of every ruleset, {_THOUSANDS} if large.")
@click.option(
    "--serve/--no-serve", "serving", default=True, show_default=True, help="Serve the evening, or print its score sheets and end."
)
@setting_options("host", "port", "tls_cert", "tls_key", "public_url")
@lang_option
def demo_command(
    size: str, data: Path | None, database_url: str | None, seed: int, games: int | None, serving: bool, language: str, **flags: Any
) -> None:
    """Record an evening through the API, with a tournament and a table of every game, and serve it; or a whole season.

    \b
    Small: a club night in its second round, and beside it two games that were played elsewhere; chance plays the others. Whatever is
    not over after some 300 moves goes on. It prints links to sign in with. What is recorded already stays as it is.
    Large: a season of tournaments with rulings, penalties and abandoned games. It can be broken off and gone on with.
    \b
    Examples:
      kiebitz demo
      kiebitz demo --no-serve
      kiebitz demo --lang de --data ./evening --games 20 --seed 7
      kiebitz demo --size large --data ./season --games 10000
    """
    folder = data or (platformdirs.user_data_path(_OWN, appauthor=False) if size == "small" else Path(tempfile.mkdtemp(prefix=f"{_OWN}-")))
    # What the environment names is the club's own.
    settings = read_settings({}, data=folder, database_url=database_url, **flags)
    if size == "large":
        _large(settings, seed, games or _THOUSANDS, language)
    elif database_url or (games or 0) > _EVENING:
        raise WrongCall(say("evening_games", count=_EVENING))
    elif serving:
        _serve_it(settings, _record_evening(settings, seed, games, language), {"data": data, **flags}, language)
    else:
        _print(settings, _record_evening(settings, seed, games, language), language)


def _serve_it(settings: Settings, evening: _Evening, flags: Mapping[str, object], language: str) -> None:
    def started(registers: Registers, listening: str) -> None:
        address = settings.public_url or listening
        print_line(f"{sentence('demo_serves', language, address=address, folder=settings.data)}\n")
        for link in sign_in_links(registers, now, evening.night, address):
            print_line(f"{sentence(link.what, language)}\n  {link.address}")
        print_line(f"\n{describe_phone_access(settings, listening, 'demo', flags, language)}")
        print_line(f"\n{sentence('demo_ends', language)}")

    serve(settings, migrate_too=False, accept_older_copy=False, started=started)


def _print(settings: Settings, evening: _Evening, language: str) -> None:
    first, played, secret = len(first_plans(RULESETS)), evening.played, evening.secret
    abouts = {key: ruleset.about() for key, ruleset in RULESETS.items()}
    for one in played[:first]:
        show(sheet(one, abouts[one.plan.ruleset], language))
    show(totals(played, {key: name_in(about, language) for key, about in abouts.items()}, language))
    for one in played:
        print_line(f"  {one.plan.table:12} {one.game['id']}")
    game = f"{_URL}/v1/games/{played[0].game['id']}"
    ask = sentence("next_ask", language, table=played[0].plan.table)
    _what_next(settings, ask, secret, language, f"{game}/score-sheet?format=csv", f"{game}/table?position=42")


def _record_evening(settings: Settings, seed: int, games: int | None, language: str) -> _Evening:
    count = games or len(first_plans(RULESETS))
    with _open(settings) as services, progress(sentence("playing_games", language), count) as advance:
        secrets = _secrets(services, "director", "arbiter")
        planned = ((plan, record_of(plan, RULESETS, seed)) for plan in plans(RULESETS, count))
        app = create_app(services)
        played, night = asyncio.run(record_all(app, secrets, planned, seed, advance))
        return _Evening(played, night, secrets["director"])


def _secrets(services: Services, *roles: str) -> dict[str, str]:
    """Of the same principals whenever it is gone on with: a key belongs to a principal."""
    return {role: issue(services.registers, services.clock, role, "demo", f"demo-{role}")[1] for role in roles}


def _large(settings: Settings, seed: int, games: int, language: str) -> None:
    print_line(sentence("season_begins", language, store=settings.store))
    print_line(f"  {command(f'demo --size large --games {games} --seed {seed}', flags_of(settings))}")
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
        secrets = _secrets(services, "director", "committee")
        return asyncio.run(fill(create_app(services), secrets, rounds(RULESETS, seed), seed, games, advance)), secrets["director"]


@contextmanager
def _open(settings: Settings) -> Iterator[Services]:
    with lock_data_folder(settings, "demo"), open_services(settings, alone=settings.embedded) as services:
        settle_epoch(services, settings)
        yield services


def _what_next(settings: Settings, ask: str, secret: str, language: str, *addresses: str) -> None:
    print_line(f"\n{sentence('next_start', language, folder=settings.store)}")
    print_line(f"  {command('serve', flags_of(settings))}")
    print_line(ask)
    print_line(f"  export KIEBITZ_TOKEN={secret}")
    for address in addresses:
        print_line(f'  curl -H "Authorization: Bearer $KIEBITZ_TOKEN" "{address}"')
    print_line(sentence("next_all", language, url=f"{_URL}/docs"))
