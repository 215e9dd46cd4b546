"""The director's order of entrants who stand equal, such as after a play-off. It holds while exactly these stand equal but for the lots."""

from collections.abc import Iterable, Sequence

from domain.errors import Refused
from domain.events.base import TextRef
from domain.events.tournament import StandingsOrdered
from domain.standings.tie_breaks import TIE_BREAKS
from domain.tournament.games import PersonOf, TableGame, keep_id
from domain.tournament.ranking import rank_entrants
from domain.tournament.tally import tally_rounds
from domain.tournament.tournament import Tournament


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
