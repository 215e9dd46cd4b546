"""When and where a game was played, and when its cards may be shown, as its record says it (COM-66)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.effects import HandClosed
from domain.errors import Malformed
from domain.events import Recorded, effects_of
from domain.events.game import GameOpened, HandDealt, HandReported, Openness, OpensWhen
from domain.events.played import CLOCKS_DIFFER, EARLIEST, played_moment, said_at
from domain.openness.chosen import lacking_for
from domain.spelling import LONGEST_ID, is_id
from domain.texts import Phrase, say

Amiss: TypeAlias = tuple[Phrase, str]
"""What is wrong, and where."""

_HIGHEST = 2**31 - 1


class Context(Struct, frozen=True, omit_defaults=True):
    """As in the opening of a game. What a record does not say has the default of ``POST /v1/games``."""

    played_at: str | UnsetType = UNSET
    tournament: str | None = None
    round: int | None = None
    table: str | None = None
    openness: Openness = "game_over"
    live: bool = True


KEYS = frozenset(Context.__struct_fields__)


def context_in(record: Mapping[str, Any]) -> Context:
    """From a record of the right form."""
    return msgspec.convert({name: record[name] for name in KEYS & record.keys()}, Context)


def amiss_in_context(record: Mapping[str, Any]) -> Iterator[Amiss]:
    """What of it is not of the form that it should have."""
    yield from amiss_in_time(record, "record")
    for name in ("tournament", "table"):
        if name in record and not (isinstance(record[name], str) and is_id(record[name])):
            yield say("form.id", longest=LONGEST_ID), f"record.{name}"
    number = record.get("round", 1)
    if type(number) is not int or not 1 <= number <= _HIGHEST:
        yield say("record.round"), "record.round"
    yield from _amiss_in_openness(record)
    if type(record.get("live", True)) is not bool:
        yield say("record.live"), "record.live"


def _amiss_in_openness(record: Mapping[str, Any]) -> Iterator[Amiss]:
    try:
        openness = msgspec.convert(record.get("openness", "game_over"), Openness)
    except msgspec.ValidationError:
        yield say("record.openness", known=get_args(OpensWhen)), "record.openness"
    else:
        if lacks := lacking_for(openness, record.get("tournament"), record.get("round")):
            yield lacks, "record.openness"


def amiss_in_time(part: Mapping[str, Any], where: str) -> Iterator[Amiss]:
    """The same of ``played_at``, of a record or one of its hands."""
    if "played_at" in part and not (isinstance(part["played_at"], str) and played_moment(part["played_at"])):
        yield say("form.played_at", earliest=EARLIEST.year), f"{where}.played_at"


def check_past(played_at: object, hands: Sequence[Mapping[str, Any]], now: datetime) -> None:
    """Raises ``Malformed`` with ``impossible_time`` and the place for a time that is still to come."""
    said: list[tuple[object, Phrase, str]] = [(played_at, say("place.record"), "record")]
    said += [(hand.get("played_at"), say("place.hand", hand=number + 1), f"record.hands[{number}]") for number, hand in enumerate(hands)]
    for time, part, where in said:
        moment = played_moment(time) if isinstance(time, str) else None
        if moment is not None and moment > now + CLOCKS_DIFFER:
            place = say("place.field", place=part, field="played_at")
            raise Malformed("impossible_time", say("form.at", place=place, problem=say("record.future")), f"{where}.played_at")


def context_of(opened: GameOpened, first: Recorded | None = None) -> dict[str, Any]:
    """As a record says it; what has its default is left out. With ``first``, the opening as it was recorded, the time that was told with
    it is that of the game.
    """
    told = said_at(first) if first else None
    context = Context(told or opened.played_at, opened.tournament, opened.round, opened.table, opened.openness, opened.live is UNSET)
    said: dict[str, Any] = msgspec.to_builtins(context)
    return said


def times_of(standing: Iterable[Recorded]) -> Iterator[dict[str, str]]:
    """Of each hand that stands when it was played, where somebody said so: with its end, else with its deal; with its report."""
    told: list[str | None] = []
    for recorded in standing:
        if isinstance(recorded.event, HandDealt | HandReported):
            told.append(said_at(recorded))
        elif told and any(isinstance(effect, HandClosed) for effect in effects_of(recorded.event)):
            told[-1] = said_at(recorded) or told[-1]
    return ({} if said is None else {"played_at": said} for said in told)
