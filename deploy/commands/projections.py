"""`kiebitz projections`."""

from typing import Any

import click
from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from deploy.compose import PROJECTIONS, opened_house
from deploy.console import line, show
from deploy.options import STORE, setting_options, settings_of

_NAMES = tuple(projection.name for projection in PROJECTIONS)


@click.group("projections")
def projections_command() -> None:
    """See how far the projections are, or rebuild them from the events.

    A projection holds nothing of its own: it can be rebuilt at any time, also while a server runs.

    \b
    Examples:
      kiebitz projections status
      kiebitz projections rebuild score_sheets
    """


@projections_command.command("status")
@setting_options(*STORE)
def status_command(**flags: Any) -> None:
    """How far each projection is behind the newest event."""
    with opened_house(settings_of(flags), create=False) as house:
        house.projector.prepare()
        statuses = house.projector.status()
    table = Table("projection", "position", "newest", "behind", box=SIMPLE)
    for status in statuses:
        table.add_row(escape(status.name), str(status.position), str(status.head), str(status.lag))
    show(table)


@projections_command.command("rebuild")
@click.argument("names", nargs=-1, type=click.Choice(_NAMES), metavar="[NAME…]")
@setting_options(*STORE)
def rebuild_command(names: tuple[str, ...], **flags: Any) -> None:
    """Fill projections anew from the events; all of them, if none is named. Readers see the old rows until it is done."""
    with opened_house(settings_of(flags), create=False) as house:
        house.projector.prepare()
        for name in names or _NAMES:
            line(f"{name}: rebuilt up to sequence {house.projector.rebuild(name)}")
