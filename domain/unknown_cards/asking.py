"""Questions for unknown cards, and counted hands told by their worth or by ranks.

What is told stands in marks of the hand, which only its owner sees: ``ranks``, of which it holds at least these, and ``worth``, the sum of
the values of its cards. The cards stay unknown. Marks hold as long as the hand stays as it is, and until all its faces are known.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, NoReturn, TypeAlias

from msgspec import UNSET

from domain.cards import HIDDEN, Card
from domain.checks import refusal
from domain.effects import CardsMoved, Effect, Effects, HandClosed, MarkSet, SightSet
from domain.errors import Refused
from domain.notation.card_names import no_card
from domain.rules import Codes
from domain.sight import PUBLIC, Trace
from domain.table import Draft, Table, Zone, fold
from domain.texts import Phrase, say
from domain.unknown_cards.support import Asked, CardValues, Rank, Zones, count_unknown_faces

NONE_TURNED: Mapping[str, str] = {}


def check_cards_known(
    before: Table,
    effects: Effects,
    codes: Codes,
    dealt: Mapping[str, tuple[int, ...]] | None = None,
    turned: Mapping[str, str] = NONE_TURNED,
) -> None:
    """Raise ``Refused`` with ``card_unknown``, which asks for every card without a face that the act shows to everybody.

    It asks for the zones and places before the act, except in ``turned`` for those that result when the act turns a zone over; of a deal,
    by ``dealt``, for the zones to which the cards go first. Cards that merely cease to be hidden because the hand is over are not asked
    for.
    """
    trace = Trace(PUBLIC, before)
    for effect in effects:
        trace.track(effect)
        _check_named(trace, effect)
    shown = set(trace.known)
    ended = any(type(effect) is HandClosed for effect in effects)
    opened = {effect.zone for effect in effects if ended and type(effect) is SightSet}
    shown |= trace.list_open_cards(fold(before, effects), besides=opened)
    untold = [card for card in shown - trace.before if trace.faces[card] == HIDDEN]
    if untold:
        asks = _asks(trace, untold, turned) if dealt is None else _asks_of_deal(trace, untold, dealt)
        raise card_unknown(codes, asks, of_deal=dealt is not None)


def card_unknown(codes: Codes, asks: Iterable[Asked], *rules: str, of_deal: bool = False) -> Refused:
    """Return the refusal that asks back: COM-73 beside the rules given, by default those that the error table of the game names.

    ``of_deal``: its places are counted in the order in which cards are dealt there, and not from the top.
    """
    asked = tuple(asks)
    wanted = tuple(_in_words(ask, "ask.dealt" if of_deal else "ask.places") for ask in asked)
    if rules:
        return Refused("card_unknown", "COM-73", *rules, asks=asked, wanted=wanted)
    return refusal(codes, "card_unknown", "COM-73", asks=asked, wanted=wanted)


def _check_named(trace: Trace, effect: Effect) -> None:
    """Raise ValueError if a face that a move names was not told before: in rules a missing face must not stand for an unknown card."""
    if type(effect) is CardsMoved and any(trace.faces[card] != face for card, face in zip(trace.moved[-1], effect.cards, strict=True)):
        raise ValueError(f"the rules move {effect.cards} from {effect.source}, where not all of them are known to lie")


def _asks(trace: Trace, cards: Iterable[int], turned: Mapping[str, str] = NONE_TURNED) -> list[Asked]:
    """Return the places before the act by zone, 0 the next card to leave."""
    becomes = {source: zone for zone, source in turned.items()}
    places: dict[str, list[int]] = {}
    for card in cards:
        for zone, first, count in trace.entered:
            if first <= card < first + count:
                place = card - first if zone in becomes else first + count - 1 - card
                places.setdefault(becomes.get(zone, zone), []).append(place)
    return [{"zone": zone, "places": tuple(sorted(places[zone]))} for zone in sorted(places)]


def _asks_of_deal(trace: Trace, cards: Iterable[int], dealt: Mapping[str, tuple[int, ...]]) -> list[Asked]:
    """Return the places of a deal. At first the deck lies in one zone, its next card on top: there a place is an index in the deck."""
    indices = {place for ask in _asks(trace, cards) for place in ask["places"]}  # pyrefly: ignore[not-iterable]
    asked = {zone: tuple(number for number, index in enumerate(order) if index in indices) for zone, order in dealt.items()}
    return [{"zone": zone, "places": places} for zone, places in asked.items() if places]


def _in_words(asked: Asked, places_of: str) -> Phrase:
    """Return the question in words for a person."""
    match asked:
        case {"zone": zone, "places": places}:
            return say(places_of, zone=zone, places=tuple(place + 1 for place in places))  # pyrefly: ignore[not-iterable]
        case {"zone": zone, "face": face}:
            return say("ask.face", zone=zone, card=face)
        case {"zone": zone, "count": count}:
            return say("ask.count", zone=zone, count=count)
        case _:
            raise ValueError(f"{asked} asks for nothing")


# ``known`` and ``lacks`` as they come in: objects from a zone to faces (COM-71).


def read_known_faces(
    told: object,
    field: Literal["known", "lacks"],
    faces: Collection[Card],
    most: int,
    codes: Codes,
    why: Callable[[str], Phrase] = no_card,
    *,
    of_deal: bool = False,
) -> Zones:
    """Return the faces by zone, ``most`` of each at most; none where nothing was told.

    Raises ``Refused`` with ``malformed_move``, of a deal with ``bad_deck``. ``"?"`` leaves a card untold; in ``lacks`` it would say
    nothing, so there it is refused. ``why`` returns why a text is no card.
    """
    if told is UNSET:
        return {}

    def raise_refusal(problem: Phrase) -> NoReturn:
        raise refusal(codes, *(("bad_deck", "COM-70") if of_deal else ("malformed_move", "COM-71")), problem=problem)

    if not isinstance(told, dict):
        raise_refusal(say("told.no_object", field=field))
    for zone, cards in told.items():
        if not isinstance(zone, str) or not isinstance(cards, (list, tuple)):
            raise_refusal(say("told.no_list", field=field))
        if len(cards) > most:
            raise_refusal(say("told.too_many", field=field, most=most))
        for card in cards:
            if not isinstance(card, str) or (card not in faces and (card != HIDDEN or field == "lacks")):
                raise_refusal(why(card) if isinstance(card, str) else no_card("…"))
    return {zone: tuple(cards) for zone, cards in told.items()}


# Counted hands told by their worth or by ranks, where the faces of the cards need not be known (CAN-57).


Worths: TypeAlias = Mapping[str, int]
"""The worth of hands by zone."""

RANKS, WORTH = "ranks", "worth"
"""The marks."""


class _Hand:
    """The knowledge of one hand. ``more``: ranks that were told beyond the known faces."""

    def __init__(self, zone: Zone, values: CardValues) -> None:
        faces = [card for card in zone.cards if card != HIDDEN]
        self.unknown = len(zone.cards) - len(faces)
        self.known = Counter(values.ranks[card] for card in faces if card in values.ranks)
        self.more = _read_ranks(zone) - self.known
        self.worth = _read_value(zone)
        self._values = values

    @property
    def total(self) -> int | None:
        """The worth of the hand; ``None`` if it was not told."""
        if self.more.total() == self.unknown:
            return self._values.sum(self.known + self.more)
        return self.worth

    def is_possible(self, pool: Counter[Rank]) -> bool:
        """Return whether cards of the pool can make what was told."""
        if self.more.total() > self.unknown or self.more - pool:
            return False
        if self.worth is None:
            return True
        copies: Counter[int] = Counter()
        for rank, number in (pool - self.more).items():
            copies[self._values.value(rank)] += number
        left = self.worth - self._values.sum(self.known + self.more)
        return _can_make(sorted(copies.items(), reverse=True), self.unknown - self.more.total(), left)


def count_hand(zone: Zone, values: CardValues) -> int | None:
    """Return the worth of a hand, from its faces, or as it was told; ``None`` if it is unknown."""
    return _Hand(zone, values).total


def read_hand_values(given: object, codes: Codes, *, is_told: bool) -> Worths:
    """Return the told worth of hands by zone. ``is_told``: whether the game counts hands so. Raises ``Refused``."""
    if not is_told:
        raise refusal(codes, "malformed_move", "COM-71", problem=say("told.no_counted"))
    if not isinstance(given, dict) or not all(isinstance(zone, str) and type(worth) is int for zone, worth in given.items()):
        raise refusal(codes, "malformed_move", "COM-71", problem=say("told.no_worth"))
    return given


def tell_hands(draft: Draft, ranks: Zones, worths: Worths, values: CardValues, deck: Mapping[Card, int]) -> None:
    """Write what is told of hands, which were checked to be there, and lift the marks of those that are known now. Raises ``Refused`` if
    some hand on the table cannot be as it was told, now or before.
    """
    for zone, told in ranks.items():
        before = _read_ranks(draft.table.zones[zone])
        if (after := before | Counter(told)) != before:
            draft.emit(MarkSet(RANKS, tuple(rank for rank in values.order for _ in range(after[rank])), zone))
    for zone, worth in worths.items():
        before_worth = _read_value(draft.table.zones[zone])
        if before_worth not in (None, worth):
            raise _build_refusal(zone)
        if before_worth is None:
            draft.emit(MarkSet(WORTH, worth, zone))
    _check_hands(draft.table, values, deck)
    draft.emit(*_lift(one for one in _list_marked(draft.table) if HIDDEN not in one[1].cards))


def lift_changed(draft: Draft, before: Table) -> None:
    """Lift the marks of hands that are not any more as they were before."""
    draft.emit(*_lift(one for one in _list_marked(draft.table) if before.cards(one[0]) != draft.table.cards(one[0])))


def _lift(marked: Iterable[tuple[str, Zone]]) -> list[MarkSet]:
    return [MarkSet(mark, None, name) for name, zone in marked for mark in (RANKS, WORTH) if mark in zone.marks]


def _list_marked(table: Table) -> list[tuple[str, Zone]]:
    return [(name, zone) for name, zone in table.zones.items() if RANKS in zone.marks or WORTH in zone.marks]


def _check_hands(table: Table, values: CardValues, deck: Mapping[Card, int]) -> None:
    marked = {name: _Hand(zone, values) for name, zone in _list_marked(table)}
    if not marked:
        return
    pool: Counter[Rank] = Counter()
    for card, copies in count_unknown_faces(table, deck).items():
        if card in values.ranks:
            pool[values.ranks[card]] += copies
    taken = sum((hand.more for hand in marked.values()), Counter[Rank]())
    for name, hand in marked.items():
        if not hand.is_possible(pool - (taken - hand.more)):
            raise _build_refusal(name)


def _build_refusal(zone: str) -> Refused:
    return Refused("card_impossible", "COM-71", "CAN-57", zone=zone, card=HIDDEN, problem="count")


def _read_ranks(zone: Zone) -> Counter[Rank]:
    told = zone.marks.get(RANKS)
    return Counter(rank for rank in told if isinstance(rank, str)) if isinstance(told, tuple) else Counter()


def _read_value(zone: Zone) -> int | None:
    told = zone.marks.get(WORTH)
    return told if isinstance(told, int) else None


def _can_make(copies: Sequence[tuple[int, int]], count: int, total: int) -> bool:
    """Return whether so many cards can be worth the total. ``copies``: values and how many cards have them."""
    if len(copies) < 2:
        return count == total == 0 or any(count <= most and count * value == total for value, most in copies)
    (value, most), *others = copies
    return any(_can_make(others, count - number, total - number * value) for number in range(min(most, count) + 1))
