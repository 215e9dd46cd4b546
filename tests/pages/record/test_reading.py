"""A line that is typed on the page means there what it means to the service, as long as the page holds every legal move."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from api.games.lines import write_moves
from api.pages.record_page import view_notation
from domain.games import RULESETS
from domain.notation.reading import read
from domain.notation.reading_types import Ambiguous, MoveReading
from domain.notation.writing import notation_of, write
from domain.rules import Move, Rulebook
from domain.sight import Viewer, masked
from domain.texts import LANGUAGES
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.laws import Step
from tests.notation.short import write_short
from tests.npm import NODE, started

HERE = Path(__file__).parent
READING = HERE.parents[2] / "api" / "assets" / "record" / "reading.js"
MOST, TRIED_MOVES = 200, 25
"""Moves that a page holds; and those of a game whose lines are tried."""


class Position(Struct):
    notation: Any
    lines: list[str]
    list: list[dict[str, Any]]


class Tried(Struct):
    rulebook: Rulebook
    step: Step
    language: str
    moves: list[Move]
    given: Position


def tried(ruleset: str) -> Iterator[Tried]:
    """Moves of a random game, where the page can hold all that is legal, with lines that mean them, or less."""
    chance, game = Random(f"lines of {ruleset}"), random_game(ruleset, TRIED[ruleset]().set_ups[0], "lines")
    rulebook, played = game.rulebook, list(game.moves())
    for number, (step, move) in enumerate(chance.sample(played, min(TRIED_MOVES, len(played)))):
        language = LANGUAGES[number % 2]
        moves = list(islice(rulebook.legal(masked(step.before, Viewer(step.seat)), step.seat), MOST + 1))
        if len(moves) > MOST:
            continue
        full, short = write(rulebook, move, language), write_short(rulebook, step.before, step.seat, move, language)
        part = full.replace(" ", "")[: chance.randrange(1, len(full) + 1)]
        lines = [full, short, full.replace(" ", "").lower(), part, short[:-1], "", full.replace(" ", ", ") + " .", *_less(full, chance)]
        written, units = write_moves(rulebook, moves, language)
        listed = [
            {"move": one, "written": line, "units": spelled}
            for one, line, spelled in zip(moves, written, msgspec.to_builtins(units), strict=True)
        ]
        yield Tried(rulebook, step, language, moves, Position(view_notation(notation_of(rulebook), language), lines, listed))


def _less(full: str, chance: Random) -> list[str]:
    """With letters left out here and there."""
    return ["".join(letter for letter in full.lower() if letter != " " and chance.random() > share) for share in (0.15, 0.3, 0.5)]


def on_the_page(positions: list[Tried], folder: Path) -> list[list[dict[str, Any]]]:
    (folder / "positions.json").write_bytes(msgspec.json.encode([one.given for one in positions]))
    said = started(NODE, "--no-warnings", HERE / "reading.mjs", READING, folder / "positions.json", folder / "readings.json")
    assert (said.returncode, said.stdout) == (0, "")
    found: list[list[dict[str, Any]]] = json.loads((folder / "readings.json").read_bytes())
    return found


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_a_line_that_means_one_move_on_the_page_means_it_to_the_service(ruleset: str, tmp_path: Path):
    positions = list(tried(ruleset))
    assert positions
    breaches, agreed = [], 0
    for one, readings in zip(positions, on_the_page(positions, tmp_path), strict=True):
        same = notation_of(one.rulebook).same
        for line, reading in zip(one.given.lines, readings, strict=True):
            here = [same(one.moves[place]) for place in reading["meant"]]
            match read(one.rulebook, one.step.before, one.step.seat, line, one.language):
                case MoveReading(move=move):
                    due = [same(move)]
                case Ambiguous():
                    due = here if len(here) > 1 else ["several"]
                case _:
                    due = []
            agreed += here == due
            if here != due and (len(here) == 1 or line == one.given.lines[0]):
                breaches.append((line, one.language, here, due))
    assert breaches == []
    assert agreed >= 0.95 * sum(len(one.given.lines) for one in positions)
