"""Which frames of a game are asked for, and from which positions on cards are shown by that."""

from api.games.requests import ReplayQuery
from domain.game import Game
from domain.sight import Eyes
from replay.selection import Selection, positions_of


def end_of(query: ReplayQuery, now: Game) -> int:
    """The last position that can be shown."""
    ends = [now.position, query.to, query.before and query.before - 1]
    return max(1, min(end for end in ends if end is not None))


def selection_of(query: ReplayQuery, now: Game, eyes: Eyes) -> Selection:
    first, last = (1, now.position) if query.hand is None else positions_of(now, query.hand)
    last = last if query.to is None else min(query.to, last)
    return Selection(max(query.from_, first), last, query.hand, query.seat, now.dark_from(eyes))


def place_before(query: ReplayQuery, now: Game, eyes: Eyes) -> int:
    """The position before the first frame that there could be."""
    return min(max(selection_of(query, now, eyes).first, (query.after or 0) + 1) - 1, end_of(query, now))


def shown(query: ReplayQuery, now: Game, eyes: Eyes, *, whole: bool) -> tuple[int, int]:
    """The first and the last position that can be shown."""
    first, last = _framed(query, now, eyes, whole=whole)
    if query.tables:
        return first, last
    start = max(min(first - 1, end_of(query, now)), 1)
    return start, max(start, last)


def _framed(query: ReplayQuery, now: Game, eyes: Eyes, *, whole: bool) -> tuple[int, int]:
    """Of a page of chosen frames nobody knows beforehand how far it goes."""
    chosen = selection_of(query, now, eyes)
    first, last = max(chosen.first, (query.after or 0) + 1), min(chosen.last, end_of(query, now))
    if whole or query.hand is not None or query.seat is not None:
        return first, last
    return (first, min(last, first + query.limit - 1)) if query.before is None else (max(first, last - query.limit + 1), last)
