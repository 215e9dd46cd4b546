"""Evaluation of an imported record by the rules, without a store and in any process."""

from contextlib import suppress
from functools import partial
from secrets import token_bytes
from typing import Literal, TypeAlias
from uuid import UUID, uuid4

from msgspec import Struct

from api.records.accepted import Accepted, accept
from deploy.config.failures import refusal_in_words, sentence
from deploy.system.clock import now
from domain import texts
from domain.errors import Exists, InvalidFormatError, RefInUse, Refused
from domain.free_texts import SALT
from domain.games import EDITIONS, RULESETS
from domain.journal.commits import Copies, Ref
from replay.content import content_digest
from replay.external_context import check_past
from replay.record import Refusal, events_of, is_full_record, parse

Outcome: TypeAlias = Literal["recorded", "already", "refused"]


class Imported(Struct, frozen=True):
    """Outcome of one record.

    ``game`` is null if it was refused, or in a dry run. ``already``: the game existed before. ``content``: the digest by which it is
    recognised, if it has no other reference.
    """

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


def describe_refusal(problem: InvalidFormatError | Exists | RefInUse, language: str) -> Imported:
    return Imported(error=f"{problem.code}: {problem.in_words(language)}")


def judge(read: object, by: str, language: str) -> Imported | Accepted:
    """Evaluate a record decoded from JSON; ``by`` is its recorder. A refusal is returned, not raised."""
    try:
        record = parse(read)
        check_past(record.context.played_at, record.hands, now())
        return accept(read, record, by, RULESETS, EDITIONS, now, uuid4, partial(token_bytes, SALT))
    except InvalidFormatError as problem:
        return describe_refusal(problem, language)
    except Refusal as refusal:
        message = _message(record.ruleset, refusal, language)
        return Imported(error=refusal_in_words(refusal.hand, refusal.index, refusal.code, refusal.rules, message, language))


def _message(key: str, refusal: Refusal, language: str) -> str:
    ruleset = RULESETS.get(key)
    if ruleset is None:
        return texts.sentence(refusal.code, refusal.detail, language, (texts.COMMON,), refusal.rules)
    return ruleset.sentence(refusal, language)


def ref_of(read: object, copies: Copies) -> Ref | None:
    """Return which of the equal records of a file this one is.

    ``None`` for full records, for those with a reference, and for those refused here, which the server evaluates itself.
    """
    with suppress(InvalidFormatError, Refused):
        record = parse(read)
        if not is_full_record(read) and record.ref is None:
            return copies.next(content_digest(events_of(record, RULESETS), RULESETS[record.ruleset]))
    return None
