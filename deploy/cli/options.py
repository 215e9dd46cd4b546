"""Options that several commands share. They take no default from click: ``read_settings`` knows the environment."""

import os
from collections.abc import Callable
from typing import Any, TypeAlias

import click

from deploy.settings import Settings, read_settings

Option: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]


def _option(flag: str, metavar: str, text: str) -> Option:
    variable = "KIEBITZ_" + flag.removeprefix("--").replace("-", "_").upper()
    return click.option(flag, metavar=metavar, help=f"{text} [{variable}]")


_OPTIONS: dict[str, Option] = {
    "data": _option("--data", "FOLDER", "Folder of the embedded database."),
    "database_url": _option("--database-url", "URL", "PostgreSQL instead, postgresql://user@host/name."),
    "host": _option("--host", "ADDRESS", "Address to listen on; default 127.0.0.1."),
    "port": _option("--port", "PORT", "Port to listen on; default 8000, 0 for any free one."),
    "url": _option("--url", "URL", "Go through the server at this address."),
    "token": _option("--token", "TOKEN", "Access token for that server."),
}


def setting_options(*names: str) -> Option:
    """Adds the flags of these settings to a command, which gets them together as ``**flags`` for ``settings_of``."""

    def added(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):
            command = _OPTIONS[name](command)
        return command

    return added


STORE = ("data", "database_url")
SERVER = ("url", "token")


def settings_of(flags: dict[str, Any]) -> Settings:
    return read_settings(os.environ, **flags)
