"""Questions for unknown cards: a card that an act lays or turns up where everybody sees it has to be told with the act (COM-73)."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Literal, NoReturn

from msgspec import UNSET

from domain.cards import HIDDEN, Card
from domain.checks import refusal
from domain.effects import CardsMoved, Effect, Effects, HandClosed, SightSet
from domain.errors import Refused
from domain.notation.card_names import no_card
from domain.rules import Codes
from domain.sight import PUBLIC, Trace
from domain.table import Table, fold
from domain.texts import Phrase, say
from domain.unknown_cards.support import Asked, Zones

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
    indices = {place for ask in _asks(trace, cards) for place in ask["places"]}  # type: ignore[attr-defined]
    asked = {zone: tuple(number for number, index in enumerate(order) if index in indices) for zone, order in dealt.items()}
    return [{"zone": zone, "places": places} for zone, places in asked.items() if places]


def _in_words(asked: Asked, places_of: str) -> Phrase:
    """Return the question in words for a person."""
    match asked:
        case {"zone": zone, "places": places}:
            return say(places_of, zone=zone, places=tuple(place + 1 for place in places))  # type: ignore[attr-defined]
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
        if not isinstance(zone, str) or not isinstance(cards, list | tuple):
            raise_refusal(say("told.no_list", field=field))
        if len(cards) > most:
            raise_refusal(say("told.too_many", field=field, most=most))
        for card in cards:
            if not isinstance(card, str) or (card not in faces and (card != HIDDEN or field == "lacks")):
                raise_refusal(why(card) if isinstance(card, str) else no_card("…"))
    return {zone: tuple(cards) for zone, cards in told.items()}
