"""`kiebitz audit`."""

import os
from typing import Any

import click
import msgspec

from deploy.cli.audits import Told, audits_of, games_of
from deploy.cli.console import line, progress
from deploy.cli.options import STORE, setting_options, settings_of
from deploy.cli.records import chosen
from deploy.compose import opened_recorder
from deploy.language import lang_option, said


@click.command("audit")
@click.argument("games", nargs=-1, metavar="[GAME…]")
@click.option("--tournament", metavar="ID", help="Every game of this tournament.")
@click.option("--all", "everything", is_flag=True, help="Every game.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line and game.")
@click.option("--jobs", type=click.IntRange(min=1), default=lambda: os.cpu_count() or 1, show_default="one a processor", help="Processes.")
@lang_option
@setting_options(*STORE)
def audit_command(
    games: tuple[str, ...], tournament: str | None, everything: bool, as_json: bool, jobs: int, language: str, **flags: Any
) -> None:
    """Is what was recorded what the rules make of it? Every event is judged anew. It tells cards.

    \b
    Exit code: 0 every game is sound, 1 not so.
    \b
    Examples:
      kiebitz audit --all
      kiebitz audit 5c0c8f1e-… --json
      kiebitz audit --tournament spring-open --database-url postgresql://kiebitz@db/kiebitz
    """
    if [bool(games), tournament is not None, everything].count(True) != 1:
        raise click.UsageError("Name games, or a --tournament, or say --all.")
    sound = 0
    with opened_recorder(settings_of(flags), create=False) as recorder:
        ids = chosen(games) if games else recorder.games() if tournament is None else games_of(recorder, tournament)
        with progress("Auditing", len(ids)) as advance:
            for done, found in enumerate(audits_of(recorder, ids, jobs), 1):
                told = Told(found, language)
                line(msgspec.json.encode(found).decode() if as_json else told.in_words(), None if as_json else told.colour)
                sound += found.verdict == "sound"
                advance(done)
    if not as_json and len(ids) != 1:
        line(said("audited", language, sound=sound, count=len(ids)))
    raise click.exceptions.Exit(int(sound < len(ids)))
