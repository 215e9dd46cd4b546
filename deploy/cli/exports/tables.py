"""Command `kiebitz export table`: writes results, games, hands, moves and others as a table."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import click

from api.common.tables.columns import DialectName
from api.common.tables.files import FILES, FileInfo, FormatName, FormName, TableFile, table_pieces
from api.games.games_table import GamesFile
from api.games.history_tables import HandsFile, MovesFile
from api.games.statistics import StatisticsFile, read_statistics
from api.http.errors import NotInstalled
from api.players.directory import PlayerSearch
from api.players.tables import PlayersFile
from api.ratings.published_table import make_published_file
from api.ratings.rating_lists import RatingsFile
from api.rulings.dispute_list import DisputesFile
from api.rulings.ruling_search import RulingsFile
from api.scores.results import ResultsFile
from api.series.reading import SeriesPoint, compute_tables, names_in_series
from api.series.tables import SeriesFile, series_standings_view
from api.series.tables import rows_of as series_rows
from api.services import Services, Sources
from api.standings.all_standings import AllStandingsFile, load_present_standings, read_present_standings
from api.standings.tables import StandingsFile, rows_of
from api.tournaments.tables import TournamentsFile
from deploy.cli.client import connect
from deploy.cli.console import SERVER, STORE, setting_options, settings_of
from deploy.cli.exports.scores import catch_up, form_for, parse_time
from deploy.cli.files import open_output
from deploy.compose import open_services
from deploy.config.failures import Failure, WrongCall, lang_option, say
from deploy.config.settings import Settings
from domain.access import WHOLE
from domain.errors import Unknown
from domain.rating_lists import RATING_LISTS, rating_lists_stream
from domain.series.series import SERIES, series_stream
from projections.models.disputes import DISPUTES, DisputeFilters
from projections.models.game_index import GAME_INDEX, GameFilters
from projections.models.player_places import APPEARANCES
from projections.models.players import PLAYERS, PlayerFilters
from projections.models.results import RESULTS
from projections.models.rulings import RULINGS, RulingFilters
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.rating_list import RatingFilters
from projections.models.score_lines.table_list import ResultFilters
from projections.models.tournaments import TOURNAMENTS, TournamentFilters


def standings_file(services: Services, form: FormName, filters: Mapping[str, Any], about: FileInfo) -> TableFile:
    """Return the present standings of a tournament, else of all, with names. Raises ``Failure``."""
    tournament = filters.get("tournament")
    if tournament is None:
        chosen = TournamentFilters(filters.get("ruleset"))
        return AllStandingsFile(form=form, about=about, filters=chosen, changed_since=filters.get("changed_since"))
    try:
        told = read_present_standings(services.sources, tournament, about)
    except Unknown:
        raise Failure(say("no_tournament", tournament=tournament)) from None
    return StandingsFile(form=form, about=about, tie_breaks=told.tie_breaks, rows=rows_of(told))


def series_file(services: Services, series: str, after: str | None, form: FormName, about: FileInfo) -> SeriesFile:
    """Return the present tables of a series, or those after one of its tournaments. Raises ``Failure``."""
    try:
        now = services.journal.aggregate(SERIES, series_stream(series))
    except Unknown:
        raise Failure(say("no_series", series=series)) from None
    if after is not None and not now.has(after):
        raise Failure(say("no_tournament", tournament=after))
    standings = {one.tournament: load_present_standings(services.sources, one.tournament) for one in now.tournaments}
    of = compute_tables(services.store, SeriesPoint(after=after), now, standings)
    shown = names_in_series(services.registers, about.name_viewer, of)
    return SeriesFile(form=form, about=about, rows=series_rows(series_standings_view(of, None, shown, [None] * len(now.adjustments))))


def ratings_file(services: Services, form: FormName, filters: Mapping[str, Any], about: FileInfo) -> TableFile:
    """Return the present ratings, or a published list. Raises ``Failure``."""
    ruleset, number = str(filters.get("ruleset")), filters.get("number")
    if number is None:
        rated = RatingFilters(ruleset, filters.get("to"), filters.get("club"), filters.get("minimum_games", 1))
        return RatingsFile(form=form, about=about, filters=rated)
    try:
        lists = services.journal.aggregate(RATING_LISTS, rating_lists_stream(ruleset))
        return make_published_file(services.sources, lists, number, form, about)
    except Unknown:
        raise Failure(say("no_rating_list", ruleset=ruleset, number=number)) from None


TableName: TypeAlias = Literal[
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
]
_NAMES: tuple[TableName, ...] = get_args(TableName)
_FORMS: tuple[FormName, ...] = ("json", *get_args(FormatName))
_OF_GAMES = ("tournament", "round", "ruleset", "player", "from", "to", "changed_since")
_TABLES: Mapping[TableName, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "results": (
        ("tournament", "round", "ruleset", "player", "from", "to", "names"),
        (SCORE_LINES.name, PLAYERS.name, TOURNAMENTS.name, APPEARANCES.name),
    ),
    "tournaments": (("ruleset",), (TOURNAMENTS.name,)),
    "standings": (
        ("tournament", "ruleset", "changed_since"),
        (RESULTS.name, PLAYERS.name, DISPUTES.name, GAME_INDEX.name, TOURNAMENTS.name),
    ),
    "series": (("series", "after"), (RESULTS.name, PLAYERS.name)),
    "ratings": (("ruleset", "to", "club", "minimum_games"), (SCORE_LINES.name, PLAYERS.name)),
    "published_ratings": (("ruleset", "number"), (PLAYERS.name, TOURNAMENTS.name, APPEARANCES.name)),
    "players": (("club", "search"), (PLAYERS.name,)),
    "games": (_OF_GAMES, (GAME_INDEX.name,)),
    "disputes": (("tournament", "round", "ruleset", "undecided", "changed_since"), (DISPUTES.name,)),
    "rulings": (("tournament", "ruleset", "from", "to", "changed_since"), (RULINGS.name,)),
    "hands": (_OF_GAMES, (GAME_INDEX.name,)),
    "moves": ((*_OF_GAMES, "lines"), (GAME_INDEX.name,)),
    "statistics": (("ruleset", "tournament", "from", "to"), (GAME_INDEX.name, PLAYERS.name, APPEARANCES.name, TOURNAMENTS.name)),
}
"""The filters that each table takes, and the projections behind it."""


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
@click.option("--format", "form", type=click.Choice(_FORMS), help="Default: the ending of the file's name; csv without a file.")
@click.option("--dialect", type=click.Choice(get_args(DialectName)), help="Of CSV: for German spreadsheets.")
@click.option(
    "--out", "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write to this file, once it is complete."
)
@lang_option
@setting_options(*STORE, *SERVER)
def table_command(
    name: TableName, form: FormName | None, dialect: DialectName | None, out: Path | None, language: str, **given: Any
) -> None:
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
    form = form or form_for(out, _FORMS)
    if out is None and form != "json" and FILES[form].binary and sys.stdout.isatty():
        raise WrongCall(say("terminal_cannot_show", form=form))
    with open_output(out) as write, open_table(settings_of(flags), name, form, dialect, filters, language) as pieces:
        for piece in pieces:
            write(piece)


def _check_filters(name: TableName, filters: Mapping[str, Any]) -> None:
    strange = [filter for filter in filters if filter not in _TABLES[name][0]]
    if strange:
        raise WrongCall(say("table_takes_no", table=name, option=strange[0]))
    if name == "series" and "series" not in filters:
        raise WrongCall(say("series_of_which"))
    if name in ("ratings", "statistics") and "ruleset" not in filters:
        raise WrongCall(say("table_of_which_game"))
    if name == "published_ratings" and not {"ruleset", "number"} <= filters.keys():
        raise WrongCall(say("published_ratings_of_which"))


@contextmanager
def open_table(
    settings: Settings, name: TableName, form: FormName, dialect: DialectName | None, filters: Mapping[str, Any], language: str
) -> Iterator[Iterator[bytes]]:
    """Yield the pieces of the file. Raises ``Failure``."""
    if settings.url:
        asked = _parameters({**filters, "dialect": dialect} if dialect else filters)
        with connect(settings, language) as remote, remote.table(name, form, asked) as pieces:
            yield pieces
        return
    with open_services(settings, create=False) as services:
        catch_up(services, services.journal.head(), language, *_TABLES[name][1])
        about = FileInfo(reach=WHOLE, public=False, at=services.clock(), language=language, dialect=dialect)
        file = _file(services, name, form, filters, about)
        try:
            yield table_pieces(file, services.sources)
        except NotInstalled as missing:
            raise Failure(say("not_installed", problem=missing)) from missing


def _parameters(filters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the query parameters for a server."""
    said = {True: "true", False: "false"}
    return {
        name: value.isoformat() if isinstance(value, datetime) else said[value] if isinstance(value, bool) else value
        for name, value in filters.items()
    }


