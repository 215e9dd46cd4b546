"""Random seasons and plans: tournaments with their standings, made without rounds being paired."""

import random
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from domain import codec
from domain.events import Stamp, digest
from domain.events.base import TextRef
from domain.events.series import SeriesAdjusted, SeriesAnnounced, SeriesCategoryGiven, SeriesTournamentAdded
from domain.events.tournament import Labels, TournamentEnded
from domain.series.results import PlayedTournament, played_tournament
from domain.series.series import Series, fold_event, series_stream
from domain.standings.plan import USUAL_TABLE, Bye, Outcome, Scoring, SeriesPlan, SeriesPoints, SeriesTables
from domain.standings.standings import StandingsRow, standings
from domain.tournament.line_ups import LineUp
from domain.tournament.state import Entrant
from domain.tournament.tournament import Tournament, tournament_stream
from tests.domain.tournament.recorded import DUEL, PAIRS, plan

SPRING = datetime(2026, 3, 1, 22, tzinfo=UTC)
REASON = TextRef("t1", "b1:0")
TIE_BREAKS = ("first_places", "best_results", "tournaments", "latest_result", "direct_comparison")


def season(*events: Any) -> Series:
    """The series after these events, the first of which announces it."""
    series, id = None, series_stream("cup")
    for position, event in enumerate(events, 1):
        stamp = Stamp(SPRING, "p_director")
        series = fold_event(series, codec.encode_event(id, position, digest(series.last) if series else None, stamp, event))
    assert series is not None
    return series


def by_place(*table: int, **more: Any) -> SeriesPlan:
    return SeriesPlan(points=SeriesPoints("place", table or USUAL_TABLE, more.pop("ties", "average")), **more)


def a_tournament(id: str, month: int, *people: Any, partners: bool = False, over: bool = True, **changed: Any) -> Tournament:
    """A tournament of these entries, each a player or several. It ends so many months after the spring."""
    entries = tuple(
        Entrant(number, 1, (LineUp(1, (one,) if isinstance(one, str) else tuple(one)),)) for number, one in enumerate(people, 1)
    )
    announced = plan(PAIRS if partners else DUEL, tournament=id, tie_breaks=("lots",), seed=f"seed of {id}", **changed)
    end = (TournamentEnded("finished", None), SPRING + timedelta(days=30 * month)) if over else (None, None)
    return Tournament(tournament_stream(id), 1, b"", announced, entries, ended=end[0], ended_at=end[1])


def ranked(*scores: int) -> tuple[StandingsRow, ...]:
    """Standings in which entrant 1 has the first score, and so on: each played one table."""
    outcomes = [Outcome(1, str(number), ((number,),), (score,), "entered") for number, score in enumerate(scores, 1)]
    alone = plan(((0,),), scoring=Scoring("points"))
    return standings(alone, range(1, len(scores) + 1), outcomes, ())


class RandomSeason:
    """Ten tournaments of sixty people: duels or pairs, some with substitutes, byes, forfeits and absences; one is not over yet."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.people = [f"p{number:02}" for number in range(60)]
        self._results: list[tuple[list[Outcome], list[Bye]]] = []
        self.tournaments = [self._tournament(f"t{number}", number) for number in range(10)]

    def rule_late(self) -> None:
        """A ruling gives other points at a table that was played, in a tournament that is over."""
        number = self.chance.randrange(9)
        (tournament, rows), (outcomes, byes) = self.tournaments[number], self._results[number]
        after = rows
        while after == rows:
            at = self.chance.choice([place for place, one in enumerate(outcomes) if one.how == "entered"])
            outcomes[at] = replace(outcomes[at], points=(self.chance.randrange(9), self.chance.randrange(9)))
            after = standings(tournament.plan, range(1, len(tournament.entrants) + 1), outcomes, byes)
        self.tournaments[number] = tournament, after

    def _tournament(self, id: str, number: int) -> tuple[Tournament, tuple[StandingsRow, ...]]:
        chance, partners = self.chance, self.chance.random() < 0.4
        people = chance.sample(self.people, 60)
        entries = [tuple(people[index : index + 2]) for index in range(0, 60, 2)] if partners else people
        month = chance.randrange(100) if number != 9 else 0
        tournament = a_tournament(id, month, *entries, partners=partners, over=number != 9)
        tournament = _relabelled(tournament, chance)
        count = len(entries)
        outcomes, byes = [], []
        for round in (1, 2, 3):
            here = chance.sample(range(1, count + 1), count - chance.randrange(3))
            byes += [Bye(round, here.pop())] if len(here) % 2 else []
            outcomes += [self._duel(round, *here[index : index + 2]) for index in range(0, len(here), 2)]
        self._results.append((outcomes, byes))
        return tournament, standings(tournament.plan, range(1, count + 1), outcomes, byes)

    def _duel(self, round: int, one: int, other: int) -> Outcome:
        if self.chance.random() < 0.15:
            return Outcome(round, f"{one}", ((one,), (other,)), (0, 0), "forfeited", (other,))
        return Outcome(round, f"{one}", ((one,), (other,)), (self.chance.randrange(4), self.chance.randrange(4)), "entered")

    def a_plan(self) -> SeriesPlan:
        chance = self.chance
        by = chance.choice(["place", "field", "score", "percent"])
        table = chance.choice([USUAL_TABLE, (3, 2, 1), tuple(range(40, 0, -1))]) if by == "place" else ()
        breaks = chance.sample(TIE_BREAKS, chance.randrange(6))
        return SeriesPlan(
            points=SeriesPoints(by, table, chance.choice(["average", "best"])),  # pyrefly: ignore[bad-argument-type]
            best=chance.choice([None, 1, 3, 7]),
            minimum=chance.randrange(1, 10),
            tie_breaks=(*breaks, *chance.choice([(), ("lots",)])),  # pyrefly: ignore[bad-argument-type]
            tables=SeriesTables(chance.choice([None, 1, 4]), partnership=chance.random() < 0.5, category=chance.random() < 0.5),
        )

    def series(self, plan: SeriesPlan) -> Series:
        chance = self.chance
        adjusted = [SeriesAdjusted(chance.choice(self.people), chance.choice([-5, 3, 10]), REASON) for _ in range(4)]
        named = [SeriesCategoryGiven(one, chance.choice(["junior", "senior", None])) for one in chance.sample(self.people, 25)]
        added = [SeriesTournamentAdded(one.plan.tournament, chance.choice(["1", "1.5", "1/3"])) for one, _ in self.tournaments]
        return season(SeriesAnnounced("cup", None, plan), *added, *adjusted, *named)

    def played(self, series: Series, person_of: Any) -> list[PlayedTournament]:
        weights = {one.tournament: Fraction(one.weight) for one in series.tournaments}
        return [played_tournament(one, rows, weights[one.plan.tournament], person_of) for one, rows in self.tournaments]


def _relabelled(tournament: Tournament, chance: random.Random) -> Tournament:
    """The tournament with clubs beside some entries, and with substitutes from the second round on."""
    entrants = []
    for one in tournament.entrants:
        labels = Labels(chance.choice([None, None, "Adler", "Bussard"]))
        line_ups = one.line_ups
        if chance.random() < 0.1:
            other = tuple(f"s{chance.randrange(20)}" if place == 0 else player for place, player in enumerate(line_ups[0].players))
            line_ups = (*line_ups, LineUp(2, other, chance.choice([None, 3])))
        entrants.append(replace(one, labels=labels, line_ups=line_ups))
    return replace(tournament, entrants=tuple(entrants))
