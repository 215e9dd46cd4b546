"""The standings of a tournament: who is in them, who has left, and which orders of the director hold."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from domain.errors import Refused
from domain.events.base import TextRef
from domain.events.tournament import StandingsOrdered
from domain.standings.plan import Bye, Outcome
from domain.standings.standings import StandingsRow, standings
from domain.standings.tie_breaks import TIE_BREAKS, TieBreak
from domain.tournament.games import PersonOf, TableGame, keep_id
from domain.tournament.tally import tally_rounds
from domain.tournament.tournament import Tournament


def rank_entrants(
    tournament: Tournament,
    outcomes: Iterable[Outcome],
    byes: Iterable[Bye],
    *,
    round: int | None = None,
    tie_breaks: tuple[TieBreak, ...] | None = None,
) -> tuple[StandingsRow, ...]:
    """Return the standings. Outcomes and byes are those that count: of all rounds, or of the first ones up to ``round``. With other
    ``tie_breaks`` than the announced ones no order of the director holds.
    """
    last = len(tournament.rounds) if round is None else round
    entered = [one for one in tournament.entrants if not one.is_gone(one.from_round) and (round is None or one.from_round <= round)]
    withdrawn = [one.number for one in tournament.entrants if one.is_gone(last + 1)]
    plan = tournament.plan if tie_breaks is None else replace(tournament.plan, tie_breaks=tie_breaks)
    orders = tournament.orders if tie_breaks is None and last == len(tournament.rounds) else ()
    return standings(plan, [one.number for one in entered], outcomes, byes, withdrawn, orders)


# The director's order of entrants who stand equal, such as after a play-off. It holds while exactly these stand equal but for the lots.


def order_tied(
    tournament: Tournament, entrants: Sequence[int], reason: TextRef, games: Iterable[TableGame], person_of: PersonOf = keep_id
) -> StandingsOrdered:
    """Return the order, the best first, also after the end. Raises ``Refused`` unless these are all that share a place before the lots."""
    if tournament.ended and tournament.ended.how == "cancelled":
        tournament.check_open()
    for entrant in entrants:
        tournament.entrant(entrant)
    equal = list_equals(tournament, games, person_of, entrants[0])
    if sorted(entrants) != equal or len(equal) < 2:
        raise Refused("not_equal", entrants=tuple(entrants), equal=tuple(equal))
    if tuple(entrants) in tournament.orders:
        raise Refused("ordered_so_already", entrants=tuple(entrants))
    return StandingsOrdered(tuple(entrants), reason)


def list_equals(tournament: Tournament, games: Iterable[TableGame], person_of: PersonOf, entrant: int) -> list[int]:
    """Return the entrants who share the place of this one before the lots, by number."""
    tie_breaks = tuple(name for name in tournament.plan.tie_breaks if not TIE_BREAKS[name].drawn)
    rows = rank_entrants(tournament, tally_rounds(tournament, games, person_of), tournament.byes, tie_breaks=tie_breaks)
    place = next((row.place for row in rows if row.entrant == entrant), None)
    return sorted(row.entrant for row in rows if row.place == place and not row.taken_out)
