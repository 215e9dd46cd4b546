"""Following a game without tables: the follower of ``docs/replay.md`` has the table that he may see after every frame."""

import json
import re
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from api.games.replay_starts import frame_maker, in_turn, start_maker, view_start
from domain.game import Game
from domain.games import RULESETS
from domain.rules import Ruleset
from domain.sight import Viewpoint, masked
from replay.folding import view_name
from replay.past import GameStep
from tests.replay.disputed import Disputed
from tests.replay.test_folding import disputed, steps_of, viewers

PAGE = Path(__file__).parents[4] / "docs/replay.md"
FOLLOWER: dict[str, Any] = {}
exec(re.search(r"```python\n(def follow.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1], FOLLOWER)  # pyrefly: ignore[unsupported-operation]


def sent(value: object) -> Any:
    """As it comes out of the wire."""
    return json.loads(msgspec.json.encode(value))


def table_after(played: Disputed, now: Game, who: Viewpoint, step: GameStep) -> Any:
    position = step.recorded.position
    viewer = now.viewer(who, position, played.around)
    return sent(view_start(position, masked(step.after.table, viewer), view_name(viewer)))


def differing(played: Disputed, who: Viewpoint, steps: list[GameStep]) -> list[tuple[object, ...]]:
    """Where the table of who follows these frames is not the one that is shown."""
    found: list[tuple[object, ...]] = []
    now, table = played.game, None
    show = frame_maker(RULESETS, now, who, played.around, "en", worded=False, tables=False)
    for step, frame in zip(steps, in_turn(show, start_maker(now, who, played.around), steps), strict=True):
        table = FOLLOWER["follow"](table, sent(frame)) | {"position": step.recorded.position}
        if table != table_after(played, now, who, step):
            found.append((who, frame, table, table_after(played, now, who, step)))
    return found


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_whoever_follows_has_the_table_that_he_may_see(ruleset: Ruleset):
    played = disputed(ruleset, 0)
    steps = steps_of(played)
    assert [differing(played, who, steps)[:1] for who in viewers(played)] == [[]] * len(viewers(played))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_after_frames_that_were_left_out_he_starts_anew(ruleset: Ruleset):
    played, chance = disputed(ruleset, 1), Random(1)
    chosen = [step for step in steps_of(played) if chance.random() < 0.6]
    for who in viewers(played):
        assert differing(played, who, chosen) == []


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_no_start_tells_a_face_that_was_not_to_be_seen_then(ruleset: Ruleset):
    played = disputed(ruleset, 0)
    steps = steps_of(played)
    for who in viewers(played):
        start = start_maker(played.game, who, played.around)
        for before, step in pairwise(steps):
            zones = sent(start(step))["zones"]
            seen = table_after(played, played.game, who, before)["zones"]
            for name, zone in zones.items():
                assert all(card in ("?", then) for card, then in zip(zone["cards"], seen[name]["cards"], strict=True)), (who, step.recorded)
