"""Labels of entrants (club, team, category) and the prizes of a tournament."""

from collections.abc import Sequence

from domain.errors import Refused
from domain.events.tournament import EntryLabelsSet, Labels, PrizePoolsSet
from domain.standings.prize_pools import PrizePool
from domain.tournament.tournament import Tournament


def label_entry(tournament: Tournament, entrant: int, labels: Labels) -> EntryLabelsSet:
    """Return the labels of an entrant, also after the end. Raises ``Refused``."""
    _check_not_cancelled(tournament)
    if tournament.entrant(entrant).labels == labels:
        raise Refused("labelled_so_already", entrant=entrant)
    return EntryLabelsSet(entrant, labels)


def set_prize_pools(tournament: Tournament, funds: Sequence[PrizePool]) -> PrizePoolsSet:
    """Return the prizes, also after the end. Raises ``Refused``."""
    _check_not_cancelled(tournament)
    categories = [fund.category for fund in funds]
    if len(set(categories)) < len(categories):
        raise Refused("fund_twice")
    if tuple(funds) == tournament.funds:
        raise Refused("prizes_are_so_already")
    return PrizePoolsSet(tuple(funds))


def _check_not_cancelled(tournament: Tournament) -> None:
    if tournament.ended and tournament.ended.how == "cancelled":
        tournament.check_open()
