"""Letting everybody read a tournament, and taking that back."""

from domain.errors import Refused
from domain.events.tournament import Publication, TournamentPublished
from domain.tournament.tournament import Tournament


def publish(tournament: Tournament, publication: Publication) -> TournamentPublished:
    """Also of a tournament that has ended. Raises ``Refused`` where it is published so already."""
    if tournament.publication == publication:
        raise Refused("published_so_already", publication=publication)
    return TournamentPublished(publication)
