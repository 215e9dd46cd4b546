"""Command `kiebitz export scores`: writes score lines as CSV, spreadsheet or another file format."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
from msgspec import Struct

from api.common.names import NameViewer, load_display_names
from api.common.tables.columns import DialectName
from api.common.tables.files import FormatName
from api.http.errors import NotInstalled
from api.scores.formats import FORMATS, FileInfo, add_names, maker
from api.services import Services
from deploy.cli.client import connect
from deploy.cli.console import SERVER, STORE, progress, setting_options, settings_of
from deploy.cli.files import open_output
from deploy.compose import open_services
from deploy.config.failures import Failure, WrongCall, WrongValue, lang_option, say, sentence
from deploy.config.settings import Settings, read_time_zone
from domain.access import WHOLE
from domain.time_zones import parse_instant
from projections.models.player_places import APPEARANCES
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_list import GameEntries, ScoreFilters, count, entries, latest
from projections.models.tournaments import TOURNAMENTS

# Default file format of a table.


Form = TypeVar("Form", bound=str)


def form_for(out: Path | None, forms: tuple[Form, ...]) -> Form:
    """Return the format that the suffix of the file names; CSV without a file. Raises ``WrongCall``."""
    suffix = out.suffix.removeprefix(".").lower() if out else "csv"
    for form in forms:
        if form == suffix:
            return form
    raise WrongCall(say("form_unknown", file=out, names=say("this_or_that", some=forms[:-1], last=forms[-1])))


_NAMES: tuple[FormatName, ...] = get_args(FormatName)
_LOOK = 0.5
"""Seconds between two checks of the projection's progress."""


def parse_time(text: str) -> datetime:
    """Parse a date, or a time of RFC 3339; without an offset it is meant in the zone of the house."""
    moment = parse_instant(text, read_time_zone(os.environ))
    if moment is None:
        raise WrongValue(say("no_moment", given=text))
    return moment


_NUMBER = click.IntRange(min=0)


@click.command("scores")
@click.option("--tournament", metavar="ID", help="Of this tournament.")
@click.option("--ruleset", metavar="KEY", help="Of this ruleset.")
@click.option("--player", metavar="ID", help="Lines that count for this player.")
@click.option("--club", metavar="ID", help="Of the members of this club.")
@click.option("--from", "played_from", type=parse_time, metavar="MOMENT", help="Played at this moment or later.")
@click.option("--to", "played_before", type=parse_time, metavar="MOMENT", help="Played before this moment.")
@click.option("--changed-since", type=_NUMBER, metavar="SEQUENCE", help="Lines changed after this sequence, including withdrawn ones.")
@click.option("--as-of", type=_NUMBER, metavar="SEQUENCE", help="As it was at this sequence.")
@click.option("--names", is_flag=True, help="With the names of players in another column.")
@click.option("--format", "form", type=click.Choice(_NAMES), help="Default: the ending of the file's name; csv without a file.")
@click.option("--dialect", type=click.Choice(get_args(DialectName)), help="Of CSV: for German spreadsheets.")
@click.option(
    "--out", "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write to this file, once it is complete."
)
@lang_option
@setting_options(*STORE, *SERVER)
def scores_command(
    form: FormatName | None, dialect: DialectName | None, out: Path | None, names: bool, as_of: int | None, language: str, **given: Any
) -> None:
    """Write the lines of all score sheets as one long table: a line for each game, hand, party, player and row,
    and for each player of a table whose result was entered.

    What the columns mean stands in docs/score-histories.md. The next export with --changed-since and the sequence that this one
    tells holds what has changed since.

    \b Examples:
      kiebitz export scores --tournament spring-26 --out scores.xlsx
      kiebitz export scores --player GER-1017 --from 2026-01-01 > scores.csv
    """
    flags = {name: given.pop(name) for name in (*STORE, *SERVER)}
    form = form or form_for(out, _NAMES)
    if out is None and FORMATS[form].binary and sys.stdout.isatty():
        raise WrongCall(say("terminal_cannot_show", form=form))
    query = ScoreQuery(form, dialect, as_of, names, ScoreFilters(**given))
    with open_output(out) as write, _source(settings_of(flags), query, language) as (as_of, pieces):
        for piece in pieces:
            write(piece)
    click.echo(sentence("lines_exported_to" if out else "lines_exported", language, sequence=as_of, file=out), err=True)


class ScoreQuery(Struct, frozen=True):
    """Query of score lines: filters, sequence (now, if none is given), format and dialect of CSV."""

    form: FormatName
    dialect: DialectName | None
    as_of: int | None
    names: bool
    filters: ScoreFilters

    def parameters(self) -> dict[str, Any]:
        """Return the query parameters for a server."""
        named = {"played_from": "from", "played_before": "to"}
        filters = {named.get(name, name): getattr(self.filters, name) for name in ScoreFilters.__struct_fields__}
        fields = {**filters, "as_of": self.as_of, "dialect": self.dialect}
        given = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in fields.items() if value is not None}
        return {**given, "format": self.form, "names": "true" if self.names else "false"}


@contextmanager
def _source(settings: Settings, query: ScoreQuery, language: str) -> Iterator[tuple[int, Iterator[bytes]]]:
    """Yield the sequence of the export and its pieces. Raises ``Failure``."""
    if settings.url:
        exporting = progress(sentence("exporting", language), None)
        with connect(settings, language) as remote, remote.scores(query.parameters()) as answer, exporting:
            yield answer
        return
    with open_services(settings, create=False) as services:
        head = services.journal.head()
        if query.as_of is not None and query.as_of > head:
            raise Failure(say("nothing_yet", sequence=query.as_of, head=head))
        catch_up(services, head, language, SCORE_LINES.name, *((TOURNAMENTS.name, APPEARANCES.name) if query.names else ()))
        as_of = latest(services.store, WHOLE) if query.as_of is None else query.as_of
        with progress(sentence("exporting", language), count(services.store, WHOLE, query.filters, as_of)) as advance:
            yield as_of, _pieces(services, query, as_of, advance, language)


def _pieces(services: Services, query: ScoreQuery, as_of: int, advance: Callable[[int], None], language: str) -> Iterator[bytes]:
    try:
        make = maker(query.form, FileInfo(as_of, services.clock(), query.names, query.dialect))
    except NotInstalled as missing:
        raise Failure(say("not_installed", problem=missing)) from missing
    reader = NameViewer(sees_all=True, hall=None, language=language)
    look_up = (lambda players: load_display_names(services.registers, services.store, players, reader)) if query.names else None
    return make(add_names(_advancing(entries(services.store, WHOLE, query.filters, as_of), advance), look_up))


def _advancing(steps: Iterable[list[GameEntries]], advance: Callable[[int], None]) -> Iterator[list[GameEntries]]:
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
