"""The fold of the pages (``api/assets/zones.js``) tells what the service shows, to every viewer in every position."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, cycle
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from domain.games import RULESETS
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.npm import NODE, started
from tests.pages.table.told import Shown, Told, everybody, lying, told, told_cases, told_of_all_cases
from tests.replay.disputed import Disputed
from tests.replay.test_folding import disputed, viewers
from tests.telling.law import PARTS, Recording

HERE = Path(__file__).parent
ZONES = HERE.parents[2] / "api" / "assets" / "zones.js"
ORDERLESS = ("hand:", "open:", "red:", "meld:")
"""Zones that state views tell in the order of the deck."""
STEPS = 30
TELLING = (
    "*/own-unknown-[tw]*.json",
    "quartett/own-tuck-*.json",
    "quartett/own-unknown-*block*.json",
    "canasta/*0[78]-*.json",
    "canasta/19-*.json",
)
"""Cases in which every step of the fold matters."""

Differences: TypeAlias = Iterator[tuple[str, object, object]]
Compared: TypeAlias = Callable[[str, Any, Shown], Differences]


def folded(games: Sequence[Told], folder: Path) -> list[list[Any]]:
    """The tables that a page has after every frame of every game."""
    (tables,) = folded_by(games, folder, ZONES)
    return tables


def folded_by(games: Sequence[Told], folder: Path, *scripts: Path) -> list[list[list[Any]]]:
    """The same for each of these scripts."""
    (folder / "games.json").write_text(json.dumps([game.frames for game in games]), encoding="utf-8")
    said = started(NODE, "--no-warnings", HERE / "fold.mjs", folder / "games.json", folder / "tables.json", *scripts)
    assert (said.returncode, said.stdout) == (0, "")
    tables: list[list[list[Any]]] = json.loads((folder / "tables.json").read_bytes())
    return tables


def differing(games: Sequence[Told], tables: Sequence[Sequence[Any]], compared: Sequence[Compared]) -> Iterator[tuple[object, ...]]:
    """Where a page would show something else than the service: game, position, what, on the page, at the service."""
    for game, after in zip(games, tables, strict=True):
        for frame, table, shown in zip(game.frames, after, game.shown, strict=True):
            for what, there, due in chain.from_iterable(compare(game.ruleset, table, shown) for compare in compared):
                if there != due:
                    yield game.name, frame["position"], what, there, due


def as_viewed(ruleset: str, table: Any, shown: Shown) -> Differences:
    """Zone by zone against the state view; a zone that it does not tell has to be empty."""
    due = lying(ruleset, shown.view)
    for name in {*table["zones"], *due}:
        there, told = table["zones"].get(name, {"cards": []})["cards"], due.get(name, [])
        if isinstance(told, int):
            yield name, len(there), told
        elif name.startswith(ORDERLESS):
            yield name, sorted(there), sorted(told)
        else:
            yield name, there, told
    for field in ("phase", "turn", "to_act"):
        yield field, table[field], shown.view[field]
    for field in ("hand", "dealer", "totals"):
        yield field, table["stand"][field], shown.view[field]


def as_laid(_: str, table: Any, shown: Shown) -> Differences:
    """Order, sight, owner and marks, which no state view tells as they are, against the table from which a page would start here."""
    yield from ((field, table[field], shown.start[field]) for field in ("zones", "marks", "phase", "turn", "to_act", "sees", "stand"))
    yield "blocks", _blocks_of(table), _blocks_of(shown.start)


def _blocks_of(told: Any) -> list[str]:
    return sorted(json.dumps(block, sort_keys=True) for block in told.get("blocks", ()))


class TakenBack(Disputed):
    """A random game in which every eighth event is a rewind."""

    def _act(self) -> Callable[[], None]:
        return self._take_back


def rewound() -> list[Told]:
    games = []
    for key, ruleset in RULESETS.items():
        played = TakenBack(ruleset, TRIED[key]().set_ups[0], f"page {key}", "never").play(STEPS)
        games.append((f"{key}, rewound", played.history))
    return [told(name, history, who) for name, history in games for who in everybody(history)]


def ruled() -> list[Told]:
    """Random games in which officials put right what they like: a state view need not tell all of such a table."""
    games = [(f"{key} {number}", disputed(ruleset, number)) for number, (key, ruleset) in enumerate(RULESETS.items())]
    return [told(name, played.history, who, played.around) for name, played in games for who in viewers(played)]


def unknown() -> list[Told]:
    """Random games of which a part was never told to the record, or told late."""
    games = []
    for key, part in zip(RULESETS, cycle(PARTS), strict=False):
        playout = random_game(key, TRIED[key]().set_ups[0], f"page {key}")
        recording = Recording(playout._replace(steps=playout.steps[:STEPS]), part, Random(key))
        assert list(recording.breaches()) == []
        games.append((f"{key}, {part} known", recording.history()))
    return [told(name, history, who) for name, history in games for who in everybody(history)]


def test_in_every_position_of_every_case_the_page_tells_what_the_service_shows(tmp_path: Path):
    games = told_of_all_cases()
    assert {game.ruleset for game in games} == set(RULESETS)
    assert next(differing(games, folded(games, tmp_path), (as_viewed, as_laid)), None) is None


def test_so_it_is_in_random_games_with_rewinds_and_unknown_cards(tmp_path: Path):
    games = [*rewound(), *unknown()]
    assert {"game.rewound/1", "hand.dealt/1", "move.played/1"} <= {frame["name"] for game in games for frame in game.frames}
    assert next(differing(games, folded(games, tmp_path), (as_viewed, as_laid)), None) is None


def test_it_follows_whatever_officials_do(tmp_path: Path):
    games = ruled()
    assert next(differing(games, folded(games, tmp_path), (as_laid,)), None) is None


WRONG = (
    ("mask(stand ? {...folded, stand: stand.after} : folded, start.sees)", "stand ? {...folded, stand: stand.after} : folded"),
    ("place < covered ? HIDDEN : card", "card"),
    ("codes.at(place - cards.length) ?? card", "card"),
    ("under ? [...cards, ...zone.cards] : ", ""),
    ("place - gone.filter(other => other < place).length", "place"),
    ("block.faces.filter(face => !faces.includes(face))", "block.faces"),
    ("left.lastIndexOf(cards[number])", "left.indexOf(cards[number])"),
    ("hand: table => ({...table, zones: {}, marks: {}})", "hand: table => table"),
    ("() => ({sight})", "() => ({})"),
    ("{start = table, effects, stand}", "{effects, stand}, start = table"),
    ("stand: stand.after", "stand: stand.before"),
)
"""What stands in the script of the page, and a fault in its place."""


def test_a_page_that_folds_otherwise_is_found(tmp_path: Path):
    told, scripts = ZONES.read_text(encoding="utf-8"), []
    for number, (right, wrong) in enumerate(WRONG):
        assert told.count(right) == 1, right
        scripts.append(tmp_path / f"zones{number}.js")
        scripts[-1].write_text(told.replace(right, wrong), encoding="utf-8")
    games = [game for pattern in TELLING for game in told_cases(pattern)]
    faults = [next(differing(games, tables, (as_viewed, as_laid)), None) for tables in folded_by(games, tmp_path, *scripts)]
    assert [right for (right, _), fault in zip(WRONG, faults, strict=True) if fault is None] == []
