"""The time zone in which days, months and times without an offset are meant: of a tournament, else of the house."""

from api.http.request import Request, services_of
from domain.errors import DataIntegrityError, Unknown
from domain.tournament.tournament import TOURNAMENT, tournament_stream


async def zone_of(request: Request, tournament: str | None = None) -> str:
    """Return the zone of the tournament; that of the house without one, or where it is not known here."""
    services = services_of(request)
    if tournament is not None:
        try:
            return (await services.journal.current_of(TOURNAMENT, tournament_stream(tournament))).time_zone
        except (Unknown, DataIntegrityError):
            pass
    return services.time_zone
