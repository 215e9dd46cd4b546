"""A series at a moment, with the standings of its tournaments; and the names of its players."""

import asyncio
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from datetime import datetime
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from api.common.consistency import wait_for_head, wait_for_sequence
from api.common.names import NameViewer, name_of, word_for_unnamed
from api.http.request import Request, services_of
from api.http.response import format_time
from api.standings.as_of import AsOf, StandingsAt, list_present_standings, standings_at
from domain.errors import Unknown
from domain.journal.registers import Registers
from domain.series.results import PlayedTournament
from domain.series.series import SERIES, Series, project, series_stream
from domain.series.tables import SeriesTable, order_tournaments, series_tables, tournaments_until
from projections.engine.store import Store
from projections.models.players import PLAYERS, clubs_of, roots
from projections.models.tournaments import TOURNAMENTS


class SeriesPoint(Struct, frozen=True, kw_only=True):
    """A moment; all null is now. ``sequence`` and ``at`` exclude each other; ``after`` leaves out tournaments that ended later."""

    after: str | None = None
    sequence: int | None = None
    at: datetime | None = None

    @property
    def of_tournaments(self) -> AsOf:
        return AsOf(sequence=self.sequence, at=self.at)


class SeriesAt(Struct, frozen=True):
    """A series at a moment: the standings of its tournaments by id, the tournaments as they count, and the tables."""

    moment: SeriesPoint
    series: Series
    standings: Mapping[str, StandingsAt]
    played: tuple[PlayedTournament, ...]
    tables: tuple[SeriesTable, ...]


async def current_series(request: Request, id: str) -> Series:
    """Return the current series. Raises ``Unknown``."""
    try:
        return await services_of(request).journal.current_of(SERIES, series_stream(id))
    except Unknown:
        raise Unknown("series", id) from None


async def series_at(request: Request, id: str, moment: SeriesPoint, where: str = "as_of") -> SeriesAt:
    """Return the series at a moment. ``where`` names the parameter. Raises ``Unknown``, also for a tournament that is not in it then."""
    now = await current_series(request, id)
    await wait_for_sequence(request, TOURNAMENTS.name, moment.sequence, where)
    then = await asyncio.to_thread(_read_as_of, request, now, moment)
    if moment.after is not None and not then.has(moment.after):
        raise Unknown("tournament", moment.after)
    ids = [one.tournament for one in then.tournaments]
    if moment.sequence is None and moment.at is None:
        standings = dict(zip(ids, await list_present_standings(request, ids), strict=True))
    else:
        standings = {one: await standings_at(request, one, moment.of_tournaments, where) for one in ids}
    await wait_for_head(request, PLAYERS.name)
    return await asyncio.to_thread(compute_tables, services_of(request).store, moment, then, standings)


def _read_as_of(request: Request, now: Series, moment: SeriesPoint) -> Series:
    journal = services_of(request).journal
    if moment.sequence is not None:
        position = bisect_right(journal.store.select_sequences(now.id), moment.sequence)
    elif moment.at is not None:
        position = sum(one.stamp.at <= moment.at for one in journal.history(now.id))
    else:
        return now
    then = project(None, journal.history(now.id, 0, position)) if position else None
    if then is None:
        raise Unknown("moment", format_time(moment.at) if moment.at else moment.sequence)
    return then


def compute_tables(store: Store, moment: SeriesPoint, series: Series, standings: Mapping[str, StandingsAt]) -> SeriesAt:
    """Return the tables from the standings of the tournaments. Call it in a thread."""
    played: Iterable[PlayedTournament] = [
        replace(standings[one.tournament].played, weight=Fraction(one.weight)) for one in series.tournaments
    ]
    played = order_tournaments(played) if moment.after is None else tournaments_until(played, moment.after)
    known = roots(store, {*(one.player for one in series.adjustments), *(one.player for one in series.categories)})
    players = (player for one in played for entry in one.entries for line_up in entry.line_ups for player in line_up)
    clubs = clubs_of(store, {*players}) if series.plan.tables.club is not None else {}
    tables = series_tables(series, played, lambda player: known.get(player, player), clubs.get)
    return SeriesAt(moment, series, standings, tuple(played), tables)


def names_in_series(registers: Registers, audience: NameViewer, *at: SeriesAt) -> Mapping[str, str]:
    """Return the name to show for each player of the tables, as the series is published. A player without one goes by a word.

    Call it in a thread.
    """
    rows = (row for one in at for table in one.tables if table.kind != "club" for row in table.rows)
    players = {player for row in rows for player in row.contestant}
    people = registers.find_players(players)
    showing = audience.showing(None, at[0].series.publication, None)
    unnamed = word_for_unnamed(audience.language)
    return {player: name_of(people.get(player), showing) or unnamed for player in players}
