"""What an event writes on the score sheet: the pure half of the projection of score lines.

A *block* holds what one event wrote for one seat: the rows of a finished hand, an adjustment, or what the party started with.
"""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.effects import Effect, GameClosed, HandClosed, HandOpened
from domain.events import Event, Recorded, effects_of
from domain.events.game import GameAnnulled, GameRewound, OrderLifted, PlayerSeated, PointsAdjusted
from domain.score import SCORING, HandSheet, Score
from domain.setup import Setup
from projections.values import as_json, microseconds, storable

BlockKind: TypeAlias = Literal["start", "hand", "adjustment"]
NOBODY = ""
_MOST = 10**15
"""Points that damaged history may hold are cut to this, so that the sum of many still fits into the store."""


class ScoreBoard(Struct, frozen=True):
    """The state of a game that is needed to read its next event. ``last`` is the hand that was finished last.

    ``score`` holds the hand in progress only: finished hands are in the store.
    """

    opened: int
    setup: Setup
    players: tuple[str | None, ...]
    score: Score = Score()
    last: int = 0


class ScoreBlock(Struct, frozen=True):
    """``rows`` is a JSON object of numbers. ``player`` is the id that was recorded, empty for none; ``at`` is in microseconds."""

    position: int
    seat: int
    hand: int | None
    at: int
    party: int
    player: str
    kind: BlockKind
    rows: str
    points: int


class BlocksEnded(Struct, frozen=True):
    """Blocks that are not valid any more: of hands (or adjustments of hands) from a number on, those written after a position, or all.

    ``struck``: by a ruling, so that they stay visible.
    """

    which: Literal["hands_from", "adjustments_from", "adjustment_at", "hands_after", "all"]
    number: int = 0
    struck: bool = False
    ruling: int | None = None


class BlocksRestored(Struct, frozen=True):
    """Blocks that a ruling struck out count again, because it was overturned: those of hands up to ``last``, the others, and the
    adjustments that were written at these positions.
    """

    ruling: int
    last: int
    adjustments: tuple[int, ...]


class PlacesChanged(Struct, frozen=True):
    """The places of the players who sat there at the end; ``None`` while the game is not over. A lost solitaire has a place of none."""

    places: tuple[tuple[str, int | None], ...] | None


Change: TypeAlias = ScoreBlock | BlocksEnded | BlocksRestored | PlacesChanged


def started(board: ScoreBoard, recorded: Recorded) -> Iterator[ScoreBlock]:
    """The start totals of the parties; a total of 0 is not written."""
    for party, points in enumerate(board.setup.start_totals):
        if points:
            yield from _blocks(board, recorded, party, None, "start", {"start": points})


def advanced(board: ScoreBoard, recorded: Recorded) -> tuple[ScoreBoard, tuple[Change, ...]]:
    """The board after an event, and what to change in the store, in order. Total: damaged history raises nothing."""
    event = recorded.event
    match event:
        case PlayerSeated(seat=seat, player=player):
            return replace(board, players=tuple(player if at == seat else one for at, one in enumerate(board.players))), ()
        case PointsAdjusted():
            return board, (*_adjusted(board, recorded, event), *_places(board, event.places))
        case GameRewound():
            return _rewound(board, event)
        case OrderLifted(restored=None):
            struck = BlocksEnded("adjustment_at", event.position, struck=True, ruling=event.ruling)
            return board, (struck, *_places(board, event.places))
        case OrderLifted(restored=restored) if restored:
            return _restored(board, event, restored.score)
        case GameAnnulled(ruling=ruling):
            return board, (BlocksEnded("all", struck=True, ruling=ruling), PlacesChanged(None))
    return _played(board, recorded, event)


def _adjusted(board: ScoreBoard, recorded: Recorded, event: PointsAdjusted) -> Iterator[ScoreBlock]:
    if 0 <= event.party < len(board.setup.parties):
        yield from _blocks(board, recorded, event.party, event.hand, "adjustment", {"adjustment": event.points})


def _rewound(board: ScoreBoard, event: GameRewound) -> tuple[ScoreBoard, tuple[Change, ...]]:
    """As on the sheet: what a ruling took back is struck out; adjustments stay, but for those of hands that are not finished any more."""
    score = event.restored.score
    last = max((hand.hand for hand in score.hands), default=0)
    kept = replace(board, score=Score(score.hand, score.dealer, score.lines, places=score.places), last=last)
    if last == board.last and board.score.places is None and score.places is None:
        return kept, ()  # within the hand in progress: nothing was written since
    struck = event.ruling is not None
    gone = (BlocksEnded("hands_after", event.to, struck, event.ruling), BlocksEnded("adjustments_from", last + 1))
    return kept, (*gone, *(_places(board, score.places) or (PlacesChanged(None),)))


def _restored(board: ScoreBoard, event: OrderLifted, score: Score) -> tuple[ScoreBoard, tuple[Change, ...]]:
    last = max((hand.hand for hand in score.hands), default=0)
    kept = replace(board, score=Score(score.hand, score.dealer, score.lines, places=score.places), last=last)
    given = BlocksRestored(event.lifted, last, tuple(one.position for one in score.adjustments))
    return kept, (given, *(_places(board, event.places) or (PlacesChanged(None),)))


def _played(board: ScoreBoard, recorded: Recorded, event: Event) -> tuple[ScoreBoard, tuple[Change, ...]]:
    changes: list[Change] = []
    for effect in effects_of(event):
        board = _scored(board, recorded, effect, changes)
    return board, tuple(changes)


def _scored(board: ScoreBoard, recorded: Recorded, effect: Effect, changes: list[Change]) -> ScoreBoard:
    step = SCORING.get(type(effect))
    if step is None:
        return board
    score: Score = step(board.setup, board.score, effect)
    match effect:
        case HandOpened(hand=hand):
            if hand <= board.last:  # dealt anew without a rewind: damaged history
                changes.append(BlocksEnded("hands_from", hand))
            if board.score.places is not None:
                changes.append(PlacesChanged(None))
            return replace(board, score=score, last=min(board.last, hand - 1))
        case HandClosed():
            changes += _written(board, recorded, score.hands[-1])
            return replace(board, score=replace(score, hands=()), last=score.hand)
        case GameClosed(places=places):
            changes += _places(board, places)
    return replace(board, score=score)


def _written(board: ScoreBoard, recorded: Recorded, hand: HandSheet) -> Iterator[ScoreBlock]:
    for party in range(len(board.setup.parties)):
        yield from _blocks(board, recorded, party, hand.hand, "hand", {row: storable(points[party]) for row, points in hand.rows.items()})


def _blocks(
    board: ScoreBoard, recorded: Recorded, party: int, hand: int | None, kind: BlockKind, rows: dict[str, int]
) -> Iterator[ScoreBlock]:
    """One for each seat of the party."""
    position, at = recorded.position, microseconds(recorded.stamp.at)
    text, points = as_json(rows), max(-_MOST, min(sum(rows.values()), _MOST))
    for seat in board.setup.parties[party]:
        yield ScoreBlock(position, seat, storable(hand), at, party, _player(board, seat), kind, text, points)


def _places(board: ScoreBoard, places: tuple[int | None, ...] | None) -> tuple[PlacesChanged, ...]:
    if places is None:
        return ()
    seated = zip(board.setup.parties, places, strict=False)
    return (PlacesChanged(tuple((_player(board, seat), place) for seats, place in seated for seat in seats)),)


def _player(board: ScoreBoard, seat: int) -> str:
    known = board.players[seat] if 0 <= seat < len(board.players) else None
    return storable(known) or NOBODY
