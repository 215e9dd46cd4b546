"""Which streams of the feed whoever asks may know of."""

from api.common.feed_reach import among_of
from api.http.places import reach_of
from api.http.request import Request, services_of
from domain.journal.feed import Among
from projections.models.reach import tournaments_among


def among_within(request: Request) -> Among | None:
    """``None`` where it is all of them. To be called in a thread, after ``wait_for_reach``."""
    return among_of(services_of(request).store, reach_of(request))


def may_know_of(request: Request, tournament: str) -> bool:
    """To be called as ``among_within`` is."""
    reach = reach_of(request)
    return reach.whole or tournament in tournaments_among(services_of(request).store, reach, {tournament})
