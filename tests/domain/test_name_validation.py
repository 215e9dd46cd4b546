"""The signs of names and ids: what cannot be seen is in none of them."""

import re
import unicodedata

import pytest

from domain.errors import InvalidFormatError
from domain.name_validation import ID, is_id, normalize_name
from tests.each import each

NAMES = {
    "Anna Müller": "Anna Müller",
    "an accent apart": "Ame\u0301lie",
    "an accent that no letter has": "x\u0301y",
    "signs between words": "Siobhán O'Brien-Smith",
    "kanji": "山田 太郎",
    "kanji beyond the first plane": "𠮷田",
    "an old Korean syllable": "각",
    "emoji": "Falke 🦅",
    "a joiner behind a virama": "ශ්\u200dරී",
    "a parting sign behind a virama": "क्\u200cष",
    "a parting sign between Persian letters": "مهدی\u200cزاده",
    "Hebrew": "חנה",
}
UNSEEN = {
    "a bell": "An\x07na",
    "a line": "Anna\nMüller",
    "C1": "An\x85na",
    "DEL": "An\x7fna",
    "a soft hyphen": "An\u00adna",
    "a blank of no width": "An\u200bna",
    "a mark of order": "\ufeffAnna",
    "a word joiner": "An\u2060na",
    "right to left": "Anna \u202egnal",
    "an isolate": "\u2066Anna\u2069",
    "a mark of direction": "Anna\u200f",
    "an Arabic mark of direction": "Anna\u061c",
    "a line separator": "Anna\u2028Müller",
    "a Hangul filler": "Anna\u3164",
    "a blank of Braille": "Anna\u2800",
    "a tag": "Anna\U000e0041",
    "a variation selector": "Anna\ufe0f",
    "private use": "Anna\ue000",
    "no character": "Anna\ufffe",
    "a joiner between Latin letters": "An\u200dna",
    "a parting sign between Latin letters": "An\u200cna",
    "a parting sign at an end": "مهدی\u200c",
    "a joiner between emoji": "👩\u200d🎤",
}


@each("name", NAMES.values(), ids=NAMES)
def test_a_name_that_can_be_read_is_kept_in_its_composed_form(name: str):
    assert normalize_name(name, "name") == unicodedata.normalize("NFC", name)


@each("name", UNSEEN.values(), ids=UNSEEN)
def test_a_sign_that_cannot_be_seen_or_turns_others_is_refused_with_its_number(name: str):
    with pytest.raises(InvalidFormatError, match=r"U\+[0-9A-F]{4,5} cannot stand here") as refused:
        normalize_name(name, "alias")
    assert (refused.value.code, refused.value.where) == ("bad_name", "alias")


@each("name", ["", " ", "\u00a0", "\u3000 \u2003", "\u0301"])
def test_a_name_of_blanks_is_none(name: str):
    with pytest.raises(InvalidFormatError, match="can be seen"):
        normalize_name(name, "name")


@each("id", ["GER-1017", "p_17", "GER 1017", "Müller?3#1", "100%", "Ä;ö,&=+", "日本", "spring-open", "4b", "x" * 100, "..."])
def test_an_id_may_be_anybodys_own(id: str):
    assert is_id(id)


BAD = ["", " ", ".", "..", "a/b", " a", "a ", "a  b", "a\tb", "a\u00a0b", "a\n", "x" * 101, "Mu\u0308ller", "a\u200db", "a\u200cb"]


@each("id", [*BAD, *UNSEEN.values()])
def test_an_id_that_looks_like_another_or_cannot_stand_in_an_address_is_none(id: str):
    assert not is_id(id)


def test_an_id_holds_no_sign_that_nfc_writes_otherwise():
    signs = (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    assert [sign for sign in signs if not unicodedata.is_normalized("NFC", sign) and re.search(ID, sign)] == []


@each("id", ["\u212aim", "\u212b", "\u2126", "\u304b\u3099", "\u1100\u1161", "\u0627\u0653", "\u0928\u093c"])
def test_an_id_is_its_own_nfc(id: str):
    assert not is_id(id)
    assert unicodedata.normalize("NFC", id) == id or is_id(unicodedata.normalize("NFC", id))
