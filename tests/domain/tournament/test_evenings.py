"""Whole tournaments, played at random through the decisions: what has to hold after every one of them."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from domain import codec
from domain.errors import Refused
from domain.events import Recorded, Stamp, digest
from domain.events.tournament import TournamentAnnounced
from domain.standings.plan import Outcome, Scoring
from domain.tournament import entries, results, rounds
from domain.tournament.games import TableGame
from domain.tournament.tally import missing_results, tally_rounds
from domain.tournament.tournament import Tournament, project, tournament_stream
from tests.domain.tournament.recorded import ALONE, DUEL, PAIRS, game, plan
from tests.domain.tournament.test_tournament import STAMP

PLANS = {
    "swiss": plan(DUEL, format="swiss", rounds=4),
    "pairs, all against all": plan(PAIRS, format="round_robin", games=2),
    "changing partners": plan(PAIRS, format="swiss", entrants="players", rounds=3),
    "alone": plan(ALONE, format="swiss", scoring=Scoring("points"), rounds=3),
    "knock-out": plan(DUEL, format="knockout"),
}


class Evening:
    """A tournament with its events and its games."""

    def __init__(self, announced: TournamentAnnounced, chance: random.Random) -> None:
        self.chance = chance
        self.events: list[Recorded] = []
        self.games: list[TableGame] = []
        self.record(announced)

    @property
    def now(self) -> Tournament:
        now = project(None, self.events)
        assert now is not None
        return now

    def record(self, event: Any) -> None:
        last = self.events[-1] if self.events else None
        link, stamp = (digest(last.state) if last else None), Stamp(STAMP.at, STAMP.by)
        self.events.append(codec.encode_event(tournament_stream("spring"), len(self.events) + 1, link, stamp, event))

    def enter(self, count: int) -> None:
        for _ in range(count):
            number, size = len(self.now.entrants) + 1, 2 if self.now.plan.entrants == "parties" and self.now.plan.parties == PAIRS else 1
            self.record(entries.accept_entry(self.now, [f"p{number}.{player}" for player in range(size)], None, None))

    def settle(self, table: str) -> None:
        """Gives a table a result, one way or the other."""
        now, number = self.now, len(self.now.rounds)
        at = now.table(number, table)
        way = self.chance.choice(["games", "games", "games", "entered", "decided", "forfeited"])
        points = self.chance.sample(range(100), len(now.plan.parties))
        if way == "games":
            self.play(table, number, now.players(number, at.seats))
        elif way == "entered":
            for party in now.parties(at.seats):
                self.record(results.enter_result(self.now, number, table, points, party[0]))
        elif way == "decided" or len(now.plan.parties) == 1:
            self.record(results.decide_result(now, number, table, points))
        else:
            self.record(results.forfeit_table(now, number, table, [self.chance.choice(at.seats)], None))

    def play(self, table: str, round: int, players: tuple[str, ...]) -> None:
        parties = self.now.plan.parties
        for _ in range(self.now.plan.games):
            totals = tuple(self.chance.sample(range(100), len(parties)))
            self.games.append(game(len(self.games) + 1, players, totals, round=round, table=table, parties=parties))

    def come_and_go(self) -> None:
        """Somebody leaves, somebody returns, somebody is replaced, somebody comes late."""
        active = [one.number for one in self.now.active(self.now.next_round)]
        if len(active) > 9:
            self.record(entries.withdraw_entry(self.now, self.chance.choice(active), None, None))
        gone = [one.number for one in self.now.entrants if one.until is not None]
        if gone and self.now.plan.format == "swiss" and self.now.next_round <= (self.now.plan.rounds or 0) and self.chance.random() < 0.5:
            for event in entries.return_entry(self.now, self.chance.choice(gone), None, None):
                self.record(event)
        someone = self.now.active(self.now.next_round)[0]
        self.record(
            entries.change_entry(self.now, someone.number, [f"s{len(self.events)}.{n}" for n in range(len(someone.players(1)))], None)
        )
        if self.now.plan.format == "swiss" and self.now.next_round <= (self.now.plan.rounds or 0):
            self.enter(1)

    def steps(self) -> Iterator[None]:
        self.enter(self.chance.randrange(8, 13))
        while self.pair():
            yield
            for table in self.now.rounds[-1].tables:
                self.settle(table.name)
                yield
            self.record(rounds.close_round(self.now, self.games, len(self.now.rounds)))
            yield
            self.come_and_go()
        self.record(rounds.finish_tournament(self.now, self.games, None))
        yield

    def pair(self) -> bool:
        """Twice, the first pairing is taken back; not after the last round."""
        if self.now.plan.format == "round_robin" and len(self.now.rounds) == 4:
            return False
        try:
            self.record(rounds.draw_round(self.now, self.games))
        except Refused as refused:
            if refused.code not in ("no_more_rounds", "knockout_over"):
                raise
            return False
        before = self.now.rounds[-1]
        self.record(rounds.withdraw_pairing(self.now, self.games, None))
        self.record(rounds.draw_round(self.now, self.games))
        assert self.now.rounds[-1] == before
        return True


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("seed", range(4))
def test_after_every_step_of_a_random_evening(name: str, seed: int):
    evening = Evening(PLANS[name], random.Random(seed))
    found = tally_rounds(evening.now, evening.games)
    for _ in evening.steps():
        now, found = evening.now, tally_rounds(evening.now, evening.games)
        everybody_is_somewhere_once(now)
        a_table_waits_or_has_a_result(now, evening.games, found)
    assert evening.now.ended is not None
    assert all(one.points is not None for one in found)
    reordered = sorted(evening.games, key=lambda one: evening.chance.random())
    assert tally_rounds(evening.now, reordered) == found


def everybody_is_somewhere_once(now: Tournament) -> None:
    for round in now.rounds:
        parties = [party for table in round.tables for party in now.parties(table.seats)]
        named = sorted([*round.byes, *(entrant for party in parties for entrant in party)])
        playing = [entrant.number for entrant in now.active(round.number)]
        assert named == playing or (now.plan.format == "knockout" and set(named) < set(playing) and len(set(named)) == len(named))
        for table in round.tables:
            assert len(set(now.players(round.number, table.seats))) == now.plan.seats


def a_table_waits_or_has_a_result(now: Tournament, games: list[TableGame], found: tuple[Outcome, ...]) -> None:
    waits = {(one.round, one.table) for round in now.rounds for one in missing_results(now, games, round.number)}
    assert waits == {(one.round, one.table) for one in found if one.how == "open"}


@pytest.mark.parametrize("seed", range(8))
def test_who_comes_and_goes_while_a_round_is_paired_does_so_as_if_it_never_had_been_once_it_is_unpaired(seed: int):
    unpaired, never_paired = (Evening(PLANS["swiss"], random.Random(seed)) for _ in range(2))
    for evening in (unpaired, never_paired):
        evening.enter(11)
        if evening is unpaired:
            evening.record(rounds.draw_round(evening.now, []))
        for _ in range(4):
            evening.come_and_go()
    unpaired.record(rounds.withdraw_pairing(unpaired.now, [], None))
    assert stays(unpaired.now) == stays(never_paired.now)


def stays(now: Tournament) -> list[Any]:
    """Of each entrant the rounds in which he plays, and from when his line-ups stand."""
    return [(one.number, one.from_round, one.absences, [line_up.from_round for line_up in one.line_ups]) for one in now.entrants]
