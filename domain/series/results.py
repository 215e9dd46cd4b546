"""Points of a tournament for its series, from its standings: by place, by field, by score or in percent."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction

from msgspec import Struct

from domain.standings.plan import SeriesPoints
from domain.standings.standings import StandingsRow
from domain.tournament.games import PersonOf, keep_id
from domain.tournament.state import Entrant
from domain.tournament.tournament import Tournament


class PlayedEntry(Struct, frozen=True):
    """An entrant who sat at one table that counts. ``place``: among these. ``line_ups``: the people who sat there for them."""

    entrant: int
    place: int
    score: Fraction
    line_ups: tuple[tuple[str, ...], ...]
    club: str | None


class PlayedTournament(Struct, frozen=True):
    """A tournament as its series counts it. ``entries`` are those who played, best first; byes and forfeits alone are no playing.

    ``partners``: entries keep together. ``seed`` is empty before the lots are drawn. ``ended_at`` is null while it is played: then its
    results are provisional.
    """

    tournament: str
    weight: Fraction
    ended_at: datetime | None
    partners: bool
    seed: str
    entries: tuple[PlayedEntry, ...]


def played_tournament(
    tournament: Tournament, rows: Sequence[StandingsRow], weight: Fraction = Fraction(1), person_of: PersonOf = keep_id
) -> PlayedTournament:
    """Return the tournament by its standings. A cancelled one has no entries."""
    cancelled = tournament.ended is not None and tournament.ended.how == "cancelled"
    came: list[StandingsRow] = [] if cancelled else [row for row in rows if row.played]
    places = sorted(row.place for row in came)
    entries = [_entry(tournament.entrant(row.entrant), row, bisect_left(places, row.place) + 1, person_of) for row in came]
    plan = tournament.plan
    partners = plan.entrants == "parties" and len(plan.parties[0]) > 1
    return PlayedTournament(plan.tournament, weight, tournament.ended_at, partners, plan.seed, tuple(entries))


def _entry(one: Entrant, row: StandingsRow, place: int, person_of: PersonOf) -> PlayedEntry:
    rounds = (part.round for part in row.parts if part.how == "played" and part.counts)
    line_ups = dict.fromkeys(tuple(person_of(player) for player in one.players(round)) for round in rounds)
    return PlayedEntry(row.entrant, place, row.score, tuple(line_ups), one.labels.club)


def best_score(played: PlayedTournament) -> Fraction:
    """Return the best score of those who played; 0 where nobody did."""
    return max((entry.score for entry in played.entries), default=Fraction(0))


def points_by_entrant(points: SeriesPoints, played: PlayedTournament) -> dict[int, Fraction]:
    """Return the weighted points of each entrant. Percent of a best score that is not positive are 0."""
    best, by_place = best_score(played), _points_by_place(points, played)

    def points_of(entry: PlayedEntry) -> Fraction:
        match points.by:
            case "place" | "field":
                return by_place[entry.place]
            case "score":
                return entry.score
            case "percent":
                return 100 * entry.score / best if best > 0 else Fraction(0)

    if played.weight == 1:  # most are: fractions are slow
        return {entry.entrant: points_of(entry) for entry in played.entries}
    return {entry.entrant: played.weight * points_of(entry) for entry in played.entries}


def _points_by_place(points: SeriesPoints, played: PlayedTournament) -> dict[int, Fraction]:
    """Return the points of each place: equal ones share the average of the places that they hold, or each have the best."""
    field, found = len(played.entries), dict[int, Fraction]()
    for place, count in Counter(entry.place for entry in played.entries).items():
        held = range(place, place + (count if points.ties == "average" else 1))
        if points.by == "field":
            found[place] = Fraction(sum(100 * (field - one + 1) for one in held), field * len(held))
        else:
            found[place] = Fraction(sum(points.table[place - 1 : held[-1]]), len(held))
    return found
