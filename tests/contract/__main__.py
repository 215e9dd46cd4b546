"""``./run contract``: the description read by linters, and the service asked what it says. Exits 1 if anything is found."""

import json
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from msgspec.structs import replace

from domain.games import RULESETS
from tests.contract import generators, linters, lowest
from tests.contract.asking import Effort, asked
from tests.contract.exceptions import exceptions
from tests.contract.generators import GENERATORS
from tests.contract.house import Key, house
from tests.contract.promises import FILE, heading, promises
from tests.deploy.serving import served
from tests.npm import started

CLIENT = Path(__file__).parents[2] / "deploy" / "client"
Part = Callable[[], Iterable[str]]


@click.command()
@click.option("--only", type=click.Choice(["linters", "lowest", "client", "generators", "asked"]), help="One part alone.")
@click.option("--role", help="Ask as this role alone.")
@click.option("--seed", default=1, show_default=True, help="Other requests.")
@click.option("--long", is_flag=True, help="Ask for more than an hour, and learn from the answers.")
@click.option("--promise", is_flag=True, help="Write down what is promised to clients from this version on.")
def contract(only: str | None, role: str | None, seed: int, long: bool, promise: bool) -> None:
    """Hold the description, and the service, by tools that others wrote."""
    if promise:
        promised()
        return
    effort = Effort(200, 200, 1, 1800, seed) if long else Effort(seed=seed)
    chosen = {name: part for name, part in _parts(effort, role).items() if only is None or name.startswith(only)}
    with ThreadPoolExecutor(2) as pool:
        failed = [name for name, holds in zip(chosen, pool.map(_holds, chosen, chosen.values()), strict=True) if not holds]
    click.echo(f"Failed: {', '.join(failed)}" if failed else "The contract holds.")
    sys.exit(bool(failed))


def _parts(effort: Effort, role: str | None) -> dict[str, Part]:
    """The longest first. Each has a house of its own: what is asked, and what it changes, is the same whatever runs beside it."""
    if role is not None:
        return {f"asked as {role}": lambda: _asked(effort, lambda key: key.role == role)}
    return {
        "asked as director": lambda: _asked(effort, lambda key: key.role == "director"),
        "linters": _linted,
        "lowest versions": lowest.findings,
        "client": _integrated,
        "generators": _generated,
        "asked as all others": lambda: _asked(effort, lambda key: key.role != "director"),
    }


def promised() -> None:
    with TemporaryDirectory() as name, house(Path(name)) as here:
        lines = promises(here.document, RULESETS)
    FILE.write_text("\n".join([heading(), *lines, ""]), encoding="utf-8")
    click.echo(f"{len(lines)} promises in {FILE.name}")


def _holds(name: str, part: Part) -> bool:
    """Prints what is found, and how long it took."""
    begun = time.monotonic()
    found = list(part())
    click.echo("\n".join([f"\n== {name}", *found, f"{name}: {len(found)} findings in {time.monotonic() - begun:.0f} s"]))
    return not found


def _linted() -> Iterable[str]:
    """First whether the linters find what is broken on purpose."""
    teeth = started(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", Path(__file__).with_name("broken_description.py"))
    if teeth.returncode:
        return [teeth.stdout]
    with TemporaryDirectory() as name, house(Path(name)) as here:
        document = Path(name) / "openapi.json"
        document.write_text(json.dumps(here.document, ensure_ascii=False))
        return [str(one) for one in linters.findings(document, exceptions())]


def _generated() -> Iterable[str]:
    """Play a hand with the client that each generator makes of the description."""
    with TemporaryDirectory() as name, served("--data", Path(name) / "data") as server, server.client() as client:
        document = Path(name) / "openapi.json"
        document.write_bytes(client.get("/openapi.json").content)
        return [f"{one}:\n{found}" for one, generator in GENERATORS.items() for found in generators.findings(document, generator, server)]


def _integrated() -> Iterable[str]:
    """Play, follow and synchronize with ``kiebitz-client``, in a process that has nothing else of ours."""
    with TemporaryDirectory() as name, house(Path(name)) as here:
        program, file = CLIENT / "examples" / "record_and_follow.py", Path(name) / "scores.db"
        done = started(sys.executable, "-P", "-W", "error", program, here.url, here.keys[0].secret, file, PYTHONPATH=str(CLIENT))
        return [] if done.returncode == 0 else [done.stdout]


def _asked(effort: Effort, chosen: Callable[[Key], bool]) -> Iterable[str]:
    with TemporaryDirectory() as name, house(Path(name)) as here:
        return list(asked(replace(here, keys=tuple(filter(chosen, here.keys))), Path(name), effort))


if __name__ == "__main__":
    contract()
