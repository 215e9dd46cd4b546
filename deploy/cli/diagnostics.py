"""Command `kiebitz doctor`: diagnoses an installation, also a broken one, check by check."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

import click
from msgspec import Struct
from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from deploy.cli.checks import machine, persistence, stored
from deploy.cli.checks.log import check_log
from deploy.cli.checks.machine import Found, State
from deploy.cli.console import STORE, setting_options, settings_of, show
from deploy.cli.proofs.checkpoint_options import CheckpointOptions, checkpoint_options, checkpoint_options_of
from deploy.config.failures import explain_error, headings, lang_option, render, say, sentence
from deploy.config.settings import Settings
from domain.texts import FALLBACK

_NOTHING = CheckpointOptions()
_SIGNS: dict[State, str] = {"ok": "[green]✓[/]", "look": "[yellow]![/]", "wrong": "[red]✗[/]"}


class Finding(Struct, frozen=True):
    """Result of a check, in words."""

    state: State
    text: str
    advice: str


@click.command("doctor")
@checkpoint_options
@lang_option
@setting_options(*STORE, "host", "port", "backup_every", "backup_folder")
def diagnostics_command(language: str, **flags: Any) -> None:
    """Find out what is wrong, and what to do. Exit code 1 if anything is.

    \b Example:
      kiebitz doctor --data ./data
      kiebitz doctor --checkpoint from-the-hall.txt
    """
    table = Table("", "", *headings(language, "found", "advice"), box=SIMPLE)
    wrong = False
    for name, finding in run_checks(settings_of(flags), language, checkpoint_options_of(flags)):
        sign = f"{_SIGNS[finding.state]} {sentence(f'doctor_{finding.state}', language)}"
        table.add_row(sign, name, escape(finding.text), escape(finding.advice))
        wrong = wrong or finding.state == "wrong"
    show(table)
    raise click.exceptions.Exit(int(wrong))


def run_checks(settings: Settings, language: str = FALLBACK, asked: CheckpointOptions = _NOTHING) -> Iterator[tuple[str, Finding]]:
    """Yield the finding of each check, in order and in words; none for a check that depends on a failed one.

    ``asked``: further checkpoints that the store is verified against.
    """
    wrong: set[str | None] = set()
    log: _Check = ("log", partial(check_log, asked=asked), "database")
    for name, check, needed in (*_CHECKS, log):
        finding = None if needed in wrong else _run(check, settings)
        if finding is None or finding.state == "wrong":
            wrong.add(name)
        if finding is not None:
            said = Finding(finding.state, render(finding.text, language), render(finding.advice, language))
            yield sentence(f"check.{name}", language), said


def _run(check: Callable[[Settings], Found], settings: Settings) -> Found:
    try:
        return check(settings)
    except Exception as error:
        failure = explain_error(error)
        if failure is None:
            raise
        return Found("wrong", failure.problem, say("sentences", some=failure.advice) if failure.advice else "")


_Check: TypeAlias = tuple[str, Callable[[Settings], Found], str | None]
_CHECKS: tuple[_Check, ...] = (
    ("version", machine.check_version, None),
    ("python", machine.check_python, None),
    ("folder", machine.check_folder, None),
    ("disk", machine.check_disk_space, "folder"),
    ("database", stored.check_database, "folder"),
    ("durability", persistence.check_persistence, "database"),
    ("standbys", persistence.check_server_copies, "durability"),
    ("speed", persistence.check_write_time, "standbys"),
    ("backups", machine.check_backup_folder, "database"),
    ("events", stored.check_append_only, "database"),
    ("tokens", stored.check_tokens, "database"),
    ("webhooks", stored.check_webhooks, "database"),
    ("projections", stored.check_projections, "database"),
    ("witnesses", machine.check_witnesses, "database"),
    ("port", machine.check_port, None),
    ("clock", stored.check_clock, "database"),
)
"""Each check with the one that it depends on. Their names are in the catalogue."""
