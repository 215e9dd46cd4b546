"""Command `kiebitz export table`: writes results, games, hands, moves and others as a table."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import click
from msgspec.structs import fields

from api.common.tables.columns import DialectName
from api.common.tables.files import FileInfo, FormatName, FormName, TableFile, table_pieces
from api.http.errors import NotInstalled
from api.schemas import FILES as TABLES
from api.standings.tables import StandingsFile
from deploy.cli.client import connect
from deploy.cli.console import SERVER, STORE, setting_options, settings_of
from deploy.cli.exports.scores import build_query, catch_up, choose_form, file_options, parameters_of, parse_time
from deploy.cli.files import open_output
from deploy.compose import open_services
from deploy.config.failures import Failure, WrongCall, lang_option, say
from deploy.config.settings import Settings
from domain.access import WHOLE

_NAMES = (
    "results",
    "tournaments",
    "standings",
    "series",
    "ratings",
    "published_ratings",
    "players",
    "games",
    "disputes",
    "rulings",
    "hands",
    "moves",
    "statistics",
)
_FORMS: tuple[FormName, ...] = ("json", *get_args(FormatName))
_NEEDED = {
    "series": ("series_of_which", "series"),
    "ratings": ("table_of_which_game", "ruleset"),
    "statistics": ("table_of_which_game", "ruleset"),
    "published_ratings": ("published_ratings_of_which", "ruleset", "number"),
}
"""The filters without which there is no table, and the question for them."""


@click.command("table")
@click.argument("name", type=click.Choice(_NAMES))
@click.option("--tournament", metavar="ID", help="Of this tournament.")
@click.option("--series", metavar="ID", help="The tables of this series.")
@click.option("--after", metavar="ID", help="Of a series: its tables after this tournament.")
@click.option("--round", type=click.IntRange(min=1), metavar="NUMBER", help="Of this round.")
@click.option("--ruleset", metavar="KEY", help="Of this ruleset; ratings and statistics need one.")
@click.option("--player", metavar="ID", help="Of this player.")
@click.option("--club", metavar="ID", help="Players of this club.")
@click.option("--search", metavar="WORDS", help="Players found by these words.")
@click.option("--from", "from", type=parse_time, metavar="MOMENT", help="What was played at this moment or later.")
@click.option("--to", "to", type=parse_time, metavar="MOMENT", help="What was played before this moment.")
@click.option("--minimum-games", type=click.IntRange(min=1), metavar="NUMBER", help="Ratings of players with so many rated games.")
@click.option("--number", type=click.IntRange(min=1), metavar="NUMBER", help="The published rating list of this number.")
@click.option("--undecided", is_flag=True, default=None, help="Disputes that wait for a decision.")
@click.option("--names", is_flag=True, default=None, help="Results with the names of players in another column.")
@click.option("--lines", is_flag=True, default=None, help="Moves in full notation in another column.")
@click.option("--changed-since", type=click.IntRange(min=0), metavar="SEQUENCE", help="Only where something was recorded later.")
@file_options(*_FORMS)
@lang_option
@setting_options(*STORE, *SERVER)
def table_command(name: str, form: FormName | None, dialect: DialectName | None, out: Path | None, language: str, **given: Any) -> None:
    """Write a table: results, tournaments, standings, series, ratings, published_ratings, players, games, disputes, rulings,
    hands, moves or statistics.

    A server describes the columns at /v1/schemas/NAME; docs/score-histories.md describes those of results.

    \b Examples:
      kiebitz export table results --tournament spring-26 --out results.xlsx
      kiebitz export table standings --tournament spring-26 > standings.csv
      kiebitz export table series --series cup --out cup.xlsx
      kiebitz export table ratings --ruleset casino --minimum-games 10
      kiebitz export table published_ratings --ruleset casino --number 2 --out list.csv
      kiebitz export table disputes --undecided --format json
      kiebitz export table moves --ruleset casino --out moves.parquet
    """
    flags = {flag: given.pop(flag) for flag in (*STORE, *SERVER)}
    filters = {filter: value for filter, value in given.items() if value is not None}
    _check_filters(name, filters)
    form = choose_form(form, out, _FORMS)
    with open_output(out) as write, open_table(settings_of(flags), name, form, dialect, filters, language) as pieces:
        for piece in pieces:
            write(piece)


def _kind_of(name: str, filters: Mapping[str, Any]) -> type[TableFile]:
    return StandingsFile if name == "standings" and "tournament" in filters else TABLES[name]


def _check_filters(name: str, filters: Mapping[str, Any]) -> None:
    known = {field.encode_name for field in fields(_kind_of(name, filters).query)}
    strange = [filter for filter in filters if filter not in known]
    if strange:
        raise WrongCall(say("table_takes_no", table=name, option=strange[0]))
    question, *needed = _NEEDED.get(name, ("",))
    if not filters.keys() >= set(needed):
        raise WrongCall(say(question))


@contextmanager
def open_table(
    settings: Settings, name: str, form: FormName, dialect: DialectName | None, filters: Mapping[str, Any], language: str
) -> Iterator[Iterator[bytes]]:
    """Yield the pieces of the file. Raises ``Failure``."""
    if settings.url:
        asked = parameters_of({**filters, "dialect": dialect})
        with connect(settings, language) as remote, remote.table(name, form, asked) as pieces:
            yield pieces
        return
    with open_services(settings, create=False) as services:
        kind = _kind_of(name, filters)
        catch_up(services, services.journal.head(), language, *kind.projections)
        about = FileInfo(reach=WHOLE, public=False, at=services.clock(), language=language, dialect=dialect)
        query, times = build_query(kind.query, filters)
        file = kind.make(services.sources, query, times, form, about)
        try:
            yield table_pieces(file, services.sources)
        except NotInstalled as missing:
            raise Failure(say("not_installed", problem=missing)) from missing
