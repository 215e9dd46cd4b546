"""Rectifications: effects on the table that an official gives, not a rulebook.

The effects have to fit the table: zones exist, cards lie where they are taken from, no card is gained or lost. The rules of the game are
not consulted.
"""

from collections import Counter
from contextlib import suppress
from itertools import islice

import msgspec
from msgspec.structs import replace

from domain.cards import HIDDEN, Card
from domain.effects import CardsMoved, DetailAnnounced, Effect, Effects, Known, MarkSet, SightSet, TurnPassed, ZoneAdded, plain
from domain.errors import InvalidFormatError, Refused
from domain.forms import describe_mismatch
from domain.rules import Move, Rulebook
from domain.sight import PUBLIC, Viewer, masked
from domain.signs import Signs, check_sign
from domain.table import Draft, Table, fold
from domain.texts import say
from domain.unknown_cards.asking import check_cards_known, lift_changed
from domain.unknown_cards.face_entry import Telling
from domain.unknown_cards.support import is_never_excluded

_ALLOWED = (CardsMoved, Known, ZoneAdded, SightSet, MarkSet, TurnPassed, DetailAnnounced)
_MOST = 200  # effects of one rectification: far more than one table needs, and few enough to check at once
_TRIED = 100  # legal moves of a seat that are tried; a game may have thousands


def read_table_change(rulebook: Rulebook, table: Table, effects: object) -> Effects:
    """Return the effects, decoded and checked against the table; unknown cards that they name become told (COM-75).

    Raises ``InvalidFormatError`` and ``Refused``.
    """
    given = tuple(_with_codes(rulebook, effect) for effect in _decode_effects(effects))
    for index, effect in enumerate(given):
        if isinstance(effect, Known):
            raise _at(Refused("not_by_rectification", effect="known"), index)
    read = _with_faces(rulebook, table, given) if table.has_unknown_cards else given
    check_table_change(rulebook, table, read)
    return read


def check_table_change(rulebook: Rulebook, table: Table, effects: Effects) -> None:
    """Raise ``Refused`` unless effects that come from the rulebook itself could be given by an official too."""
    _check_readable(rulebook, correct_table(table, effects, rulebook.signs))


def _with_codes(rulebook: Rulebook, effect: Effect) -> Effect:
    """Return the effect with codes in the place of names of cards."""
    if isinstance(effect, CardsMoved | Known | ZoneAdded):
        return replace(effect, cards=tuple(map(rulebook.card_names.code_of, effect.cards)))
    return effect


def correct_table(table: Table, effects: Effects, signs: Signs | None = None) -> Table:
    """Return the table after the effects. Raises ``Refused`` with the ``index`` of the first that does not fit it.

    Without ``signs`` the marks are not checked against those that the game itself writes: that check came later than the first recorded
    acts.
    """
    if not table.in_hand:
        raise Refused("no_hand_to_rectify")
    for index, effect in enumerate(effects):
        try:
            _check(table, effect)
            if signs:
                check_sign(signs, table, effect)
        except Refused as refused:
            raise _at(refused, index) from None
        table = fold(table, (effect,))
    return table


def _at(refused: Refused, index: int) -> Refused:
    refused.index = index
    return refused


def _with_faces(rulebook: Rulebook, table: Table, effects: Effects) -> Effects:
    """Return the effects with the faces of unknown cards that they name, as a move tells them (COM-72). No unknown card may come to lie in
    sight (COM-73). What was told of a counted hand that changes is lifted (CAN-57). Raises ``Refused``.
    """
    draft = Draft(table)
    for index, effect in enumerate(effects):
        if isinstance(effect, CardsMoved):
            Telling(draft, {effect.source: "unordered"}, rulebook.deck, {}, is_never_excluded).tell_named({effect.source: effect.cards})
        try:
            _check(draft.table, effect)
        except Refused as refused:
            raise _at(refused, index) from None
        draft.emit(effect)
    lift_changed(draft, table)
    check_cards_known(table, tuple(draft.effects), {})
    return tuple(draft.effects)


def _decode_effects(effects: object) -> Effects:
    try:
        read = msgspec.convert(plain(effects), Effects, strict=True)
    except ValueError as error:
        says, where = describe_mismatch(error, Effects)
        raise InvalidFormatError("malformed_effects", says, f"effects{where.removeprefix('$')}") from error
    if not 1 <= len(read) <= _MOST:
        raise InvalidFormatError("malformed_effects", say("effects.number", most=_MOST), "effects")
    return read


def _check(table: Table, effect: Effect) -> None:
    match effect:
        case CardsMoved(cards=cards, source=source, target=target):
            _check_zones(table, source, target)
            _check_cards(table.cards(source), cards, source)
        case Known(zone=zone, cards=cards):
            _check_zones(table, zone)
            _check_faces(table.cards(zone), cards, zone)
        case ZoneAdded(zone=zone, owner=owner, cards=cards):
            if zone in table.zones:
                raise Refused("zone_is_there", zone=zone)
            if cards:
                raise Refused("card_not_there", card=cards[0], zone=zone)
            _check_seats(table, *(() if owner is None else (owner,)))
        case SightSet(zone=str(zone)) | MarkSet(zone=str(zone)):
            _check_zones(table, zone)
        case TurnPassed(phase=phase, turn=turn, to_act=to_act):
            if phase in ("no_hand", "hand_over", "game_over"):
                raise Refused("not_by_rectification", effect="turn")
            _check_seats(table, *to_act, *(() if turn is None else (turn,)))
        case _ if not isinstance(effect, _ALLOWED):
            raise Refused("not_by_rectification", effect=effect.__struct_config__.tag)


def _check_zones(table: Table, *zones: str) -> None:
    for zone in zones:
        if zone not in table.zones:
            raise Refused("no_such_zone", zone=zone, zones=tuple(table.zones))


def _check_cards(lying: tuple[Card, ...], wanted: tuple[Card, ...], zone: str) -> None:
    if not wanted:
        raise Refused("card_not_there", zone=zone, problem="none")
    missing = Counter(wanted) - Counter(lying)
    if missing:
        raise Refused("card_not_there", card=next(iter(missing)), zone=zone)


def _check_faces(lying: tuple[Card, ...], told: tuple[Card, ...], zone: str) -> None:
    """Raise ``Refused`` unless only cards without a face get one."""
    if len(told) > len(lying) or any(was not in (HIDDEN, card) for was, card in zip(lying[-len(told) :], told, strict=False)):
        raise Refused("card_not_there", card=next(iter(told), HIDDEN), zone=zone)


def _check_seats(table: Table, *seats: int) -> None:
    for seat in seats:
        if not 0 <= seat < table.setup.seats:
            raise Refused("no_such_seat", seat=seat)


def _check_readable(rulebook: Rulebook, table: Table) -> None:
    """Raise ``Refused`` for a table that the game's own code cannot read: it could never be shown or played on."""
    try:
        for viewer in (Viewer("arbiter"), PUBLIC, *map(Viewer, range(table.setup.seats))):
            msgspec.json.encode(rulebook.view(masked(table, viewer)))
        for seat in table.to_act:
            for move in islice(rulebook.legal(masked(table, Viewer(seat)), seat), _TRIED):
                _check_resolves(rulebook, table, seat, move)
    except Exception as error:  # Any error: a game may rely on zones and marks as its own moves leave them.
        raise Refused("table_unreadable", problem=type(error).__name__) from error


def _check_resolves(rulebook: Rulebook, table: Table, seat: int, move: Move) -> None:
    with suppress(Refused):
        rulebook.resolve(table, seat, move)
