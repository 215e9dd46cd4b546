"""What a result card says of a hand: rows, sides and figures as they stand on the score sheet, and who leads or has won."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from api.common.signed_sheets import view_signed_sheet
from domain.game import project
from domain.games import RULESETS
from domain.score import sheet
from tests.npm import NODE, started
from tests.pages.table.drawn import NAMES
from tests.pages.table.told import cases, sent

HERE = Path(__file__).parent
COUNT = HERE.parents[2] / "api" / "assets" / "result" / "count.js"


def given(case: str, hand: int) -> dict[str, Any]:
    """The sheet of a case, and a hand on it."""
    ((_, history),) = cases(f"{case}.json")
    game = project(None, history)
    assert game
    return {
        "sheet": sent(view_signed_sheet(sheet(game.setup, game.table.score), None)),
        "hand": hand,
        "names": NAMES[: game.setup.seats],
        "words": RULESETS[game.setup.ruleset].about().words["en"],
    }


def told(card: Any) -> tuple[str, str, list[str]]:
    """Title, who leads, and the table line by line."""
    lines = [" ".join(map(str, (line["name"], *line["figures"]))) for line in card["lines"]]
    return card["title"], card["says"], [" | ".join(card["sides"]), *lines]


SAID = {
    "casino/game-two-players-classic 3": (
        "Game over: Ben wins",
        "",
        [
            "Anna | Ben",
            "Cards 0 3",
            "Spades 0 1",
            "Big Casino 2 0",
            "Little Casino 0 1",
            "Ace of spades 0 1",
            "Ace of clubs 0 1",
            "Ace of hearts 0 1",
            "Ace of diamonds 0 1",
            "Hand 3: played out 2 9",
            "Totals 8 25",
        ],
    ),
    "casino/hand-partners-with-sweeps 1": (
        "Hand 1: played out",
        "In the lead: Anna and Cäcilia",
        [
            "Anna and Cäcilia | Ben and Dan",
            "Cards 3 0",
            "Spades 1 0",
            "Big Casino 2 0",
            "Little Casino 0 1",
            "Ace of spades 1 0",
            "Ace of clubs 0 1",
            "Ace of hearts 1 0",
            "Ace of diamonds 0 1",
            "Sweeps 4 0",
            "Hand 1: played out 12 3",
            "Totals 12 3",
        ],
    ),
    "canasta/19-match-two-hands 2": (
        "Game over: Ben and Dan win",
        "",
        [
            "Anna and Cäcilia | Ben and Dan",
            "Melded cards 15 160",
            "Natural canastas 0 500",
            "Going out 0 100",
            "Concealed going out 0 100",
            "Cards in hand -185 -110",
            "Hand 2: went out -170 750",
            "Totals -395 1350",
        ],
    ),
    "alcasan/17-whole-game-four-seats 1": (
        "Game over: Ben wins",
        "",
        ["Anna | Ben | Cäcilia | Dan", "Seats beaten 1 3 0 2", "Hand 1: finished 1 3 0 2", "Totals 1 3 0 2"],
    ),
    "alcasan/own-reported-hands-of-a-game-of-three 1": (
        "Game over: Anna wins",
        "",
        ["Anna | Ben | Cäcilia", "Seats beaten 2 1 0", "Hand 1 2 1 0", "Totals 4 3 1"],
    ),
    "cascades/whole-game-lost 1": ("Game over: nobody wins", "", ["Anna", "Upper tier 1", "Hand 1: stuck 1", "Totals 1"]),
    "quartett/k11-whole-game-four 1": (
        "Game over: Ben wins",
        "",
        ["Anna | Ben | Cäcilia | Dan", "Quartets 1 4 2 1", "Hand 1: complete 1 4 2 1", "Totals 1 4 2 1"],
    ),
    "quartett/t12-whole-game-three 1": (
        "Game over: Ben wins",
        "",
        ["Anna | Ben | Cäcilia", "Seats beaten 0 2 0", "Hand 1: one left 0 2 0", "Totals 0 2 0"],
    ),
}
"""Of every ruleset; by the case and the hand."""

NONE = "casino/deal-two-players 1"
"""A hand that is not over."""


def described(asked: Sequence[dict[str, Any]], folder: Path) -> list[Any]:
    (folder / "given.json").write_text(json.dumps(asked), encoding="utf-8")
    said = started(NODE, "--no-warnings", HERE / "count.mjs", COUNT, folder / "given.json", folder / "cards.json")
    assert (said.returncode, said.stdout) == (0, "")
    return list(json.loads((folder / "cards.json").read_bytes()))


def test_a_card_of_every_ruleset_says_what_stands_on_its_sheet(tmp_path: Path):
    *cards, none = described([given(case, int(hand)) for case, hand in map(str.split, (*SAID, NONE))], tmp_path)
    assert dict(zip(SAID, map(told, cards), strict=True)) == SAID
    assert none is None


def test_points_of_an_official_stand_on_the_card_of_their_hand(tmp_path: Path):
    (case, hand), level = ("casino/hand-partners-with-sweeps", 1), {"totals": [12, 12]}
    penalty = {"hand": 1, "party": 1, "points": 9, "reason": None}
    asked = given(case, hand)
    (card,) = described([{**asked, "sheet": {**asked["sheet"], **level, "adjustments": [penalty, {**penalty, "hand": 2}]}}], tmp_path)
    _, says, lines = told(card)
    assert (says, lines[-3:]) == ("All are level.", ["Hand 1: played out 12 3", "Points of an official  9", "Totals 12 12"])
