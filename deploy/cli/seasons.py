"""Command `kiebitz seasons`: imports results of earlier tournaments from a spreadsheet."""

from functools import partial
from typing import Any, BinaryIO

import click
import msgspec

from api.http.media_types import CSV, XLSX
from api.seasons.imports import import_past_results
from api.seasons.requests import PastResultsQuery
from api.seasons.responses import ImportedTournament, PastResultLine, PastResultsReport
from deploy.cli.client import connect
from deploy.cli.console import SERVER, STORE, print_line, setting_options, settings_of
from deploy.cli.journal import CALL, import_list
from deploy.config.failures import lang_option, sentence


@click.group("seasons")
def seasons_command() -> None:
    """Bring results and rankings of earlier years into players, ratings and series.

    \b Examples:
      kiebitz seasons import --dry-run season-2019.xlsx
      kiebitz seasons import --ruleset canasta season-2019.csv --url http://127.0.0.1:8000 --token kb_…
    """


@seasons_command.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--dry-run", is_flag=True, help="Show what would be recorded, without recording it.")
@click.option("--tournament", help="The title of the tournament, if no column names it.")
@click.option("--date", help="The day on which it was played, if no column names it: 2023-11-05 or 5.11.2023.")
@click.option("--ruleset", help="What was played, if no column names it.")
@lang_option
@setting_options(*STORE, *SERVER)
def import_command(
    file: BinaryIO, dry_run: bool, tournament: str | None, date: str | None, ruleset: str | None, language: str, **flags: Any
) -> None:
    """Import the results of a list: CSV or XLSX, a player at a table in each line; - is standard input.

    The heading names the columns, in English or German, in any order: tournament, date, ruleset, round, table, id, player, alias, club,
    team or partner, score, place. Lines without a table are a ranking. Every line is reported; nothing is recorded if one is refused.
    Importing a list again adds nothing. Exit code 1 if a line was refused.
    """
    body, settings = file.read(), settings_of(flags)
    kind = XLSX if body.startswith(b"PK") else CSV
    query = PastResultsQuery(dry_run=dry_run, tournament=tournament, date=date, ruleset=ruleset)
    if settings.url:
        given = {name: value for name, value in (("tournament", tournament), ("date", date), ("ruleset", ruleset)) if value is not None}
        with connect(settings, language) as remote:
            told = remote.import_past_results(body, kind, dry_run=str(dry_run).lower(), **given)
        report = msgspec.json.decode(told, type=PastResultsReport)
    else:
        work = partial(import_past_results, body=body, kind=kind, call=lambda number, raw: CALL, query=query, language=language)
        report = import_list(settings, "seasons import", "no_results_list", language, work)
    _print_report(report, language)
    raise click.exceptions.Exit(int(report.refused > 0))


def _print_report(report: PastResultsReport, language: str) -> None:
    for line in report.lines:
        print_line(_line_in_words(line, language), "red" if line.error else None)
    for remark in report.remarks or ():
        print_line(remark.sentence)
    for one in report.tournaments:
        print_line(_tournament_in_words(one, language))
    if not report.recorded and not any(one.already for one in report.tournaments):
        print_line(sentence("season_untouched", language))


def _line_in_words(line: PastResultLine, language: str) -> str:
    place = sentence("member_line", language, line=line.line)
    if line.error:
        column = f" ({line.error.where})" if line.error.where else ""
        return f"✗ {place}{column}: {line.error.code}: {line.error.message}"
    new = f" ({sentence('new_player', language)})" if line.new else ""
    return f"✓ {place}: {line.player or sentence('new_id', language)}{new}"


def _tournament_in_words(one: ImportedTournament, language: str) -> str:
    key = "season_already" if one.already else "season_read"
    days = one.first_day if one.first_day == one.last_day else f"{one.first_day} – {one.last_day}"
    return sentence(key, language, title=one.title, days=days, players=one.players, tables=one.tables)
