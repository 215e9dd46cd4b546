"""Score blocks of an event: the lines that it writes on the score sheet. The pure half of the projection of score lines.

A *block* holds the lines of one event for one seat: the rows of a finished hand, an adjustment, the start total of the party, or the result
of a table that was entered or forfeited (``entered_results.py``).
"""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.effects import Effect, Effects, GameClosed, HandClosed, HandOpened
from domain.events import Recorded, effects_of
from domain.events import game as events
from domain.events.played import parse_time_at_table
from domain.score import SCORING, HandSheet, Score
from domain.setup import Setup
from domain.time_zones import UTC_ZONE, decode_time_zone
from domain.tournament.seat_history import Players, SeatHistory, open_seats
from projections.values import as_json, microseconds, to_stored_value

BlockKind: TypeAlias = Literal["start", "hand", "adjustment", "entered", "forfeited"]
NOBODY = ""
_MOST = 10**15
"""Points that damaged history may hold are cut to this, so that the sum of many still fits into the store."""


class ScoreBoard(Struct, frozen=True):
    """The state of a game that is needed to read its next event. ``last`` is the hand that was finished last.

    ``score`` holds the hand in progress only: finished hands are in the store. Moments are in microseconds: ``opened_at`` of the opening as
    it was recorded, ``said_at`` and ``dealt_at`` as they were reported for the game and for the hand in progress, ``played_at`` of each
    hand. ``zone`` is the time zone of its months.
    """

    opened: int
    setup: Setup
    seats: SeatHistory
    score: Score = Score()
    last: int = 0
    opened_at: int = 0
    said_at: int | None = None
    dealt_at: int | None = None
    played_at: dict[int, int] = {}
    zone: str = UTC_ZONE


class ScoreBlock(Struct, frozen=True):
    """A block. ``rows`` is a JSON object of numbers. ``player`` is the id that was recorded, empty for none. ``at``, when it was written,
    and ``played_at`` are in microseconds. The result of a table has the position 0.
    """

    position: int
    seat: int
    hand: int | None
    at: int
    played_at: int
    party: int
    player: str
    kind: BlockKind
    rows: str
    points: int
    zone: str = UTC_ZONE


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


class BlocksAssigned(Struct, frozen=True):
    """Other players have the blocks of hands from a number on, and those of no hand after a position. ``players`` by seat, empty for
    none.
    """

    from_hand: int
    after: int
    players: tuple[str, ...]


Places: TypeAlias = tuple[tuple[str, int | None], ...]
"""The places of the players who sat there at the end. A lost solitaire has a place of none."""


class PlacesChanged(Struct, frozen=True):
    """The places of a game; ``None`` while it is not over."""

    places: Places | None


Change: TypeAlias = ScoreBlock | BlocksEnded | BlocksRestored | BlocksAssigned | PlacesChanged


def open_board(sequence: int, recorded: Recorded, event: events.GameOpened) -> ScoreBoard:
    return ScoreBoard(
        sequence,
        event.setup,
        open_seats(event.players),
        opened_at=microseconds(recorded.stamp.at),
        said_at=_time_at_table(recorded),
        zone=decode_time_zone(event.time_zone),
    )


def list_start_blocks(board: ScoreBoard, recorded: Recorded) -> Iterator[ScoreBlock]:
    """Yield the start totals of the parties; a total of 0 is not written."""
    for party, points in enumerate(board.setup.start_totals):
        if points:
            yield from _blocks(board, recorded, party, None, "start", {"start": points}, _game_at(board))


