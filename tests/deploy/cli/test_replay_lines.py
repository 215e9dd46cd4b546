"""Text rendering of positions: everything on the table, and no empty fields."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from deploy.cli.main import main
from deploy.cli.replay_lines import SPEAKING, FramePrinter, has_own_line
from domain.games import RULESETS
from domain.rules import Ruleset
from domain.texts import COMMON, LANGUAGES
from replay.sample_games import find_minimum_seats, play_sample_game

CASES = Path(__file__).parent.parent.parent / "cases"
CASINO = CASES / "casino" / "hand-two-players-classic.json"
CANASTA = CASES / "canasta" / "05-initial-meld-55.json"


def table(record: Path, position: int, *more: str) -> list[str]:
    """The lines of a position without what happened."""
    result = CliRunner().invoke(main, ["replay", str(record), "--position", str(position), *more])
    assert result.exit_code in (0, 1), result.output
    return [line.strip() for line in result.stdout.splitlines()[3:]]


@pytest.mark.parametrize(
    ("language", "builds"),
    [
        ("en", "builds: number 2, value 8, single, owner (seat) 1, 3♠ 4♣ A♣"),
        ("de", "Builds: Nummer 2, Wert 8, einzeln, Besitzer (Sitz) 1, 3♠ 4♣ A♣"),
    ],
)
def test_the_builds_of_casino_lie_on_the_table(language: str, builds: str):
    assert builds in table(CASINO, 19, "--lang", language)


@pytest.mark.parametrize(
    ("language", "melds"),
    [
        ("en", ["melds:", "8: 8♠ 8♠ 8♥ 8♥, natural 4, wild 0; 7: 7♠ 7♠ 7♥, natural 3, wild 0", "–"]),
        ("de", ["Meldungen:", "8: 8♠ 8♠ 8♥ 8♥, echt 4, wild 0; 7: 7♠ 7♠ 7♥, echt 3, wild 0", "–"]),
    ],
)
def test_the_melds_of_canasta_lie_on_the_table(language: str, melds: list[str]):
    lines = table(CANASTA, 4, "--lang", language)
    assert lines[lines.index(melds[0]) :][:3] == melds


def test_of_the_stock_the_size_is_told_and_nothing_of_what_says_nothing():
    assert table(CASINO, 2, "--lang", "en") == [
        "seat 0: J♣ K♠ 6♦ J♠",
        "seat 1: 4♣ 2♥ 8♠ 5♦",
        "stock: 40 cards",
        "deal: 1",
        "table: 9♣ 7♣ 8♥ 2♦",
        "sweeps: 0 0",
        "Totals: 0 : 0",
        "To act: seat 1",
    ]
    assert table(CASINO, 2, "--view", "public")[:3] == ["seat 0: (4 not seen)", "seat 1: (4 not seen)", "stock: 40 cards"]


def test_the_last_card_of_the_stock_is_one_card():
    printer = FramePrinter("casino", "de")
    assert [[*printer.fields({"stock": ["?"] * count})] for count in (0, 1, 2)] == [[], ["Talon: 1 Karte"], ["Talon: 2 Karten"]]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_every_field_of_a_table_has_a_name_in_every_language(ruleset: Ruleset):
    """Missing names belong into the catalogues of the games, as ``field.<name>``."""
    rulebook = ruleset.bind({}, find_minimum_seats(ruleset, {}))
    steps = islice(play_sample_game(rulebook, Random(1)), 200)
    names = {name for step in steps for name in named_in(msgspec.to_builtins(rulebook.view(step.table)))}
    words = {language: {**COMMON[language], **ruleset.about().words.get(language, {})} for language in LANGUAGES}
    assert [(name, language) for name in sorted(names) for language in LANGUAGES if f"field.{name}" not in words[language]] == []


def named_in(view: dict[str, Any]) -> Iterator[str]:
    """The fields of a state view that have names, and those of the objects in them."""
    for name, value in view.items():
        if has_own_line(name):
            yield name
            yield from parts_of(value)


def parts_of(value: object) -> Iterator[str]:
    match value:
        case dict() if all(isinstance(part, dict) for part in value.values()):
            yield from (name for part in value.values() for name in parts_of(part))
        case dict():
            yield from (name for name in value if name not in SPEAKING)
        case list():
            yield from (name for item in value for name in parts_of(item))
