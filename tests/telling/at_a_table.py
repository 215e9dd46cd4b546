"""Games of the Trumpfspiel recorded over HTTP as they are seen at a table, by a recorder without an arbiter (QTR-32)."""

from typing import NamedTuple

from tests.api.conftest import Caller
from tests.api.games.test_recorded_as_seen import Recorder
from tests.domain.games.setups import TRIED, SetUp
from tests.telling.tucking import TRUMPF, Tuck, play_with_free_tucks

LONGEST = 200
"""Steps of a game that are recorded."""


class RecordedGame(NamedTuple):
    """A game as it was recorded. ``breach``: where it could not go on, or went on otherwise than it was played."""

    game: str
    steps: int
    breach: str | None


def set_up_number(number: int) -> SetUp:
    set_ups = TRIED[TRUMPF]().set_ups
    return set_ups[number % len(set_ups)]


def record_at_a_table(caller: Caller, set_up: SetUp, tuck: Tuck, seed: str) -> RecordedGame:
    """Play a game and record it move by move; cards are told when everybody has seen them."""
    playout = play_with_free_tucks(set_up, f"{seed} {tuck}", tuck)
    recorder = Recorder(caller, playout._replace(steps=playout.steps[:LONGEST]))
    breach = next(recorder.breaches(), None)
    return RecordedGame(recorder.game, len(recorder.done), breach)
