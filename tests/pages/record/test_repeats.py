"""What was taken back is due to be entered again, move by move: what the page offers, without a browser."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.npm import NODE, started

HERE = Path(__file__).parent
SCRIPT = HERE.parents[2] / "api" / "assets" / "record" / "repeats.js"
Story = list[dict[str, Any]]


def dealt(story: Story) -> Story:
    return [*story, {"name": "hand.dealt/1", "position": len(story) + 1, "seat": None, "body": {"dealer": 0}, "effects": [["hand", 1, 0]]}]


def played(story: Story, cards: str, first: int = 0, **told: Any) -> Story:
    """The story after a card from each seat in turn, of two."""
    for number, card in enumerate(cards.split()):
        seat = (first + number) % 2
        body = {"seat": seat, "move": {"type": "trail", "card": card}, **told}
        effects = [["turn", "play", 1 - seat, [1 - seat]]]
        story = [
            *story,
            {"name": "move.played/1", "position": len(story) + 1, "seat": seat, "body": body, "effects": effects, "written": card},
        ]
    return story


def gone_back(story: Story, to: int, ruling: int | None = None) -> Story:
    body = {"to": to, "ruling": ruling}
    return [*story, {"name": "game.rewound/1", "position": len(story) + 1, "seat": None, "body": body, "effects": [["hand", 1, 0]]}]


def other(story: Story, name: str, effects: Sequence[Any] = ()) -> Story:
    return [*story, {"name": name, "position": len(story) + 1, "seat": None, "body": {}, "effects": list(effects)}]


def read(tmp_path: Path, *stories: tuple[Story, Sequence[tuple[int, str]]]) -> list[list[dict[str, Any]]]:
    """What is due after each story, as it would be sent."""
    given = [{"frames": story, "seats": 2, "chosen": chosen} for story, chosen in stories]
    (tmp_path / "stories.json").write_text(json.dumps(given))
    said = started(NODE, "--no-warnings", HERE / "repeats.mjs", SCRIPT, tmp_path / "stories.json", tmp_path / "due.json")
    assert (said.returncode, said.stdout) == (0, "")
    found: list[list[dict[str, Any]]] = json.loads((tmp_path / "due.json").read_text())
    return found


def due(tmp_path: Path, *stories: tuple[Story, Sequence[tuple[int, str]]]) -> list[str]:
    """What is due after each story, as cards with their seats."""
    found = read(tmp_path, *stories)
    return [" ".join(f"{one['seat']}:{one['move']['card']}" if "move" in one else "deal" for one in story) for story in found]


DEALT = dealt([{"name": "game.opened/1", "position": 1, "seat": None, "body": {}, "effects": []}])
TEN = played(DEALT, "A B C D E F G H I J")
BACK = gone_back(TEN, 2)


def test_ten_moves_that_were_taken_back_are_due_in_their_order_whether_one_by_one_or_at_once(tmp_path: Path):
    by_one = TEN
    for to in range(11, 1, -1):
        by_one = gone_back(by_one, to)
    assert due(tmp_path, (by_one, ()), (BACK, ())) == ["0:A 1:B 0:C 1:D 0:E 1:F 0:G 1:H 0:I 1:J"] * 2


def test_each_is_due_until_it_is_entered_or_another_takes_its_place(tmp_path: Path):
    three = gone_back(TEN, 9)
    again, else_, without = played(three, "H", 1), played(three, "X", 1), played(three, "I", 1)
    assert due(tmp_path, (three, ()), (again, ()), (else_, ()), (without, ())) == ["1:H 0:I 1:J", "0:I 1:J", "0:I 1:J", "0:J"]


def test_without_a_move_too_many_all_after_it_are_due_for_the_other_seat(tmp_path: Path):
    rest = played(BACK, "B")
    assert due(tmp_path, (rest, ()), (played(rest, "C D E F G H I", 1), ())) == ["1:C 0:D 1:E 0:F 1:G 0:H 1:I 0:J", "0:J"]


def test_a_line_that_was_wrong_is_not_due_and_one_before_which_another_is_missing_stays(tmp_path: Path):
    back = gone_back(TEN, 9)
    more, same = played(back, "X", 1), played(back, "H", 1)
    assert due(tmp_path, (back, [(10, "out")]), (more, [(10, "out")]), (more, [(10, "stays")]), (same, [(10, "stays")])) == [
        "0:I 1:J",
        "0:I 1:J",
        "1:H 0:I 1:J",
        "1:H 0:I 1:J",
    ]


def test_nothing_is_due_after_a_ruling_or_once_the_table_was_changed_otherwise(tmp_path: Path):
    noted, put_right = other(BACK, "note.added/1"), other(BACK, "table.rectified/1", [["moved", ["A"], "hand:0", "board", False, True]])
    assert due(tmp_path, (noted, ()), (put_right, ()), (gone_back(TEN, 2, ruling=1), ())) == [
        "0:A 1:B 0:C 1:D 0:E 1:F 0:G 1:H 0:I 1:J",
        "",
        "",
    ]


def test_a_deal_is_due_after_the_moves_before_it_and_another_deal_ends_all(tmp_path: Path):
    over = played(DEALT, "A B")
    over[-1]["effects"] = [["closed", "played_out", {}]]
    back = gone_back(dealt(over), 3)
    again = played(back, "B", 1)
    again[-1]["effects"] = over[-1]["effects"]
    assert due(tmp_path, (back, ()), (again, ()), (dealt(again), ()), (dealt(back), ())) == ["1:B deal", "deal", "", ""]


def test_told_cards_are_told_again_of_the_hand_that_is_due(tmp_path: Path):
    told = {"hand:0": ["E"], "stock": ["?", "F"]}
    rest = played(gone_back(played(played(DEALT, "A B"), "C", known=told), 2), "B")
    expected = {"seat": 1, "move": {"type": "trail", "card": "C"}, "known": {"hand:1": ["E"], "stock": ["?", "F"]}}
    assert read(tmp_path, (rest, ())) == [[expected]]
