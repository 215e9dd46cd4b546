"""The table, the one fold of effects, and the draft that rules work on.

The fold knows no game and never validates: history is not negotiable. It is total: on damaged history it goes on as well as it
can and never raises, so that every game can be read; the audit names the damage.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat
from domain.effects import (
    CardsMoved,
    Effect,
    GameClosed,
    HandClosed,
    HandOpened,
    Known,
    MarkSet,
    Plain,
    Said,
    Scored,
    Sight,
    SightSet,
    TurnPassed,
    ZoneLaid,
)
from domain.score import SCORING, Score
from domain.setup import Setup


class Zone(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Cards that lie together; the top is the LAST card. ``sight`` and ``owner`` say who sees which faces."""

    sight: Sight
    owner: Seat | None = None
    cards: tuple[Card, ...] = ()
    marks: dict[str, Plain] = {}


class Table(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Everything that lies on the table at one moment. ``phase`` is ``no_hand`` before the first hand (COM-30)."""

    setup: Setup
    zones: dict[str, Zone] = {}
    marks: dict[str, Plain] = {}
    phase: str = "no_hand"
    turn: Seat | None = None
    to_act: tuple[Seat, ...] = ()
    score: Score = Score()

    def cards(self, zone: str) -> tuple[Card, ...]:
        """The cards of a zone, top last; none where the zone was never laid."""
        laid = self.zones.get(zone)
        return laid.cards if laid else ()

    @property
    def hand(self) -> int:
        """Number of the hand in progress or last played, from 1; 0 before the first."""
        return self.score.hand

    @property
    def dealer(self) -> Seat | None:
        return self.score.dealer

    @property
    def in_hand(self) -> bool:
        """Whether a hand is in progress."""
        return self.phase not in ("no_hand", "hand_over", "game_over")

    def may_act(self, seat: Seat) -> bool:
        return self.in_hand and seat in self.to_act


class Draft:
    """A table that rules write on: they emit an effect and read on. In the end ``effects`` is what the move did.

    ``before`` is the table before the act, also before anything was told with it.
    """

    __slots__ = ("before", "effects", "table")

    def __init__(self, table: Table) -> None:
        self.before = table
        self.table = table
        self.effects: list[Effect] = []

    def emit(self, *effects: Effect) -> None:
        """Appends the effects and folds them, with the same fold that history uses."""
        self.effects.extend(effects)
        self.table = fold(self.table, effects)


def fold(table: Table, effects: Iterable[Effect]) -> Table:
    """The table after the effects, in the order given. Raises nothing."""
    work = _Work(table)
    for effect in effects:
        _STEPS[type(effect)](work, effect)
    return Table(work.setup, work.zones, work.marks, work.phase, work.turn, work.to_act, work.score)


def picked(cards: tuple[Card, ...], wanted: tuple[Card, ...]) -> list[int]:
    """Which cards of a zone are moved: for each wanted card the index of its copy nearest the top, else of a hidden card, else −1.

    Equal copies that move together keep their order: of a pile that is taken whole the top card stays the last one. Cards without a
    face are drawn one after the other, the top one first. Fold and redaction share this choice, so that both mean the same copy.
    """
    if len(wanted) == 1:
        place = _from_top(cards, wanted[0])
        return [place if place >= 0 else _from_top(cards, HIDDEN)]
    left: list[Card | None] = list(cards)
    places = [-1] * len(wanted)
    for number in _in_turn(wanted):
        place = _from_top(left, wanted[number])
        if place < 0:
            place = _from_top(left, HIDDEN)
        if place >= 0:
            left[place] = None
        places[number] = place
    return places


def _in_turn(wanted: tuple[Card, ...]) -> Sequence[int]:
    """The last one takes its copy first, so that copies keep their order."""
    backwards = range(len(wanted) - 1, -1, -1)
    if HIDDEN not in wanted:
        return backwards
    faceless = [number for number, card in enumerate(wanted) if card == HIDDEN]
    return [number for number in backwards if wanted[number] != HIDDEN] + faceless


def _from_top(cards: Sequence[Card | None], card: Card) -> int:
    if cards and cards[-1] == card:
        return len(cards) - 1
    copies = cards.count(card)
    if copies == 1:
        return cards.index(card)
    return max((place for place, lying in enumerate(cards) if lying == card), default=-1) if copies else -1


class _Work:
    """The copy that one fold writes on; thrown away at its end."""

    __slots__ = ("marks", "phase", "score", "setup", "to_act", "turn", "zones")

    def __init__(self, table: Table) -> None:
        self.setup = table.setup
        self.zones = table.zones.copy()
        self.marks = table.marks.copy()
        self.phase = table.phase
        self.turn = table.turn
        self.to_act = table.to_act
        self.score = table.score


def _hand_opened(work: _Work, effect: HandOpened) -> None:
    work.zones = {}
    work.marks = {}
    _scoring(work, effect)


def _zone_laid(work: _Work, effect: ZoneLaid) -> None:
    work.zones[effect.zone] = Zone(effect.sight, effect.owner, effect.cards)


def _sight_set(work: _Work, effect: SightSet) -> None:
    zone = work.zones.get(effect.zone)
    if zone is not None:
        work.zones[effect.zone] = Zone(effect.sight, zone.owner, zone.cards, zone.marks)


def _cards_moved(work: _Work, effect: CardsMoved) -> None:
    zones, cards = work.zones, effect.cards
    source = zones.get(effect.source)
    if source is not None:
        zones[effect.source] = Zone(source.sight, source.owner, _left(source.cards, cards), source.marks)
    # A target that was never laid is damaged history: its cards stay hidden, which cannot tell too much.
    target = zones.get(effect.target) or Zone("none")
    lying = cards + target.cards if effect.under else target.cards + cards
    zones[effect.target] = Zone(target.sight, target.owner, lying, target.marks)


def _left(lying: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards that stay. The usual moves, of the uppermost cards or of one card, need no search."""
    count = len(cards)
    top = lying[-count:] if count else ()
    if top == cards or top[::-1] == cards:
        return lying[:-count] if count else lying
    going = picked(lying, cards)
    if count == 1:
        place = going[0]
        return lying[:place] + lying[place + 1 :] if place >= 0 else lying
    return tuple([card for place, card in enumerate(lying) if place not in going])


def _known(work: _Work, effect: Known) -> None:
    zone = work.zones.get(effect.zone)
    if zone is not None:
        # More cards than lie there are damaged history: those on top count.
        told = effect.cards[-len(zone.cards) :] if zone.cards else ()
        lying = zone.cards[: len(zone.cards) - len(told)] + told
        work.zones[effect.zone] = Zone(zone.sight, zone.owner, lying, zone.marks)


def _mark_set(work: _Work, effect: MarkSet) -> None:
    if effect.zone is None:
        _mark(work.marks, effect)
        return
    zone = work.zones.get(effect.zone)
    if zone is not None:
        marks = dict(zone.marks)
        _mark(marks, effect)
        work.zones[effect.zone] = Zone(zone.sight, zone.owner, zone.cards, marks)


def _mark(marks: dict[str, Plain], effect: MarkSet) -> None:
    if effect.value is None:
        marks.pop(effect.mark, None)
    else:
        marks[effect.mark] = effect.value


def _said(work: _Work, effect: Said) -> None:
    """An announcement leaves the table as it is."""


def _turn_passed(work: _Work, effect: TurnPassed) -> None:
    work.phase = effect.phase
    work.turn = effect.turn
    work.to_act = effect.to_act


def _scoring(work: _Work, effect: HandOpened | Scored | HandClosed | GameClosed) -> None:
    work.score = SCORING[type(effect)](work.setup, work.score, effect)


def _closed(work: _Work, effect: HandClosed | GameClosed) -> None:
    work.phase = "hand_over" if type(effect) is HandClosed else "game_over"
    work.turn = None
    work.to_act = ()
    _scoring(work, effect)


_STEPS: dict[type, Any] = {
    HandOpened: _hand_opened,
    ZoneLaid: _zone_laid,
    SightSet: _sight_set,
    CardsMoved: _cards_moved,
    Known: _known,
    MarkSet: _mark_set,
    Said: _said,
    Scored: _scoring,
    TurnPassed: _turn_passed,
    HandClosed: _closed,
    GameClosed: _closed,
}
