"""``./run faults [NAME …]``: faults on purpose, against servers of its own. Prints a table; exit 1 if something did not hold."""

import sys
import time
from collections.abc import Callable, Iterable
from functools import partial

import click
from rich.console import Console
from rich.table import Table

from tests.faults import (
    crowded,
    failover,
    following,
    importing,
    keys,
    killing,
    network,
    proofs,
    readers,
    rolling,
    tampering,
    unfinished,
    witnesses,
)
from tests.faults.ha import scene
from tests.faults.ha.faults import Kind, Plan, rounds_of
from tests.faults.scene import Finding

SCENES: dict[str, Callable[[], Iterable[Finding]]] = {
    "tampering": tampering.findings,
    "proofs": proofs.findings,
    "keys": keys.findings,
    "crowded": crowded.findings,
    "unfinished": unfinished.findings,
    "failover": failover.findings,
    "readers": readers.findings,
    "killing": killing.findings,
    "importing": importing.findings,
    "rolling": rolling.findings,
    "following": following.findings,
    "network": network.findings,
    "witnesses": witnesses.findings,
}


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*SCENES, "ha"]))
@click.option("--seconds", type=float, default=600, show_default=True, help="How long the scene ha goes on.")
@click.option("--rounds", callback=lambda context, option, given: rounds_of(given), help="Of ha, instead: killed:50,frozen:3,switched …")
@click.option("--logs", help="Of ha: the folder where the logs of the cluster stay.")
def main(names: tuple[str, ...], seconds: float, rounds: tuple[Kind, ...], logs: str | None) -> None:
    """Kills and freezes, keys in flight, unfinished requests, tampering, proof files, failover, and more. NAMEs choose some."""
    scenes = SCENES | {"ha": partial(scene.findings, Plan(seconds, rounds, logs))}
    table = Table("scene", "what", "seen", "held")
    held = True
    for name in names or scenes:
        click.echo(f"{name} …", err=True)
        start = time.monotonic()
        for found in scenes[name]():
            held = held and found.held is not False
            table.add_row(name, found.what, found.seen, {None: "", True: "✓", False: "✗"}[found.held])
        table.add_row(name, "time", f"{time.monotonic() - start:.0f} s", "", end_section=True)
    Console(width=150).print(table)
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
