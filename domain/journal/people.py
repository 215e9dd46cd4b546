"""People behind the ids of players, and how their names are folded, so that a search finds them however they are spelt.

The register of people is the one place that holds names. A row is written after the player's event was recorded. The row of
an erased player stays, without a name, so that a repeated request does not bring the name back.
"""

import unicodedata
from collections.abc import Mapping

from msgspec import Struct


class Person(Struct, frozen=True):
    """``alias`` is what the public sees. ``changed_by`` is a principal, the time RFC 3339 in UTC. ``objects_to_names``: the person does
    not want to be called by name before anybody but officials.
    """

    player: str
    name: str | None
    alias: str | None
    changed_at: str
    changed_by: str
    objects_to_names: bool = False


def folded(person: Person) -> tuple[str, str]:
    """The texts to search in: every spelling of every word, each after a blank. First for officials (name, alias, id), then for the
    public (alias, id)."""
    public = (person.alias, person.player)
    return _folded(person.name, *public), _folded(*public)


def initials_of(name: str) -> str | None:
    """The first letter of each word: ``A. M.`` for Anna Müller. None for a name without a letter or digit."""
    letters = [next((sign for sign in word if sign.isalnum()), "") for word in name.split()]
    return " ".join(f"{letter}." for letter in letters if letter) or None


def wanted_spellings(words: str) -> list[tuple[str, ...]]:
    """The spellings of each searched word. Raises ValueError if the text holds no letter and no digit."""
    searched = [_spellings(word) for word in _words(words)]
    if not searched:
        raise ValueError("there is nothing to look for")
    return searched


_WHOLE: Mapping[str, str] = {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
"""Letters that Unicode does not decompose into a letter with an accent, though people search for them as if it did."""
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
