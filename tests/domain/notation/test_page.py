"""The examples of ``docs/notation.md``: moves are written as the page says, and its other lines mean them where no other is legal."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from domain.games import RULESETS
from domain.notation.letters import SIGNS, Move, replace_words
from domain.notation.meaning import meaning_of
from domain.notation.syntax import MoveContext
from domain.notation.writing import notation_of, write
from domain.rules import Rulebook
from domain.table import Table
from domain.texts import LANGUAGES
from tests.each import each

PAGE = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="utf-8")

GAMES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "alcasan": ("alcasan", 2, {}),
    "Cascades": ("cascades", 1, {"pawns": True, "courts": True}),
    "Quartett, classic": ("quartett-classic", 3, {}),
    "Quartett, Trumpfspiel": ("quartett-trumpf", 2, {}),
    "Casino": ("casino", 2, {}),
    "Canasta": ("canasta", 4, {}),
}
"""By the heading on the page: the ruleset, and how it is played there."""


class Example(NamedTuple):
    game: str
    move: Move
    full: str
    german: str
    typed: list[str]


def examples() -> Iterator[Example]:
    for section in PAGE.partition("## The games")[2].partition("## Cards that nobody")[0].split("### ")[1:]:
        heading, *lines = section.splitlines()
        for line in lines:
            if line.startswith("| `"):
                move, full, german, typed = (cell.strip() for cell in line.strip("|").split("|"))
                yield Example(heading, json.loads(move.strip("`")), full.strip("`"), german.strip("`"), re.findall(r"`([^`]*)`", typed))


EXAMPLES = list(examples())


def bound(game: str) -> Rulebook:
    key, seats, options = GAMES[game]
    return RULESETS[key].bind(options, seats)


def plays(value: Any) -> Any:
    """JSON as the rulebook lists it."""
    match value:
        case list():
            return tuple(plays(item) for item in value)
        case dict():
            return {name: plays(inner) for name, inner in value.items()}
        case _:
            return value


@each("example", EXAMPLES, ids=str)
def test_a_move_is_written_as_the_page_says(example: Example):
    rulebook = bound(example.game)
    assert write(rulebook, plays(example.move), "en") == example.full
    assert write(rulebook, plays(example.move), "de") == example.german


@each("example", [one for one in EXAMPLES if not notation_of(bound(one.game)).grammar.fitting], ids=str)
def test_what_else_is_typed_means_the_move_where_no_other_of_its_kind_is_legal(example: Example):
    rulebook = bound(example.game)
    move = plays(example.move)
    notation = replace(notation_of(rulebook), legal=lambda *_: iter([move]))
    situation = MoveContext(notation, Table(rulebook.setup), 0)
    for line in (example.full, *example.typed):
        assert meaning_of(situation, line, "en").meant == (move,)


def test_every_game_with_a_grammar_has_examples_of_all_its_moves():
    for game, (key, _, _) in GAMES.items():
        rulebook = bound(game)
        if rulebook.notation is not None:
            assert {str(example.move["type"]) for example in EXAMPLES if example.game == game} == set(rulebook.types), key


def test_the_words_of_the_page_are_read_in_every_language():
    table = PAGE.partition("### Words")[2].partition("## Cards that")[0]
    named = {game: re.findall(r"`([^`]*)`", said) for game, said in re.findall(r"^\| ([A-Z a-z,]+?) \| (.*)$", table, re.MULTILINE)}
    read = {(game, language): notation_of(bound(game)).words(language) for game in GAMES for language in LANGUAGES}
    assert [
        (game, line)
        for (game, language), words in read.items()
        for line in named[game]
        if replace_words(line, words) == line and line not in SIGNS[language]
    ] == []


def test_the_page_explains_every_sign():
    table = PAGE.partition("## Signs")[2].partition("## Cards")[0]
    assert set(SIGNS["en"].values()) <= set(re.findall(r"`([^`]+)`", table))
