"""Games as each viewer is told them: the frames that a page folds, and beside each the state view that the service shows."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from api.common.rulebooks import viewing
from api.games.lines import STATE_VIEW
from api.games.replay_starts import frame_maker, in_turn, start_maker, view_start
from domain.errors import Refused
from domain.events import Recorded
from domain.game import project
from domain.games import RULESETS
from domain.opening import OpennessContext
from domain.sight import Viewpoint, masked
from replay.folding import view_name
from replay.past import GamePast
from replay.record import legal_history_of
from tests.projections.histories import NOTHING

_EVERYWHERE = {*STATE_VIEW["required"], "hands", "hand_counts", "stock", "stock_count", "unknown", "blocks"}
CASES = Path(__file__).resolve().parents[2] / "cases"


class Shown(NamedTuple):
    """What the service shows of a position: the state view, and the zones as a start would tell them."""

    view: Any
    start: Any


class Told(NamedTuple):
    """A game as somebody is told it, frame by frame."""

    name: str
    ruleset: str
    frames: list[Any]
    shown: list[Shown]


def told(name: str, history: Sequence[Recorded], who: Viewpoint, around: OpennessContext = NOTHING) -> Told:
    game = project(None, history)
    assert game
    steps = list(GamePast(lambda after, limit: history[after : after + limit]).steps(0, game.position))
    show = frame_maker(RULESETS, game, who, around, "en", worded=False, tables=False)
    view, shown = viewing(RULESETS, game.setup), []
    for step in steps:
        position = step.recorded.position
        viewer = game.viewer(who, position, around)
        table = masked(step.after.table, viewer)
        shown.append(Shown(sent(view(table, viewer)), sent(view_start(position, table, view_name(viewer)))))
    frames = [sent(frame) for frame in in_turn(show, start_maker(game, who, around), steps)]
    return Told(f"{name}, {who}", game.setup.ruleset, frames, shown)


def sent(value: object) -> Any:
    """As it comes out of the wire."""
    return msgspec.json.decode(msgspec.json.encode(value))


def everybody(history: Sequence[Recorded]) -> list[Viewpoint]:
    """Of those who sit there the first and the last."""
    game = project(None, history[:1])
    return [Viewpoint("arbiter"), Viewpoint("public"), *map(Viewpoint, sorted({0, game.setup.seats - 1} if game else ()))]


def cases(pattern: str = "*/*.json") -> Iterator[tuple[str, tuple[Recorded, ...]]]:
    """Every worked case up to what is refused in it. They are shut for ever, so that what is over is masked, too."""
    for file in sorted(CASES.glob(pattern)):
        try:
            history, _ = legal_history_of({**json.loads(file.read_bytes()), "openness": "never"}, RULESETS)
        except Refused:
            continue  # the set-up is refused: there is no table
        yield f"{file.parent.name}/{file.stem}", history


@cache
def told_cases(pattern: str) -> list[Told]:
    return [told(name, history, who) for name, history in cases(pattern) for who in everybody(history)]


@cache
def told_of_all_cases() -> list[Told]:
    """Every case as the arbiter is told it, and in turn as the public and those who sit there."""
    games: list[Told] = []
    for number, (name, history) in enumerate(cases()):
        arbiter, *others = everybody(history)
        games += [told(name, history, arbiter), told(name, history, others[number % len(others)])]
    return games


def lying(ruleset: str, view: Mapping[str, Any]) -> dict[str, list[str] | int]:
    """The cards of each zone as the state view tells them, the top last; a number where it tells no more than how many."""
    if view.keys() <= _EVERYWHERE:
        return {}  # no hand was dealt yet, or nothing may be told of it
    stock = {"stock": view["stock"][::-1]} if "stock" in view else {}
    return {**stock, **_LYING[ruleset](view)}


def _numbered(zone: str, told: Sequence[Any]) -> dict[str, Any]:
    return {f"{zone}:{number}": cards for number, cards in enumerate(told)}


def _alcasan(view: Mapping[str, Any]) -> dict[str, Any]:
    down = {f"down:{seat}:{place}": [card] if card else [] for seat, cards in enumerate(view["down"]) for place, card in enumerate(cards)}
    return {**_numbered("hand", view["hands"]), **_numbered("open", view["open"]), **down, "pile": view["pile"], "removed": view["removed"]}


def _canasta(view: Mapping[str, Any]) -> dict[str, Any]:
    melds = {f"meld:{party}:{rank}": meld["cards"] for party, melded in enumerate(view["melds"]) for rank, meld in melded.items()}
    return {**_numbered("hand", view["hands"]), **_numbered("red", view["red_threes"]), **melds, "pile": view["pile"]}


def _cascades(view: Mapping[str, Any]) -> dict[str, Any]:
    piles = _numbered("tier", view["tiers"]) | _numbered("base", view["bases"]) | _numbered("reserve", view["reserve"])
    return {**piles, "waste": view["waste"]}


def _casino(view: Mapping[str, Any]) -> dict[str, Any]:
    builds = {f"build:{build['id']}:{number}": group for build in view["builds"] for number, group in enumerate(build["groups"])}
    return {**_numbered("hand", view["hands"]), **_numbered("won", view["piles"]), **builds, "board": view["table"]}


def _classic(view: Mapping[str, Any]) -> dict[str, Any]:
    return {**_numbered("hand", view["hands"]), **_numbered("laid", [4 * len(letters) for letters in view["quartets"]])}


def _trumpf(view: Mapping[str, Any]) -> dict[str, Any]:
    shown = {zone: [each["card"] for each in view[zone]] for zone in ("round", "middle")}
    return {**_numbered("hand", [stack[::-1] for stack in view["hands"]]), **shown, "aside": view["set_aside"]}


_LYING = {
    "alcasan": _alcasan,
    "canasta": _canasta,
    "cascades": _cascades,
    "casino": _casino,
    "quartett-classic": _classic,
    "quartett-trumpf": _trumpf,
}
