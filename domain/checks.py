"""Validation shared by all rulebooks: options, seats, decks, moves and turns, in the order of COM-10 to COM-25. Each refusal cites the
rules that the game's error table adds.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, get_args

import msgspec
from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat, same_cards
from domain.effects import plain
from domain.errors import Refused
from domain.forms import describe_mismatch
from domain.notation.card_names import no_card
from domain.rules import Codes
from domain.setup import FIELD, NAMES, Presets
from domain.table import Table
from domain.texts import Phrase, say

GameOptions = TypeVar("GameOptions", bound=Struct)


def resolve_preset(presets: Presets, options: Mapping[str, object], codes: Codes) -> dict[str, object]:
    """Return the options of the preset that the options name, with what is given beside it (COM-45). Raises ``Refused``."""
    name, given = options[FIELD], {option: value for option, value in options.items() if option != FIELD}
    named = [preset for preset in presets if preset.name == name]
    if not named:
        raise refusal(codes, "bad_option", "COM-45", option=FIELD, given=name, allowed=NAMES)
    chosen = {**named[0].options, **given}
    # None fits if an option on which the preset depends is wrong: then that one is refused.
    fitting = (preset.options for preset in named if preset.when.items() <= chosen.items())
    return {**next(fitting, {}), **given}


def read_options(options: object, kind: type[GameOptions], codes: Codes) -> GameOptions:
    """Return the options as the Struct ``kind``, each checked by itself (COM-10). Those left out get the defaults of the Struct. Raises
    ``Refused``.
    """
    fields = _option_fields(kind)
    if not isinstance(options, dict):
        raise refusal(codes, "bad_option", "COM-10", option=None, given=options, allowed=tuple(fields), problem="form")
    values: dict[str, Any] = {}
    for name, value in options.items():
        if name not in fields:
            raise refusal(codes, "bad_option", "COM-10", option=name, given=value, allowed=tuple(fields), problem="unknown")
        type_, allowed = fields[name]
        try:
            values[name] = msgspec.convert(plain(value), type_, strict=True)
        except ValueError as error:
            raise refusal(codes, "bad_option", "COM-10", option=name, given=value, allowed=allowed) from error
    return kind(**values)


@cache
def _option_fields(kind: type[Struct]) -> dict[str, tuple[Any, tuple[object, ...]]]:
    """Return for each option its type and its allowed values, in words that need no translation."""
    schemas = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
    return {field.name: (field.type, _list_allowed_values(schemas[field.name])) for field in msgspec.structs.fields(kind)}


def _list_allowed_values(schema: dict[str, Any]) -> tuple[object, ...]:
    if "enum" in schema:
        return tuple(schema["enum"])
    if schema.get("type") == "boolean":
        return (False, True)
    if schema.get("type") == "null":
        return (None,)
    if "anyOf" in schema:
        return tuple(choice for item in schema["anyOf"] for choice in _list_allowed_values(item))
    if "prefixItems" in schema:
        return _list_allowed_values(schema["prefixItems"][0])  # a number for each party, all alike
    low, high = schema.get("minimum"), schema.get("maximum")
    return (between(low, high),) if low is not None and high is not None else (say("range.from", low=low),)


def between(low: int, high: int) -> Phrase:
    return say("range.between", low=low, high=high)


def check_seats(seats: object, allowed: Sequence[int], codes: Codes) -> int:
    """Return the number of seats, typed (COM-11). Raises ``Refused``, which names a range by its ends."""
    # ``type`` and not ``isinstance``: True is an int to Python, but no number of seats.
    if type(seats) is not int or seats not in allowed:
        shown = (between(allowed[0], allowed[-1]),) if isinstance(allowed, range) else allowed
        raise refusal(codes, "bad_seats", "COM-11", seats=seats, allowed=shown, **_number(seats))
    return seats


def check_start(
    table: Table,
    dealer: object,
    deck: object,
    full: tuple[Card, ...],
    codes: Codes,
    demanded: Seat | None = None,
    *,
    untold: bool = False,
) -> tuple[Seat, tuple[Card, ...]]:
    """Return dealer and deck, typed, after the checks COM-13 to COM-16 in their order. ``demanded``: the only dealer that the game allows.
    ``untold``: ``"?"`` may stand for cards of the deck (COM-70). Raises ``Refused``.
    """
    seat = check_dealer(table, dealer, codes, demanded)
    if not isinstance(deck, (list, tuple)) or not all(isinstance(card, str) for card in deck) or not _fits(deck, full, untold):
        raise refusal(codes, "bad_deck", "COM-16", size=len(full))
    return seat, tuple(deck)


def check_dealer(table: Table, dealer: object, codes: Codes, demanded: Seat | None = None) -> Seat:
    """Return the dealer, typed, after the checks COM-13 to COM-15 in their order: whether a hand may begin, and whether this seat may deal
    it. Raises ``Refused``.
    """
    if table.phase == "game_over":
        raise refusal(codes, "game_over", "COM-13")
    if table.in_hand:
        raise refusal(codes, "hand_in_progress", "COM-14")
    allowed = tuple(range(table.setup.seats)) if demanded is None else (demanded,)
    if type(dealer) is not int or dealer not in allowed:
        raise refusal(codes, "bad_dealer", "COM-15", dealer=dealer, allowed=allowed, **_number(dealer))
    return dealer


def _fits(deck: Sequence[Card], full: tuple[Card, ...], untold: bool) -> bool:
    if same_cards(deck, full):
        return True
    return untold and len(deck) == len(full) and not Counter(card for card in deck if card != HIDDEN) - Counter(full)


def any_dealer(table: Table) -> Seat | None:
    """Demand no dealer: any seat may deal."""
    return None


def next_dealer(table: Table) -> Seat | None:
    """Return the seat after the one that dealt last; ``None`` before the first hand, which any seat may deal."""
    return None if table.dealer is None else (table.dealer + 1) % table.setup.seats


def moves_by_type(moves: Any) -> dict[str, type[Struct]]:
    """Return the tagged Structs of a union of moves, or of the only one, by their types and in their order."""
    return {kind.__struct_config__.tag: kind for kind in get_args(moves) or (moves,)}


def read_move(move: object, types: Mapping[str, type[Struct]], codes: Codes) -> Any:
    """Return the move as the Struct of its type (COM-20 to COM-22, except for the card codes). Raises ``Refused``."""
    if not isinstance(move, dict) or not isinstance(move.get("type"), str):
        raise refusal(codes, "malformed_move", "COM-20", problem=say("move.no_object"))
    kind = types.get(move["type"])
    if kind is None:
        raise refusal(codes, "unknown_move", "COM-21", type=move["type"], types=tuple(types))
    fields = dict(move)
    del fields["type"]
    try:
        # plain() comes first: a value that no store can hold is refused even if the field would accept it.
        return msgspec.convert(plain(fields), kind, strict=True)
    except ValueError as error:
        raise refusal(codes, "malformed_move", "COM-22", problem=find_mismatch(error, kind)) from error


def find_mismatch(error: ValueError, kind: type[Struct]) -> Phrase:
    """Return what keeps a value from being a ``kind``, or a plain value at all, and in which field."""
    if not isinstance(error, msgspec.ValidationError):
        return say("form.plain")
    problem, where = describe_mismatch(error, kind)
    field = where.removeprefix("$").removeprefix(".")
    return say("form.at", place=say("place.named", field=field), problem=problem) if field else problem


def check_cards(cards: tuple[Card, ...], known: frozenset[Card], codes: Codes, why: Callable[[str], Phrase] = no_card) -> None:
    """Raise ``Refused`` if a code is not one of the full deck of this game (COM-22). ``why`` returns why a text is no card."""
    if not known.issuperset(cards):
        unknown = next(card for card in cards if card not in known)
        raise refusal(codes, "malformed_move", "COM-22", problem=why(unknown))


def check_turn(table: Table, seat: object, codes: Codes) -> Seat:
    """Return the seat, typed, after the checks COM-23 to COM-25 in their order. Raises ``Refused``."""
    if table.phase == "game_over":
        raise refusal(codes, "game_over", "COM-23")
    if not table.in_hand:
        raise refusal(codes, "hand_over", "COM-24")
    if type(seat) is not int or seat not in table.to_act:
        raise refusal(codes, "not_your_turn", "COM-25", seat=seat, to_act=table.to_act, **_number(seat))
    return seat


def _number(given: object) -> dict[str, str]:
    """Return the further detail of a refusal for a value that is no number at all."""
    return {} if type(given) is int else {"problem": "none"}


def refusal(codes: Codes, code: str, number: str, /, **detail: object) -> Refused:
    """Return a refusal that cites the common rule number and those that the game's error table adds."""
    return Refused(code, number, *(own for own in codes.get(code, ()) if not own.startswith("COM-")), **detail)


def check_seat_type(seat: object) -> Seat:
    """Return a seat that a rulebook has accepted, typed."""
    if type(seat) is not int:
        raise TypeError("a rulebook accepted a seat that is no number")
    return seat
