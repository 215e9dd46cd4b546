"""The way through a game from key to key."""

from typing import Any

import pytest

from api.games.responses import ReplayFrame
from deploy.cli.replays.steps import Goal, Marks, Step, after, marks_of, start_at


def frame(position: int, name: str, hand: int) -> ReplayFrame:
    values: Any = dict.fromkeys(("at", "by", "seat", "caption", "effects", "table"))
    return ReplayFrame(position=position, name=name, hand=hand, **values)


NAMES = (
    ("game.opened/1", 0),
    ("hand.dealt/1", 1),
    ("move.played/1", 1),
    ("dispute.raised/1", 1),
    ("game.rewound/1", 0),
    ("hand.dealt/1", 1),
    ("move.played/1", 1),
    ("hand.dealt/1", 2),
    ("dispute.raised/1", 2),
    ("move.played/1", 2),
)
MARKS = marks_of([frame(position, name, hand) for position, (name, hand) in enumerate(NAMES, 1)])


def walked(start: int, *keys: str, marks: Marks = MARKS, below: int = 0) -> list[int]:
    """The positions that were shown."""
    step: Step | None = start_at(start, marks)
    shown = []
    for key in keys:
        assert step is not None
        shown.append(step.place + 1)
        step = after(step, key, marks, below)
    return [*shown, *([step.place + 1] if step else [])]


def test_a_hand_of_which_only_the_result_is_known_is_found_by_its_number():
    names = (("game.opened/1", 0), ("hand.reported/1", 1), ("hand.dealt/1", 2), ("move.played/1", 2), ("hand.reported/1", 3))
    marks = marks_of([frame(position, name, hand) for position, (name, hand) in enumerate(names, 1)])
    assert marks.goals["hand"] == {1: 1, 2: 2, 3: 4}


@pytest.mark.parametrize(
    ("start", "keys", "seen"),
    [
        (1, ("q",), [1]),
        (1, ("n", "right", "enter", " ", "escape"), [1, 2, 3, 4, 5]),
        (3, ("p", "left", "backspace", "q"), [3, 2, 1, 1]),
        (9, ("right", "right", "q"), [9, 10, 10]),
        (4, ("home", "end", "q"), [4, 1, 10]),
        (2, ("x", "", "é", "²", "n", "q"), [2, 2, 2, 2, 2, 3]),
        (99, ("left", "q"), [10, 9]),
    ],
)
def test_keys_lead_through_the_game(start: int, keys: tuple[str, ...], seen: list[int]):
    assert walked(start, *keys) == seen


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        (("g", "1", "0", "enter"), 9),
        (("7", "enter"), 6),
        (("g", "1", "2", "backspace", "enter"), 0),
        (("h", "1", "enter"), 5),
        (("h", "2", "enter"), 7),
        (("d", "1", "enter"), 3),
        (("d", "2", "enter"), 8),
        (("g", "9", "escape"), 2),
        (("g", "enter"), 2),
        (("g", "backspace", "x", "right", "4", "enter"), 3),
    ],
)
def test_one_jumps_to_a_position_a_hand_or_a_dispute(keys: tuple[str, ...], place: int):
    step: Step | None = Step(2)
    for key in keys:
        assert step is not None
        step = after(step, key, MARKS, 0)
    assert step == Step(place)


@pytest.mark.parametrize(("letter", "goal"), [("g", "position"), ("h", "hand"), ("d", "dispute")])
def test_a_number_that_leads_nowhere_is_said_until_the_next_key(letter: str, goal: Goal):
    asked = after(Step(2), letter, MARKS, 0)
    assert asked == Step(2, goal=goal)
    assert asked is not None
    typed = after(asked, "0", MARKS, 0)
    assert typed == Step(2, goal=goal, typed="0")
    assert typed is not None
    missed = after(typed, "enter", MARKS, 0)
    assert missed == Step(2, missed=(goal, 0))
    assert missed is not None
    assert after(missed, letter, MARKS, 0) == Step(2, goal=goal)
    assert after(missed, "right", MARKS, 0) == Step(3)


def test_what_does_not_fit_on_the_screen_is_scrolled_and_the_next_frame_begins_at_its_top():
    step: Step | None = Step(2)
    tops = []
    for key in ("up", "down", "down", "down", "up"):
        assert step is not None
        step = after(step, key, MARKS, 2)
        assert step is not None
        tops.append(step.top)
    assert tops == [0, 1, 2, 2, 1]
    assert step is not None
    assert after(step, "right", MARKS, 2) == Step(3)
