"""A tournament as of a moment: now, a time, a sequence, or with the results of its first rounds only."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from api.common.consistency import wait_for_head, wait_for_sequence
from api.common.live.change_feed import SharedReads
from api.http.errors import BadRequest, say
from api.http.request import Request, part_of, services_of
from api.http.response import format_time
from api.tournaments.reading import build_person_of, current_tournament, read_merged
from domain.errors import Unknown
from domain.series.results import PlayedTournament, played_tournament
from domain.standings.plan import Bye, Outcome
from domain.standings.standings import StandingsRow
from domain.time_zones import parse_instant
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.ranking import rank_entrants
from domain.tournament.tally import tally_rounds
from domain.tournament.tournament import Tournament, project
from projections.engine.store import Store
from projections.models import results, tournaments
from projections.models.results import RESULTS
from projections.models.tournaments import TOURNAMENTS

_ROUND, _SEQUENCE = re.compile(r"round:([0-9]{1,9})"), re.compile(r"sequence:([0-9]{1,15})")


class AsOf(Struct, frozen=True, kw_only=True):
    """A moment; all null is now. ``sequence`` and ``at`` exclude each other; ``round`` leaves out later rounds."""

    round: int | None = None
    sequence: int | None = None
    at: datetime | None = None


class StandingsAt(Struct, frozen=True, dict=True):
    """A tournament at a moment: its games, the outcomes of its tables, the lines of its standings. ``dict``: for ``cached_property``."""

    as_of: AsOf
    tournament: Tournament
    games: tuple[TableGame, ...]
    outcomes: tuple[Outcome, ...]
    byes: tuple[Bye, ...]
    lines: tuple[StandingsRow, ...]
    person_of: PersonOf

    @cached_property
    def played(self) -> PlayedTournament:
        """The tournament as a series counts it, without its weight there."""
        return played_tournament(self.tournament, self.lines, person_of=self.person_of)


def parse_as_of(text: str, name: str, zone: str) -> AsOf:
    """Return the moment of ``round:3``, ``sequence:812``, ``now``, or a time, by default in this zone. Raises ``BadRequest``."""
    if text == "now":
        return AsOf()
    if found := _ROUND.fullmatch(text):
        return AsOf(round=int(found[1]))
    if found := _SEQUENCE.fullmatch(text):
        return AsOf(sequence=int(found[1]))
    at = parse_instant(text, zone)
    if at is None:
        raise BadRequest("bad_parameter", say("as_of"), name)
    return AsOf(at=at)


async def standings_at(request: Request, id: str, as_of: AsOf, where: str = "as_of") -> StandingsAt:
    """Return the standings at a moment. ``where`` names the parameter.

    Raises ``Unknown``, also for a round that was not paired and a moment before the announcement, and
    ``FuturePositionError`` for a sequence to come.
    """
    if as_of.sequence is None and as_of.at is None:
        return (await list_present_standings(request, [id], as_of.round))[0]
    now, games = await _tournament_at(request, id, as_of, where)
    person_of = await build_person_of(request, now, games)
    return await asyncio.to_thread(standings_of, now, games, person_of, as_of)


class _Played(NamedTuple):
    games: tuple[TableGame, ...]
    players: frozenset[str]


async def list_present_standings(request: Request, ids: Sequence[str], round: int | None = None) -> list[StandingsAt]:
    """Return the current standings of tournaments, each computed once for each change of the tournament, its results or the persons behind
    its players. Whether there was one is read for all of them together. Raises ``Unknown``.
    """
    found = [await current_tournament(request, id) for id in ids]
    if round is not None:
        for now in found:
            now.round(round)
    await wait_for_head(request, RESULTS.name)
    changes = await asyncio.to_thread(results.latest_changes, services_of(request).store, ids)
    played = [await _share_played(request, id, changes[id]) for id in ids]
    players = [one.players.union(*(entrant.all_players for entrant in now.entrants)) for now, one in zip(found, played, strict=True)]
    merged = await read_merged(request, frozenset[str]().union(*players))
    return [
        await _share_standings(request, now, AsOf(round=round), changes[id], games, {one: merged[one] for one in merged.keys() & own})
        for id, now, (games, _), own in zip(ids, found, played, players, strict=True)
    ]


async def _share_played(request: Request, id: str, changed: int) -> _Played:
    store, epoch = services_of(request).store, services_of(request).journal.store.epoch.id
    shared = part_of(request.app, SharedReads).standings
    return await shared.once(id, lambda: asyncio.to_thread(_read_played, store, id), (epoch, changed))


def _read_played(store: Store, id: str) -> _Played:
    games = results.results(store, id)
    return _Played(games, frozenset[str]().union(*(game.all_players for game in games)))


async def _share_standings(
    request: Request, now: Tournament, as_of: AsOf, changed: int, games: tuple[TableGame, ...], merged: Mapping[str, str]
) -> StandingsAt:
    version = services_of(request).journal.store.epoch.id, now.position, changed, frozenset(merged.items())
    shared, key = part_of(request.app, SharedReads).standings, (now.plan.tournament, as_of.round)
    return await shared.once(
        key, lambda: asyncio.to_thread(standings_of, now, games, lambda player: merged.get(player, player), as_of), version
    )


def standings_of(now: Tournament, games: tuple[TableGame, ...], person_of: PersonOf, as_of: AsOf) -> StandingsAt:
    """Compute the standings. In a large field this takes a while: not for the event loop."""
    last = len(now.rounds) if as_of.round is None else as_of.round
    came = tuple(outcome for outcome in tally_rounds(now, games, person_of) if outcome.round <= last)
    byes = tuple(bye for bye in now.byes if bye.round <= last)
    return StandingsAt(as_of, now, games, came, byes, rank_entrants(now, came, byes, round=as_of.round), person_of)


async def _tournament_at(request: Request, id: str, as_of: AsOf, where: str) -> tuple[Tournament, tuple[TableGame, ...]]:
    now = await current_tournament(request, id)
    for projection in (TOURNAMENTS, RESULTS):
        await wait_for_sequence(request, projection.name, as_of.sequence, where)
        await wait_for_head(request, projection.name)
    return await asyncio.to_thread(_read_as_of, request, now, as_of)


def _read_as_of(request: Request, now: Tournament, as_of: AsOf) -> tuple[Tournament, tuple[TableGame, ...]]:
    services, id = services_of(request), now.plan.tournament
    position = tournaments.position_at(services.store, now.id, sequence=as_of.sequence, at=as_of.at)
    then = project(None, services.journal.history(now.id, 0, position)) if position else None
    if then is None:
        raise Unknown("moment", format_time(as_of.at) if as_of.at else as_of.sequence)
    return then, results.results(services.store, id, sequence=as_of.sequence, at=as_of.at)
