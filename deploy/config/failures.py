"""User-facing errors of the command line, in the language of the terminal: one clear line and advice, never a traceback.

click has its messages in English only; they are recognised by their form.
"""

import errno
import os
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import click

from deploy.stores.statements import explain, first_line
from domain import texts
from domain.errors import DataIntegrityError, Refused, Unavailable, Worded
from domain.texts import FALLBACK, Phrase, Saying
from domain.texts.wording import format_value

_PACKAGE = "deploy"
_CATALOGUE = texts.load_catalog(_PACKAGE)
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_FLAGS = ("--lang", "--language")


def say(key: str, /, **detail: object) -> Phrase:
    """Return a phrase of the command line that is rendered later, once the language is known."""
    return Phrase(key, detail, _PACKAGE)


def render(said: object, language: str = FALLBACK) -> str:
    """Return a phrase as text; several are joined with commas. Words of a database or commands to copy are not shortened."""
    match said:
        case Phrase(key=key, detail=detail, package="deploy"):
            return sentence(key, language, **detail)
        case Phrase():
            return texts.render(said, language)
        case tuple():
            return ", ".join(render(one, language) for one in said)
        case _:
            return str(said)


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language of a locale such as ``de_AT.UTF-8`` (German); English if it is not supported."""
    chosen = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    language = chosen[:2].lower()
    return language if language in texts.LANGUAGES and not chosen[2:3].isalpha() else FALLBACK


def language_of_call(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language in which to answer a call, even if the rest of the call is invalid."""
    given = [value for flag, value in pairwise(arguments) if flag in _FLAGS]
    given += [argument.partition("=")[2] for argument in arguments if argument.startswith(tuple(f"{flag}=" for flag in _FLAGS))]
    return next((value for value in given if value in texts.LANGUAGES), language_of(environment))


