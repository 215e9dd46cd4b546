"""What a tournament is made of, as its events fold: entrants with their line-ups, rounds with their tables."""

from msgspec import Struct


class LineUp(Struct, frozen=True):
    """Who stands for an entrant from a round on, one for each seat of a party."""

    from_round: int
    players: tuple[str, ...]


class Entrant(Struct, frozen=True):
    """``until`` is the first round in which a withdrawn entrant does not play."""

    number: int
    from_round: int
    line_ups: tuple[LineUp, ...]
    rating: int | None = None
    until: int | None = None

    def plays(self, round: int) -> bool:
        return self.from_round <= round and (self.until is None or round < self.until)

    def players(self, round: int) -> tuple[str, ...]:
        """Who stands for the entrant in a round."""
        known = [line_up.players for line_up in self.line_ups if line_up.from_round <= round]
        return known[-1] if known else self.line_ups[0].players

    @property
    def everybody(self) -> frozenset[str]:
        """All who ever stood for the entrant: a substitute may have come between two games of a table."""
        return frozenset(player for line_up in self.line_ups for player in line_up.players)


class Entered(Struct, frozen=True):
    """Points of each party that were told, not played here. ``sides``: the entrants who said so; none where the director did."""

    points: tuple[int, ...]
    sides: tuple[int, ...] = ()


class RoundTable(Struct, frozen=True):
    """A table of a round: the entrant on each seat, and what was said about it."""

    name: str
    seats: tuple[int, ...]
    entered: Entered | None = None
    absent: tuple[int, ...] = ()
    adjourned: bool = False


class Round(Struct, frozen=True):
    number: int
    drawn: bool
    tables: tuple[RoundTable, ...]
    byes: tuple[int, ...]
    closed: bool = False

    def table(self, name: str) -> RoundTable | None:
        return next((table for table in self.tables if table.name == name), None)
