"""Unicode validation of names of people and tournaments, and of ids that come from outside.

Invisible signs, and signs that change the direction of text, can make one name look like another, or a line like another line.
"""

import re
import unicodedata

from domain.errors import InvalidFormatError
from domain.texts import say

_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_BIDI = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# The default ignorable code points of Unicode (except the two joiners), fillers, annotations, the blank of Braille, private use, and
# what is no character. Variation selectors and tags are among them: a name is the same name without them.
_UNSEEN = (
    r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0"
    r"\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
# Signs that NFC replaces by another sign, or by others: the marks of Kelvin, Ohm and Angstrom, compatibility ideographs, ligatures.
_RECOMPOSED = (
    r"\u0374\u037e\u0387\u0958-\u095f\u09dc\u09dd\u09df\u0a33\u0a36\u0a59-\u0a5b\u0a5e\u0b5c\u0b5d\u0f43\u0f4d\u0f52\u0f57\u0f5c\u0f69\u0f73\u0f75\u0f76"
    r"\u0f78\u0f81\u0f93\u0f9d\u0fa2\u0fa7\u0fac\u0fb9\u1f71\u1f73\u1f75\u1f77\u1f79\u1f7b\u1f7d\u1fbb\u1fbe\u1fc9\u1fcb\u1fd3\u1fdb\u1fe3\u1feb\u1fee\u1fef\u1ff9"
    r"\u1ffb\u1ffd\u2126\u212a\u212b\u2329\u232a\u2adc\uf900-\ufa0d\ufa10\ufa12\ufa15-\ufa1e\ufa20\ufa22\ufa25\ufa26\ufa2a-\ufa6d\ufa70-\ufad9\ufb1d\ufb1f"
    r"\ufb2a-\ufb36\ufb38-\ufb3c\ufb3e\ufb40\ufb41\ufb43\ufb44\ufb46-\ufb4e\U0001d15e-\U0001d164\U0001d1bb-\U0001d1c0\U0002f800-\U0002fa1d"
)
_MARKS = r"\u0300-\u036f\u0653-\u0655\u1161-\u1175\u11a8-\u11c2\u3099\u309a"
"""Accents, vowels and ends of Korean syllables, and marks of kana: in an id they stand with their letters, in one sign."""
_FORBIDDEN = re.compile(f"[{_CONTROLS}{_BIDI}{_UNSEEN}]")

_JOINERS = "\u200c\u200d"
_JOINING = ("ARABIC ", "SYRIAC ", "MONGOLIAN ", "NKO ", "MANDAIC ", "ADLAM ", "PHAGS-PA ")
"""Scripts whose letters take another form beside others, as Unicode's names of letters begin."""
_VIRAMA = 9
"""The combining class of the sign by which Indic scripts tie letters together."""

_APART = str.maketrans("\n\r\t", "   ")

LONGEST_ID = 100
_IN_IDS = rf"[^\s/{_MARKS}{_RECOMPOSED}{_JOINERS}{_CONTROLS}{_BIDI}{_UNSEEN}]"
ID = rf"^(?!\.\.?$){_IN_IDS}+( {_IN_IDS}+)*$(?!\n)"
"""The pattern of all ids that come from outside: players, clubs, tournaments, tables. Older recorded ids may be of another form."""


def fold_text(text: str) -> str:
    """Return the text for a comparison without case and accents, in compatibility forms (NFKD)."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))


def is_id(text: str) -> bool:
    return len(text) <= LONGEST_ID and re.search(ID, text) is not None and unicodedata.is_normalized("NFC", text)


def normalize_name(text: str, where: str) -> str:
    """Return the name in NFC. Raises ``InvalidFormatError`` with ``bad_name`` for invisible signs, or signs that change the direction of
    text.
    """
    name = unicodedata.normalize("NFC", text)
    if astray := _list_invalid_signs(name):
        raise InvalidFormatError("bad_name", say("name.unseen_sign", sign=f"U+{ord(astray[0]):04X}"), where)
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in name):
        raise InvalidFormatError("bad_name", say("name.nothing_seen"), where)
    return name


def check_signs(value: object, where: str) -> None:
    """Raise ``InvalidFormatError`` with ``bad_name`` for a text anywhere in a value of JSON with a sign that ``normalize_name`` allows in
    no name.

    Line breaks and tabs are allowed in texts for people to read.
    """
    if isinstance(value, dict):
        for name, inner in value.items():
            check_signs(name, where)
            check_signs(inner, f"{where}.{name}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            check_signs(inner, f"{where}[{number}]")
    elif isinstance(value, str) and (astray := _list_invalid_signs(value.translate(_APART))):
        raise InvalidFormatError("bad_name", say("name.unseen_sign", sign=f"U+{ord(astray[0]):04X}"), where)


def _list_invalid_signs(text: str) -> list[str]:
    """Return the signs that cannot stand where they do."""
    return [sign for before, sign, after in zip(f" {text}", text, f"{text[1:]} ", strict=False) if not _is_sign_valid(before, sign, after)]


def _is_sign_valid(before: str, sign: str, after: str) -> bool:
    """Return whether the sign may stand there: a joiner only where its script needs it, behind a virama, or to part two letters that would
    join.
    """
    if sign not in _JOINERS:
        return _FORBIDDEN.match(sign) is None
    parts = sign == "\u200c" and all(unicodedata.name(one, "").startswith(_JOINING) for one in (before, after))
    return parts or unicodedata.combining(before) == _VIRAMA
