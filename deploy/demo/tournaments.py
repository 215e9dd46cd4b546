"""What a director sends for a round of the season: the pairing, and what is to be said of the tables at its end."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from deploy.demo.scripts import Request, Script, request
from deploy.demo.season import Fixture, Round
from domain.games import RULESETS

_LONG = timedelta(minutes=70)


def pairing(round: Round) -> Iterator[Request]:
    """Before the first round the tournament is announced, and everybody enters."""
    path = f"/v1/tournaments/{round.tournament}"
    cup, begins = round.cup, round.begins.isoformat()
    if round.number == 1:
        plan = {"ruleset": cup.ruleset, "options": cup.options, "seats": cup.seats, "rounds": cup.rounds, "tie_breaks": ["lots"]}
        held = {"format": "manual", "entrants": "players", "scoring": {"by": "points"}, "seed": round.tournament, "happened_at": begins}
        yield request("/v1/tournaments", {"id": round.tournament, "title": _title(round), **plan, **held})
        yield request(f"{path}/entries", {"entries": [{"players": [player]} for player in round.entrants]})
    tables = [{"table": fixture.table, "parties": _parties(round, fixture)} for fixture in round.fixtures]
    yield request(f"{path}/rounds", {"tables": tables, "happened_at": begins})


def closing(round: Round, scripts: Sequence[Script]) -> Iterator[Request]:
    """Where a game does not count, the director says what the table came to. After the last round the tournament is over."""
    path, at = f"/v1/tournaments/{round.tournament}", {"happened_at": (round.begins + _LONG).isoformat()}
    for fixture, script in zip(round.fixtures, scripts, strict=True):
        if not script.counts:
            points = [0] * len(_parties(round, fixture))
            yield request(f"{path}/rounds/{round.number}/tables/{fixture.table}/result", {"points": points, **at})
    yield request(f"{path}/rounds/{round.number}/closing", at)
    if round.is_last:
        yield request(f"{path}/ending", at)


def _title(round: Round) -> str:
    return f"{round.cup.name.replace('-', ' ').capitalize()} {round.tournament.rpartition('-')[2]}"


def _parties(round: Round, fixture: Fixture) -> list[list[int]]:
    """The entrants of each party at the table, by number."""
    parties = RULESETS[round.cup.ruleset].bind(round.cup.options, round.cup.seats).setup.parties
    return [[round.entrants.index(fixture.players[seat]) + 1 for seat in party] for party in parties]
