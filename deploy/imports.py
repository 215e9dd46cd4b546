"""What becomes of a record that is imported: by the rules, and by what is here already."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, cast
from uuid import UUID, uuid4

from msgspec import Struct

from deploy.clock import now
from deploy.compose import new_salt
from deploy.language import sentence
from deploy.outcomes import refusal_in_words
from domain import texts
from domain.errors import Exists, Malformed, RefInUse, Refused
from domain.events import Event
from domain.events.base import TextRef
from domain.games import EDITIONS, RULESETS
from domain.journal.application import Journal
from domain.journal.archive import Archive
from domain.journal.calls import Call, Note, note
from domain.journal.refs import Copies, Origin, Ref, origin_of
from replay.content import content_digest, standing_digest
from replay.elsewhere.context import check_past
from replay.history import TakenOver, is_full_record, taken_over
from replay.record import Refusal, events_of, parse

Outcome: TypeAlias = Literal["recorded", "already", "refused"]


class Imported(Struct, frozen=True):
    """What became of one record. ``game`` is null if it was refused, or in a dry run. ``already``: the game was here before. ``content``:
    the digest by which it is known again, if it is known by that."""

    game: UUID | None = None
    events: int | None = 0
    error: str | None = None
    already: bool = False
    content: str | None = None

    @property
    def outcome(self) -> Outcome:
        return "refused" if self.error else "already" if self.already else "recorded"

    def in_words(self, name: str, language: str) -> str:
        if self.error:
            return f"✗ {name}: {self.error}"
        game = sentence("game", language, game=self.game) if self.game else sentence("nothing_recorded", language)
        how = sentence("already", language) if self.already else sentence("events", language, count=self.events)
        return f"✓ {name}: {how}, {game}"


def ref_of(read: object, copies: Copies) -> Ref | None:
    """Which of the equal ones it is. ``None``: of full records and of those that say their ref, and of what is refused here, which the
    server judges by itself."""
    with suppress(Malformed, Refused):
        record = parse(read)
        if not is_full_record(read) and record.ref is None:
            return copies.next(content_digest(events_of(record, RULESETS), RULESETS[record.ruleset]))
    return None


class Door(Protocol):
    """Where accepted records go. Raises ``Exists`` and ``RefInUse``."""

    def open(self, events: Sequence[Event], ref: Ref | None, origin: Origin | None, words: Sequence[Note]) -> UUID | None: ...

    def take_over(self, whole: TakenOver, origin: Origin | None) -> UUID | None: ...


class Recording(NamedTuple):
    """One commit: a whole game or nothing."""

    journal: Journal
    call: Call

    def open(self, events: Sequence[Event], ref: Ref | None, origin: Origin | None, words: Sequence[Note]) -> UUID:
        texts = tuple(one.text for one in words)
        return self.journal.open_now(self.call, uuid4(), events, ref, origin, texts).after.id

    def take_over(self, whole: TakenOver, origin: Origin | None) -> UUID:
        return self.journal.take_over_now(whole.history, whole.texts, origin).after.id


class Trial(NamedTuple):
    """Records nothing. Without an archive nothing is here yet."""

    archive: Archive | None

    def open(self, events: Sequence[Event], ref: Ref | None, origin: Origin | None, words: Sequence[Note]) -> None:
        if self.archive:
            self.archive.check_new(ref, origin)

    def take_over(self, whole: TakenOver, origin: Origin | None) -> None:
        if self.archive:
            self.archive.check_absent(whole.history)
            self.archive.check_new(None, origin)


def import_through(door: Door, read: object, copies: Copies, language: str) -> Imported:
    """What becomes of a record as it was read from JSON. Raises what the store raises; a refusal is an answer."""
    content = None
    try:
        record = parse(read)
        check_past(record.context.played_at, record.hands, now())
        if is_full_record(read):
            whole = taken_over(cast("dict[str, Any]", read), EDITIONS)
            origin = origin_of(record.ref, record.meta, standing_digest(whole.history, RULESETS))
            return Imported(door.take_over(whole, origin), len(whole.history))
        words: list[Note] = []
        events = events_of(record, RULESETS, lambda said: _noted(said, words))
        digest = content_digest(events, RULESETS[record.ruleset])
        content = None if record.ref else digest
        ref = copies.next(content) if content else None
        return Imported(door.open(events, ref, origin_of(record.ref, record.meta, digest), words), len(events), content=content)
    except Exists as exists:
        if exists.same:
            return Imported(UUID(str(exists.key)), already=True, content=content)
        return Imported(error=f"{exists.code}: {exists.in_words(language)}")
    except (Malformed, RefInUse) as problem:
        return Imported(error=f"{problem.code}: {problem.in_words(language)}")
    except Refusal as refusal:
        message = _message(record.ruleset, refusal, language)
        return Imported(error=refusal_in_words(refusal.hand, refusal.index, refusal.code, refusal.rules, message, language))


def _noted(said: str, words: list[Note]) -> TextRef:
    words.append(note(str(uuid4()), said, new_salt()))
    return words[-1].ref


def _message(key: str, refusal: Refusal, language: str) -> str:
    ruleset = RULESETS.get(key)
    if ruleset is None:
        return texts.sentence(refusal.code, refusal.detail, language, (texts.COMMON,), refusal.rules)
    return ruleset.sentence(refusal, language)
