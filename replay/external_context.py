"""Import and export of a record's context: acts of officials (an illegal move that stood, points given or taken; COM-68), time and place of
play, and origin.

The acts are judged like recorded ones, and become their events, marked as imported.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias, get_args
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.act_validation import after_act
from domain.effects import HandClosed, Known
from domain.errors import InvalidFormatError, Refused
from domain.events import Recorded, effects_of
from domain.events.base import TextRef
from domain.events.game import GameOpened, HandDealt, HandReported, IllegalMoveAccepted, Openness, OpensWhen, PointsAdjusted
from domain.events.played import CLOCKS_DIFFER, EARLIEST, parse_played_at, time_at_table
from domain.game import Game
from domain.moves import AcceptedMove, build_accepted_move
from domain.name_validation import LONGEST_ID, is_id
from domain.opening import find_missing_parent
from domain.rules import Rulebook
from domain.ruling import PointsChange, adjust
from domain.table import Table
from domain.texts import Phrase, say

# Time and place of a game, and its openness, as its record states them (COM-66).


Amiss: TypeAlias = tuple[Phrase, str]
"""A problem, and its place."""

_HIGHEST = 2**31 - 1


class Context(Struct, frozen=True, omit_defaults=True):
    """The context as in the opening of a game. A missing field has the default of ``POST /v1/games``."""

    played_at: str | UnsetType = UNSET
    tournament: str | None = None
    round: int | None = None
    table: str | None = None
    openness: Openness = "game_over"
    live: bool = True


CONTEXT_KEYS = frozenset(Context.__struct_fields__)


def context_in(record: Mapping[str, Any]) -> Context:
    """Return the context from a record of the right form."""
    return msgspec.convert({name: record[name] for name in CONTEXT_KEYS & record.keys()}, Context)


def find_context_error(record: Mapping[str, Any]) -> Iterator[Amiss]:
    """Yield the problems in the form of the context."""
    yield from find_time_error(record, "record")
    for name in ("tournament", "table"):
        if name in record and not (isinstance(record[name], str) and is_id(record[name])):
            yield say("form.id", longest=LONGEST_ID), f"record.{name}"
    number = record.get("round", 1)
    if type(number) is not int or not 1 <= number <= _HIGHEST:
        yield say("record.round"), "record.round"
    yield from _find_openness_error(record)
    if type(record.get("live", True)) is not bool:
        yield say("record.live"), "record.live"


def _find_openness_error(record: Mapping[str, Any]) -> Iterator[Amiss]:
    try:
        openness = msgspec.convert(record.get("openness", "game_over"), Openness)
    except msgspec.ValidationError:
        yield say("record.openness", known=get_args(OpensWhen)), "record.openness"
    else:
        if lacks := find_missing_parent(openness, record.get("tournament"), record.get("round")):
            yield lacks, "record.openness"


def find_time_error(part: Mapping[str, Any], where: str) -> Iterator[Amiss]:
    """Yield the problems of ``played_at``, of a record or one of its hands."""
    if "played_at" in part and not (isinstance(part["played_at"], str) and parse_played_at(part["played_at"])):
        yield say("form.played_at", earliest=EARLIEST.year), f"{where}.played_at"


def check_past(played_at: object, hands: Sequence[Mapping[str, Any]], now: datetime) -> None:
    """Raise ``InvalidFormatError`` with ``impossible_time`` and the place for a time that is still to come."""
    said: list[tuple[object, Phrase, str]] = [(played_at, say("place.record"), "record")]
    said += [(hand.get("played_at"), say("place.hand", hand=number + 1), f"record.hands[{number}]") for number, hand in enumerate(hands)]
    for time, part, where in said:
        moment = parse_played_at(time) if isinstance(time, str) else None
        if moment is not None and moment > now + CLOCKS_DIFFER:
            place = say("place.field", place=part, field="played_at")
            raise InvalidFormatError("impossible_time", say("form.at", place=place, problem=say("record.future")), f"{where}.played_at")


def context_of(opened: GameOpened, first: Recorded | None = None) -> dict[str, Any]:
    """Return the context in the form of a record; values equal to their defaults are left out. With ``first``, the opening as it was
    recorded, the time told with it is that of the game.
    """
    told = time_at_table(first) if first else None
    context = Context(told or opened.played_at, opened.tournament, opened.round, opened.table, opened.openness, opened.live is UNSET)
    said: dict[str, Any] = msgspec.to_builtins(context)
    return said


def times_of(standing: Iterable[Recorded]) -> Iterator[dict[str, str]]:
    """Yield for each hand that stands, when the next one begins, the time of play, if it was reported: with its end, else with its deal;
    with its report.
    """
    hand, told = False, None
    for recorded in standing:
        if isinstance(recorded.event, HandDealt | HandReported):
            if hand:
                yield _as_time(told)
            hand, told = True, time_at_table(recorded)
        elif hand and any(isinstance(effect, HandClosed) for effect in effects_of(recorded.event)):
            told = time_at_table(recorded) or told
    if hand:
        yield _as_time(told)


def _as_time(told: str | None) -> dict[str, str]:
    return {} if told is None else {"played_at": told}


Noted: TypeAlias = Callable[[str], TextRef | None]
"""Puts words of a person into the register, and returns the reference that an event holds."""

Act: TypeAlias = IllegalMoveAccepted | PointsAdjusted

_ADJUSTMENT = frozenset({"party", "points"})
_MOST_POINTS = 1_000_000
_MOST_ADJUSTMENTS = 64
_LONGEST_REASON = 4000


def drop_words(words: object) -> None:
    """Keep no words: there is no register."""


def is_accepted_illegal_move(entry: object) -> bool:
    """Return whether an entry of ``moves`` says that its move stood."""
    return isinstance(entry, dict) and "stood" in entry


def accept_illegal_move(rulebook: Rulebook, table: Table, entry: Mapping[str, Any], hand: int, index: int) -> IllegalMoveAccepted:
    """Return the illegal move of an entry, the ``index``-th of ``hand``. Raises ``Refused``, and ``InvalidFormatError`` with the place for
    invalid effects.
    """
    try:
        found = build_accepted_move(rulebook, table, AcceptedMove(entry["seat"], entry["move"], entry["stood"]["effects"]))
    except Refused as refused:
        refused.index = None  # the place of an effect is none in the record
        raise
    except InvalidFormatError as malformed:
        raise _locate_error(malformed, hand, index) from malformed
    return replace(found, imported=True)


def adjust_points(
    rulebook: Rulebook, table: Table, given: Sequence[Mapping[str, Any]], noted: Noted = drop_words
) -> tuple[PointsAdjusted, ...]:
    """Return the points given or taken after a hand, for that hand where none is named. Raises ``Refused``."""
    changes = [PointsChange(one["party"], one["points"], one.get("hand", table.hand)) for one in given]
    made = adjust(_game(table), changes, None, None, rulebook)
    return tuple(replace(act, reason=_note_reason(one, noted), imported=True) for act, one in zip(made, given, strict=True))


def _note_reason(one: Mapping[str, Any], noted: Noted) -> TextRef | None:
    return noted(one["reason"]) if "reason" in one else None


def table_after(table: Table, *acts: Act) -> Table:
    game = _game(table)
    for act in acts:
        game = after_act(game, act)
    return game.table


def _game(table: Table) -> Game:
    """Return a game that is recorded nowhere: only its table is read."""
    opened = GameOpened(table.setup, 1, (None,) * table.setup.seats, "never")
    return Game(UUID(int=0), 1, b"", opened, table)


def first_act(hands: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the place of the first act of an official in a record; ``None`` where there is none."""
    for number, hand in enumerate(hands):
        for index, entry in enumerate(hand.get("moves", ())):
            if is_accepted_illegal_move(entry):
                return f"record.hands[{number}].moves[{index}]"
        if hand.get("adjustments"):
            return f"record.hands[{number}].adjustments"
    return None


