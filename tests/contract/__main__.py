"""``./run contract``: the description read by linters. Exits 1 if they find anything."""

import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tests.contract import linters
from tests.contract.exceptions import exceptions
from tests.contract.house import House, house

Part = Callable[[House, Path], Iterable[str]]


@click.command()
def contract() -> None:
    """Hold the description by linters that others wrote."""
    with TemporaryDirectory() as name, house(Path(name)) as here:
        failed = [part for part, look in PARTS.items() if not _holds(part, look(here, Path(name)))]
    click.echo(f"Failed: {', '.join(failed)}" if failed else "The contract holds.")
    sys.exit(bool(failed))


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


PARTS: dict[str, Part] = {"linters": _linted}


if __name__ == "__main__":
    contract()
