"""Redaction: the ONE place that decides which cards a viewer may see, from what the zones declare (COM-32)."""

from collections import Counter
from collections.abc import Container, Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat
from domain.effects import BlockAdded, CardsMoved, Effect, Effects, HandOpened, Known, MarkSet, SightSet, ZoneAdded
from domain.errors import Unknown
from domain.score import SCORING, of_closed_hands
from domain.table import Table, Zone, fold, pick_cards

Who: TypeAlias = Seat | Literal["public", "arbiter"]


class Viewer(Struct, frozen=True):
    """The viewer for whom a game is shown: a seat, the public or an arbiter. ``open``: its cards may be shown to everybody.

    ``covered``: nothing of the hand may be shown, not even its open cards, because another table still plays the same board. ``dark``:
    nothing of the game may be shown while it is in progress except the points of closed hands; its events are stubs.
    """

    who: Who
    open: bool = False
    covered: bool = False
    dark: bool = False

    @property
    def has_full_view(self) -> bool:
        return self.open or self.who == "arbiter"


class Viewpoint(Struct, frozen=True):
    """A viewpoint by position: as ``who`` up to position ``until`` (without end, if it is ``None``), later as the public. Players who left
    their seat keep what they saw there, and learn no more.
    """

    who: Who
    until: int | None = None

    def at(self, position: int) -> Who:
        return self.who if self.until is None or position <= self.until else "public"

    @property
    def view(self) -> str:
        """The name of the view, for addresses."""
        return f"seat:{self.who}" if isinstance(self.who, int) else self.who

    def __str__(self) -> str:
        """Return the viewpoint for entity tags."""
        return self.view if self.until is None else f"{self.view}@{self.until}"


def parse_view(view: str, seats: int) -> Who:
    """Return the viewer that the name of a view means. Raises ``Unknown`` for a seat that the table does not have."""
    if not view.startswith("seat:"):
        return "arbiter" if view == "arbiter" else "public"
    seat = int(view.removeprefix("seat:"))
    if seat >= seats:
        raise Unknown("seat", seat)
    return seat


_FOR_ARBITERS = (Known, BlockAdded)

COVERED = "covered"
"""The phase of a table of which nothing may be shown except the score."""

ARBITER = Viewer("arbiter")
PUBLIC = Viewer("public")
ARBITERS_EYES = Viewpoint("arbiter")
PUBLIC_EYES = Viewpoint("public")


def visible_from(viewer: Viewer, zone: Zone) -> int:
    """Return the index of the first card whose face the viewer sees; with any sight, the visible cards are the upper end of the zone."""
    if viewer.has_full_view or zone.sight == "all":
        return 0
    count = len(zone.cards)
    owns = zone.owner is not None and zone.owner == viewer.who
    if zone.sight == "owner" and owns:
        return 0
    if zone.sight == "top" or (zone.sight == "owner-top" and owns):
        return max(count - 1, 0)
    return count


def hides_marks(viewer: Viewer, zone: Zone) -> bool:
    """Return whether the viewer does not see the marks of a zone: what only its owner sees has marks that only its owner sees."""
    return zone.sight == "owner" and zone.owner != viewer.who and not viewer.has_full_view


def masked(table: Table, viewer: Viewer) -> Table:
    """Return the table with every face that the viewer cannot see turned into ``"?"``. Covered or dark, nothing lies on it."""
    if viewer.has_full_view:
        return table
    if viewer.dark:
        return Table(table.setup, phase=COVERED, score=of_closed_hands(table.score))
    if viewer.covered:
        return Table(table.setup, phase=COVERED, score=table.score)
    zones = {name: _masked_zone(viewer, zone) for name, zone in table.zones.items()}
    return Table(table.setup, zones, table.marks, table.phase, table.turn, table.to_act, table.score)


def _masked_zone(viewer: Viewer, zone: Zone) -> Zone:
    if zone.sight == "all":
        return zone
    start = visible_from(viewer, zone)
    hidden = bool(zone.marks) and hides_marks(viewer, zone)
    if start == 0 and not hidden:
        return zone
    return Zone(zone.sight, zone.owner, (HIDDEN,) * start + zone.cards[start:], {} if hidden else zone.marks)


def build_possible_table(table: Table, viewer: Viewer, deck: Iterable[Card]) -> Table:
    """Return a whole table that the viewer cannot tell from this one: their unseen cards lie where they see no face, in the order of the
    deck. Verdicts on it reveal nothing, because it follows from what the viewer sees.

    A viewer who sees an unknown card gets the table as they see it: hidden and unknown cards may be the same ones, and nothing may be made
    up about their own (COM-76).
    """
    look = masked(table, viewer)
    if any(HIDDEN in zone.cards[visible_from(viewer, zone) :] for zone in look.zones.values()):
        return look
    seen = Counter(card for zone in look.zones.values() for card in zone.cards)
    unseen = iter((Counter(deck) - seen).elements())
    zones = {
        # On damaged history there may be more places than cards.
        name: Zone(zone.sight, zone.owner, tuple(next(unseen, HIDDEN) if card == HIDDEN else card for card in zone.cards), zone.marks)
        for name, zone in look.zones.items()
    }
    return Table(table.setup, zones, table.marks, table.phase, table.turn, table.to_act, table.score)


