"""A tournament as it stood: now, at a moment, after the event of a sequence, or with the results of its first rounds alone."""

import asyncio
import re
from datetime import datetime

import msgspec
from msgspec import Struct

from api.common.freshness import reach, reach_head
from api.http.errors import BadRequest
from api.http.response import Asked, house_of
from api.tournaments.reading import games_seen, held, persons
from domain.errors import Unknown
from domain.tournament.games import TableGame
from domain.tournament.outcome import Bye, Outcome
from domain.tournament.standings import Line, standings
from domain.tournament.tally import outcomes
from domain.tournament.tournament import Tournament, project
from projections.models.results import result_list
from projections.models.results.projection import RESULTS
from projections.models.tournaments import tournament_list
from projections.models.tournaments.projection import TOURNAMENTS

_ROUND, _SEQUENCE = re.compile(r"round:([0-9]{1,6})"), re.compile(r"sequence:([0-9]{1,15})")


class Moment(Struct, frozen=True, kw_only=True):
    """All null is now. ``sequence`` and ``at`` exclude each other; ``round`` leaves later rounds away."""

    round: int | None = None
    sequence: int | None = None
    at: datetime | None = None


class Standing(Struct, frozen=True):
    """A tournament at a moment, with its games as they stood, what came of its tables, and the lines of its standings."""

    moment: Moment
    tournament: Tournament
    games: tuple[TableGame, ...]
    outcomes: tuple[Outcome, ...]
    byes: tuple[Bye, ...]
    lines: tuple[Line, ...]


def moment_of(text: str, name: str) -> Moment:
    """``round:3``, ``sequence:812``, ``now``, or a time. Raises ``BadRequest``."""
    if text == "now":
        return Moment()
    if found := _ROUND.fullmatch(text):
        return Moment(round=int(found[1]))
    if found := _SEQUENCE.fullmatch(text):
        return Moment(sequence=int(found[1]))
    try:
        at = msgspec.convert(text, datetime)
    except msgspec.ValidationError:
        at = None
    if at is None or at.tzinfo is None:
        raise BadRequest("bad_parameter", "this has to be round:3, sequence:812, now, or a time like 2026-11-21T19:04:11Z", name)
    return Moment(at=at)


async def standing(asked: Asked, id: str, moment: Moment) -> Standing:
    """Raises ``Unknown``, also for a round that was not paired and a moment before the announcement, and ``Behind`` for a sequence to
    come."""
    now, games = await _held_at(asked, id, moment)
    person = await persons(asked, now, {player for game in games for player in game.players})
    if moment.round is not None:
        now.round(moment.round)
    last = len(now.rounds) if moment.round is None else moment.round
    came = tuple(outcome for outcome in outcomes(now, games, person) if outcome.round <= last)
    byes = tuple(bye for bye in now.byes if bye.round <= last)
    ever = (one for one in now.entrants if not one.gone(one.from_round))
    entered = [one.number for one in ever if moment.round is None or one.from_round <= moment.round]
    lines = await asyncio.to_thread(standings, now.plan, entered, came, byes)
    return Standing(moment, now, games, came, byes, lines)


async def _held_at(asked: Asked, id: str, moment: Moment) -> tuple[Tournament, tuple[TableGame, ...]]:
    now = await held(asked, id)
    if moment.sequence is None and moment.at is None:
        return now, await games_seen(asked, id)
    for projection in (TOURNAMENTS, RESULTS):
        await reach(asked, projection.name, moment.sequence)
        await reach_head(asked, projection.name)
    return await asyncio.to_thread(_stood, asked, now, moment)


def _stood(asked: Asked, now: Tournament, moment: Moment) -> tuple[Tournament, tuple[TableGame, ...]]:
    house, id = house_of(asked), now.plan.tournament
    position = tournament_list.position_at(house.store, now.id, sequence=moment.sequence, at=moment.at)
    then = project(None, house.journal.history(now.id, 0, position)) if position else None
    if then is None:
        raise Unknown("moment", moment.at.isoformat() if moment.at else moment.sequence)
    return then, result_list.results(house.store, id, sequence=moment.sequence, at=moment.at)
