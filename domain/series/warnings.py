"""Warnings about a series: what everybody may read in its table though the tournament itself is not published like that."""

from collections.abc import Iterable, Iterator

from domain.events.tournament import Publication
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark


def warn_about_openness(publication: Publication, tournaments: Iterable[Tournament]) -> Iterator[Remark]:
    """Yield a remark where a series shows results, or names, that its tournaments do not."""
    if publication == "no":
        return
    of_each = [one.publication for one in tournaments]
    if hidden := of_each.count("no"):
        yield Remark("shows_unpublished", {"tournaments": hidden})
    if publication == "names" and (unnamed := len(of_each) - of_each.count("names")):
        yield Remark("names_players", {"tournaments": unnamed})
