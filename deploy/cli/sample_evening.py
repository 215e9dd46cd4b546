"""Command `kiebitz demo`: records a sample evening and serves it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import platformdirs
from rich.box import SIMPLE
from rich.table import Table

from deploy.cli.console import command, describe_device_access, flags_of, print_line, progress, setting_options, show
from deploy.compose import check_epoch, open_services
from deploy.config.failures import lang_option, sentence, winners
from deploy.config.settings import DEFAULT_HOST, DEFAULT_PORT, Settings, read_settings
from deploy.demo.evening import Evening, Played, record_evening, sign_in_links
from deploy.demo.tables import tables
from deploy.processes.journal_file import lock_data_folder
from deploy.server.serve import serve
from deploy.system.clock import now
from domain.games import RULESETS
from domain.journal.registers import Registers

_OWN = "kiebitz-demo"
"""Name of the demo's data folder, separate from the club's."""

_MOST = 200
_URL = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"


@click.command("demo")
@click.option("--data", type=click.Path(path_type=Path), metavar="FOLDER", help="Record into this folder; default: a new one.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed gives other cards and moves.")
@click.option("--games", type=click.IntRange(1, _MOST), help="Number of games; default: at least one for every ruleset.")
@click.option("--serve/--no-serve", "serving", default=True, show_default=True, help="Serve the evening, or print its results and exit.")
@click.option("--series", "season", is_flag=True, help="Also two finished evenings from record files, and the series of both.")
@setting_options("host", "port", "tls_cert", "tls_key", "public_url")
@lang_option
def sample_evening_command(
    data: Path | None, seed: int, games: int | None, serving: bool, season: bool, language: str, **flags: Any
) -> None:
    """Record an evening through the API, with a tournament and a table of every game, and serve it.

    \b It is a club night in its second round, with two games that were played elsewhere; the others are random. A game that is not over
    after some 300 moves is still in progress. It prints links to sign in with. Existing games stay as they are. \b Examples:
      kiebitz demo
      kiebitz demo --series
      kiebitz demo --no-serve
      kiebitz demo --lang de --data ./evening --games 20 --seed 7
    """
    # The environment is ignored: its settings are for the club's own store.
    settings = read_settings({}, data=data or platformdirs.user_data_path(_OWN, appauthor=False), **flags)
    evening = _record(settings, seed, games, language, season=season)
    if serving:
        _serve(settings, evening, {"data": data, **flags}, language)
    else:
        _print(settings, evening, language)


def _record(settings: Settings, seed: int, games: int | None, language: str, *, season: bool) -> Evening:
    with lock_data_folder(settings, "demo"), open_services(settings, alone=True) as services:
        check_epoch(services, settings)
        with progress(sentence("playing_games", language), games or len(tables(RULESETS))) as advance:
            return record_evening(services, seed, games, advance, season=season)


def _serve(settings: Settings, evening: Evening, flags: Mapping[str, object], language: str) -> None:
    def announce(registers: Registers, listening: str) -> None:
        address = settings.public_url or listening
        print_line(f"{sentence('demo_serves', language, address=address, folder=settings.data)}\n")
        for what, link in sign_in_links(registers, now, evening, address):
            print_line(f"{sentence(what, language)}\n  {link}")
        print_line(f"\n{describe_device_access(settings, listening, 'demo', flags, language)}")
        print_line(f"\n{sentence('demo_ends', language)}")

    serve(settings, migrate_too=False, accept_older_copy=False, started=announce)


def _print(settings: Settings, evening: Evening, language: str) -> None:
    table = Table(title=sentence("evening", language), title_justify="left", title_style="bold", box=SIMPLE)
    for column in ("table", "game_name", "hands", "totals", "won"):
        table.add_column(sentence(column, language))
    for played in evening.played:
        table.add_row(*_row(played, language))
    show(table)
    first = evening.played[0]
    print_line(f"\n{sentence('next_start', language, folder=settings.store)}")
    print_line(f"  {command('serve', flags_of(settings))}")
    print_line(sentence("next_ask", language, table=first.table.name))
    print_line(f"  export KIEBITZ_TOKEN={evening.secret}")
    for question in ("score-sheet?format=csv", "table?position=42"):
        print_line(f'  curl -H "Authorization: Bearer $KIEBITZ_TOKEN" "{_URL}/v1/games/{first.game}/{question}"')
    print_line(sentence("next_all", language, url=f"{_URL}/docs"))


def _row(played: Played, language: str) -> tuple[str, ...]:
    sheet, names = played.sheet, RULESETS[played.table.ruleset].about().names
    won = sentence("playing", language) if sheet["winners"] is None else winners(sheet["winners"], sheet["parties"], language)
    return played.table.name, names.get(language) or names["en"], str(len(sheet["hands"])), " : ".join(map(str, sheet["totals"])), won