# Validation of the form


def find_accepted_move_error(entry: Mapping[str, Any], where: str) -> Iterator[Amiss]:
    said = entry.get("stood", {"effects": []})
    if not isinstance(said, dict) or said.keys() != {"effects"}:
        yield say("record.stood"), f"{where}.stood"
    elif "stood" in entry and entry.keys() != {"seat", "move", "stood"}:
        yield say("record.stood_alone"), where


def find_adjustment_error(hand: Mapping[str, Any], where: str) -> Iterator[Amiss]:
    given = hand.get("adjustments", [])
    if not isinstance(given, list) or len(given) > _MOST_ADJUSTMENTS:
        yield say("record.adjustments", most=_MOST_ADJUSTMENTS), f"{where}.adjustments"
        return
    for number, one in enumerate(given):
        if not _is_adjustment(one):
            yield say("record.adjustment", most=_MOST_POINTS, longest=_LONGEST_REASON), f"{where}.adjustments[{number}]"


def _is_adjustment(one: object) -> bool:
    if not isinstance(one, dict) or not _ADJUSTMENT <= one.keys() <= _ADJUSTMENT | {"hand", "reason"}:
        return False
    reason, hand = one.get("reason", "."), one.get("hand", 1)
    whole = type(one["party"]) is int and type(one["points"]) is int and abs(one["points"]) <= _MOST_POINTS
    for_hand = hand is None or (type(hand) is int and hand >= 1)
    return whole and for_hand and isinstance(reason, str) and 1 <= len(reason) <= _LONGEST_REASON


