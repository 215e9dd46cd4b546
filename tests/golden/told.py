"""What views were told of every kind of event, by each edition of the redaction: ``told/<edition>/<ruleset>.json``, an event a line.

Kinds of events that came later have files beside it, ``<ruleset>-shuffles.json`` and ``<ruleset>-seating.json``.

Receipts are signed over these bytes, and years later a view is held against its record by making them again. So a file is written once
and never anew: who changes what a view is told raises ``EDITION`` and keeps the older way.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

from domain import codec
from domain.codec import decode_event
from domain.effects import CardsMoved
from domain.events import Recorded
from domain.events.game import (
    CardsTold,
    DisputeAppealed,
    DisputeRaised,
    DisputeRuled,
    DisputeWithdrawn,
    GameAbandoned,
    GameAnnulled,
    GameEvent,
    GameMadePublic,
    GameResumed,
    GameSuspended,
    HandEndedEarly,
    HandReported,
    HandResult,
    IllegalMoveAccepted,
    MovePlayed,
    NoteAdded,
    OrderLifted,
    PlayersCorrected,
    PlayerSeated,
    PointsAdjusted,
    RefusedMove,
    RewindRecorded,
    SheetSigned,
    SignatureWithdrawn,
    TableCorrected,
)
from domain.games import RULESETS
from replay.past import GamePast
from replay.proof.making import EDITION, redact_step, viewer_of
from tests.domain.fair import FairGame
from tests.domain.games.setups import TRIED
from tests.replay.disputed import GAME, STAMP, WHY, Disputed

FOLDER = Path(__file__).parent / "told"
KINDS = frozenset(get_args(GameEvent))
VIEWS = ("public", "seat:0")
_PLAYED = 12


def files_of(ruleset: str, edition: int = EDITION) -> dict[Path, Callable[[str], list[Recorded]]]:
    """With the history that each tells of."""
    folder = FOLDER / str(edition)
    made = {"": _history, "-shuffles": _shuffles, "-seating": _seating}
    return {folder / f"{ruleset}{name}.json": history for name, history in made.items()}


def write_missing() -> int:
    """How many files were written."""
    missing = [(file, made(ruleset)) for ruleset in RULESETS for file, made in files_of(ruleset).items() if not file.exists()]
    for file, history in missing:
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(line, ensure_ascii=False) for line in _lines(history)]
        file.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    return len(missing)


def stored(file: Path) -> tuple[list[Recorded], list[dict[str, str]]]:
    """The events, and what the views were told of each."""
    read: list[Any] = json.loads(file.read_text(encoding="utf-8"))
    history = [decode_event(GAME, position, name, state.encode()) for position, (name, state, _) in enumerate(read, 1)]
    return history, [told for *_, told in read]


def told(history: list[Recorded]) -> Iterator[dict[str, str]]:
    for step in GamePast(lambda after, limit: history[after : after + limit]).steps(0, len(history)):
        yield {view: redact_step(step, viewer_of(view)).decode() for view in VIEWS}


def _lines(history: list[Recorded]) -> Iterator[tuple[str, str, dict[str, str]]]:
    for recorded, seen in zip(history, told(history), strict=True):
        yield recorded.name, recorded.state.decode(), seen


def _history(ruleset: str) -> list[Recorded]:
    """Some moves of a hand, then one of each other kind of event. Whether the rules would have it is nothing to views."""
    game = Disputed(RULESETS[ruleset], TRIED[ruleset]().set_ups[0], "told", "game_over").play(_PLAYED)
    moves = [recorded.event for recorded in game.history if isinstance(recorded.event, MovePlayed)]
    move = next(one for one in reversed(moves) if any(isinstance(effect, CardsMoved) for effect in one.effects))
    effects, table = move.effects, game.game.table
    parties = len(table.setup.parties)
    samples = (
        CardsTold({"stock": ("?",)}, effects),
        IllegalMoveAccepted(move.seat, move.move, "wrong", ("COM-1",), effects, WHY),
        TableCorrected(effects, WHY),
        HandEndedEarly(effects, counts=True, reason=WHY),
        HandReported(0, 1, HandResult(tuple(range(parties))), effects),
        RewindRecorded(2, WHY, None, table),
        OrderLifted(3, 1, 2, WHY, table),
        PointsAdjusted(None, 0, 3, WHY),
        DisputeRaised(1, 3, 0, WHY, suspends=False, refused_move=RefusedMove(move.seat, move.move, "wrong", ("COM-1",))),
        DisputeRuled(1, 1, "arbiter", "stands", WHY),
        DisputeAppealed(1, 0, None, WHY),
        DisputeWithdrawn(1, WHY),
        GameSuspended(WHY),
        GameResumed(WHY),
        NoteAdded(WHY, 2),
        SheetSigned(0, 3, "digest of the sheet"),
        PlayerSeated(0, "p_1"),
        GameMadePublic(WHY),
        GameAbandoned(WHY),
        GameAnnulled(WHY),
        SignatureWithdrawn(0, 3),
    )
    last = game.history[-1]
    return [*game.history, *codec.link_events(GAME, last.position, last.state, STAMP, samples)]


def _seating(ruleset: str) -> list[Recorded]:
    """Two moves; then it was really others who sat there."""
    game = Disputed(RULESETS[ruleset], TRIED[ruleset]().set_ups[0], "told", "game_over").play(2)
    others = tuple(f"p_{seat}" for seat in range(game.game.setup.seats))
    last = game.history[-1]
    return [*game.history, *codec.link_events(GAME, last.position, last.state, STAMP, (PlayersCorrected(others, 1, WHY),))]


def _shuffles(ruleset: str) -> list[Recorded]:
    """A deck that nobody chose on its way, after one that was not dealt, and the deal."""
    game = FairGame(ruleset, {"cascades": 1, "quartett-classic": 3}.get(ruleset, 2))
    game.begin()
    game.join(0)
    game.begin(dice=8)
    game.join(0)
    game.open(0)
    game.throw()
    return game.history
