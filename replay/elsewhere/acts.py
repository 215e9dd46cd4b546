"""What an official did at the table, as a record says it: an illegal move that stood, and points given or taken (COM-68).

Both are judged as the acts themselves are, and become their events, marked as imported.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from uuid import UUID

import msgspec
from msgspec.structs import replace

from domain.acts import after_act
from domain.effects import Known
from domain.errors import Malformed, Refused
from domain.events.base import TextRef
from domain.events.game import GameOpened, MoveStood, PointsAdjusted
from domain.game import Game
from domain.rules import Rulebook
from domain.ruling import PointsChange, adjust, let_stand
from domain.table import Table
from domain.texts import say
from replay.elsewhere.context import Amiss

Noted: TypeAlias = Callable[[str], TextRef | None]
"""Puts words of a person into the register, and answers what an event says of them."""

Act: TypeAlias = MoveStood | PointsAdjusted

_ADJUSTMENT = frozenset({"party", "points"})
_MOST_POINTS = 1_000_000
_MOST_ADJUSTMENTS = 64
_LONGEST_REASON = 4000


def unsaid(words: object) -> None:
    """Where no register is, nobody said anything."""


def has_stood(entry: object) -> bool:
    """Whether an entry of ``moves`` says of its move that it stood."""
    return isinstance(entry, dict) and "stood" in entry


def stood(rulebook: Rulebook, table: Table, entry: Mapping[str, Any], hand: int, index: int) -> MoveStood:
    """The illegal move of an entry, the ``index``-th of ``hand``. Raises ``Refused``, and ``Malformed`` with the place for effects that
    are none.
    """
    try:
        found = let_stand(_game(table), rulebook, entry["seat"], entry["move"], entry["stood"]["effects"], None, None)
    except Refused as refused:
        refused.index = None  # the place of an effect is none in the record
        raise
    except Malformed as malformed:
        raise _placed(malformed, hand, index) from malformed
    return replace(found, imported=True)


def adjusted(rulebook: Rulebook, table: Table, given: Sequence[Mapping[str, Any]], noted: Noted = unsaid) -> tuple[PointsAdjusted, ...]:
    """The points given or taken after a hand, for that hand where none is named. Raises ``Refused``."""
    changes = [PointsChange(one["party"], one["points"], one.get("hand", table.hand)) for one in given]
    made = adjust(_game(table), changes, None, None, rulebook)
    return tuple(replace(act, reason=_noted(one, noted), imported=True) for act, one in zip(made, given, strict=True))


def _noted(one: Mapping[str, Any], noted: Noted) -> TextRef | None:
    return noted(one["reason"]) if "reason" in one else None


def table_after(table: Table, *acts: Act) -> Table:
    game = _game(table)
    for act in acts:
        game = after_act(game, act)
    return game.table


def _game(table: Table) -> Game:
    """A game that is nowhere recorded: only its table is read."""
    opened = GameOpened(table.setup, 1, (None,) * table.setup.seats, "never")
    return Game(UUID(int=0), 1, b"", opened, table)


def first_act(hands: Sequence[Mapping[str, Any]]) -> str | None:
    """The place of the first act of an official in a record; ``None`` where there is none."""
    for number, hand in enumerate(hands):
        for index, entry in enumerate(hand.get("moves", ())):
            if has_stood(entry):
                return f"record.hands[{number}].moves[{index}]"
        if hand.get("adjustments"):
            return f"record.hands[{number}].adjustments"
    return None


# The form


def amiss_in_stood(entry: Mapping[str, Any], where: str) -> Iterator[Amiss]:
    said = entry.get("stood", {"effects": []})
    if not isinstance(said, dict) or said.keys() != {"effects"}:
        yield say("record.stood"), f"{where}.stood"
    elif "stood" in entry and entry.keys() != {"seat", "move", "stood"}:
        yield say("record.stood_alone"), where


def amiss_in_adjustments(hand: Mapping[str, Any], where: str) -> Iterator[Amiss]:
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


def _placed(error: Malformed, hand: int, index: int) -> Malformed:
    place = say("place.field", place=say("place.move", hand=hand + 1, move=index + 1), field="stood")
    where = f"record.hands[{hand}].moves[{index}].stood.{error.where}"
    return Malformed("malformed_record", say("form.at", place=place, problem=error.says), where)


# On the way out


def as_stood(event: MoveStood) -> dict[str, Any]:
    """What cards were told with it follows from its effects again."""
    effects = tuple(effect for effect in event.effects if not isinstance(effect, Known))
    return {"stood": {"effects": msgspec.to_builtins(effects)}}


def as_adjustment(event: PointsAdjusted, hand: int, reason: str | None) -> dict[str, Any]:
    """``hand``: the one after which it stands in the record."""
    of = {} if event.hand == hand else {"hand": event.hand}
    said = {} if reason is None else {"reason": reason}
    return {"party": event.party, "points": event.points} | of | said
