"""Options shared by several commands. They have no defaults in click, because ``read_settings`` reads the environment."""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

import click

from deploy.config.failures import system_problem
from deploy.config.settings import Settings, read_settings
from deploy.config.usage import WrongValue
from deploy.system.language import say

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
