"""Whatever is written is read as the same play: in full and in short form, in every language, with hands that are known and unknown.

A law names every breach it finds; an empty answer means that it holds. Every ruleset with a grammar is tried, by itself.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any

from msgspec import UNSET

from domain.errors import Refused
from domain.games import RULESETS
from domain.notation.known_faces import asks_in
from domain.notation.reading import read
from domain.notation.reading_types import MoveReading
from domain.notation.writing import notation_of, write
from domain.rules import KnownFaces, Move, Rulebook
from domain.sight import PUBLIC, masked
from domain.table import Table
from domain.texts import LANGUAGES
from tests.domain.games.setups import TRIED
from tests.laws import Breaches, Playout, Step
from tests.notation.short import write_short
from tests.notation.spoken import write_words
from tests.telling.law import Again, Part, Recording

MOST_ROUNDS = 4
"""How often an act asks before it has been told everything."""


def notated() -> list[str]:
    """The rulesets that have a grammar."""
    return [key for key in sorted(RULESETS) if _bound(key).notation]


def _bound(key: str) -> Rulebook:
    set_up = TRIED[key]().set_ups[0]
    return RULESETS[key].bind(dict(set_up.options), set_up.seats)


def full_forms_are_read_back(playout: Playout) -> Breaches:
    """Whatever else is legal, also where the hand is unknown."""
    for step, move in playout.moves():
        for language in LANGUAGES:
            line = write(playout.rulebook, move, language, (step.before, step.seat))
            for table in (step.before, masked(step.before, PUBLIC)):
                yield from _differs(playout.rulebook, table, step, move, line, language)


def short_forms_are_read_back(playout: Playout, every: int = 1, *, unknown: bool = False) -> Breaches:
    """They are never longer than the full form. ``every``: of so many moves one is tried."""
    chance = playout.random("short")
    for step, move in (tried for tried in playout.moves() if chance.randrange(every) == 0):
        table = masked(step.before, PUBLIC) if unknown else step.before
        for language in LANGUAGES:
            line = write_short(playout.rulebook, table, step.seat, move, language)
            yield from _differs(playout.rulebook, table, step, move, line, language, same_play(playout.rulebook))
            if len(line) > len(write(playout.rulebook, move, language, (step.before, step.seat))):
                yield f"{move} is longer in short: {line}"


def words_are_read_back(playout: Playout, every: int = 1) -> Breaches:
    """Cards, signs and categories in words of every language, with commas and a full stop. ``every``: of so many moves one is tried."""
    chance = playout.random("words")
    for step, move in (tried for tried in playout.moves() if chance.randrange(every) == 0):
        for language in LANGUAGES:
            line = write_words(playout.rulebook, (step.before, step.seat), move, language, chance)
            for table in (step.before, masked(step.before, PUBLIC)):
                yield from _differs(playout.rulebook, table, step, move, line, language, same_play(playout.rulebook))


def _differs(
    rulebook: Rulebook, table: Table, step: Step, move: Move, line: str, language: str, alike: Callable[[Move], object] | None = None
) -> Breaches:
    meant, alike = read(rulebook, table, step.seat, line, language), alike or as_played
    if not isinstance(meant, MoveReading) or alike(meant.move) != alike(move):
        yield f"{move} of seat {step.seat} is written {line!r} ({language}), which is read as {meant}"


def same_play(rulebook: Rulebook) -> Callable[[Move], object]:
    """In which groups the same cards are named is told by full forms only, where a game says that it makes no difference."""
    notation = notation_of(rulebook)
    return notation.same if notation.grammar.same else as_played


def as_played(value: Any) -> Any:
    """A move so that the order of cards and groups makes no difference."""
    match value:
        case dict():
            return {name: as_played(inner) for name, inner in value.items()}
        case list() | tuple():
            return sorted(map(as_played, value), key=repr)
        case _:
            return value


def lines_tell_what_is_asked(playout: Playout, part: Part) -> Breaches:
    """A hand recorded with unknown cards: behind the move stand the faces that the act asks for, and the rules take what is read."""
    recording = _Typed(playout, part, playout.random("part"))
    yield from recording.breaches()
    yield from recording.misread


class _Typed(Recording):
    """Records again, and types every move that asks for cards. What is told unasked is typed in the tests of each game."""

    def __init__(self, playout: Playout, part: Part, chance: Random) -> None:
        super().__init__(playout, part, chance)
        self.misread: list[str] = []

    def _again(self, step: Step) -> Again:
        again = super()._again(step)
        if step.move is not None and again.asked and not self.bystander.tells(self.rules, step):
            for language in LANGUAGES:
                self.misread.extend(self._typed(step, step.move, language))
        return again

    def _typed(self, step: Step, move: Move, language: str) -> Iterator[str]:
        line = write(self.rules, move, language, (step.before, step.seat))
        for _ in range(MOST_ROUNDS):
            meant = read(self.rules, self.table, step.seat, line, language)
            if not isinstance(meant, MoveReading):
                yield f"{line!r} ({language}) is read as {meant}"
                return
            try:
                self.rules.resolve(self.table, step.seat, move, KnownFaces(meant.told.known or UNSET, meant.told.lacks or UNSET))
            except Refused as refused:
                if refused.code != "card_unknown":
                    yield f"{line!r} ({language}) is refused: {refused.code} {refused.detail}, told {meant.told}"
                    return
                line += self._answers(step, asks_in(refused), language)
            else:
                return
        yield f"{line!r} ({language}) is asked again and again"

    def _answers(self, step: Step, asks: Iterable[Mapping[str, Any]], language: str) -> str:
        alphabet, faces = notation_of(self.rules).letters.of(language), ""
        for ask in asks:
            lying = self._lying_before(step, ask["zone"])
            if "face" in ask:
                return "!" if ask["face"] in lying else "~"
            faces += "".join(alphabet.write_card(lying[place]) for place in ask.get("places", range(len(lying))))
        return f" !{faces}"
