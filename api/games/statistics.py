"""Statistics of a ruleset: wins by seat, hands, moves, corrections and partnerships of finished games, with confidence intervals."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Self

from msgspec import Meta, field

from api.common.consistency import wait_for_head, wait_for_sequence, wait_for_visibility
from api.common.names import NameViewer, load_display_names, wait_for_names, word_for_unnamed
from api.common.tables.columns import Row, Table, columns_of, row_of
from api.common.tables.files import WHOLE, FileInfo, FileQuery, FormName, TableFile, file_info, list_formats, list_or_file
from api.common.time_zone import Times, read_times
from api.games.tally import TallyCache, add_counts, count_games
from api.http.decoding import LocalTime, Name, ResponseModel, RulesetKey, copy_fields, read_query
from api.http.errors import BadRequest, say
from api.http.operations import Content, reads
from api.http.places import visibility_of
from api.http.request import Request, part_of, services_of
from api.http.response import Response, schemas
from api.services import Sources
from domain.journal.access_audit import RefusalCounter
from domain.journal.registers import hour_of
from domain.statistics import Estimate, EstimateName, Measure, Sample, Samples, list_estimates, select_partners
from projections.models.game_index import GAME_INDEX, GameFilters, list_finished_games
from projections.models.player_places import APPEARANCES
from projections.models.players import PLAYERS, roots
from projections.models.tournaments import TOURNAMENTS

_DIGITS = 6


class StatisticsQuery(FileQuery, frozen=True, kw_only=True):
    """The ruleset, and filters of games; all that are given must hold."""

    ruleset: Annotated[RulesetKey, Meta(description="statistics of this ruleset; required")] = ""
    tournament: Annotated[Name | None, Meta(description="of games of this tournament", examples=["spring-open"])] = None
    from_: Annotated[LocalTime, Meta(description="played at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[LocalTime, Meta(description="played before this moment")] | None = None


class EstimateView(ResponseModel, frozen=True, kw_only=True):
    """A figure of a group, or the share of a bin."""

    line: Annotated[int, Meta(description="number of the line")]
    figure: Annotated[EstimateName, Meta(description="the kind of figure; docs/series.md explains each")]
    group: Annotated[str | None, Meta(description="seat from 0, end, type of move, or minimum of the first meld (Canasta); else empty")]
    players: Annotated[tuple[str, ...] | None, Meta(description="ids of the partners, after mergers")]
    shown: Annotated[str | None, Meta(description="names of the partners, as far as the caller may see them")]
    measure: Annotated[Measure, Meta(description="share (of 1), mean, or events per_hundred moves")]
    count: Annotated[int, Meta(description="observations that fit")]
    of: Annotated[int, Meta(description="observations in all")]
    value: Annotated[float, Meta(description="the figure")]
    low: Annotated[float | None, Meta(description="lower bound of its 95 % confidence interval; empty where too little was observed")]
    high: Annotated[float | None, Meta(description="upper bound of the interval")]
    at_least: Annotated[int | None, Meta(description="of a bin: its lower bound; empty for a figure of the whole group")]
    below: Annotated[int | None, Meta(description="of a bin: its upper bound, which is not in it")]


class Statistics(ResponseModel, frozen=True, kw_only=True):
    """The figures of the finished games that were asked for. There is one page; ``next`` is always null."""

    ruleset: str
    games: int
    items: list[EstimateView]
    next: str | None = None


STATISTICS = Table(
    "statistics", "kiebitz-statistics/1", "statistics of finished games, a figure a line", columns_of(EstimateView), ("line",)
)


class StatisticsFile(TableFile, frozen=True, kw_only=True):
    """The figures are passed to the export process: they are few, and computed already."""

    full_table = STATISTICS
    query = StatisticsQuery
    projections = (GAME_INDEX.name, PLAYERS.name, APPEARANCES.name, TOURNAMENTS.name)
    statistics: Statistics

    @classmethod
    def make(cls, sources: Sources, query: StatisticsQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        """Return the file, every game read anew: for commands. May take minutes."""
        filters = _filters(query, times)
        games = [one.id for one in list_finished_games(sources.store, about.reach, filters)]
        observed = add_counts(count_games(sources, games).values()) + _observe_refusals(sources, filters)
        return cls(form=form, about=about, statistics=compute_statistics(sources, filters, about.name_viewer, len(games), observed))

    def found(self, sources: Sources, cursor: str | None, limit: int) -> Statistics:
        return self.statistics

    def row(self, one: EstimateView) -> Row:
        return row_of(STATISTICS, one, players=one.players and ",".join(one.players))


def compute_statistics(sources: Sources, filters: GameFilters, audience: NameViewer, games: int, observed: Samples) -> Statistics:
    """Return the figures of what was observed in so many games, with names. Call it in a thread."""
    figures = list(list_estimates(select_partners(_merge_players(sources, observed))))
    partners = {(player, filters.tournament) for one in figures for player in _partners_in(one)}
    names = load_display_names(sources.registers, sources.store, partners, audience)
    shown = {player: name or word_for_unnamed(audience.language) for (player, _), name in names.items()}
    return Statistics(
        ruleset=str(filters.ruleset),
        games=games,
        items=[_view_of(line, one, ", ".join(map(shown.__getitem__, _partners_in(one)))) for line, one in enumerate(figures, 1)],
    )


def _filters(query: StatisticsQuery, times: Times) -> GameFilters:
    return GameFilters(query.ruleset, query.tournament, played_from=times.get("from_"), played_before=times.get("to"))


def _observe_refusals(sources: Sources, filters: GameFilters) -> Counter[Sample]:
    """Return the refused moves of a ruleset by code. They are counted without their games: there are none of a tournament."""
    if filters.tournament is not None:
        return Counter()
    since, until = (None if moment is None else hour_of(moment) for moment in (filters.played_from, filters.played_before))
    refused = sources.registers.count_refusals(str(filters.ruleset), since, until)
    return Counter({Sample("refusals", (code,), 1): number for code, number in refused.items()})


def _merge_players(sources: Sources, observed: Samples) -> Samples:
    """Return the observations of partners by the ids that these are known by."""
    ids = {id for one in observed if one.figure in _OF_PARTNERS for id in one.group}
    known_by, found = roots(sources.store, ids), Counter[Sample]()
    for one, times in observed.items():
        group = tuple(sorted({known_by[id] for id in one.group})) if one.figure in _OF_PARTNERS else one.group
        if len(group) == len(one.group):  # two ids of one person are no partnership
            found[one._replace(group=group)] += times
    return found


_OF_PARTNERS: tuple[EstimateName, ...] = ("partners_together", "partners_apart")


def _partners_in(one: Estimate) -> Sequence[str]:
    return one.group if one.figure in _OF_PARTNERS else ()


def _view_of(line: int, one: Estimate, shown: str) -> EstimateView:
    low, value, high = (None if figure is None else round(figure, _DIGITS) for figure in (one.low, one.value, one.high))
    group, players = (None, one.group) if shown else (",".join(one.group) or None, None)
    return copy_fields(one, EstimateView, line=line, group=group, players=players, shown=shown or None, value=value, low=low, high=high)


@reads(
    "/v1/statistics",
    "read_statistics",
    "Read the statistics of a ruleset, with confidence intervals",
    tag="Scores",
    description=(
        "It counts the finished games within reach that were not annulled, as everybody may see them: without a token those of "
        "published tournaments. Refused moves are counted for officials of the whole house alone, and without their games. While many "
        f"games are read for the first time the answer is 503 `building`; retry it. There is one page. {WHOLE}"
    ),
    query=StatisticsQuery,
    responses={200: Content("the figures", schemas(list_formats(Statistics)), headers=("ETag",))},
    within="published",
)
async def show_statistics(request: Request) -> Response:
    query = read_query(request, StatisticsQuery)
    if not query.ruleset:
        raise BadRequest("bad_parameter", say("ruleset_missing"), "ruleset")
    filters = _filters(query, await read_times(request, query))
    await wait_for_sequence(request, GAME_INDEX.name, query.min_sequence)
    await wait_for_head(request, GAME_INDEX.name)
    await wait_for_visibility(request)
    await wait_for_names(request)
    sources, about = services_of(request).sources, file_info(request)
    games = await asyncio.to_thread(list_finished_games, sources.store, visibility_of(request), filters)
    observed = await part_of(request.app, TallyCache).sum(request, games)
    if request.user.has_full_view and about.reach.whole:  # a count that rises tells of the game in play
        await part_of(request.app, RefusalCounter).flush()
        observed = observed + await asyncio.to_thread(_observe_refusals, sources, filters)
    found = await asyncio.to_thread(compute_statistics, sources, filters, about.name_viewer, len(games), observed)
    return await list_or_file(request, StatisticsFile, query, lambda form, about: StatisticsFile(form=form, about=about, statistics=found))
