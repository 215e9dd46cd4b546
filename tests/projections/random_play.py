"""Games of every ruleset by random play, with everything that officials do strewn in: what is recorded, not what would be wise."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

from domain.effects import HandClosed, Scored, TurnPassed
from domain.events import Event, Recorded
from domain.events.base import TextRef
from domain.events.game import (
    DisputeAppealed,
    DisputeRaised,
    DisputeRuled,
    DisputeWithdrawn,
    GameAbandoned,
    GameAnnulled,
    GameMadePublic,
    GameSuspended,
    HandEndedEarly,
    IllegalMoveAccepted,
    NoteAdded,
    PlayersCorrected,
    PlayerSeated,
    PointsAdjusted,
    RewindRecorded,
    SheetSigned,
    SignatureWithdrawn,
    TableCorrected,
)
from domain.games import RULESETS
from tests.benchmarks.games import played
from tests.benchmarks.playouts import set_ups
from tests.projections.histories import History, table_at

_LONGEST = 120
_WHY = TextRef("t1", "digest")


def random_games(chance: Random, each: int = 2) -> list[History]:
    """So many games of every ruleset, the set-up by chance."""
    keys = [key for key in RULESETS for _ in range(each)]
    return [_game(number, key, chance) for number, key in enumerate(keys, 1)]


def shuffled_together(histories: list[History], chance: Random) -> Iterator[Recorded]:
    """As if they were played at the same time, each as fast as chance will have it."""
    left = [list(reversed(history.events)) for history in histories]
    while left := [events for events in left if events]:
        yield chance.choice(left).pop()


def _game(number: int, key: str, chance: Random) -> History:
    options, seats = chance.choice(set_ups(RULESETS[key]))
    history = History(number)
    for event in islice(played(chance.randrange(10**6), key, options, seats, hands=2), _LONGEST):
        history.add(event)
        if len(history.events) > 2 and chance.random() < 0.1:
            chance.choice(_HAPPENINGS)(history, chance)
    if chance.random() < 0.5:
        history.add(chance.choice((GameAnnulled(_WHY, 1), GameAbandoned(None))))
    return history


def _taken_back(history: History, chance: Random) -> None:
    """By the recorder or by a ruling; then the same is played again."""
    last = history.events[-1].position
    to = chance.randrange(max(2, last - 30), last)
    again = [recorded.event for recorded in history.events[to:] if not isinstance(recorded.event, RewindRecorded)]
    restored = table_at(history.events, to)
    assert restored is not None
    history.add(RewindRecorded(to, None, chance.choice((None, 1)), restored))
    for event in again:
        history.add(event)


def _disputed(history: History, chance: Random) -> None:
    number = chance.randrange(1, 4)
    ruled = DisputeRuled(chance.randrange(1, 5), number, "arbiter", chance.choice(("stands", "rewind")), _WHY, ("COM-1",))
    raised = DisputeRaised(number, history.events[-1].position, 0, _WHY, chance.random() < 0.5)
    for event in (raised, ruled, chance.choice((DisputeAppealed(number, 0, None, None), DisputeWithdrawn(number, None)))):
        history.add(event)


def _single(make: Callable[[Random], Event]) -> Callable[[History, Random], None]:
    def happens(history: History, chance: Random) -> None:
        history.add(make(chance))

    return happens


_HAPPENINGS: tuple[Callable[[History, Random], None], ...] = (
    _taken_back,
    _disputed,
    _single(lambda chance: TableCorrected((TurnPassed("play", 0, (0,)), Scored("cards", (chance.randrange(9), 0))), _WHY)),
    _single(lambda chance: IllegalMoveAccepted(0, {}, "wrong", ("COM-1",), (TurnPassed("play", chance.randrange(2), (0, 1)),))),
    _single(lambda chance: PointsAdjusted(chance.choice((None, 1)), 0, chance.randrange(-50, 50), _WHY)),
    _single(lambda chance: PlayerSeated(chance.randrange(2), chance.choice((None, "cora", "dirk")))),
    _single(lambda chance: PlayersCorrected(chance.choice((("cora", None), ("bert", "anna"))), chance.randint(1, 2), _WHY)),
    _single(lambda chance: GameSuspended(None)),
    _single(lambda chance: HandEndedEarly((HandClosed("stopped", {}),), False, _WHY)),
    _single(lambda chance: GameMadePublic(_WHY)),
    _single(lambda chance: NoteAdded(_WHY, None)),
    _single(lambda chance: SheetSigned(chance.randrange(2), 2, "ab" * 32)),
    _single(lambda chance: SignatureWithdrawn(chance.randrange(2), chance.randrange(9))),
)
