"""`kiebitz doctor`."""

from typing import Any

import click
from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from deploy.cli.console import show
from deploy.cli.findings import findings
from deploy.cli.options import STORE, setting_options, settings_of

_SIGNS = {"ok": "[green]✓[/] ok", "look": "[yellow]![/] look", "wrong": "[red]✗[/] wrong"}


@click.command("doctor")
@setting_options(*STORE, "host", "port")
def doctor_command(**flags: Any) -> None:
    """Find out what is wrong, and what to do. Exit code 1 if anything is.

    \b
    Example:
      kiebitz doctor --data ./data
    """
    table = Table("", "", "found", "what to do", box=SIMPLE)
    wrong = False
    for finding in findings(settings_of(flags)):
        table.add_row(_SIGNS[finding.state], finding.what, escape(finding.found), escape(finding.advice))
        wrong = wrong or finding.state == "wrong"
    show(table)
    raise click.exceptions.Exit(int(wrong))