def _file(services: Services, name: TableName, form: FormName, filters: Mapping[str, Any], about: FileInfo) -> TableFile:
    """Return the job for the file; a server would pass it to its export process."""
    get = filters.get
    tournament, round, ruleset = get("tournament"), get("round"), get("ruleset")
    match name:
        case "results":
            wanted = ResultFilters(tournament, round, ruleset, get("player"), get("from"), get("to"))
            return ResultsFile(form=form, about=about, filters=wanted, named=bool(get("names")))
        case "tournaments":
            return TournamentsFile(form=form, about=about, filters=TournamentFilters(ruleset))
        case "standings":
            return standings_file(services, form, filters, about)
        case "series":
            return series_file(services, get("series", ""), get("after"), form, about)
        case "ratings" | "published_ratings":
            return ratings_file(services, form, filters, about)
        case "players":
            return PlayersFile(form=form, about=about, search=PlayerSearch(PlayerFilters(club=get("club")), get("search")))
        case "disputes":
            of = {"tournament": tournament, "round": round, "ruleset": ruleset, "changed_since": get("changed_since")}
            disputes = DisputeFilters(undecided=get("undecided"), **of)
            return DisputesFile(form=form, about=about, filters=disputes)
        case "rulings":
            rulings = RulingFilters(ruleset, tournament=tournament, from_=get("from"), to=get("to"), changed_since=get("changed_since"))
            return RulingsFile(form=form, about=about, filters=rulings, words=())
        case "games" | "hands" | "moves" | "statistics":
            return _file_of_games(services.sources, name, form, filters, about)


def _file_of_games(
    sources: Sources, name: Literal["games", "hands", "moves", "statistics"], form: FormName, filters: Mapping[str, Any], about: FileInfo
) -> TableFile:
    known = {name: filters.get(name) for name in ("ruleset", "tournament", "round", "player", "changed_since")}
    games = GameFilters(**known, played_from=filters.get("from"), played_before=filters.get("to"))
    match name:
        case "games":
            return GamesFile(form=form, about=about, filters=games)
        case "hands":
            return HandsFile(form=form, about=about, filters=games)
        case "moves":
            return MovesFile(form=form, about=about, filters=games, lines=bool(filters.get("lines")))
        case "statistics":
            return StatisticsFile(form=form, about=about, statistics=read_statistics(sources, games, about))
