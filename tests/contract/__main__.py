"""``./run contract``: the description read by linters, and the service asked what it says. Exits 1 if anything is found."""

import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from msgspec.structs import replace

from domain.games import RULESETS
from tests.contract import linters
from tests.contract.asking import Effort, asked
from tests.contract.exceptions import exceptions
from tests.contract.house import House, house
from tests.contract.promises import FILE, heading, promises

Part = Callable[[House, Path], Iterable[str]]


@click.command()
@click.option("--only", type=click.Choice(["linters", "asked"]), help="One part alone.")
@click.option("--role", help="Ask as this role alone.")
@click.option("--seed", default=1, show_default=True, help="Other requests.")
@click.option("--long", is_flag=True, help="Ask for two hours.")
@click.option("--promise", is_flag=True, help="Write down what is promised to clients from this version on.")
def contract(only: str | None, role: str | None, seed: int, long: bool, promise: bool) -> None:
    """Hold the description, and the service, by tools that others wrote."""
    if promise:
        promised()
        return
    effort = Effort(600, 3600, 200, seed) if long else Effort(seed=seed)
    parts: dict[str, Part] = {"linters": _linted, "asked": lambda here, folder: asked(here, folder, effort)}
    with TemporaryDirectory() as name, house(Path(name)) as here:
        if role is not None:
            here = replace(here, keys=tuple(key for key in here.keys if key.role == role))
        failed = [part for part in ([only] if only else parts) if not _holds(part, parts[part](here, Path(name)))]
    click.echo(f"Failed: {', '.join(failed)}" if failed else "The contract holds.")
    sys.exit(bool(failed))


def promised() -> None:
    with TemporaryDirectory() as name, house(Path(name)) as here:
        lines = promises(here.document, RULESETS)
    FILE.write_text("\n".join([heading(), *lines, ""]), encoding="utf-8")
    click.echo(f"{len(lines)} promises in {FILE.name}")


def _holds(part: str, found: Iterable[str]) -> bool:
    """Prints what is found as it comes, and how long it took."""
    click.echo(f"\n== {part}")
    begun, number = time.monotonic(), 0
    for line in found:
        number += 1
        click.echo(line)
    click.echo(f"{part}: {number} findings in {time.monotonic() - begun:.0f} s")
    return number == 0


def _linted(here: House, folder: Path) -> Iterable[str]:
    document = folder / "openapi.json"
    document.write_text(json.dumps(here.document, ensure_ascii=False))
    return map(str, linters.findings(document, exceptions()))


if __name__ == "__main__":
    contract()
