"""Options of games on the command line: ``name=value`` with a value that is JSON, else text, and ``@FILE`` for the JSON in a file."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click


def options_of(single: Iterable[str], several: str | None = None) -> dict[str, Any]:
    """The options named one by one, and those given together; single ones count more. Raises click's error of usage."""
    options = _object(several) if several else {}
    for given in single:
        name, equals, value = given.partition("=")
        if not name or not equals:
            raise click.BadParameter(f"{given!r} is not NAME=VALUE.", param_hint="--option")
        options[name] = _from_file(value[1:], "--option") if value.startswith("@") else _json_or_text(value)
    return options


def _object(text: str) -> dict[str, Any]:
    value = _from_file(text[1:], "--options") if text.startswith("@") else _json_or_text(text)
    if not isinstance(value, dict):
        raise click.BadParameter(f"{text!r} is not a JSON object.", param_hint="--options")
    return value


def _from_file(path: str, flag: str) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise click.BadParameter(f"{path} cannot be read: {error.strerror}", param_hint=flag) from error
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"{path} holds no JSON: {error}", param_hint=flag) from error


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
