"""The terminal: options shared by several commands, and output with rich. Results go to standard output, everything else to standard error.

Rich is loaded only if needed: on a terminal, or if colours are forced.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from deploy.config.failures import WrongValue, say, system_problem
from deploy.config.settings import Settings, read_settings

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
import shlex
import shutil
from collections.abc import Mapping
from urllib.parse import urlsplit

from deploy.config.failures import sentence
from deploy.config.settings import without_password
from deploy.http.listening_socket import list_network_hosts

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


# Options shared by several commands. They have no defaults in click, because ``read_settings`` reads the environment.


Option: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]


def _option(flag: str, metavar: str, text: str) -> Option:
    variable = "KIEBITZ_" + flag.removeprefix("--").replace("-", "_").upper()
    return click.option(flag, metavar=metavar, help=f"{text} [{variable}]")


_OPTIONS: dict[str, Option] = {
    "data": _option("--data", "FOLDER", "Folder of the embedded database."),
    "database_url": _option("--database-url", "URL", "PostgreSQL instead, postgresql://user@host/name."),
    "host": _option("--host", "ADDRESS", "Address to listen on; default 127.0.0.1."),
    "port": _option("--port", "PORT", "Port to listen on; default 8000, 0 for any free one."),
    "workers": _option("--workers", "NUMBER", "So many processes serve at this address, on PostgreSQL; default 1."),
    "worker_port": _option(
        "--worker-port", "PORT", "The first of them also listens here alone, the others on the ports after it; 0: any free ones."
    ),
    "public_url": _option("--public-url", "URL", "The address at which browsers open it: codes, walls and links name it."),
    "tls_cert": _option("--tls-cert", "FILE", "Speak https: a certificate, and those between it and its authority, as PEM."),
    "tls_key": _option("--tls-key", "FILE", "The key of that certificate, without a password."),
    "backup_every": _option("--backup-every", "MINUTES", "Write a backup of the embedded database so often."),
    "backup_folder": _option("--backup-folder", "FOLDER", "Where these backups lie, best on another disk; the newest 24 are kept."),
    "time_zone": _option("--time-zone", "NAME", "Zone of the days and months of new games, as Europe/Berlin; default: the machine's."),
    "url": _option("--url", "URL", "Go through the server at this address."),
    "token": _option("--token", "TOKEN", "Access token for that server."),
}


def setting_options(*names: str) -> Option:
    """Return a decorator that adds the flags of these settings; the command receives them as ``**flags`` for ``settings_of``."""

    def add_options(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):
            command = _OPTIONS[name](command)
        return command

    return add_options


STORE = ("data", "database_url")
SERVER = ("url", "token")


def settings_of(flags: dict[str, Any]) -> Settings:
    return read_settings(os.environ, **flags)


def game_option_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the flags for options of a game; the command receives ``single`` and ``several`` for ``game_options``."""
    single = click.option(
        "--option",
        "single",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the game. The value is JSON, else text; @FILE reads it from a file. Can be repeated.",
    )
    return single(click.option("--options", "several", metavar="JSON", help="Several options as a JSON object, or @FILE.")(command))


def game_options(single: Iterable[str], several: str | None = None) -> dict[str, Any]:
    """Return the options given one by one and those given together; single ones take precedence. Raises click's usage errors."""
    options = _object(several) if several else {}
    for given in single:
        name, equals, value = given.partition("=")
        if not name or not equals:
            raise WrongValue(say("not_name_value", given=given), "--option")
        options[name] = _from_file(value[1:], "--option") if value.startswith("@") else _json_or_text(value)
    return options


def _object(text: str) -> dict[str, Any]:
    value = _from_file(text[1:], "--options") if text.startswith("@") else _json_or_text(text)
    if not isinstance(value, dict):
        raise WrongValue(say("no_json_object", given=text), "--options")
    return value


def _from_file(path: str, flag: str) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise WrongValue(say("file_problem", file=path, problem=system_problem(error.errno)), flag) from error
    except (ValueError, RecursionError) as error:
        raise WrongValue(say("no_json_file", file=path, problem=error), flag) from error


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