def _locate_error(error: InvalidFormatError, hand: int, index: int) -> InvalidFormatError:
    place = say("place.field", place=say("place.move", hand=hand + 1, move=index + 1), field="stood")
    where = f"record.hands[{hand}].moves[{index}].stood.{error.where}"
    return InvalidFormatError("malformed_record", say("form.at", place=place, problem=error.says), where)


# Export


def as_accepted_move(event: IllegalMoveAccepted) -> dict[str, Any]:
    """Return the move that stood in the form of a record. The cards told with it follow from its effects again."""
    effects = tuple(effect for effect in event.effects if not isinstance(effect, Known))
    return {"stood": {"effects": msgspec.to_builtins(effects)}}


def as_adjustment(event: PointsAdjusted, hand: int, reason: str | None) -> dict[str, Any]:
    """Return the adjustment in the form of a record. ``hand``: the one after which it stands there."""
    of = {} if event.hand == hand else {"hand": event.hand}
    said = {} if reason is None else {"reason": reason}
    return {"party": event.party, "points": event.points} | of | said


# The origin of a record: its name elsewhere (``ref``), and the data written beside it (``meta``), which is not interpreted here.


ORIGIN_KEYS = frozenset({"ref", "meta"})
LONGEST_REF = 200
"""The most signs of each half of a ref."""
LARGEST_META = 4096
"""The most bytes, without the blanks between its parts."""


def ref_in(record: object) -> dict[str, str] | None:
    """Return the ref that a record names, also if it is no record in any other respect; ``None`` where there is none that could be kept."""
    said = record.get("ref") if isinstance(record, dict) else None
    return said if isinstance(said, dict) and said.keys() == {"system", "id"} and all(map(_is_half, said.values())) else None


def _is_half(said: object) -> bool:
    return isinstance(said, str) and 1 <= len(said) <= LONGEST_REF and said.isprintable()


def meta_in(record: Mapping[str, Any]) -> str | None:
    """Return the object as it is kept: JSON, in the order in which it came. Raises ValueError for a value that JSON cannot express."""
    if "meta" not in record:
        return None
    written = json.dumps(record["meta"], ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if "\\u0000" in written:
        raise ValueError("no store keeps the character 0")
    written.encode()
    return written


def find_origin_error(record: Mapping[str, Any]) -> Iterator[Amiss]:
    """Yield the problems in the form of the origin."""
    if "ref" in record and ref_in(record) is None:
        yield say("record.ref", longest=LONGEST_REF), "record.ref"
    if not isinstance(record.get("meta", {}), dict):
        yield say("form.object"), "record.meta"
        return
    try:
        written = meta_in(record) or ""
    except ValueError:
        yield say("record.meta"), "record.meta"
    else:
        if len(written.encode()) > LARGEST_META:
            yield say("record.meta_large", largest=LARGEST_META), "record.meta"
