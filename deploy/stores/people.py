"""The SQL of the register of people, once for both databases."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from deploy.stores.statements import FORGET_FINGERPRINTS, Statements, placeholders
from domain.journal.commits import CommandKey
from domain.journal.people import Person, folded, wanted_spellings
from domain.player import player_stream

_COLUMNS = "player, name, alias, changed_at, changed_by, objects"
_ADD = "INSERT INTO people (player, name, alias, words, public_words, changed_at, changed_by, objects) VALUES "
_ROW = "(?, ?, ?, ?, ?, ?, ?, ?)"
_RENAME = (
    " ON CONFLICT (player) DO UPDATE SET name = excluded.name, alias = excluded.alias, words = excluded.words,"
    " public_words = excluded.public_words, changed_at = excluded.changed_at, changed_by = excluded.changed_by,"
    " objects = excluded.objects WHERE people.name IS NOT NULL"
)
_ERASE = (
    " ON CONFLICT (player) DO UPDATE SET name = NULL, alias = NULL, words = '', public_words = '',"
    " changed_at = excluded.changed_at, changed_by = excluded.changed_by WHERE people.name IS NOT NULL"
)
_MOST = 500  # rows in a statement


class PeopleSql(Statements):
    """As ``Registers`` wants it."""

    def enter_people(self, people: Sequence[Person]) -> None:
        for some in _portions(people):
            values = [value for person in some for value in _values(person)]
            self.change(f"{_ADD}{', '.join([_ROW] * len(some))} ON CONFLICT (player) DO NOTHING", values)

    def rename_person(self, person: Person, command: CommandKey | None = None) -> bool:
        stream = player_stream(person.player)  # an erasure takes the fingerprint along, which was made of the name
        return self.change(f"{_ADD}{_ROW}{_RENAME}", _values(person), *self.key_of(command, stream.hex)) == 1

    def erase_person(self, player: str, stream: UUID, at: str, by: str) -> None:
        self.change(f"{_ADD}{_ROW}{_ERASE}", (player, None, None, "", "", at, by, 0))
        self.change(FORGET_FINGERPRINTS, (self.to_column(stream),))

    def find_people(self, players: Iterable[str]) -> dict[str, Person]:
        found: dict[str, Person] = {}
        for some in _portions(list(dict.fromkeys(players))):
            rows = self.query(f"SELECT {_COLUMNS} FROM people WHERE player IN ({placeholders(some)})", some)
            found |= {row[0]: _person(row) for row in rows}
        return found

    def search_people(self, words: str, *, after: str, limit: int, public: bool, among: Collection[str] | None = None) -> list[Person]:
        wanted = wanted_spellings(words)
        if among is not None and not among:
            return []
        column = "public_words" if public else "words"
        each = " AND ".join(f"({' OR '.join([f'{column} LIKE ?'] * len(spellings))})" for spellings in wanted)
        patterns = [f"% {spelling}%" for spellings in wanted for spelling in spellings]
        chosen = "" if among is None else f" AND player IN ({placeholders(among)})"
        sql = f"SELECT {_COLUMNS} FROM people WHERE player > ? AND {each}{chosen} ORDER BY player LIMIT ?"
        return [_person(row) for row in self.query(sql, (after, *patterns, *(among or ()), limit))]


def _portions(items: Sequence) -> Iterator[Sequence]:  # type: ignore[type-arg]
    return (items[start : start + _MOST] for start in range(0, len(items), _MOST))


def _values(person: Person) -> tuple[str | int | None, ...]:
    return (person.player, person.name, person.alias, *folded(person), person.changed_at, person.changed_by, int(person.objects_to_names))


def _person(row: Sequence[Any]) -> Person:
    player, name, alias, changed_at, changed_by, objects = row
    return Person(player, name, alias, changed_at, changed_by, bool(objects))
