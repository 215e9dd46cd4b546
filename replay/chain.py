"""What an audit sees without any rules: whether events are missing, whether one was changed, whether the cards are all there."""

from domain.cards import Card
from domain.events import NAMES, Recorded, digest
from domain.events.base import Unreadable
from domain.table import Table
from domain.upcasts import UPCASTS
from replay.differences import Sides, in_cards, shortened
from replay.findings import DivergenceKind, Findings

_READABLE = frozenset({*NAMES.values(), *UPCASTS})


class Chain:
    """The events one after the other, each linked to the one before it."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self.last: Recorded | None = None

    def follow(self, recorded: Recorded) -> bool:
        """Whether nothing is missing between the event before and this one, and this one can be read."""
        before, self.last = self.last, recorded
        due = before.position + 1 if before else 1
        if recorded.position != due:
            self._findings.diverges(recorded.position, "gap", f"position {recorded.position}", f"position {due}")
        if isinstance(recorded.event, Unreadable):
            self._unreadable(recorded, recorded.event)
            return False
        self._check_link(before, recorded, due)
        return recorded.position == due

    def _check_link(self, before: Recorded | None, recorded: Recorded, due: int) -> None:
        link = digest(before.state) if before else None
        if recorded.position == due and recorded.link != link:
            self._findings.diverges(recorded.position, "link", str(recorded.link), str(link))
        if before and recorded.stamp.at < before.stamp.at:
            text = f"recorded at {recorded.stamp.at}, the event before it at {before.stamp.at}"
            self._findings.remarks(recorded.position, text)

    def _unreadable(self, recorded: Recorded, event: Unreadable) -> None:
        excerpt = shortened(recorded.state[:1000].decode(errors="replace"))
        kind: DivergenceKind = "unreadable" if recorded.name in _READABLE else "unknown_name"
        self._findings.diverges(recorded.position, kind, excerpt, event.problem)


class Pack:
    """The cards of the game, which have to lie somewhere on the table at every position."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._deck: tuple[Card, ...] = ()
        self._in_order: list[Card] = []
        self._amiss: Sides | None = None

    def expect(self, deck: tuple[Card, ...]) -> None:
        self._deck, self._in_order, self._amiss = deck, sorted(deck), None

    def check(self, position: int, table: Table) -> None:
        """Told where it begins and where it changes, not at every position from there on."""
        if not table.zones:
            return
        lying = [card for zone in table.zones.values() for card in zone.cards]
        amiss = None if sorted(lying) == self._in_order else in_cards(lying, self._deck)
        if amiss and amiss != self._amiss:
            self._findings.diverges(position, "cards", *amiss)
        self._amiss = amiss
