"""Command `kiebitz export scores`: writes score lines as CSV, spreadsheet or another file format."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
from msgspec import Struct
from msgspec.structs import fields

from api.common.names import NameViewer
from api.common.tables.columns import DialectName
from api.common.tables.files import FILES, FormatName
from api.http.errors import NotInstalled
from api.scores.files import ScoreFile, score_filters, score_pieces
from api.scores.formats import Start
from api.scores.responses import ScoresQuery
from api.services import Services
from deploy.cli.client import connect
from deploy.cli.console import SERVER, STORE, Option, progress, setting_options, settings_of
from deploy.cli.files import open_output
from deploy.compose import open_services
from deploy.config.failures import Failure, WrongCall, WrongValue, lang_option, say, sentence
from deploy.config.settings import Settings, read_time_zone
from domain.access import WHOLE
from domain.time_zones import parse_instant
from projections.models.player_places import APPEARANCES
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_list import GameEntries, count, latest
from projections.models.tournaments import TOURNAMENTS

# Options, format and filters of an exported file, for tables too.


Form = TypeVar("Form", bound=str)
Query = TypeVar("Query", bound=Struct)
_NAMES: tuple[FormatName, ...] = get_args(FormatName)
_LOOK = 0.5
"""Seconds between two checks of the projection's progress."""


def file_options(*forms: str) -> Option:
    """Return a decorator that adds the flags for format, dialect and file."""
    form = click.option("--format", "form", type=click.Choice(forms), help="Default: the ending of the file's name; csv without a file.")
    dialect = click.option("--dialect", type=click.Choice(get_args(DialectName)), help="Of CSV: for German spreadsheets.")
    file = click.Path(path_type=Path, dir_okay=False)
    out = click.option("--out", "--output", type=file, metavar="FILE", help="Write to this file, once it is complete.")
    return lambda command: form(dialect(out(command)))


def choose_form(form: Form | None, out: Path | None, forms: tuple[Form, ...]) -> Form:
    """Return the format, by default the one that the suffix of the file names; CSV without a file. Raises ``WrongCall``."""
    suffix = out.suffix.removeprefix(".").lower() if out else "csv"
    chosen = form or next((one for one in forms if one == suffix), None)
    if chosen is None:
        raise WrongCall(say("form_unknown", file=out, names=say("this_or_that", some=forms[:-1], last=forms[-1])))
    if out is None and chosen != "json" and FILES[chosen].binary and sys.stdout.isatty():
        raise WrongCall(say("terminal_cannot_show", form=chosen))
    return chosen


def parse_time(text: str) -> datetime:
    """Parse a date, or a time of RFC 3339; without an offset it is meant in the zone of the house."""
    moment = parse_instant(text, read_time_zone(os.environ))
    if moment is None:
        raise WrongValue(say("no_moment", given=text))
    return moment


def build_query(kind: type[Query], filters: Mapping[str, Any]) -> tuple[Query, dict[str, datetime]]:
    """Return the query of the API with these filters, and its moments."""
    given = {field.name: filters[field.encode_name] for field in fields(kind) if field.encode_name in filters}
    times = {field: value for field, value in given.items() if isinstance(value, datetime)}
    return kind(**{field: value for field, value in given.items() if field not in times}), times


