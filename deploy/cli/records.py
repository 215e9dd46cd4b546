"""Records into the journal and out of it, one at a time: what `kiebitz import` and `kiebitz export` do on a store of their own."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeAlias, cast
from uuid import UUID

import msgspec
from msgspec import Struct

from deploy.cli.files import Found
from deploy.cli.refusals import refusal_in_words
from deploy.language import said
from domain import texts
from domain.errors import Exists, Malformed, Refused, Unknown
from domain.events import NAMES, GameOpened, Recorded
from domain.games import EDITIONS
from domain.journal.application import Journal
from domain.journal.calls import Call
from domain.journal.mapper import read
from domain.journal.storage import Recorder
from domain.rules import Rulesets
from domain.upcasts import UPCASTS
from replay.export import export, export_full
from replay.history import is_full, taken_over
from replay.record import Refusal, events_of, parse

Form: TypeAlias = Literal["simple", "full", "texts"]
"""Of a record: moves only, every event, or every event with the words of people."""

PRINCIPAL = "command-line"
"""Who recorded what was imported at a terminal."""

_PAGE = 1000
_OPENINGS = tuple(name for name in (NAMES[GameOpened], *UPCASTS) if name.startswith("game.opened/"))


class Imported(Struct, frozen=True):
    """What became of one record. ``game`` is null if it was refused, or only tried."""

    place: str
    name: str | None
    game: UUID | None = None
    events: int = 0
    error: str | None = None

    def in_words(self, language: str) -> str:
        name = self.name or self.place
        if self.error:
            return f"✗ {name}: {self.error}"
        what = said("game", language, game=self.game) if self.game else said("nothing_recorded", language)
        return f"✓ {name}: {said('events', language, events=self.events)}, {what}"


class Importer(Struct, frozen=True):
    """Each record is one commit: a whole game or nothing. Ids are new; a full record keeps its own.

    Without a journal the records are only tried.
    """

    rulesets: Rulesets
    new_id: Callable[[], UUID]
    language: str
    journal: Journal | None = None

    def take(self, found: Found) -> Imported:
        """Raises what the store raises; a record that is refused is an answer."""
        name = found.record.get("name") if isinstance(found.record, dict) else None
        try:
            if found.problem:
                raise found.problem
            record = parse(found.record)
            if is_full(found.record):
                return self._take_over(found, name)
            events = events_of(record, self.rulesets)
        except Malformed as malformed:
            return Imported(found.place, name, error=f"{malformed.code}: {malformed.message}")
        except Refusal as refusal:
            return Imported(found.place, name, error=self._in_words(record.ruleset, refusal))
        if self.journal is None:
            return Imported(found.place, name, events=len(events))
        receipt = self.journal.open_now(Call(PRINCIPAL), self.new_id(), events)
        return Imported(found.place, name, receipt.after.id, len(events))

    def _take_over(self, found: Found, name: str | None) -> Imported:
        """A full record: its game as it was recorded elsewhere, under its own id. Raises ``Malformed``."""
        whole = taken_over(cast("dict[str, Any]", found.record), EDITIONS)
        if self.journal is None:
            return Imported(found.place, name, events=len(whole.history))
        try:
            receipt = self.journal.take_over_now(whole.history, whole.texts)
        except Exists as exists:
            return Imported(found.place, name, error=f"{exists.code}: {exists}")
        return Imported(found.place, name, receipt.after.id, len(whole.history))

    def _in_words(self, key: str, refusal: Refusal) -> str:
        sentence = self._sentence(key, refusal)
        return refusal_in_words(refusal.hand, refusal.index, refusal.code, refusal.rules, sentence, self.language)

    def _sentence(self, key: str, refused: Refused) -> str:
        ruleset = self.rulesets.get(key)
        if ruleset is None:
            return texts.sentence(refused.code, refused.detail, self.language, (texts.COMMON,), refused.rules)
        return ruleset.sentence(refused, self.language)


def all_games(recorder: Recorder) -> Iterator[UUID]:
    """Every game in the order in which they were opened."""
    return (opened.stream for opened in openings(recorder))


def openings(recorder: Recorder) -> Iterator[Recorded]:
    """The first event of every game, in the order in which they were opened."""
    after = 0
    while page := recorder.select_notifications(after, _PAGE, topics=_OPENINGS, inclusive_of_start=False):
        yield from map(read, page)
        after = page[-1].id


def record_of(journal: Journal, game: UUID, form: Form) -> bytes:
    """One line of NDJSON. Raises ``Unknown`` and ``Corrupt``."""
    history = journal.history(game)
    if not history:
        raise Unknown("game", game)
    if form == "simple":
        return msgspec.json.encode(export(str(game), history))
    return msgspec.json.encode(export_full(str(game), history, journal.store.text if form == "texts" else None))


def chosen(games: Sequence[str]) -> list[UUID]:
    """Raises ``Unknown`` for what cannot be an id."""
    ids = []
    for game in games:
        try:
            ids.append(UUID(game))
        except ValueError:
            raise Unknown("game", game) from None
    return ids
