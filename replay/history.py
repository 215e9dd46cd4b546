"""The history in a record: the stored events of a full record, or those of a simple one, played again."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain import codec
from domain.errors import InvalidFormatError
from domain.events import Recorded, Stamp
from domain.free_texts import SaltedText
from domain.rules import Rulesets
from domain.texts import say
from replay.audit import audit
from replay.audit_result import Audit
from replay.editions import Editions
from replay.export import check_texts
from replay.record import Refusal, decode_stored_event, events_of, parse

NEVER = datetime(1, 1, 1, tzinfo=UTC)
"""The recording time of the events of a simple record, which is not known."""


def history_of(read: Any, rulesets: Rulesets) -> tuple[Recorded, ...]:
    """Return the history from the decoded JSON. Raises ``InvalidFormatError``, and ``Refusal`` for a simple record that its rulebook
    refuses.
    """
    record = parse(read)
    if is_full_record(read):
        return tuple(decode_stored_event(position, event) for position, event in enumerate(read["events"], 1))
    return codec.link_events(UUID(int=0), 0, None, Stamp(NEVER, ""), events_of(record, rulesets))


def legal_history_of(read: Any, rulesets: Rulesets) -> tuple[tuple[Recorded, ...], Refusal | None]:
    """Return the history up to the first refusal, and the refusal. Raises ``Refusal`` if the set-up is refused: there is no game."""
    try:
        return history_of(read, rulesets), None
    except Refusal as refused:
        if refused.hand < 0:
            raise
        return history_of({**read, "hands": _cut_at_refusal(read["hands"], refused)}, rulesets), refused


def _cut_at_refusal(hands: Sequence[dict[str, Any]], refused: Refusal) -> list[dict[str, Any]]:
    accepted = list(hands[: refused.hand])
    if refused.index is not None and refused.index >= 0:
        hand = hands[refused.hand]
        accepted.append({**hand, "moves": hand["moves"][: refused.index]})
    return accepted


def is_full_record(read: object) -> bool:
    """Return whether the record brings the events themselves."""
    return isinstance(read, dict) and "events" in read


class ImportedHistory(Struct, frozen=True):
    """The content of a full record: a whole game as it was recorded elsewhere, and free texts of people by their ids."""

    history: tuple[Recorded, ...]
    texts: Mapping[str, SaltedText]


def take_over(read: dict[str, Any], editions: Editions) -> ImportedHistory:
    """Return the events of a full record exactly as they were stored: ids, times, principals, links, void events, acts of officials.

    ``parse`` has accepted the record. Raises ``InvalidFormatError`` with ``malformed_record`` where id, positions or texts are invalid, and
    with ``divergent_record`` where the audit finds a divergence, ``unjudged_record`` where no rules are kept to judge it.
    """
    game = _id(read)
    history = tuple(decode_stored_event(position, event, game) for position, event in enumerate(read["events"], 1))
    misplaced = [place for place, event in enumerate(read["events"], 1) if event.get("position") != place]
    if misplaced:
        raise InvalidFormatError("malformed_record", say("record.positions"), f"record.events[{misplaced[0] - 1}]")
    _check_no_mismatch(audit(history, editions))
    return ImportedHistory(history, check_texts(read.get("texts", {}), read.get("salts", {}), history))


def _check_no_mismatch(found: Audit) -> None:
    if found.divergences:
        first = found.divergences[0]
        says = say("record.diverges", position=first.position, kind=first.kind, recorded=first.recorded, recomputed=first.recomputed)
        raise InvalidFormatError("divergent_record", says, f"record.events[{first.position - 1}]")
    if found.unjudged:
        left = found.unjudged[0]
        says = say("record.unjudged", first=left.first, last=left.last, reason=left.reason)
        raise InvalidFormatError("unjudged_record", says, f"record.events[{left.first - 1}]")


def _id(read: dict[str, Any]) -> UUID:
    try:
        return UUID(read["id"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidFormatError("malformed_record", say("record.id"), "record.id") from error
