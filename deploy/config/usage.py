"""Usage errors of the command line, translated.

click has its messages in English only; they are recognised by their form.
"""

import re
from difflib import get_close_matches

import click

from deploy.config.failures import system_problem
from deploy.system.language import render, say, sentence
from domain.texts import Phrase, Saying

_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(form), key)
    for form, key in (
        (r"'(?P<given>.*)' is not (?:one of )?(?P<choices>'.*')\.", "not_one_of"),
        (r"'(?P<given>.*)' is not a valid integer(?: range)?\.", "not_a_number"),
        (r"(?P<given>-?\d+) is not in the range (?P<range>.+)\.", "not_in_range"),
        (r"Option '(?P<name>.+)' requires an argument\.", "option_needs_value"),
        (r"Option '(?P<name>.+)' does not take a value\.", "option_takes_none"),
        (r"Got unexpected extra arguments? \((?P<given>.*)\)", "too_many_arguments"),
        (r"File '(?P<file>.*)' is a directory\.", "file_is_directory"),
        (r"Missing command\.", "missing_command"),
    )
)
_NO_FILE = re.compile(r"'(?P<file>.*)': No such file or directory")


class WrongCall(click.UsageError):
    """Raised when a command cannot be called in this way, for a reason that only the command knows."""

    def __init__(self, says: Saying) -> None:
        super().__init__(render(says))
        self.says = says


class WrongValue(click.BadParameter):
    """Raised when a value is invalid for a reason that only the command knows. ``option`` is the option it was given with."""

    def __init__(self, says: Saying, option: str | None = None) -> None:
        super().__init__(render(says), param_hint=option)
        self.says = says


def error_prefix(language: str) -> str:
    """Return the styled prefix of an error line."""
    return click.style(f"{sentence('error', language)}: ", fg="red", bold=True)


def usage_in_words(error: click.ClickException, language: str) -> str:
    """Return the usage line, the hint to the help, and the error."""
    lines = [f"{error_prefix(language)}{render(_problem(error), language)}"]
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None:
        line = " ".join((context.command_path, *context.command.collect_usage_pieces(context)))
        lines = [sentence("usage", language, line=line), sentence("usage_help", language, command=context.command_path), "", *lines]
    return "\n".join(lines)


def _problem(error: click.ClickException) -> Saying:
    match error:
        case click.NoSuchOption():
            return _unknown("no_such_option", error.option_name, _options(error))
        case click.MissingParameter():
            return _missing(error)
        case click.BadParameter():
            return say("bad_value", name=_name(error), problem=_describe_usage_error(error))
        case click.exceptions.NoSuchCommand():
            return _unknown("no_such_command", error.command_name, _commands(error))
        case click.exceptions.NoArgsIsHelpError():  # its message is the whole help, in English
            known = say("choose_from", choices=tuple(_commands(error)))
            return say("with_advice", problem=say("missing_command"), advice=known)
    return _describe_usage_error(error)


def _describe_usage_error(error: click.ClickException) -> Saying:
    if isinstance(error, WrongCall | WrongValue):
        return error.says
    if found := _NO_FILE.fullmatch(error.message):
        return say("file_problem", file=found["file"], problem=system_problem(2))
    matches = ((form.fullmatch(error.message), key) for form, key in _FORMS)
    return next((say(key, **found.groupdict()) for found, key in matches if found), error.message)


def _unknown(key: str, given: str, known: list[str]) -> Phrase:
    problem, nearest = say(key, given=given), get_close_matches(given, known, n=1)
    return say("with_advice", problem=problem, advice=say("did_you_mean", nearest=nearest[0])) if nearest else problem


def _commands(error: click.UsageError) -> list[str]:
    context = error.ctx
    return context.command.list_commands(context) if context and isinstance(context.command, click.Group) else []


def _options(error: click.NoSuchOption) -> list[str]:
    context = error.ctx
    params = context.command.get_params(context) if context else []
    return [name for param in params if isinstance(param, click.Option) for name in param.opts if name.startswith("--")]


def _missing(error: click.MissingParameter) -> Saying:
    problem = say("missing_argument", name=_name(error))
    kind = error.param.type if error.param else None
    if not isinstance(kind, click.Choice):
        return problem
    return say("with_advice", problem=problem, advice=say("choose_from", choices=tuple(map(str, kind.choices))))


def _name(error: click.BadParameter) -> str:
    if error.param is None:
        return str(error.param_hint or "")
    return " / ".join(error.param.opts) if isinstance(error.param, click.Option) else error.param.make_metavar(error.ctx)  # type: ignore[arg-type]
