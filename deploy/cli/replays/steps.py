"""The way through a game from key to key, as a function of what is shown and what is pressed."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from api.games.responses import ReplayFrame
from deploy.cli.replays.lines import BEGUN

Goal: TypeAlias = Literal["position", "hand", "dispute"]

_GOALS: Mapping[str, Goal] = {"g": "position", "h": "hand", "d": "dispute"}
_RAISED = "dispute.raised/"
_LONGEST = 9  # digits of a number that is typed


class Marks(Struct, frozen=True):
    """Where one can go: the places of frames by the number of the goal."""

    last: int
    goals: Mapping[Goal, Mapping[int, int]]


class Step(Struct, frozen=True):
    """What is shown: the frame at ``place``, from line ``top`` on. ``goal`` and ``typed``: the jump that is being asked for; ``missed``:
    one that leads nowhere."""

    place: int
    top: int = 0
    goal: Goal | None = None
    typed: str = ""
    missed: tuple[Goal, int] | None = None


def marks_of(frames: Sequence[ReplayFrame]) -> Marks:
    """Of a hand that was dealt more than once the last time counts. Disputes are numbered in the order in which they were raised."""
    hands = {frame.hand: place for place, frame in enumerate(frames) if frame.name.startswith(BEGUN)}
    raised = [place for place, frame in enumerate(frames) if frame.name.startswith(_RAISED)]
    positions = {frame.position: place for place, frame in enumerate(frames)}
    return Marks(len(frames) - 1, {"position": positions, "hand": hands, "dispute": dict(enumerate(raised, 1))})


def start_at(position: int, marks: Marks) -> Step:
    """At the position, or at the end where the game has not come so far."""
    return Step(marks.goals["position"].get(position, marks.last))


def after(step: Step, key: str, marks: Marks, below: int) -> Step | None:
    """What is shown after a key, ``None`` for the end. ``below``: lines of this frame that do not fit on the screen."""
    if step.goal is not None:
        return _asked(step, step.goal, key, marks)
    match key:
        case "q" | "escape":
            return None
        case "n" | "enter" | " " | "right":
            return Step(min(step.place + 1, marks.last))
        case "p" | "left" | "backspace":
            return Step(max(step.place - 1, 0))
        case "home":
            return Step(0)
        case "end":
            return Step(marks.last)
        case "down":
            return replace(step, top=min(step.top + 1, below))
        case "up":
            return replace(step, top=max(step.top - 1, 0))
        case "g" | "h" | "d":
            return replace(step, goal=_GOALS[key], missed=None)
    return replace(step, goal="position", typed=key, missed=None) if _is_digit(key) else step


def _asked(step: Step, goal: Goal, key: str, marks: Marks) -> Step:
    """While a number is typed: digits, then Enter; Escape leaves it."""
    match key:
        case "escape":
            return replace(step, goal=None, typed="")
        case "backspace":
            return replace(step, typed=step.typed[:-1])
        case "enter":
            return _jumped(step, goal, marks)
    return replace(step, typed=(step.typed + key)[:_LONGEST]) if _is_digit(key) else step


def _jumped(step: Step, goal: Goal, marks: Marks) -> Step:
    if not step.typed:
        return replace(step, goal=None)
    place = marks.goals[goal].get(int(step.typed))
    return replace(step, goal=None, typed="", missed=(goal, int(step.typed))) if place is None else Step(place)


def _is_digit(key: str) -> bool:
    return key in "0123456789" and len(key) == 1
