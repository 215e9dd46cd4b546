"""Choosing how players are called before those who are signed in within a tournament."""

from domain.errors import Refused
from domain.events.tournament import HallNames, HallNamesChosen
from domain.tournament.tournament import Tournament


def choose_hall_names(tournament: Tournament, hall_names: HallNames) -> HallNamesChosen:
    """Also for a tournament that has ended. Raises ``Refused`` where players are called so already."""
    if tournament.hall_names == hall_names:
        raise Refused("named_so_already", hall_names=hall_names)
    return HallNamesChosen(hall_names)
