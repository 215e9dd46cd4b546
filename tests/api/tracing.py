"""What code one request passes: which files it enters, and what of the domain the API calls meanwhile."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDERS = ("domain", "api", "projections", "replay", "deploy")


@dataclass
class Way:
    """``files`` are paths from the root; ``calls`` names each call of the API into the domain."""

    files: set[str] = field(default_factory=set)
    calls: list[str] = field(default_factory=list)

    @property
    def outside_games(self) -> list[str]:
        return sorted(file for file in self.files if not file.startswith("domain/games/"))


@contextmanager
def traced(code: CodeType) -> Iterator[Way]:
    """What the function with this code passes in this thread until it ends, where nothing else goes on."""
    way, known = Way(), dict[int, FrameType]()
    outside: FrameType | None = None  # who called the function, until it has ended

    def profile(frame: FrameType, event: str, _: Any) -> None:
        nonlocal outside
        if event != "call" or not (place := _place(frame)):
            return
        caller = _caller(frame)
        if frame.f_code is code and not way.files:
            outside = caller
            known.update(_outer(frame))
        elif caller is outside and frame.f_code is not code:
            outside = None  # the function has answered, and its caller goes on
        if outside is None:
            return
        if id(frame) in known:  # a coroutine that goes on is called again
            return
        way.files.add(place)
        if place.startswith("domain/") and _place(caller).startswith("api/"):
            way.calls.append(f"{place}:{frame.f_code.co_name}")
        known[id(frame)] = frame

    sys.setprofile(profile)
    try:
        yield way
    finally:
        sys.setprofile(None)


def _place(frame: FrameType | None) -> str:
    """The path of the frame's file from the root; nothing for what is not of the product."""
    if frame is None or not frame.f_code.co_filename.startswith(f"{ROOT}/"):
        return ""
    path = frame.f_code.co_filename[len(str(ROOT)) + 1 :]
    return path if path.partition("/")[0] in FOLDERS else ""


def _caller(frame: FrameType) -> FrameType | None:
    """The nearest one of the product outside it."""
    outer = frame.f_back
    while outer is not None and not _place(outer):
        outer = outer.f_back
    return outer


def _outer(frame: FrameType) -> dict[int, FrameType]:
    """All that are at work around it."""
    found, outer = dict[int, FrameType](), frame.f_back
    while outer is not None:
        found[id(outer)] = outer
        outer = outer.f_back
    return found
