"""Sentences of the service, which counts seats from 0, with the names of the seats in them."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from domain import texts
from domain.games import RULESETS
from domain.texts import format_text
from tests.npm import NODE, started

HERE = Path(__file__).parent
ASSETS = HERE.parents[2] / "api" / "assets"
NUMBERED = re.compile(r"(?i)\b(?:party|partei|seats?|sitz(?:en?)?) \{(\w+)(?::\w+)?\}")


def on_the_page(folder: Path, language: str, **given: Any) -> Any:
    (folder / "given.json").write_text(json.dumps({"parties": [[0, 2], [1]], **given}), encoding="utf-8")
    said = started(NODE, "--no-warnings", HERE / "names.mjs", ASSETS, language, folder / "given.json", folder / "found.json")
    assert (said.returncode, said.stdout) == (0, "")
    return json.loads((folder / "found.json").read_text(encoding="utf-8"))


def named(folder: Path, language: str, sentences: Sequence[str]) -> list[str]:
    found: list[str] = on_the_page(folder, language, names=["Anna", "Bert", "Cora"], sentences=sentences)["sentences"]
    return found


def sentences(language: str) -> Iterator[str]:
    """Every sentence that names a seat or a party by its number, once with one of them and once with several."""
    for known in (texts.COMMON[language], *(ruleset.about().words.get(language, {}) for ruleset in RULESETS.values())):
        for text in known.values():
            if of := set(NUMBERED.findall(text)):
                yield format_text(text, dict.fromkeys(of, 1), language)
                yield format_text(
                    text, dict.fromkeys(of, (0, 1, 2)) if "arty" not in text and "artei" not in text else dict.fromkeys(of, 0), language
                )


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_no_sentence_keeps_the_number_of_a_seat(tmp_path: Path, language: str):
    given = list(sentences(language))
    left = [one for one in named(tmp_path, language, given) if re.search(r"(?i)\b(party|partei|seats?|sitz\w*) \d", one)]
    assert (len(given) > 50, left) == (True, [])


@pytest.mark.parametrize(
    ("language", "sentence", "said"),
    [
        ("en", "Seat 1 cannot move now. To act: seat 0 or 2.", "Bert cannot move now. To act: Anna or Cora."),
        ("de", "Sitz 1 ist nicht an der Reihe. Am Zug: Sitz 0 oder 2.", "Bert ist nicht an der Reihe. Am Zug: Anna oder Cora."),
        ("de", "Gleichstand zwischen den Sitzen 0 und 1.", "Gleichstand zwischen Anna und Bert."),
        ("en", "Party 0 signed this score sheet already.", "Anna and Cora signed this score sheet already."),
        ("en", "There is no seat 9 in this game.", "There is no seat 9 in this game."),
        ("en", "10 seats are free, 7♦ is not.", "10 seats are free, 7♦ is not."),
    ],
)
def test_names_stand_in_the_place_of_numbers(tmp_path: Path, language: str, sentence: str, said: str):
    assert named(tmp_path, language, [sentence]) == [said]


MENTIONS = {
    "@ann ? b4": ("@0 ? b4", "@ann ? b4", []),
    "@BERT b4": ("@1 b4", "@BERT b4", []),
    "@b b4": ("@b b4", "@b b4", []),
    "@2 ? B4": ("@2 ? B4", "@BerntVogel ? B4", []),
    "!9h @1!ah": ("!9h @1!ah", "!9h @Bert !ah", []),
    "@": ("@", "@", ["@AnnaMüller ", "@Bert ", "@BerntVogel ", "@Seat4 "]),
    "9s - @ber": ("9s - @ber", "9s - @ber", ["9s - @Bert ", "9s - @BerntVogel "]),
    "@seat": ("@3", "@seat", ["@Seat4 "]),
    "@7 ah": ("@7 ah", "@7 ah", []),
}


def test_a_name_behind_the_sign_is_completed_and_sent_as_its_seat(tmp_path: Path):
    lines = on_the_page(tmp_path, "en", names=["Anna Müller", "Bert", "Bernt Vogel", "Seat 4"], lines=list(MENTIONS))["lines"]
    assert {line: tuple(made.values()) for line, made in zip(MENTIONS, lines, strict=True)} == MENTIONS


def test_two_with_one_name_keep_their_numbers(tmp_path: Path):
    (line,) = on_the_page(tmp_path, "en", names=["Anna", "Anna"], lines=["@1 ah"])["lines"]
    assert line == {"numbered": "@1 ah", "mentioned": "@1 ah", "completions": []}
