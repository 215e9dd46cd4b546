"""The steps of an evening, and which one is on: what is done next follows from how the tournament stands."""

from typing import Literal, get_args

from msgspec import Struct

from api.pages.directing.evening import Evening

Name = Literal["announce", "enter", "draw", "start", "playing", "close", "standings", "publish"]
Aside = Literal["hall", "devices"]
Place = Name | Aside
"""Where one may be at the desk: at a step, or at what is needed all evening."""
ASIDES: tuple[Aside, ...] = get_args(Aside)
STEPS: tuple[Name, ...] = get_args(Name)


class Step(Struct, frozen=True):
    name: Name
    state: Literal["done", "now", "later"]


def current(evening: Evening) -> Name:
    """The step that is on now."""
    about, round = evening.about, evening.round
    if evening.is_over:
        return "publish"
    if round is None:
        return "draw" if about["entered"] else "enter"
    if round["closed"]:
        return "standings" if about["rounds"] is not None and about["closed"] >= about["rounds"] else "draw"
    if not evening.started:
        return "start"
    return "playing" if evening.waiting else "close"


def strip(evening: Evening) -> list[Step]:
    now = STEPS.index(current(evening))
    return [Step(name, "done" if place < now else "now" if place == now else "later") for place, name in enumerate(STEPS)]
