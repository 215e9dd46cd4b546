"""The projection of score sheets."""

from uuid import uuid4

from domain.events import Recorded
from domain.events.game import GameOpened
from domain.score import HandSheet, Sheet, sheet
from projections.engine.store import Store
from projections.models.score_sheets import SCORE_SHEETS, ScoreSheet, score_sheet
from tests.databases import in_a_file
from tests.projections.helpers import projected, projector
from tests.projections.histories import (
    SETUP,
    History,
    Log,
    a_whole_game,
    counted,
    dealt,
    finished,
    game_id,
    interleaved,
    opened,
    table_at,
    trailed,
)


def by_folding(history: History, upto: int) -> Sheet:
    """The sheet from the whole history, by the domain's own fold."""
    table = table_at(history.events, upto)
    assert table is not None
    return sheet(table.setup, table.score)


def test_the_sheet_of_a_finished_game(store: Store):
    history = History(1, opened(), dealt(), trailed(0, "AS"), counted(0, (7, 3)), dealt(2, 0), finished(1, (2, 8), (2, 1)))
    log = Log(history.events)
    projected(store, log, SCORE_SHEETS)
    first = HandSheet(1, 1, "played_out", {"cards": (7, 3), "sweeps": (1, 0)}, (8, 3), (8, 8), {"left": ("6S",)})
    second = HandSheet(2, 0, "played_out", {"cards": (2, 8), "sweeps": (1, 0)}, (3, 8), (11, 16), {"left": ("6S",)})
    expected = Sheet(SETUP.parties, SETUP.rows, (0, 5), (first, second), (11, 16), True, (2, 1), (1,), {})
    assert score_sheet(store, game_id(1)) == ScoreSheet(6, log.head(), expected)


@in_a_file
def test_a_sheet_before_the_first_hand_and_of_no_game(store: Store):
    log = Log(History(1, opened()).events)
    projected(store, log, SCORE_SHEETS)
    expected = Sheet(SETUP.parties, SETUP.rows, (0, 5), (), (0, 5), False, None, None, {})
    assert score_sheet(store, game_id(1)) == ScoreSheet(1, log.head(), expected)
    assert score_sheet(store, uuid4()) is None


def test_after_every_event_the_sheet_is_that_of_the_folded_history(store: Store):
    histories = [a_whole_game(number, hands=3) for number in (1, 2)]
    log = Log(interleaved(histories))
    made = projector(store, log, [SCORE_SHEETS], batch=1)
    for sequence, recorded in log.events:
        made.step()
        history = histories[0] if recorded.stream == game_id(1) else histories[1]
        rewinds = [one.name for one in history.events[: recorded.position]].count("game.rewound/1")
        expected = ScoreSheet(recorded.position, sequence, by_folding(history, recorded.position), rewinds=rewinds)
        assert score_sheet(store, recorded.stream) == expected


@in_a_file
def test_a_rewind_takes_a_finished_hand_off_the_sheet(store: Store):
    history = History(1, opened(), dealt(), counted(0, (7, 3))).rewind(2)
    log = Log(history.events)
    projected(store, log, SCORE_SHEETS, batch=1)
    found = score_sheet(store, game_id(1))
    assert found is not None
    assert (found.position, found.sheet.hands, found.sheet.totals) == (4, (), (0, 5))


@in_a_file
def test_a_game_whose_opening_cannot_be_read_has_no_sheet_and_stops_nothing(store: Store):
    from domain import codec

    broken, sound = a_whole_game(1), a_whole_game(2)
    first = codec.decode_event(broken.id, 1, "game.opened/1", b"{}")
    assert not isinstance(first.event, GameOpened)
    damaged: list[Recorded] = [first, *broken.events[1:]]
    made = projected(store, Log([*damaged, *sound.events]))
    assert [status.error for status in made.status()] == [None, None]
    assert score_sheet(store, broken.id) is None
    assert score_sheet(store, sound.id) is not None
