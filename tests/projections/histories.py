"""Small hand-made histories for the tests of projections and timelines: no rulebook, only events as they are stored."""

import threading
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from uuid import UUID

from msgspec import UNSET, UnsetType

from domain import codec
from domain.effects import CardsMoved, GameClosed, HandClosed, HandOpened, Scored, TurnPassed, ZoneAdded
from domain.events import Event, Recorded, Stamp, digest
from domain.events.game import GameOpened, HandDealt, MovePlayed, Openness, RewindRecorded
from domain.game import project
from domain.opening import OpennessContext
from domain.setup import Setup
from domain.sight import Who
from domain.table import Table
from replay.game_frames import Frame, frame
from replay.past import GamePast

START = datetime(2026, 11, 21, 19, 0, tzinfo=UTC)
SETUP = Setup("casino", {"royal": False}, 2, ((0,), (1,)), ("cards", "sweeps"), (0, 5), {})
NOTHING = OpennessContext()
"""Nobody looked at what goes on around a game, or there is nothing to look for."""
DECK = tuple(rank + suit for suit in "SHDC" for rank in "AKQJT98765432")


def game_id(number: int) -> UUID:
    return UUID(int=number, version=4)


def opened(
    players: tuple[str | None, ...] = ("anna", "bert"),
    *,
    openness: Openness = "game_over",
    ruleset: str = "casino",
    tournament: str | None = None,
    round: int | None = None,
    table: str | None = None,
    live: bool | UnsetType = UNSET,
) -> GameOpened:
    setup = Setup(ruleset, SETUP.options, SETUP.seats, SETUP.parties, SETUP.rows, SETUP.start_totals)
    return GameOpened(setup, 1, players, openness, tournament, round, table, UNSET, live)


def dealt(hand: int = 1, dealer: int = 1) -> HandDealt:
    """Four cards to each seat: AS KS QS JS to seat 0, TS 9S 8S 7S to seat 1, 6S face up on the board; 5S comes next."""
    first = CardsMoved(DECK[:4], "stock", "hand:0")
    second = CardsMoved(DECK[4:8], "stock", "hand:1")
    zones = (ZoneAdded("hand:0", "owner", 0), ZoneAdded("hand:1", "owner", 1), ZoneAdded("board", "all", None))
    stock = ZoneAdded("stock", "none", None, DECK[::-1])
    board = CardsMoved((DECK[8],), "stock", "board")
    effects = (HandOpened(hand, dealer), stock, *zones, first, second, board, TurnPassed("play", 0, (0,)))
    return HandDealt(dealer, 1, "recorded", effects)


def trailed(seat: int, card: str) -> MovePlayed:
    effects = (CardsMoved((card,), f"hand:{seat}", "board"), TurnPassed("play", 1 - seat, (1 - seat,)))
    return MovePlayed(seat, {"type": "trail", "card": card}, effects)


def played(seat: int, *effects: object) -> MovePlayed:
    return MovePlayed(seat, {"type": "play"}, effects)  # pyrefly: ignore[bad-argument-type]


def counted(seat: int, points: tuple[int, int]) -> MovePlayed:
    """The last move of a hand, which scores and closes it."""
    return played(seat, Scored("cards", points), Scored("sweeps", (1, 0)), HandClosed("played_out", {"left": ("6S",)}))


def finished(seat: int, points: tuple[int, int], places: tuple[int, int]) -> MovePlayed:
    return played(seat, *counted(seat, points).effects, GameClosed(places, {}))


def table_at(history: Iterable[Recorded], position: int) -> Table | None:
    """The table as it stood after the event at ``position``."""
    game = project(None, (recorded for recorded in history if recorded.position <= position))
    return game.table if game else None


def frames_of(history: Sequence[Recorded], who: Who, around: OpennessContext = NOTHING) -> list[Frame]:
    """What somebody is told of a whole game."""
    steps = list(GamePast(lambda after, limit: history[after : after + limit]).steps(0, len(history)))
    return [frame(steps[-1].after, who, around, step) for step in steps]


class History:
    """Records events one after the other, a second apart; ``rewind`` looks up the table to restore."""

    def __init__(self, number: int = 1, *events: Event) -> None:
        self.id = game_id(number)
        self.events: list[Recorded] = []
        for event in events:
            self.add(event)

    def add(self, event: Event) -> "History":
        last = self.events[-1] if self.events else None
        position = last.position + 1 if last else 1
        stamp = Stamp(START + timedelta(seconds=position), "p_recorder")
        self.events.append(codec.encode_event(self.id, position, digest(last.state) if last else None, stamp, event))
        return self

    def rewind(self, to: int) -> "History":
        restored = table_at(self.events, to)
        assert restored is not None
        return self.add(RewindRecorded(to, None, None, restored))


def a_whole_game(number: int, hands: int = 2, **kwargs) -> History:
    """A game of some hands; in each a move is taken back and made otherwise. Opened, then six events a hand."""
    history = History(number, opened(**kwargs))
    for hand in range(1, hands + 1):
        history.add(dealt(hand))
        history.add(trailed(0, "AS"))
        history.rewind(history.events[-2].position)
        history.add(trailed(0, "KS"))
        history.add(trailed(1, "TS"))
        history.add(finished(0, (hand, 2), (1, 2)) if hand == hands else counted(0, (hand, 2)))
    return history


class Log:
    """All events of a store in memory, as the journal would give them: sequences rise and have gaps."""

    def __init__(self, events: Iterable[Recorded] = ()) -> None:
        self.events: list[tuple[int, Recorded]] = []
        self._appended = threading.Condition()
        self.append(*events)

    def append(self, *events: Recorded) -> int:
        with self._appended:
            for recorded in events:
                self.events.append((self.head() + (3 if recorded.position == 1 else 1), recorded))
            self._appended.notify_all()
        return self.head()

    def read(self, after: int, limit: int) -> Sequence[tuple[int, Recorded]]:
        first = bisect_right(self.events, after, key=itemgetter(0))
        return self.events[first : first + limit]

    def head(self) -> int:
        return self.events[-1][0] if self.events else 0

    def wait(self, after: int, timeout: float) -> bool:
        with self._appended:
            return self._appended.wait_for(lambda: self.head() > after, min(timeout, 0.05))


def interleaved(histories: Sequence[History]) -> Iterable[Recorded]:
    """The games as if they were played at the same time: the first events of all, then the second ones."""
    longest = max(len(history.events) for history in histories)
    for index in range(longest):
        yield from (history.events[index] for history in histories if index < len(history.events))
