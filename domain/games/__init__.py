"""Registry of the games and their kept editions. A game is loaded on demand: most calls of the command line are about one."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import cast

from domain.rules import Ruleset, Rulesets

_NEWEST: Mapping[str, str] = {
    "alcasan": "alcasan.RULESET",
    "canasta": "canasta.RULESET",
    "cascades": "cascades.RULESET",
    "casino": "casino.RULESET",
    "quartett-classic": "quartett.CLASSIC",
    "quartett-trumpf": "quartett.TRUMPF",
}
_OLDER: Mapping[tuple[str, int], str] = {
    ("alcasan", 1): "alcasan.EDITION_1",
    ("alcasan", 2): "alcasan.EDITION_2",
    ("canasta", 1): "canasta.EDITION_1",
    ("canasta", 2): "canasta.EDITION_2",
    ("canasta", 3): "canasta.EDITION_3",
    ("canasta", 4): "canasta.EDITION_4",
    ("casino", 1): "casino.EDITION_1",
    ("casino", 2): "casino.EDITION_2",
    ("quartett-trumpf", 1): "quartett.TRUMPF_1",
    ("quartett-trumpf", 2): "quartett.TRUMPF_2",
    ("quartett-trumpf", 3): "quartett.TRUMPF_3",
}
"""Older editions, under which no hand is dealt any more: kept to finish hands that were dealt, and to judge them."""


@cache
def _load_ruleset(place: str) -> Ruleset:
    folder, name = place.split(".")
    return cast(Ruleset, getattr(import_module(f"{__name__}.{folder}"), name))


class _Rulesets(Mapping[str, Ruleset]):
    def __getitem__(self, key: str) -> Ruleset:
        return _load_ruleset(_NEWEST[key])

    def __iter__(self) -> Iterator[str]:
        return iter(_NEWEST)

    def __len__(self) -> int:
        return len(_NEWEST)


class _Editions(Mapping[tuple[str, int], Ruleset]):
    def __getitem__(self, edition: tuple[str, int]) -> Ruleset:
        if edition in _OLDER:
            return _load_ruleset(_OLDER[edition])
        newest = RULESETS[edition[0]]
        if newest.edition != edition[1]:
            raise KeyError(edition)
        return newest

    def __iter__(self) -> Iterator[tuple[str, int]]:
        yield from _OLDER
        yield from ((key, ruleset.edition) for key, ruleset in RULESETS.items())

    def __len__(self) -> int:
        return len(_OLDER) + len(RULESETS)


RULESETS: Rulesets = _Rulesets()
"""Every ruleset by its id."""

EDITIONS: Mapping[tuple[str, int], Ruleset] = _Editions()
"""Every edition that is kept, by id and number."""
