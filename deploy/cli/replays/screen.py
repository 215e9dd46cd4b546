"""A game on the screen of a terminal, step by step."""

import curses
import locale
import os
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from deploy.cli.replays.lines import FramePrinter
from deploy.cli.replays.steps import Step, after, marks_of, start_at
from deploy.cli.replays.told import ToldFrame
from deploy.config.failures import Failure
from deploy.system.language import say

_Window: TypeAlias = Any  # of curses, which names its type to type checkers only

_KEYS = {
    curses.KEY_RIGHT: "right",
    curses.KEY_LEFT: "left",
    curses.KEY_UP: "up",
    curses.KEY_DOWN: "down",
    curses.KEY_HOME: "home",
    curses.KEY_END: "end",
    curses.KEY_ENTER: "enter",
    curses.KEY_BACKSPACE: "backspace",
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\b": "backspace",
    "\x1b": "escape",
}
_ESCAPE = 50  # milliseconds until a lone Escape is taken for one, and not for the beginning of an arrow
_INDENT = " " * 6


def step_through(frames: Sequence[ToldFrame], printer: FramePrinter, position: int, refused: str | None) -> None:
    """From a position on, until somebody has seen enough. ``refused`` is told under the last frame. Raises ``Failure`` on a terminal that
    nothing is known of."""
    locale.setlocale(locale.LC_CTYPE, "")
    os.environ.setdefault("ESCDELAY", str(_ESCAPE))
    try:
        curses.wrapper(_run, frames, printer, position, refused)
    except KeyboardInterrupt:
        return
    except curses.error as error:
        raise Failure(say("step_cannot", name=os.environ.get("TERM") or say("term_not_set"), problem=error), exit_code=2) from error


def _run(window: _Window, frames: Sequence[ToldFrame], printer: FramePrinter, position: int, refused: str | None) -> None:
    curses.curs_set(0)
    marks = marks_of([told.frame for told in frames])
    step: Step | None = start_at(position, marks)
    while step is not None:
        lines = [*printer.position(frames[step.place], len(frames))]
        if refused and step.place == marks.last:
            lines += ["", refused]
        below = _draw(window, lines, _foot(step, printer, marks.goals), step.top)
        key = window.get_wch()
        step = after(step, _KEYS.get(key, key.lower() if isinstance(key, str) else ""), marks, below)


def _foot(step: Step, printer: FramePrinter, goals: Any) -> str:
    """The last line: the keys, the number that is being typed, or that there is none like it."""
    if step.goal is not None:
        return printer.say(f"replay_ask_{step.goal}", typed=f"{step.typed}_")
    keys = printer.say("replay_keys")
    if step.missed is None:
        return keys
    goal, number = step.missed
    return f"{printer.say(f'replay_no_{goal}', number=number, last=max(goals[goal], default=0))}\n{keys}"


def _draw(window: _Window, lines: Iterable[str], foot: str, top: int) -> int:
    """Answers how many lines have no room."""
    height, width = map(int, window.getmaxyx())
    feet = _wrapped(foot.splitlines(), width)[:height]
    room = height - len(feet)
    body = _wrapped(lines, width)
    below = max(len(body) - room, 0)
    window.erase()
    for row, line in enumerate(body[min(top, below) :][:room]):
        window.insstr(row, 0, line)
    for row, line in enumerate(feet, room):
        window.insstr(row, 0, line, curses.A_DIM)
    window.refresh()
    return below


def _wrapped(lines: Iterable[str], width: int) -> list[str]:
    return [
        part
        for line in lines
        for part in textwrap.wrap(line, width, subsequent_indent=_INDENT, drop_whitespace=True, break_on_hyphens=False) or [""]
    ]
