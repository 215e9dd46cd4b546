"""Evaluation of an imported record by the rules, without a store and in any process."""

from functools import partial
from secrets import token_bytes
from typing import Literal, TypeAlias
from uuid import UUID, uuid4

from msgspec import Struct

from api.records.accepted import Accepted, accept
from deploy.config.failures import refusal_in_words, sentence
from deploy.system.clock import now
from domain.errors import Exists, InvalidFormatError, RefInUse
from domain.free_texts import SALT
from domain.games import EDITIONS, RULESETS
from domain.rules import refusal_sentence
from replay.record import Refusal, parse

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


def describe_illegal_record(refused: Refusal, ruleset: str, language: str) -> str:
    return refusal_in_words(refused, refusal_sentence(RULESETS.get(ruleset), refused, language), language)


def describe_refusal(problem: InvalidFormatError | Exists | RefInUse, language: str) -> Imported:
    return Imported(error=f"{problem.code}: {problem.in_words(language)}")


def judge(read: object, by: str, language: str) -> Imported | Accepted:
    """Evaluate a record decoded from JSON; ``by`` is its recorder. A refusal is returned, not raised."""
    try:
        record = parse(read)
        try:
            return accept(read, record, by, RULESETS, EDITIONS, now, uuid4, partial(token_bytes, SALT))
        except Refusal as refusal:
            return Imported(error=describe_illegal_record(refusal, record.ruleset, language))
    except InvalidFormatError as problem:
        return describe_refusal(problem, language)
