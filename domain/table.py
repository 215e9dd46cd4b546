"""The table, the fold of effects, and the draft that rules write on.

The fold knows no game and never validates: recorded history is fixed. It is total: on damaged history it continues as well as it can and
never raises, so that every game can be read; the audit names the damage.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from domain.blocks import Block, add_block, keep_valid_blocks, move_blocks, tell_blocks
from domain.cards import HIDDEN, Card, Seat
from domain.effects import (
    BlockAdded,
    CardsMoved,
    DetailAnnounced,
    Effect,
    GameClosed,
    HandClosed,
    HandOpened,
    Known,
    MarkSet,
    Plain,
    Sight,
    SightSet,
    TurnPassed,
    ZoneAdded,
)
from domain.score import SCORING, Score
from domain.setup import Setup


class Zone(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Cards that lie together; the top is the LAST card. ``sight`` and ``owner`` decide who sees which faces."""

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
    blocks: tuple[Block, ...] | UnsetType = UNSET
    """Cards whose order nobody recorded; unset in a hand without such cards, so that it is stored as it always was."""

    def cards(self, zone: str) -> tuple[Card, ...]:
        """Return the cards of a zone, top last; none where the zone was never laid."""
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
        """Return whether a hand is in progress."""
        return self.phase not in ("no_hand", "hand_over", "game_over")

    @property
    def has_unknown_cards(self) -> bool:
        """Return whether a card without a face lies on the table."""
        for zone in self.zones.values():  # noqa: SIM110  # every move of a hand that is fully known asks this: a loop is quicker than ``any``
            if HIDDEN in zone.cards:
                return True
        return False

    def can_act(self, seat: Seat) -> bool:
        return self.in_hand and seat in self.to_act


class Draft:
    """A table that rules write on: they emit effects and read the result. In the end ``effects`` are those of the move.

    ``before`` is the table before the act, also before anything was told with it.
    """

    __slots__ = ("_folded", "_table", "before", "effects")

    def __init__(self, table: Table) -> None:
        self.before = table
        self.effects: list[Effect] = []
        self._table = table
        self._folded = 0

    def emit(self, *effects: Effect) -> None:
        self.effects.extend(effects)

    @property
    def table(self) -> Table:
        """The table with the effects so far, folded with the same fold that history uses: lazily, and no effect twice."""
        if len(self.effects) > self._folded:
            self._table = fold(self._table, self.effects[self._folded :])
            self._folded = len(self.effects)
        return self._table


def fold(table: Table, effects: Iterable[Effect]) -> Table:
    """Return the table after the effects, in the order given. Raises nothing."""
    zones, marks, score = table.zones.copy(), table.marks.copy(), table.score
    phase, turn, to_act, blocks = table.phase, table.turn, table.to_act, table.blocks
    changes: Iterable[Any] = effects
    for effect in changes:
        # Written out where effects are frequent: a function call takes about as long as the work itself.
        kind = type(effect)
        if blocks is not UNSET or kind is BlockAdded:
            blocks = _update_blocks(blocks, zones, effect)
        if kind is CardsMoved:
            cards, name = effect.cards, effect.source
            source = zones.get(name)
            if source is not None:
                zones[name] = Zone(source.sight, source.owner, _left(source.cards, cards), source.marks)
            # A target that was never laid is damaged history: its cards stay hidden, which cannot tell too much.
            name = effect.target
            target = zones.get(name) or Zone("none")
            zones[name] = Zone(target.sight, target.owner, cards + target.cards if effect.under else target.cards + cards, target.marks)
        elif kind is MarkSet and effect.zone is None:
            value = effect.value
            if value is not None:
                marks[effect.mark] = value
            else:
                marks.pop(effect.mark, None)
        elif kind is DetailAnnounced or kind is BlockAdded:
            continue  # an announcement leaves the table as it is, a block the zones
        elif kind is TurnPassed:
            phase, turn, to_act = effect.phase, effect.turn, effect.to_act
        elif kind in _ON_ZONES:
            _ON_ZONES[kind](zones, effect)
        else:
            score = SCORING[kind](table.setup, score, effect)
            phase, turn, to_act = _OVER.get(kind, (phase, turn, to_act))
            zones, marks = (dict[str, Zone](), dict[str, Plain]()) if kind is HandOpened else (zones, marks)
    blocks = keep_valid_blocks(blocks, lambda zone: zones[zone].cards if zone in zones else ()) if blocks else blocks
    return Table(table.setup, zones, marks, phase, turn, to_act, score, blocks)