def redact_effects(viewer: Viewer, before: Table, effects: Effects) -> Effects:
    """Return the effects of one whole move, redacted for the viewer, from the table before the move.

    A face is kept if the viewer could see it before the move, or can see it where it lies after the move, or if it was shown. Redacting
    effect by effect would reveal too much: a pile's second card lies open for an instant while the top is melded and the pile is taken. A
    card that newly lies open at the end is added as a turn-up (``CardsMoved`` from a zone onto itself).

    Folded and masked, the redacted effects give what the viewer sees: ``masked(fold(masked(before), seen_by(before, effects)))`` equals
    ``masked(fold(before, effects))``, on damaged history too.
    """
    if viewer.has_full_view:
        return effects
    if viewer.dark:
        return ()
    if viewer.covered:
        return tuple(effect for effect in effects if type(effect) in SCORING)
    trace = Trace(viewer, before)
    for effect in effects:
        trace.track(effect)
    after = fold(before, effects)
    ends = trace.list_open_cards(after)
    redacted = tuple(
        trace.redact_effect(effect, ids, ends)
        for effect, ids in zip(effects, trace.moved, strict=True)
        # Faces told in a zone that the viewer does not see are left out: not even that something was told may be shown. Blocks are for an
        # arbiter: to all others the cards are hidden as those of every stack.
        if (ids or type(effect) not in _FOR_ARBITERS) and not _is_hidden_mark(viewer, before, after, effect)
    )
    redacted += trace.list_turn_ups(ends)
    return redacted + _reset_zones(viewer, before, after, redacted, trace.zones)


def _is_hidden_mark(viewer: Viewer, before: Table, after: Table, effect: Effect) -> bool:
    if type(effect) is not MarkSet or effect.zone is None:
        return False
    zone = after.zones.get(effect.zone) or before.zones.get(effect.zone)
    return zone is not None and hides_marks(viewer, zone)


def _reset_zones(viewer: Viewer, before: Table, after: Table, redacted: Effects, names: Iterable[str]) -> Effects:
    """Return zones that would fold wrongly from the redacted effects, laid again as the viewer sees them.

    There are none in a sound move of different cards. But where cards were missing (damaged history), or one of several equal copies lay
    open for an instant among hidden ones, a move by face takes another copy out of a masked zone than out of the whole one.
    """
    start = Table(before.setup, {name: _masked_zone(viewer, before.zones[name]) for name in names if name in before.zones})
    folded = fold(start, redacted)
    laid: list[Effect] = []
    for name in names:
        zone = after.zones.get(name)
        if zone is None:
            continue
        zone = _masked_zone(viewer, zone)
        guess = folded.zones.get(name)
        if guess is None or _masked_zone(viewer, guess).cards != zone.cards:
            laid.append(ZoneAdded(name, zone.sight, zone.owner, zone.cards))
            laid += [MarkSet(mark, value, name) for mark, value in zone.marks.items()]
    return tuple(laid)


