"""Labels of entrants (club, team, category) and the prizes of a tournament."""

from collections.abc import Sequence

from domain.errors import Refused
from domain.events.tournament import EntryLabelled, Labels, PrizesSet
from domain.standings.prizes import PrizeFund
from domain.tournament.tournament import Tournament


def label_entry(tournament: Tournament, entrant: int, labels: Labels) -> EntryLabelled:
    """Return the labels of an entrant, also after the end. Raises ``Refused``."""
    _check_not_cancelled(tournament)
    if tournament.entrant(entrant).labels == labels:
        raise Refused("labelled_so_already", entrant=entrant)
    return EntryLabelled(entrant, labels)


def set_prizes(tournament: Tournament, funds: Sequence[PrizeFund]) -> PrizesSet:
    """Return the prizes, also after the end. Raises ``Refused``."""
    _check_not_cancelled(tournament)
    categories = [fund.category for fund in funds]
    if len(set(categories)) < len(categories):
        raise Refused("fund_twice")
    if tuple(funds) == tournament.funds:
        raise Refused("prizes_are_so_already")
    return PrizesSet(tuple(funds))


def _check_not_cancelled(tournament: Tournament) -> None:
    if tournament.ended and tournament.ended.how == "cancelled":
        tournament.check_open()
