"""The register of people: who is behind the id of a player. The one place that holds names, and the one SQL for both databases.

A row is written after the player's event was recorded. A row without a name is of a player who was erased: it stays, so that a
request that comes again does not bring the name back.
"""

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from msgspec import Struct

from domain.journal.registers import Registers


class Person(Struct, frozen=True):
    """``alias`` is what the public sees; without one it sees the id. ``changed_by`` is a principal, the time RFC 3339 in UTC."""

    player: str
    name: str | None
    alias: str | None
    changed_at: str
    changed_by: str


_COLUMNS = "player, name, alias, changed_at, changed_by"
_ADD = "INSERT INTO people (player, name, alias, words, public_words, changed_at, changed_by) VALUES "
_ROW = "(?, ?, ?, ?, ?, ?, ?)"
_RENAME = (
    " ON CONFLICT (player) DO UPDATE SET name = excluded.name, alias = excluded.alias, words = excluded.words,"
    " public_words = excluded.public_words, changed_at = excluded.changed_at, changed_by = excluded.changed_by"
    " WHERE people.name IS NOT NULL"
)
_ERASE = (
    " ON CONFLICT (player) DO UPDATE SET name = NULL, alias = NULL, words = '', public_words = '',"
    " changed_at = excluded.changed_at, changed_by = excluded.changed_by"
)
_MOST = 500  # rows in a statement


def enter(registers: Registers, people: Sequence[Person]) -> None:
    """New people. Who is there already, or was erased, is left as he is: a request that comes again changes nothing."""
    for some in _portions(people):
        values = [value for person in some for value in _values(person)]
        registers.change(f"{_ADD}{', '.join([_ROW] * len(some))} ON CONFLICT (player) DO NOTHING", values)


def rename(registers: Registers, person: Person) -> bool:
    """Another name and alias; also for one who had none yet. False if he was erased."""
    return registers.change(f"{_ADD}{_ROW}{_RENAME}", _values(person)) == 1


def erase(registers: Registers, player: str, stream: UUID, at: str, by: str) -> None:
    """Takes name and alias away for good, also of one who was never entered.

    The keys of commands in the player's stream go, too: what they keep is a digest of the request that held the name.
    """
    registers.change(f"{_ADD}{_ROW}{_ERASE}", (player, None, None, "", "", at, by))
    registers.change("DELETE FROM commands WHERE game = ?", (registers.to_column(stream),))


def people(registers: Registers, players: Iterable[str]) -> dict[str, Person]:
    """Who is known of these, by player; erased ones are known without a name."""
    found: dict[str, Person] = {}
    for some in _portions(list(dict.fromkeys(players))):
        rows = registers.query(f"SELECT {_COLUMNS} FROM people WHERE player IN ({', '.join('?' * len(some))})", some)
        found |= {row[0]: Person(*row) for row in rows}
    return found


def search(registers: Registers, words: str, *, after: str, limit: int, public: bool, among: Collection[str] | None = None) -> list[Person]:
    """Those of whom each of the words begins a word of name, alias or id, in the order of their ids, those after the id ``after``.

    ``public``: of alias or id only, so that nobody finds by a name what the public is not told. ``among``: of these ids only, a few
    hundred at most. Raises ValueError if there is no letter and no digit to look for.
    """
    column = "public_words" if public else "words"
    wanted = [_spellings(word) for word in _words(words)]
    if not wanted:
        raise ValueError("there is nothing to look for")
    if among is not None and not among:
        return []
    each = " AND ".join(f"({' OR '.join([f'{column} LIKE ?'] * len(spellings))})" for spellings in wanted)
    patterns = [f"% {spelling}%" for spellings in wanted for spelling in spellings]
    chosen = "" if among is None else f" AND player IN ({', '.join('?' * len(among))})"
    where = f"player > ? AND {each}{chosen}"
    found = (after, *patterns, *(among or ()), limit)
    rows = registers.query(f"SELECT {_COLUMNS} FROM people WHERE {where} ORDER BY player LIMIT ?", found)
    return [Person(*row) for row in rows]


def _portions(items: Sequence) -> Iterator[Sequence]:  # type: ignore[type-arg]
    return (items[start : start + _MOST] for start in range(0, len(items), _MOST))


def _values(person: Person) -> tuple[str | None, ...]:
    public = (person.alias, person.player)
    return (
        person.player,
        person.name,
        person.alias,
        _folded(person.name, *public),
        _folded(*public),
        person.changed_at,
        person.changed_by,
    )


_WHOLE: Mapping[str, str] = {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
"""Letters that are no letter with an accent to Unicode, but are to people who look for a name."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def _folded(*texts: str | None) -> str:
    found = (spelling for text in texts if text for word in _words(text) for spelling in _spellings(word))
    return "".join(f" {spelling}" for spelling in dict.fromkeys(found))


def _words(text: str) -> list[str]:
    """The words in small letters, composed, without signs: ``O'Brien`` is two."""
    small = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(sign if unicodedata.category(sign)[0] in "LNM" else " " for sign in small).split()


def _spellings(word: str) -> tuple[str, ...]:
    """Without accents, and with ``ue`` for ``ü`` as Germans write it where they have to."""
    return tuple(dict.fromkeys((_plain(word), _plain(word.translate(_UMLAUTS)))))


def _plain(word: str) -> str:
    apart = unicodedata.normalize("NFD", "".join(_WHOLE.get(sign, sign) for sign in word))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))