class Trace:
    """Follows every single card of the zones that a move touches by a number, so that equal copies are not confused.

    ``faces`` are those of the cards by their numbers, ``before`` the cards that the viewer saw before the move, ``known`` those whose face
    they know, ``moved`` per effect the cards that it names. ``entered`` says by zone where the numbers of its cards begin.
    """

    __slots__ = ("before", "entered", "faces", "followed", "known", "mentioned", "moved", "only_told", "start", "table", "viewer", "zones")

    def __init__(self, viewer: Viewer, table: Table) -> None:
        self.viewer = viewer
        self.start = table
        self.table: Table | None = table
        self.followed: list[Effect] = []
        self.faces: list[Card] = []
        self.zones: dict[str, list[int]] = {}
        self.moved: list[list[int]] = []
        self.before: set[int] = set()
        self.known: set[int] = set()
        self.mentioned: set[int] = set()
        self.only_told: set[str] = set()
        self.entered: list[tuple[str, int, int]] = []

    def _zone(self, name: str) -> list[int]:
        """Return the numbers of the cards that lie in the zone now; a zone is numbered when it is first touched."""
        ids = self.zones.get(name)
        if ids is None:
            zone = self.table.zones.get(name) if self.table else None
            ids = self.zones[name] = self._enter(zone.cards) if zone else []
            if zone:
                self.entered.append((name, ids[0] if ids else 0, len(ids)))
                open_ids = ids[visible_from(self.viewer, zone) :]
                self.before.update(open_ids)
                self.known.update(open_ids)
        elif name in self.only_told:
            # Zones are listed in the order in which the act touches them, whatever was told before.
            self.only_told.discard(name)
            self.zones[name] = self.zones.pop(name)
        return ids

    def _enter(self, cards: Iterable[Card]) -> list[int]:
        first = len(self.faces)
        self.faces.extend(cards)
        return list(range(first, len(self.faces)))

    def list_open_cards(self, after: Table, besides: Container[str] = ()) -> set[int]:
        """Return the touched cards that the viewer sees where they lie after the move, ``besides`` in these zones; from now on they are
        known.
        """
        ends: set[int] = set()
        for name, ids in self.zones.items():
            zone = after.zones.get(name)
            if zone is not None and name not in besides:
                ends.update(ids[visible_from(self.viewer, zone) :])
        self.known |= ends
        return ends

    def track(self, effect: Effect) -> None:
        ids: list[int] = []
        if isinstance(effect, CardsMoved):
            ids = self._move(effect)
        elif isinstance(effect, Known):
            self.moved.append(self._tell(effect, fold(self.start, self.followed)))
            self.followed.append(effect)
            return  # a face that is told in its place is not mentioned by that: it may lie open only later
        elif isinstance(effect, ZoneAdded):
            ids = self._enter(effect.cards)
            self.zones[effect.zone] = ids
            self.entered.append((effect.zone, ids[0] if ids else 0, len(ids)))
        elif isinstance(effect, SightSet):
            self._zone(effect.zone)
        elif isinstance(effect, HandOpened):
            # The cards of the hand before are gone; zones of the same names are laid again.
            self.table = None
            self.zones = {}
        self.mentioned.update(ids)
        self.moved.append(ids)
        self.followed.append(effect)

    def _tell(self, effect: Known, then: Table) -> list[int]:
        """Give the cards their faces. Return those that the viewer sees there, and only if that is new to them."""
        only_told = effect.zone not in self.zones or effect.zone in self.only_told
        ids = self._zone(effect.zone)
        if only_told:
            self.only_told.add(effect.zone)
        cards = effect.cards[-len(ids) :] if ids else ()
        news = []
        for place, card in enumerate(cards, len(ids) - len(cards)):
            if self.faces[ids[place]] == card:
                continue
            if card == HIDDEN and ids[place] in self.mentioned:
                # Cards were mixed on their way: what was seen of them stays so, but which of them lies here is unknown.
                (ids[place],) = self._enter((HIDDEN,))
                self.mentioned.add(ids[place])
            self.faces[ids[place]] = card
            news.append(ids[place])
        zone = then.zones.get(effect.zone)
        seen = ids[max(visible_from(self.viewer, zone), len(ids) - len(cards)) :] if zone else []
        return [] if set(news).isdisjoint(seen) else seen

    def _move(self, effect: CardsMoved) -> list[int]:
        source = self._zone(effect.source)
        places = pick_cards(tuple([self.faces[card] for card in source]), effect.cards)
        # A card that was not there (damaged history) enters here.
        ids = [source[place] if place >= 0 else self._enter((card,))[0] for place, card in zip(places, effect.cards, strict=True)]
        going = set(ids)
        self.zones[effect.source] = [card for card in source if card not in going]
        target = self._zone(effect.target)
        self.zones[effect.target] = ids + target if effect.under else target + ids
        if effect.shown:
            self.known |= going
        return ids

    def redact_effect(self, effect: Effect, ids: list[int], ends: set[int]) -> Effect:
        if isinstance(effect, CardsMoved):
            return CardsMoved(self._faces(ids, self.known), effect.source, effect.target, effect.under, effect.shown)
        if isinstance(effect, ZoneAdded) and ids:
            # Only faces that stay visible there: a seat must not learn where in the deck its own cards lay.
            return ZoneAdded(effect.zone, effect.sight, effect.owner, self._faces(ids, ends.intersection(self.zones.get(effect.zone, ()))))
        if isinstance(effect, Known):
            return Known(effect.zone, effect.cards[-len(ids) :])
        return effect

    def _faces(self, ids: list[int], known: set[int]) -> tuple[Card, ...]:
        return tuple([self.faces[card] if card in known else HIDDEN for card in ids])

    def list_turn_ups(self, ends: set[int]) -> Effects:
        """Return turn-ups for zones in which a card newly lies open without having moved there."""
        fresh = ends - self.before - self.mentioned
        turned = []
        for name, ids in self.zones.items():
            if not fresh.isdisjoint(ids):
                faces = tuple([self.faces[card] for card in ids if card in ends])
                turned.append(CardsMoved(faces, name, name, False, True))
        return tuple(turned)