def lang_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--lang``; the command receives it as ``language``."""
    return click.option(
        *_FLAGS,
        "language",
        type=click.Choice(texts.LANGUAGES),
        default=lambda: language_of(os.environ),
        show_default="that of LC_ALL or LANG",
        help=f"{' or '.join(sentence('language', spoken) for spoken in texts.LANGUAGES)}.",
    )(command)


def sentence(code: str, language: str, **detail: object) -> str:
    """Return a sentence of the command line from the catalogues ``texts.<language>.toml`` in ``deploy``.

    ``count`` is the number that a sentence is about. If the catalogue has ``<code>.one``, it is used for a count of 1.
    """
    words = _words(language)
    one = f"{code}.one" if detail.get("count") == 1 else code
    return words[one if one in words else code].format_map({name: _format_value(value, language) for name, value in detail.items()})


def _format_value(value: object, language: str) -> str:
    """Return a value as text: a number may choose between words, ``{seats:# seat|# seats}``; paths and database texts are not shortened."""
    return format_value(value, _words(language)) if type(value) is int else render(value, language)


@cache
def _words(language: str) -> texts.Texts:
    return texts.words_of(_CATALOGUE, language)


def headings(language: str, *columns: str) -> tuple[str, ...]:
    """Return the headings of the columns of a table."""
    return tuple(sentence(f"column.{column}", language) for column in columns)


# Results of games and refusals of moves, in words for the terminal.


class RefusedPlace(Protocol):
    """A refusal of a record, also one that a server sent. ``hand`` and ``index`` count from 0 (COM-62)."""

    @property
    def hand(self) -> int | None: ...
    @property
    def index(self) -> int | None: ...
    @property
    def code(self) -> str: ...
    @property
    def rules(self) -> Sequence[str]: ...


def refusal_in_words(refused: RefusedPlace, message: str, language: str) -> str:
    """Return a refusal as one line, which counts hands and moves from 1."""
    hand, index, code, rules = refused.hand, refused.index, refused.code, refused.rules
    if hand is None or index is None:
        return f"{code}: {message}"
    place = "refused_set_up" if hand < 0 else "refused_start" if index < 0 else "refused_move"
    return f"{sentence(place, language, hand=hand + 1, index=index + 1)}: {code} ({', '.join(rules)}). {message}"


def describe_winners(won: Sequence[int], parties: Sequence[Sequence[int]], language: str) -> str:
    return sentence("won_by", language, who=winners(won, parties, language)) if won else sentence("lost", language)


def winners(won: Sequence[int], parties: Sequence[Sequence[int]], language: str) -> str:
    """Return the seats of the parties that won, numbered from 0. A solitaire that was lost has no winner (COM-41)."""
    return ", ".join(_party(parties[winner], language) for winner in won) or sentence("lost", language)


def _party(seats: Sequence[int], language: str) -> str:
    together = f" {sentence('and', language)} ".join(map(str, seats))
    return sentence("seat" if len(seats) == 1 else "seats", language, seats=together)


# User-facing errors of the command line: one clear line and advice, never a traceback.


class Failure(Exception):
    """Raised when a command cannot be carried out.

    ``advice``: what the person at the terminal can do. ``str`` returns the English text.
    """

    def __init__(self, problem: Saying, *advice: Saying, exit_code: int = 1) -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice
        self.exit_code = exit_code

    def in_words(self, language: str) -> str:
        return "\n".join(render(said, language) for said in (self.problem, *self.advice))

    def __str__(self) -> str:
        return "\n".join(render(said) for said in (self.problem, *self.advice))


def older_copy(store: str, projected: int, head: int) -> Failure:
    """Return the failure for projections that know events up to a sequence beyond ``head``, the end of the journal."""
    problem = say("older_copy", store=store, known=projected, head=head)
    return Failure(problem, say("older_copy_keep"), say("older_copy_accept"))


def system_problem(number: int | None) -> Saying:
    """Return an error of the operating system in the words of the catalogue, or in the system's own if the catalogue has none."""
    name = errno.errorcode.get(number or 0, "")
    return say(f"errno.{name}") if name in _KNOWN else os.strerror(number or 0)


_KNOWN = (
    "EACCES",
    "EPERM",
    "ENOENT",
    "EISDIR",
    "ENOTDIR",
    "EROFS",
    "ENOSPC",
    "EEXIST",
    "EADDRINUSE",
    "EADDRNOTAVAIL",
    "ECONNREFUSED",
)


def explain_error(error: Exception) -> Failure | None:
    """Return the error as a failure in words, or ``None`` for an error that only a programmer can explain."""
    match error:
        case Failure():
            return error
        case OSError():
            return _of_the_system(error)
        case Worded():
            return Failure(error.says)
        case Refused() | DataIntegrityError() | Unavailable():
            return Failure(first_line(error))
        case _:
            return _of_a_connection(error)


def _of_a_connection(error: Exception) -> Failure | None:
    # Imported here, because loading them is slow and many commands need neither a server nor a database.
    import httpx

    from domain.journal.commits import OutcomeUnknownError, StoreUnavailableError

    problem = first_line(error)
    match error:
        case StoreUnavailableError():
            return Failure(say("store_away", problem=problem), say("doctor_tells"))
        case OutcomeUnknownError():
            return Failure(say("store_unclear", problem=problem))
        case httpx.ConnectError():
            return Failure(say("server_away", problem=_describe_database_error(error)), say("is_it_running"))
        case httpx.HTTPError():
            return Failure(say("server_away", problem=problem), say("is_it_running"))
    found = explain(error)
    return Failure(*(say(key, **detail) for key, detail in found)) if found else None


def _describe_database_error(error: Exception) -> Saying:
    """Return the error text; a refused connection is recognised by its number, because the library's text is English only."""
    refused = f"[Errno {errno.ECONNREFUSED}]" in str(error)
    return system_problem(errno.ECONNREFUSED) if refused else first_line(error)


def _of_the_system(error: OSError) -> Failure:
    problem = system_problem(error.errno) if error.errno else str(error)
    advice = (say("disk_full"),) if error.errno == errno.ENOSPC else ()
    return Failure(say("file_problem", file=Path(str(error.filename)), problem=problem) if error.filename else problem, *advice)


# Usage errors of the command line, translated.


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
    return " / ".join(error.param.opts) if isinstance(error.param, click.Option) else error.param.make_metavar(error.ctx)  # pyrefly: ignore[bad-argument-type]