def parameters_of(filters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the query parameters for a server."""
    said = {True: "true", False: "false"}
    return {
        name: value.isoformat() if isinstance(value, datetime) else said[value] if isinstance(value, bool) else value
        for name, value in filters.items()
        if value is not None
    }


_NUMBER = click.IntRange(min=0)


@click.command("scores")
@click.option("--tournament", metavar="ID", help="Of this tournament.")
@click.option("--ruleset", metavar="KEY", help="Of this ruleset.")
@click.option("--player", metavar="ID", help="Lines that count for this player.")
@click.option("--club", metavar="ID", help="Of the members of this club.")
@click.option("--from", "from", type=parse_time, metavar="MOMENT", help="Played at this moment or later.")
@click.option("--to", "to", type=parse_time, metavar="MOMENT", help="Played before this moment.")
@click.option("--changed-since", type=_NUMBER, metavar="SEQUENCE", help="Lines changed after this sequence, including withdrawn ones.")
@click.option("--as-of", type=_NUMBER, metavar="SEQUENCE", help="As it was at this sequence.")
@click.option("--names", is_flag=True, help="With the names of players in another column.")
@file_options(*_NAMES)
@lang_option
@setting_options(*STORE, *SERVER)
def scores_command(form: FormatName | None, dialect: DialectName | None, out: Path | None, language: str, **filters: Any) -> None:
    """Write the lines of all score sheets as one long table: a line for each game, hand, party, player and row,
    and for each player of a table whose result was entered.

    What the columns mean stands in docs/score-histories.md. The next export with --changed-since and the sequence that this one
    tells holds what has changed since.

    \b Examples:
      kiebitz export scores --tournament spring-26 --out scores.xlsx
      kiebitz export scores --player GER-1017 --from 2026-01-01 > scores.csv
    """
    flags = {name: filters.pop(name) for name in (*STORE, *SERVER)}
    form = choose_form(form, out, _NAMES)
    with open_output(out) as write, _open_lines(settings_of(flags), form, dialect, filters, language) as (as_of, pieces):
        for piece in pieces:
            write(piece)
    click.echo(sentence("lines_exported_to" if out else "lines_exported", language, sequence=as_of, file=out), err=True)


@contextmanager
def _open_lines(
    settings: Settings, form: FormatName, dialect: DialectName | None, filters: Mapping[str, Any], language: str
) -> Iterator[tuple[int, Iterator[bytes]]]:
    """Yield the sequence of the export and its pieces. Raises ``Failure``."""
    if settings.url:
        asked, exporting = parameters_of({**filters, "dialect": dialect, "format": form}), progress(sentence("exporting", language), None)
        with connect(settings, language) as remote, remote.scores(asked) as answer, exporting:
            yield answer
        return
    query, times = build_query(ScoresQuery, filters)
    with open_services(settings, create=False) as services:
        head, store = services.journal.head(), services.store
        if query.as_of is not None and query.as_of > head:
            raise Failure(say("nothing_yet", sequence=query.as_of, head=head))
        catch_up(services, head, language, SCORE_LINES.name, *((TOURNAMENTS.name, APPEARANCES.name) if query.names else ()))
        as_of = latest(store, WHOLE) if query.as_of is None else query.as_of
        chosen, viewer = score_filters(query, times), NameViewer(sees_all=True, hall=None, language=language)
        file = ScoreFile(
            form=form,
            reach=WHOLE,
            filters=chosen,
            start=Start(as_of),
            dialect=dialect,
            named=query.names,
            audience=viewer,
            at=services.clock(),
        )
        with progress(sentence("exporting", language), count(store, WHOLE, chosen, as_of)) as advance:
            try:
                yield as_of, score_pieces(file, services.registers, store, partial(_advancing, advance))
            except NotInstalled as missing:
                raise Failure(say("not_installed", problem=missing)) from missing


def _advancing(advance: Callable[[int], None], steps: Iterable[list[GameEntries]]) -> Iterator[list[GameEntries]]:
    games = 0
    for step in steps:
        yield step
        games += len(step)
        advance(games)


def catch_up(services: Services, head: int, language: str, *projections: str) -> None:
    """Project pending events, or wait while a server does. Raises ``Failure``."""
    services.projector.start()
    try:
        with progress(sentence("reading", language), head) as advance:
            for name in projections:
                while not services.projector.wait_for(head, _LOOK, name):
                    status = next(one for one in services.projector.status() if one.name == name)
                    if status.error:
                        stopped = say("table_stopped", table=name, sequence=status.failed_at, problem=status.error)
                        raise Failure(stopped, say("see_projections"))
                    advance(status.position)
    finally:
        services.projector.stop()