def advance_board(board: ScoreBoard, recorded: Recorded) -> tuple[ScoreBoard, tuple[Change, ...]]:
    """Return the board after an event, and the changes of the store, in order. Total: damaged history raises nothing."""
    event = recorded.event
    match event:
        case events.PlayerSeated():
            return replace(board, seats=board.seats.after_act(event, recorded.position)), ()
        case events.PlayersCorrected():
            return _assign_players(replace(board, seats=board.seats.after_act(event, recorded.position)), event)
        case events.PointsAdjusted():
            return _keep_places(board, event.places), (*_adjust_points(board, recorded, event), *_places(board, event.places))
        case events.RewindRecorded():
            return _apply_rewind(_take_back(board, recorded, event.restored.score), event)
        case events.OrderLifted(restored=None):
            struck = BlocksEnded("adjustment_at", event.position, struck=True, ruling=event.ruling)
            if event.reopened:
                return replace(board, score=replace(board.score, places=None)), (struck, PlacesChanged(None))
            return _keep_places(board, event.places), (struck, *_places(board, event.places))
        case events.OrderLifted(restored=restored) if restored:
            return _restore_board(_take_back(board, recorded, restored.score), event, restored.score)
        case events.GameAnnulled(ruling=ruling):
            annulled = replace(board, score=replace(board.score, places=None))
            return annulled, (BlocksEnded("all", struck=True, ruling=ruling), PlacesChanged(None))
        case events.HandEndedEarly(counts=False, effects=effects):
            # A hand that counts for nothing writes no lines; but the game may be over with it.
            return _apply_effects(board, recorded, tuple(effect for effect in effects if not isinstance(effect, HandClosed)))
    return _apply_effects(board, recorded, effects_of(event))


def _assign_players(board: ScoreBoard, event: events.PlayersCorrected) -> tuple[ScoreBoard, tuple[Change, ...]]:
    """Return the board and its changes. The places go with those who sat there at the end."""
    players = tuple(_player(board, seat) for seat in range(board.setup.seats))
    after = board.seats.last_before(event.from_hand)
    return board, (BlocksAssigned(event.from_hand, after, players), *_places(board, board.score.places))


def _keep_places(board: ScoreBoard, places: tuple[int | None, ...] | None) -> ScoreBoard:
    return board if places is None else replace(board, score=replace(board.score, places=places))


def _adjust_points(board: ScoreBoard, recorded: Recorded, event: events.PointsAdjusted) -> Iterator[ScoreBlock]:
    if 0 <= event.party < len(board.setup.parties):
        hand = to_stored_value(event.hand)
        at, players = board.played_at.get(hand) if hand is not None else None, board.seats.of_adjustment(hand, recorded.position)
        rows = {"adjustment": event.points}
        yield from _blocks(board, recorded, event.party, hand, "adjustment", rows, _game_at(board) if at is None else at, players)


def _take_back(board: ScoreBoard, recorded: Recorded, score: Score) -> ScoreBoard:
    return replace(board, seats=board.seats.after_score(score, recorded.position))


def _apply_rewind(board: ScoreBoard, event: events.RewindRecorded) -> tuple[ScoreBoard, tuple[Change, ...]]:
    """Apply a rewind as on the sheet: hands that a ruling took back are struck out; adjustments stay, except those of hands that are not
    finished any more.
    """
    score = event.restored.score
    last = max((hand.hand for hand in score.hands), default=0)
    kept = replace(board, score=Score(score.hand, score.dealer, score.lines, places=score.places), last=last)
    if last == board.last and board.score.places is None and score.places is None:
        return kept, ()  # within the hand in progress: nothing was written since
    struck = event.ruling is not None
    gone = (BlocksEnded("hands_after", event.to, struck, event.ruling), BlocksEnded("adjustments_from", last + 1))
    return kept, (*gone, *(_places(board, score.places) or (PlacesChanged(None),)))


def _restore_board(board: ScoreBoard, event: events.OrderLifted, score: Score) -> tuple[ScoreBoard, tuple[Change, ...]]:
    last = max((hand.hand for hand in score.hands), default=0)
    kept = replace(board, score=Score(score.hand, score.dealer, score.lines, places=score.places), last=last)
    given = BlocksRestored(event.lifted, last, tuple(one.position for one in score.adjustments))
    return kept, (given, *(_places(board, event.places) or (PlacesChanged(None),)))


