"""The remaining hand after a card is played, and the values and builds that it can cover (CNO-32, CNO-42, CNO-43)."""

from collections.abc import Mapping, Sequence

from domain.cards import HIDDEN, Card
from domain.games.casino.table import BOTH_OF_AN_ACE, Build, Values


class Left:
    """The cards of the hand that remain after a play, and the values that they can capture. ``pool`` counts the possible faces of unknown
    ones.
    """

    __slots__ = ("_buildable", "_covered", "cards", "owned", "pool", "reach", "sure", "values")

    def __init__(self, values: Values, cards: Sequence[Card], pool: Mapping[int, int], owned: Sequence[Build]) -> None:
        self.values = values
        self.cards = cards
        self.pool = pool
        self.owned = owned
        self.sure = {value for card in cards if card != HIDDEN for value in values.captures[card]}
        self.reach = self.sure.union(pool) if pool else self.sure
        self._covered: dict[tuple[int | None, Sequence[int]], bool] = {}
        self._buildable: list[int] | None = None

    @property
    def build_values(self) -> list[int]:
        """The values that a new build may have, from the smallest: they can stand for it as well as for all builds owned."""
        if self._buildable is None:
            self._buildable = [value for value in sorted(self._list_free_values()) if self.covers(value)] if self.covers(None) else []
        return self._buildable

    def _list_free_values(self) -> set[int]:
        """Return the values that may be covered beside the builds owned: all of them only if an unknown card is left for it."""
        owned = {build.value for build in self.owned}
        spare = len(owned - self.sure) < self.cards.count(HIDDEN)
        return self.reach if spare or not self.pool else self.reach & (self.sure | owned)

    def covers(self, value: int | None, besides: Sequence[int] = ()) -> bool:
        """Return whether the cards can stand for the value and for all builds owned, except for those named."""
        if not self.owned:
            return value is None or value in self.reach
        key = value, besides
        covered = self._covered.get(key)
        if covered is None:
            covered = self._covered[key] = self._cover({build.value for build in self.owned if build.id not in besides}, value)
        return covered

    def _cover(self, wanted: set[int], value: int | None) -> bool:
        if value is not None:
            wanted.add(value)
        if not wanted <= self.reach:
            return False
        if len(wanted) < 2:
            return True
        # Different values take different cards, but for those of a royal ace; unknown cards may be too few for all of them.
        if wanted >= BOTH_OF_AN_ACE:
            return self.values.cover(self.cards, wanted, self.pool)
        return not self.pool or len(wanted - self.sure) <= self.cards.count(HIDDEN)
