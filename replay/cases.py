"""Portable records played without a store, and compared with the expectations of a case file (COM-60 to COM-65).

``play_record`` returns where a record is refused, and the table and the sheet there; ``differences`` compares that with the ``expect`` of a
case file. Rulesets come in as an argument.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from domain import texts
from domain.cards import HIDDEN, append_missing_cards
from domain.effects import Effects
from domain.errors import InvalidFormatError, Refused
from domain.moves import Line, Made, resolve_entry
from domain.notation.reading import LONGEST_LINE
from domain.rules import NOTHING_TOLD, KnownFaces, Rulebook, Ruleset, Rulesets
from domain.score import sheet
from domain.sight import ARBITER
from domain.table import Table, fold
from domain.texts import FALLBACK, Phrase, say
from domain.unknown_cards.support import unknown_view
from replay import external_context

UNKNOWN = "unknown"
"""In the place of a deck: none of its cards is known. As its ``fill``: the cards that it leaves out are not known either (COM-70)."""

_IGNORED = frozenset({"expect", "rules", "source", "note"})
_FULL = frozenset({"players", "format", "id", "edition", "events", "texts", "salts"})
_RECORD = frozenset({"ruleset", "seats", "hands"})
_HAND = frozenset({"dealer", "moves"})
_REPORTED = frozenset({"dealer", "result"})
_MOVE = frozenset({"seat", "move"})
_LINE = frozenset({"seat", "text"})
_LATER = frozenset({"played_at", "adjustments"})
_TOLD = frozenset({"known", "lacks", "worth"})
_FILLS = ("sorted", UNKNOWN)
_PATH = re.compile(r"record(?:\.hands\[([0-9]+)\])?(?:\.moves\[([0-9]+)\])?(?:\.(.+))?")
_EXPECT = frozenset({"error", "state", "score_sheet", "finished", "winners"})


class FirstRefusal(Struct, frozen=True):
    """The first refusal: hand and move counted from 0, −1 for the start of a hand, twice −1 for the set-up (COM-62)."""

    hand: int
    index: int
    code: str
    rules: tuple[str, ...]
    message: str


class PlayedRecord(Struct, frozen=True):
    """The outcome of a record: the arbiter's view and the sheet after the last accepted move.

    If the set-up was refused there is no game: no view and no sheet, and it is neither finished nor won (COM-62).
    """

    name: str | None
    error: FirstRefusal | None
    state: dict[str, Any] | None = None
    score_sheet: dict[str, Any] | None = None
    finished: bool = False
    winners: tuple[int, ...] | None = None


def play_record(record: object, rulesets: Rulesets, language: str = "en") -> PlayedRecord:
    """Play a record to its end or to the first refusal. Raises ``InvalidFormatError`` with ``malformed_record`` if it is no record."""
    read = check_record(record)
    name = read.get("name")
    ruleset = rulesets.get(read["ruleset"])
    if ruleset is None:
        detail = {"ruleset": read["ruleset"], "known": tuple(rulesets)}
        said = texts.sentence("unknown_ruleset", detail, language, (texts.COMMON,))
        return PlayedRecord(name, FirstRefusal(-1, -1, "unknown_ruleset", ("COM-65",), said))
    try:
        rulebook = ruleset.bind(read.get("options", {}), read["seats"])
    except Refused as refused:
        return PlayedRecord(name, _failure(ruleset, refused, -1, -1, language))
    table = Table(rulebook.setup)
    error = None
    for hand, index, step in _steps(read):
        try:
            table = _after(rulebook, table, hand, index, step)
        except Refused as refused:
            error = _failure(ruleset, refused, hand, index, language)
            break
    return _build_result(name, error, rulebook, table)


def _steps(record: dict[str, Any]) -> Iterator[tuple[int, int, Any]]:
    """Yield every start of a hand (index −1), every move, and the points given or taken after the last, in order. A hand of which only the
    result is known has no moves.
    """
    for number, hand in enumerate(record["hands"]):
        yield number, -1, hand
        moves = hand.get("moves", ())
        for index, move in enumerate(moves):
            yield number, index, move
        if hand.get("adjustments"):
            yield number, len(moves), {"adjustments": hand["adjustments"]}


def _after(rulebook: Rulebook, table: Table, hand: int, index: int, step: Any) -> Table:
    if index >= 0 and external_context.is_accepted_illegal_move(step):
        return external_context.table_after(table, external_context.accept_illegal_move(rulebook, table, step, hand, index))
    if index >= 0 and isinstance(step, dict) and "adjustments" in step:
        return external_context.table_after(table, *external_context.adjust_points(rulebook, table, step["adjustments"]))
    return fold(table, _effects(rulebook, table, index, step))


def _effects(rulebook: Rulebook, table: Table, index: int, step: Any) -> Effects:
    if index < 0 and "result" in step:
        return rulebook.report(table, step["dealer"], step["result"])
    if index < 0:
        return rulebook.deal(table, step["dealer"], full_deck(step, rulebook), get_known_deck(step))
    return resolve_entry(rulebook, table, parse_entry(step)).effects


def parse_entry(entry: str | Mapping[str, Any]) -> Made:
    """Return an entry of ``moves``: a move and cards told beside it, cards told between two moves, or a line in English letters."""
    if isinstance(entry, str):
        return Line(None, entry, FALLBACK)
    if "text" in entry:
        return Line(entry["seat"], entry["text"], FALLBACK)
    told = KnownFaces(entry.get("known", UNSET), entry.get("lacks", UNSET), entry.get("worth", UNSET))
    if "move" not in entry:
        return told
    return (entry["seat"], entry["move"]) if told == NOTHING_TOLD else (entry["seat"], entry["move"], told)


def full_deck(hand: Mapping[str, Any], rulebook: Rulebook) -> object:
    """Return the deck of a hand, filled up where it says so (COM-61, COM-70). A value that is no list of cards is left to the rulebook to
    refuse.
    """
    deck = rulebook.card_names.in_list(hand.get("deck", UNKNOWN))
    if deck == UNKNOWN:
        return (HIDDEN,) * len(rulebook.deck)
    if "fill" not in hand or not isinstance(deck, (list, tuple)) or not all(isinstance(card, str) for card in deck):
        return deck
    if hand["fill"] == UNKNOWN:
        return (*deck, *(HIDDEN,) * (len(rulebook.deck) - len(deck)))
    return append_missing_cards(deck, rulebook.deck)


def get_known_deck(hand: Mapping[str, Any]) -> object:
    """Return the told cards of a hand by zone: beside its deck (``known``), or in the place of one (``deal``)."""
    return hand.get("deal", hand.get("known", UNSET))


def _failure(ruleset: Ruleset, refused: Refused, hand: int, index: int, language: str) -> FirstRefusal:
    return FirstRefusal(hand, index, refused.code, refused.rules, ruleset.sentence(refused, language))


def _build_result(name: str | None, error: FirstRefusal | None, rulebook: Rulebook, table: Table) -> PlayedRecord:
    scores = sheet(table.setup, table.score)
    state = {**rulebook.view(table), **unknown_view(table, ARBITER)}
    return PlayedRecord(name, error, state, msgspec.to_builtins(scores), scores.finished, scores.winners)


# The form of a record


def check_record(record: object) -> dict[str, Any]:
    """Return the record, if it has the form of COM-60 to COM-69; ``options``, ``seats``, ``dealer``, ``deck``, ``result``, ``seat`` and
    ``move`` are left to the rulebook. Raises ``InvalidFormatError``.
    """
    read = _object(
        record, "record", _RECORD, {"name", "options"} | external_context.CONTEXT_KEYS | external_context.ORIGIN_KEYS | _FULL | _IGNORED
    )
    if not isinstance(read["ruleset"], str):
        raise _form_error(say("record.ruleset"), "record.ruleset")
    if not isinstance(read.get("name", ""), str):
        raise _form_error(say("record.name"), "record.name")
    _check_players(read)
    _raise_format_error(external_context.find_context_error(read))
    _raise_format_error(external_context.find_origin_error(read))
    for number, hand in enumerate(_list(read["hands"], "record.hands")):
        _check_hand(hand, f"record.hands[{number}]")
    return read


def _check_players(record: dict[str, Any]) -> None:
    if "players" not in record:
        return
    players = _list(record["players"], "record.players")
    if not all(player is None or isinstance(player, str) for player in players):
        raise _form_error(say("record.players"), "record.players")
    if type(record["seats"]) is int and len(players) != record["seats"]:
        raise _form_error(say("record.player_per_seat"), "record.players")


def _check_hand(hand: object, where: str) -> None:
    if isinstance(hand, dict) and "result" in hand:
        _raise_format_error(external_context.find_time_error(_object(hand, where, _REPORTED, _LATER), where))
        _raise_format_error(external_context.find_adjustment_error(hand, where))
        return
    by_zones = isinstance(hand, dict) and "deal" in hand
    read = _object(hand, where, _HAND | {"deal" if by_zones else "deck"}, _LATER if by_zones else _LATER | {"fill", "known"})
    _raise_format_error(external_context.find_time_error(read, where))
    _raise_format_error(external_context.find_adjustment_error(read, where))
    if read.get("fill", "sorted") not in _FILLS:
        raise _form_error(say("record.fill"), f"{where}.fill")
    for index, move in enumerate(_list(read["moves"], f"{where}.moves")):
        _check_entry(move, f"{where}.moves[{index}]")


def _check_entry(entry: object, where: str) -> None:
    """Check a move, cards told between two moves, or a line, with its seat or without. Raises ``InvalidFormatError``."""
    if isinstance(entry, dict) and entry and entry.keys() <= {"known", "worth"}:
        return
    if isinstance(entry, dict) and "text" in entry:
        _object(entry, where, _LINE, frozenset())
    elif not isinstance(entry, str):
        _raise_format_error(external_context.find_accepted_move_error(_object(entry, where, _MOVE, _TOLD | {"stood"}), where))
        return
    text = entry if isinstance(entry, str) else entry["text"]
    if not isinstance(text, str) or len(text) > LONGEST_LINE:
        raise _form_error(say("record.line", longest=LONGEST_LINE), where)


def _object(value: object, where: str, needed: frozenset[str], optional: frozenset[str] | set[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _form_error(say("form.object"), where)
    if missing := sorted(needed - value.keys()):
        raise _form_error(say("form.missing", name=missing[0]), where)
    if unknown := sorted(value.keys() - needed - optional):
        raise _form_error(say("form.no_field", name=unknown[0]), where)
    return value


def _list(value: object, where: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise _form_error(say("form.list"), where)
    return value


def _raise_format_error(amiss: Iterator[external_context.Amiss]) -> None:
    for says, where in amiss:
        raise _form_error(says, where)


def _form_error(says: Phrase, where: str) -> InvalidFormatError:
    return InvalidFormatError("malformed_record", say("form.at", place=_place(where), problem=says), where)


def _place(where: str) -> Phrase:
    """Return a path in words, hands and moves counted from 1."""
    found = _PATH.fullmatch(where)
    hand, move, field = found.groups() if found else (None, None, where)
    place = say("place.record")
    if hand is not None:
        counted = {"hand": int(hand) + 1} | ({} if move is None else {"move": int(move) + 1})
        place = say("place.hand" if move is None else "place.move", **counted)
    return say("place.field", place=place, field=field) if field else place


# The expectations of a case file


def differences(expect: object, outcome: PlayedRecord) -> tuple[str, ...]:
    """Return each place where the outcome is not the expected one. Without ``error`` nothing may be refused (COM-62).

    An object fits if every key it names does, a list element by element, anything else if it is equal (COM-63).
    """
    wanted = {"error": None, **_object(expect, "expect", frozenset(), _EXPECT)}
    return tuple(_differences(wanted, msgspec.to_builtins(outcome), "expect"))


def _differences(expected: Any, actual: Any, where: str) -> Iterator[str]:
    match expected:
        case dict() if isinstance(actual, dict):
            for key, value in expected.items():
                if key in actual:
                    yield from _differences(value, actual[key], f"{where}.{key}")
                else:
                    yield f"{where}.{key}: expected {value!r}, found nothing"
        case list() | tuple() if isinstance(actual, (list, tuple)) and len(expected) == len(actual):
            for place, (left, right) in enumerate(zip(expected, actual, strict=True)):
                yield from _differences(left, right, f"{where}[{place}]")
        case dict() | list() | tuple():
            yield f"{where}: expected {expected!r}, found {actual!r}"
        case _ if type(expected) is not type(actual) or expected != actual:
            yield f"{where}: expected {expected!r}, found {actual!r}"
