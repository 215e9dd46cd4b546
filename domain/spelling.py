"""Which signs names of people and tournaments, and ids that come from outside, may be written with.

What cannot be seen, or turns the direction of what stands beside it, makes one name look like another, or a line like another line.
"""

import re
import unicodedata

from domain.errors import Malformed
from domain.texts import say

_CONTROLS = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_BIDI = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# The default ignorable code points of Unicode (but for the two joiners), fillers, annotations, the blank of Braille, private use, and
# what is no character. Variation selectors and tags are among them: a name is the same name without them.
_UNSEEN = (
    r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0"
    r"\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
)
_FORBIDDEN = re.compile(f"[{_CONTROLS}{_BIDI}{_UNSEEN}]")

_JOINERS = "\u200c\u200d"
_JOINING = ("ARABIC ", "SYRIAC ", "MONGOLIAN ", "NKO ", "MANDAIC ", "ADLAM ", "PHAGS-PA ")
"""Scripts whose letters take another form beside others, as Unicode's names of letters begin."""
_VIRAMA = 9
"""The combining class of the sign by which Indic scripts tie letters together."""

LONGEST_ID = 100
_IN_IDS = rf"[^\s/\u0300-\u036f{_JOINERS}{_CONTROLS}{_BIDI}{_UNSEEN}]"
ID = rf"^(?!\.\.?$){_IN_IDS}+( {_IN_IDS}+)*$(?!\n)"
"""The one pattern of ids that come from outside: players, clubs, tournaments, tables. What was recorded before may be of another form."""


def is_id(text: str) -> bool:
    return len(text) <= LONGEST_ID and re.search(ID, text) is not None


def tidy_name(text: str, where: str) -> str:
    """The name in NFC. Raises ``Malformed`` with ``bad_name`` for signs that cannot be seen, or that turn the direction of others."""
    name = unicodedata.normalize("NFC", text)
    astray = [sign for before, sign, after in zip(f" {name}", name, f"{name[1:]} ", strict=False) if not _stands(before, sign, after)]
    if astray:
        raise Malformed("bad_name", say("name.unseen_sign", sign=f"U+{ord(astray[0]):04X}"), where)
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in name):
        raise Malformed("bad_name", say("name.nothing_seen"), where)
    return name


def _stands(before: str, sign: str, after: str) -> bool:
    """A joiner only where its script needs it: behind a virama, or to part two letters that would join."""
    if sign not in _JOINERS:
        return _FORBIDDEN.match(sign) is None
    parts = sign == "\u200c" and all(unicodedata.name(one, "").startswith(_JOINING) for one in (before, after))
    return parts or unicodedata.combining(before) == _VIRAMA
