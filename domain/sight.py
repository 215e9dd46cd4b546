"""Who sees what: the ONE place where hidden information is decided, from what the zones declare (COM-32)."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat
from domain.effects import CardsMoved, Effect, Effects, HandOpened, ZoneLaid
from domain.table import Table, Zone, fold, picked

Who: TypeAlias = Seat | Literal["public", "arbiter"]


class Viewer(Struct, frozen=True):
    """Through whose eyes a game is read: a seat, the public or an arbiter. ``open``: the cards of this game may be shown to everybody."""

    who: Who
    open: bool = False

    @property
    def sees_all(self) -> bool:
        return self.open or self.who == "arbiter"


ARBITER = Viewer("arbiter")
PUBLIC = Viewer("public")


def visible_from(viewer: Viewer, zone: Zone) -> int:
    """The place from which on the viewer sees the faces of the zone: what anybody sees of a zone is always its upper end."""
    if viewer.sees_all or zone.sight == "all":
        return 0
    count = len(zone.cards)
    owns = zone.owner is not None and zone.owner == viewer.who
    if zone.sight == "owner" and owns:
        return 0
    if zone.sight == "top" or (zone.sight == "owner-top" and owns):
        return max(count - 1, 0)
    return count


def masked(table: Table, viewer: Viewer) -> Table:
    """The table with every face that the viewer cannot see turned into ``"?"``."""
    if viewer.sees_all:
        return table
    zones = {name: _masked_zone(zone, visible_from(viewer, zone)) for name, zone in table.zones.items()}
    return Table(table.setup, zones, table.marks, table.phase, table.turn, table.to_act, table.score)


def _masked_zone(zone: Zone, start: int) -> Zone:
    if start == 0:
        return zone
    return Zone(zone.sight, zone.owner, (HIDDEN,) * start + zone.cards[start:], zone.marks)


def seen_by(viewer: Viewer, before: Table, effects: Effects) -> Effects:
    """The effects of one whole move as the viewer may be told them, from the table before the move.

    A face is told if the viewer could see it before the move, or can see it where it lies after the move, or if it was shown.
    Effect by effect would tell too much: a pile's second card lies open for an instant while the top is melded and the pile
    is taken. What newly lies open at the end is told by a turn-up (``CardsMoved`` from a zone onto itself).
    """
    if viewer.sees_all:
        return effects
    trace = _Trace(viewer, before)
    for effect in effects:
        trace.follow(effect)
    ends = trace.lie_open(fold(before, effects))
    trace.known |= ends
    told = tuple(trace.told(effect, ids) for effect, ids in zip(effects, trace.moved, strict=True))
    return told + trace.turned_up(ends)


class _Trace:
    """Follows every single card through a move, so that equal copies are not confused."""

    __slots__ = ("before", "faces", "known", "mentioned", "moved", "viewer", "zones")

    def __init__(self, viewer: Viewer, before: Table) -> None:
        self.viewer = viewer
        self.faces: list[Card] = []
        self.zones: dict[str, list[int]] = {}
        self.moved: list[list[int]] = []
        self.mentioned: set[int] = set()
        for name, zone in before.zones.items():
            self.zones[name] = self._enter(zone.cards)
        self.known = self.lie_open(before)
        self.before = frozenset(self.known)

    def _enter(self, cards: Iterable[Card]) -> list[int]:
        first = len(self.faces)
        self.faces.extend(cards)
        return list(range(first, len(self.faces)))

    def lie_open(self, table: Table) -> set[int]:
        """The cards that the viewer sees where they lie on this table."""
        seen: set[int] = set()
        for name, zone in table.zones.items():
            seen.update(self.zones.get(name, ())[visible_from(self.viewer, zone) :])
        return seen

    def follow(self, effect: Effect) -> None:
        ids: list[int] = []
        if isinstance(effect, HandOpened):
            self.zones = {}
        elif isinstance(effect, ZoneLaid):
            ids = self.zones[effect.zone] = self._enter(effect.cards)
        elif isinstance(effect, CardsMoved):
            ids = self._move(effect)
        self.mentioned.update(ids)
        self.moved.append(list(ids))

    def _move(self, effect: CardsMoved) -> list[int]:
        source = self.zones.setdefault(effect.source, [])
        places = picked(tuple(self.faces[card] for card in source), effect.cards)
        # A card that was not there (damaged history) enters here.
        ids = [source[place] if place >= 0 else self._enter((card,))[0] for place, card in zip(places, effect.cards, strict=True)]
        going = set(ids)
        self.zones[effect.source] = [card for card in source if card not in going]
        target = self.zones.setdefault(effect.target, [])
        self.zones[effect.target] = ids + target if effect.under else target + ids
        if effect.shown:
            self.known |= going
        return ids

    def told(self, effect: Effect, ids: list[int]) -> Effect:
        if isinstance(effect, CardsMoved):
            return CardsMoved(self._faces(ids), effect.source, effect.target, effect.under, effect.shown)
        if isinstance(effect, ZoneLaid):
            return ZoneLaid(effect.zone, effect.sight, effect.owner, self._faces(ids))
        return effect

    def _faces(self, ids: list[int]) -> tuple[Card, ...]:
        return tuple(self.faces[card] if card in self.known else HIDDEN for card in ids)

    def turned_up(self, ends: set[int]) -> Effects:
        """Turn-ups for the zones in which a card newly lies open that no effect of the move has named."""
        fresh = ends - self.before - self.mentioned
        turned = []
        for name, ids in self.zones.items():
            if not fresh.isdisjoint(ids):
                faces = tuple(self.faces[card] for card in ids if card in ends)
                turned.append(CardsMoved(faces, name, name, False, True))
        return tuple(turned)


