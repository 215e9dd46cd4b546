"""The rulebook of a game, bound once for all games with the same options and seats."""

from functools import lru_cache

import msgspec

from domain.errors import Unknown
from domain.rules import About, Rulebook, Ruleset, Rulesets
from domain.setup import Setup


def rulebook_of(rulesets: Rulesets, setup: Setup) -> Rulebook:
    """Raises ``Unknown`` for a game whose rules are not kept here any more."""
    ruleset = rulesets.get(setup.ruleset)
    if ruleset is None:
        raise Unknown("ruleset", setup.ruleset)
    return _bound(_Known(ruleset), msgspec.json.encode(setup.options), setup.seats)


class _Known:
    """A ruleset by identity: nothing says that rulesets can be hashed."""

    __slots__ = ("ruleset",)

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and other.ruleset is self.ruleset

    def __hash__(self) -> int:
        return id(self.ruleset)


def about_of(ruleset: Ruleset) -> About:
    """What the ruleset tells about itself, put together once."""
    return _about(_Known(ruleset))


@lru_cache
def _about(known: _Known) -> About:
    return known.ruleset.about()


@lru_cache(maxsize=500)
def _bound(known: _Known, options: bytes, seats: int) -> Rulebook:
    return known.ruleset.bind(msgspec.json.decode(options), seats)