def _update_blocks(blocks: tuple[Block, ...] | UnsetType, zones: dict[str, Zone], effect: Effect) -> tuple[Block, ...] | UnsetType:
    """Return the blocks after an effect; ``zones`` are those before it."""
    match effect:
        case HandOpened():
            return UNSET
        case BlockAdded():
            return add_block(blocks or (), effect)
        case Known():
            return tell_blocks(blocks or (), effect)
        case CardsMoved(cards=cards, source=source, target=target):
            lying = zones[source].cards if source in zones else ()
            gone = [len(lying) - 1 - place if place >= 0 else -1 for place in pick_cards(lying, cards)]
            size = len(zones[target].cards) if target in zones else 0
            return move_blocks(blocks or (), effect, gone, size - len(gone) if source == target else size)
        case _:
            return blocks


def pick_cards(cards: tuple[Card, ...], wanted: tuple[Card, ...]) -> list[int]:
    """Return the cards of a zone that are moved: for each wanted card the index of its copy nearest the top, else of a hidden card, else
    −1.

    Equal copies that move together keep their order: of a pile that is taken whole the top card stays the last one. Cards without a face
    are drawn one after the other, the top one first. Fold and redaction share this choice, so that both mean the same copy.
    """
    if len(wanted) == 1:
        return [_one_picked(cards, wanted[0])]
    left: list[Card | None] = list(cards)
    places = [-1] * len(wanted)
    for number in _in_turn(wanted):
        place = _one_picked(left, wanted[number])
        if place >= 0:
            left[place] = None
        places[number] = place
    return places


def _in_turn(wanted: tuple[Card, ...]) -> Sequence[int]:
    """Return the order of picking. The last one takes its copy first, so that copies keep their order."""
    backwards = range(len(wanted) - 1, -1, -1)
    if HIDDEN not in wanted:
        return backwards
    faceless = [number for number, card in enumerate(wanted) if card == HIDDEN]
    return [number for number in backwards if wanted[number] != HIDDEN] + faceless


def _one_picked(cards: Sequence[Card | None], wanted: Card) -> int:
    if wanted not in cards:
        if HIDDEN not in cards:
            return -1
        wanted = HIDDEN
    return len(cards) - 1 - cards[::-1].index(wanted)


def _left(lying: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards that stay when those go that are ``pick_cards``; of equal ones the order makes no difference here."""
    below = len(lying) - len(cards)
    top = lying[below:]
    if top == cards:
        return lying[:below]
    if len(cards) == 1:
        place = _one_picked(lying, cards[0])
        return lying[:place] + lying[place + 1 :] if place >= 0 else lying
    if top[::-1] == cards:
        return lying[:below]
    staying = list(lying[::-1])
    for card in cards:
        if card in staying:
            staying.remove(card)
        elif HIDDEN in staying:
            staying.remove(HIDDEN)
    return tuple(staying[::-1])


def _mark_set(zones: dict[str, Zone], effect: MarkSet) -> None:
    zone = zones.get(effect.zone or "")
    if effect.zone is not None and zone is not None:
        marks = {**zone.marks, effect.mark: effect.value}
        if effect.value is None:
            del marks[effect.mark]
        zones[effect.zone] = Zone(zone.sight, zone.owner, zone.cards, marks)


def _add_zone(zones: dict[str, Zone], effect: ZoneAdded) -> None:
    zones[effect.zone] = Zone(effect.sight, effect.owner, effect.cards)


def _sight_set(zones: dict[str, Zone], effect: SightSet) -> None:
    zone = zones.get(effect.zone)
    if zone is not None:
        zones[effect.zone] = Zone(effect.sight, zone.owner, zone.cards, zone.marks)


def _set_known_faces(zones: dict[str, Zone], effect: Known) -> None:
    zone = zones.get(effect.zone)
    if zone is not None:
        # More cards than lie there are damaged history: those on top count.
        told = effect.cards[-len(zone.cards) :] if zone.cards else ()
        lying = zone.cards[: len(zone.cards) - len(told)] + told
        zones[effect.zone] = Zone(zone.sight, zone.owner, lying, zone.marks)


_ON_ZONES: dict[type, Any] = {MarkSet: _mark_set, ZoneAdded: _add_zone, SightSet: _sight_set, Known: _set_known_faces}
_OVER: dict[type, tuple[str, Seat | None, tuple[Seat, ...]]] = {
    HandClosed: ("hand_over", None, ()),
    GameClosed: ("game_over", None, ()),
}
"""Phase, turn and seats to act after the end of a hand or of the game."""
