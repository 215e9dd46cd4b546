"""Terminal output with rich. Results go to standard output, everything else to standard error.

Rich is loaded only if needed: on a terminal, or if colours are forced.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from deploy.config.settings import Settings, without_password
from deploy.http.listening_socket import list_network_hosts
from deploy.system.language import sentence

_WIDE = 200
_INSISTING = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
"""Environment variables with which rich may treat a stream as a terminal although it is none."""


@cache
def console(*, stderr: bool = False) -> "Console":
    from rich.console import Console

    return Console(highlight=False, stderr=stderr)


def is_terminal(*, stderr: bool = False) -> bool:
    """Return whether standard output, or standard error, is shown on a terminal."""
    stream = sys.stderr if stderr else sys.stdout
    return (stream.isatty() or any(name in os.environ for name in _INSISTING)) and console(stderr=stderr).is_terminal


def print_line(text: str, style: str | None = None) -> None:
    """Print one line of results, uncut, above a progress bar if there is one."""
    if is_terminal():
        console().print(text, style=style, markup=False, emoji=False, soft_wrap=True)
    else:
        click.echo(text)


def show(what: "RenderableType") -> None:
    """Print a table or the like; a file or pipe is as wide as necessary."""
    from rich.console import Console

    (console() if is_terminal() else Console(highlight=False, width=_WIDE)).print(what)


@contextmanager
def progress(text: str, total: int | None, *, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on a terminal until it is done; yield the function that sets the progress. ``total`` ``None``: unknown."""
    to_stderr = not is_terminal()
    if not shown or total == 0 or (to_stderr and not is_terminal(stderr=True)):
        yield lambda done: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=to_stderr), transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(text, total=total)
        yield lambda done: bar.update(task, completed=done)


# Suggested commands that a user can copy from the terminal; they apply to the store in use.


def command(words: str, flags: Mapping[str, object] | None = None) -> str:
    """Return a command line: this program, ``words``, and the flags of the store as they were given."""
    given = flags or {}
    line = [program(), words]
    if given.get("data"):
        line.append(f"--data {shlex.quote(str(given['data']))}")
    if given.get("database_url"):
        line.append(f"--database-url {shlex.quote(without_password(str(given['database_url'])))}")
    return " ".join(line)


def flags_of(settings: Settings) -> dict[str, object]:
    """Return the flags that name this store."""
    return {"data": settings.data} if settings.embedded else {"database_url": settings.database_url}


def program() -> str:
    """Return how this program was started: by its name, by ./run, or by its path."""
    here = Path(sys.argv[0]).absolute()
    found = shutil.which("kiebitz")
    if found and here.exists() and Path(found).samefile(here):
        return "kiebitz"
    if (here.parent.parent.parent / "run").is_file():
        return "./run"
    return str(here) if here.name == "kiebitz" else "kiebitz"


# Access for phones and other devices of the network: two lines of the start text.


_SHOWN = 3
"""Maximum number of addresses that are shown for a machine with many networks."""
_ASKED_FOR = ("port", "tls_cert", "tls_key")


def describe_device_access(settings: Settings, address: str, words: str, flags: Mapping[str, object], language: str) -> str:
    """Return the two lines.

    ``address``: the service's address for a browser on this machine. ``words`` and ``flags``: of the command that started it.
    """
    parts, hosts = urlsplit(address), list_network_hosts(settings.host)
    found = [settings.public_url] if settings.public_url else [f"{parts.scheme}://{host}:{parts.port}" for host in hosts[:_SHOWN]]
    if found:
        return f"{sentence('phones_open', language, addresses=tuple(f'{one}/in' for one in found))}\n{sentence('phones_code', language)}"
    unheard = settings.host not in ("0.0.0.0", "::")
    said, more = ("phones_not", "--host 0.0.0.0") if unheard else ("phones_no_network", f"--host {settings.host} --public-url URL")
    given = " ".join(f"--{name.replace('_', '-')} {flags[name]}" for name in _ASKED_FOR if flags.get(name))
    return f"{sentence(said, language, address=address)}\n  {command(f'{words} {more} {given}'.strip(), flags)}"
