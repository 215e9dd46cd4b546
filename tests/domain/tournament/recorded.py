"""Tournaments of the tests: recorded one event after the other and folded, with games made up."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from domain import codec
from domain.errors import Refused
from domain.events import Stamp, digest
from domain.events.tournament import EntryAccepted, RoundPaired, Seating, TournamentAnnounced
from domain.standings.plan import Scoring
from domain.tournament.games import TableGame
from domain.tournament.tournament import Tournament, fold_event, tournament_stream

OPTIONS = {"sweeps": True}
PAIRS = ((0, 2), (1, 3))
DUEL = ((0,), (1,))
ALONE = ((0,),)


def plan(parties: tuple[tuple[int, ...], ...] = DUEL, **changed: Any) -> TournamentAnnounced:
    given: dict[str, Any] = {
        "tournament": "spring",
        "title": None,
        "ruleset": "casino",
        "options": OPTIONS,
        "seats": sum(map(len, parties)),
        "parties": parties,
        "format": "manual",
        "entrants": "parties",
        "scoring": Scoring("match_points"),
        "tie_breaks": (),
        "rounds": None,
        "games": 1,
        "openness": "game_over",
        "seed": "seed",
    }
    return TournamentAnnounced(**{**given, **changed})


def recorded(*events: Any) -> Tournament:
    """The tournament after these events, the first of which announces it."""
    tournament, id = None, tournament_stream("spring")
    for position, event in enumerate(events, 1):
        stamp = Stamp(datetime(2026, 11, 21, 19, 0, position % 60, tzinfo=UTC), "p_director")
        tournament = fold_event(tournament, codec.encode_event(id, position, digest(tournament.last) if tournament else None, stamp, event))
    assert tournament is not None
    return tournament


def entry(number: int, *players: str, from_round: int = 1, rating: int | None = None) -> EntryAccepted:
    return EntryAccepted(number, players or (f"p{number}",), from_round, rating)


def entries(count: int) -> tuple[EntryAccepted, ...]:
    return tuple(entry(number) for number in range(1, count + 1))


def pairs(count: int) -> tuple[EntryAccepted, ...]:
    """Partnerships of two: ``p1a`` and ``p1b`` are entrant 1."""
    return tuple(entry(number, f"p{number}a", f"p{number}b") for number in range(1, count + 1))


def paired(round: int, *seats: tuple[int, ...], byes: tuple[int, ...] = ()) -> RoundPaired:
    """Tables 1, 2 … with the entrant on each seat."""
    return RoundPaired(round, False, tuple(Seating(str(number), one) for number, one in enumerate(seats, 1)), byes)


def game(
    number: int,
    players: tuple[str | None, ...],
    totals: tuple[int, ...],
    *,
    round: int = 1,
    table: str = "1",
    over: bool = True,
    parties: tuple[tuple[int, ...], ...] = DUEL,
    **changed: Any,
) -> TableGame:
    """Opened as the ``number``-th of all; over, unless it is said otherwise."""
    places = tuple(1 + sum(other > own for other in totals) for own in totals) if over else None
    given: dict[str, Any] = {"ruleset": "casino", "options": OPTIONS, "standing": "open", "places": places, **changed}
    return TableGame(
        game=game_id(number),
        opened=number,
        since=number,
        round=round,
        table=table,
        players=players,
        parties=parties,
        totals=totals,
        **given,
    )


def game_id(number: int) -> UUID:
    return UUID(int=number, version=4)


def refusal(code: str, **detail: Any):
    """The context in which exactly this is refused."""
    return pytest.raises(Refused, match=f"^{code}$", check=lambda refused: refused.detail == detail)