def _apply_effects(board: ScoreBoard, recorded: Recorded, effects: Effects) -> tuple[ScoreBoard, tuple[Change, ...]]:
    changes: list[Change] = []
    for effect in effects:
        board = _apply_effect(board, recorded, effect, changes)
    return board, tuple(changes)


def _apply_effect(board: ScoreBoard, recorded: Recorded, effect: Effect, changes: list[Change]) -> ScoreBoard:
    step = SCORING.get(type(effect))
    if step is None:
        return board
    score: Score = step(board.setup, board.score, effect)
    match effect:
        case HandOpened(hand=hand):
            if hand <= board.last:  # dealt again without a rewind: damaged history
                changes.append(BlocksEnded("hands_from", hand))
            if board.score.places is not None:
                changes.append(PlacesChanged(None))
            return replace(board, score=score, last=min(board.last, hand - 1), dealt_at=_time_at_table(recorded))
        case HandClosed():
            at = _hand_at(board, recorded)
            changes += _list_hand_blocks(board, recorded, score.hands[-1], at)
            return replace(
                board,
                seats=board.seats.finish_hand(score.hand, recorded.position),
                score=replace(score, hands=()),
                last=score.hand,
                played_at={**board.played_at, to_stored_value(score.hand): at},
            )
        case GameClosed(places=places):
            changes += _places(board, places)
    return replace(board, score=score)


def _list_hand_blocks(board: ScoreBoard, recorded: Recorded, hand: HandSheet, at: int) -> Iterator[ScoreBlock]:
    for party in range(len(board.setup.parties)):
        rows = {row: to_stored_value(points[party]) for row, points in hand.rows.items()}
        yield from _blocks(board, recorded, party, hand.hand, "hand", rows, at)


def _time_at_table(recorded: Recorded) -> int | None:
    said = parse_time_at_table(recorded)
    return None if said is None else microseconds(said)


def _hand_at(board: ScoreBoard, recorded: Recorded) -> int:
    """Return when the hand was played, as far as it was reported; else when its end was recorded."""
    said = (_time_at_table(recorded), board.dealt_at, board.said_at)
    return next((at for at in said if at is not None), microseconds(recorded.stamp.at))


def _game_at(board: ScoreBoard) -> int:
    """Return the time of lines that belong to no hand: when the game was played, as far as it was reported, else when its last hand was."""
    if board.said_at is not None:
        return board.said_at
    return board.played_at[max(board.played_at)] if board.played_at else board.opened_at


def _blocks(
    board: ScoreBoard,
    recorded: Recorded,
    party: int,
    hand: int | None,
    kind: BlockKind,
    rows: dict[str, int],
    played_at: int,
    players: Players | None = None,
) -> Iterator[ScoreBlock]:
    """Yield a block for each seat of the party. ``players``: who sat there; by default those who sit there last."""
    position, at = recorded.position, microseconds(recorded.stamp.at)
    text, points = as_json(rows), bound_points(sum(rows.values()))
    for seat in board.setup.parties[party]:
        yield ScoreBlock(
            position, seat, to_stored_value(hand), at, played_at, party, _player(board, seat, players), kind, text, points, board.zone
        )


def bound_points(points: int) -> int:
    return max(-_MOST, min(points, _MOST))


def _places(board: ScoreBoard, places: tuple[int | None, ...] | None) -> tuple[PlacesChanged, ...]:
    if places is None:
        return ()
    seated = zip(board.setup.parties, places, strict=False)
    return (PlacesChanged(tuple((_player(board, seat), place) for seats, place in seated for seat in seats)),)


def _player(board: ScoreBoard, seat: int, players: Players | None = None) -> str:
    seated = players or board.seats.players
    known = seated[seat] if 0 <= seat < len(seated) else None
    return to_stored_value(known) or NOBODY
