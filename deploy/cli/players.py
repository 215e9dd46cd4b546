"""Command `kiebitz players`: imports members from a list into the directory."""

from functools import partial
from typing import Any, BinaryIO

import click
import msgspec

from api.http.media_types import CSV, NDJSON
from api.players.registrations import import_members
from api.players.responses import MemberLine, MemberReport
from deploy.cli.client import connect
from deploy.cli.console import SERVER, STORE, print_line, setting_options, settings_of
from deploy.cli.journal import CALL, import_list
from deploy.config.failures import lang_option, sentence


@click.group("players")
def players_command() -> None:
    """Bring members into the directory.

    \b Examples:
      kiebitz players import --dry-run members.csv
      kiebitz players import members.csv --url http://127.0.0.1:8000 --token kb_…
    """


@players_command.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--dry-run", is_flag=True, help="Show which players would be registered, without registering them.")
@click.option("--skip-namesakes", is_flag=True, help="Leave out lines whose name a player of the same club has already.")
@lang_option
@setting_options(*STORE, *SERVER)
def import_command(file: BinaryIO, dry_run: bool, skip_namesakes: bool, language: str, **flags: Any) -> None:
    """Register the members of a list: CSV with a heading (name and, in any order, id, alias, club) or NDJSON; - is standard input.

    Every line is reported. Exit code 1 if one of them was refused.
    """
    body, settings = file.read(), settings_of(flags)
    kind = NDJSON if body.lstrip()[:1] == b"{" else CSV
    if settings.url:
        with connect(settings, language) as remote:
            told = remote.import_members(body, kind, dry_run=dry_run, skip_namesakes=skip_namesakes)
        report = msgspec.json.decode(told, type=MemberReport)
    else:
        work = partial(
            import_members,
            body=body,
            kind=kind,
            call=lambda number, raw: CALL,
            dry_run=dry_run,
            language=language,
            skip_namesakes=skip_namesakes,
        )
        report = import_list(settings, "players import", "no_member_list", language, work)
    for member in report.players:
        print_line(_in_words(member, language), "red" if member.error else None)
    for remark in report.remarks or ():
        print_line(remark.sentence)
    count = len(report.players)
    print_line(sentence("members_registrable" if dry_run else "members_registered", language, done=report.registered, count=count))
    raise click.exceptions.Exit(int(report.refused > 0))


def _in_words(member: MemberLine, language: str) -> str:
    place = sentence("member_line", language, line=member.line)
    if member.error:
        return f"✗ {place}: {member.error.code}: {member.error.message}"
    twin = _describe_same_name(member, language)
    if member.skipped:
        return f"– {place}: {twin}"
    return f"✓ {place}: {member.player or sentence('new_id', language)}{twin and f' ({twin})'}"


def _describe_same_name(member: MemberLine, language: str) -> str:
    if member.namesakes:
        return sentence("member_namesakes", language, players=", ".join(member.namesakes))
    return "" if member.same_as is None else sentence("member_twice", language, line=member.same_as)
