"""People behind the ids of players, and how their names are folded, so that a search finds them however they are spelt.

The register of people is the one place that holds names. A row is written after the player's event was recorded. A row without a name
is of a player who was erased: it stays, so that a request that comes again does not bring the name back.
"""

import unicodedata
from collections.abc import Mapping

from msgspec import Struct


class Person(Struct, frozen=True):
    """``alias`` is what the public sees; without one it sees the id. ``changed_by`` is a principal, the time RFC 3339 in UTC."""

    player: str
    name: str | None
    alias: str | None
    changed_at: str
    changed_by: str


def folded(person: Person) -> tuple[str, str]:
    """Each spelling of each word with a blank before it: of name, alias and id, and of what the public is told, alias and id."""
    public = (person.alias, person.player)
    return _folded(person.name, *public), _folded(*public)


def wanted_spellings(words: str) -> list[tuple[str, ...]]:
    """For each word that is looked for its spellings. Raises ValueError if there is no letter and no digit to look for."""
    searched = [_spellings(word) for word in _words(words)]
    if not searched:
        raise ValueError("there is nothing to look for")
    return searched


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
