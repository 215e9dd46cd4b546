"""What officials did, in the projections: the index, the sheets and the case book say what the folded game says."""

import pytest

from domain.access import WHOLE
from domain.effects import CardsMoved, TurnPassed
from domain.events.base import TextRef
from domain.events.game import (
    DisputeAppealed,
    DisputeRaised,
    DisputeRuled,
    DisputeWithdrawn,
    GameAbandoned,
    GameAnnulled,
    GameResumed,
    GameSuspended,
    IllegalMoveAccepted,
    NoteAdded,
    PlayerSeated,
    PointsAdjusted,
    RewindRecorded,
    SheetSigned,
    TableCorrected,
)
from domain.game import project
from domain.score import sheet, totals
from projections.engine.store import Store
from projections.models.game_index import GAME_INDEX, GameFilters, game_row, games_page
from projections.models.rulings import RULINGS, RulingCase, RulingFilters, RulingsPage, rulings_page
from projections.models.score_sheets import SCORE_SHEETS, score_sheet
from tests.projections.helpers import projected, projector
from tests.projections.histories import History, Log, counted, dealt, finished, game_id, interleaved, opened, table_at, trailed

WHY = TextRef("t1", "digest")
ALL = (GAME_INDEX, SCORE_SHEETS, RULINGS)


def a_disputed_game(number: int) -> History:
    history = History(number, opened(), dealt(), trailed(0, "AS"))
    history.add(DisputeRaised(1, 3, 1, WHY, True))
    history.add(DisputeRuled(1, 1, "arbiter", "stands", WHY, ("CNO-1", "CNO-22")))
    history.add(DisputeAppealed(1, 1, None, None))
    history.add(DisputeRuled(2, 1, "committee", "rewind", None, ()))
    rewound(history, 2, 2)
    history.add(IllegalMoveAccepted(0, {}, "wrong", (), (CardsMoved(("KS",), "hand:0", "board"), TurnPassed("play", 1, (1,)))))
    history.add(TableCorrected((CardsMoved(("KS",), "board", "hand:0"),), WHY))
    history.add(counted(1, (5, 1)))
    history.add(PointsAdjusted(1, 0, -3, WHY))
    history.add(PlayerSeated(1, "cora")).add(GameSuspended(None)).add(GameResumed(WHY)).add(NoteAdded(WHY, 3))
    history.add(SheetSigned(0, 3, "ab" * 32)).add(dealt(2, 0)).add(finished(0, (2, 9), (2, 1))).add(
        PointsAdjusted(None, 1, -30, WHY, None, (1, 2))
    )
    history.add(DisputeRuled(3, None, "arbiter", "rewind", WHY, ("CNO-2",)))
    rewound(history, 2, 3)
    history.add(DisputeRaised(2, 2, None, None, True)).add(DisputeWithdrawn(2, None)).add(counted(1, (4, 4)))
    return history.add(GameAbandoned(None) if number % 2 else GameAnnulled(WHY, 3))


def rewound(history: History, to: int, ruling: int) -> None:
    restored = table_at(history.events, to)
    assert restored is not None
    history.add(RewindRecorded(to, None, ruling, restored))


@pytest.mark.parametrize("batch", [1, 500])
def test_after_every_batch_index_and_sheets_are_those_of_the_folded_history(store: Store, batch: int):
    histories = {game_id(number): a_disputed_game(number) for number in (1, 2)}
    log = Log(interleaved(list(histories.values())))
    made = projector(store, log, ALL, batch=batch)
    taken = 0
    while taken < len(log.events):
        made.step()
        taken = min(taken + batch, len(log.events))
        for id, history in histories.items():
            upto = sum(recorded.stream == id for _, recorded in log.events[:taken])
            if not upto:
                continue
            folded, row, sheeted = project(None, history.events[:upto]), game_row(store, id), score_sheet(store, id)
            assert folded is not None
            assert row is not None
            assert sheeted is not None
            table = folded.table
            assert (row.phase, row.turn, row.state) == (table.phase, table.turn, folded.docket.standing)
            assert (row.players, row.totals, row.finished) == (
                folded.opened.players,
                totals(table.setup, table.score),
                table.score.places is not None,
            )
            assert sheeted.sheet == sheet(table.setup, table.score)
    assert [status.error for status in made.status()] == [None, None, None]
    assert [row.id for row in games_page(store, WHOLE, GameFilters(player="cora"), None, 10, public=False).items] == [
        game_id(2),
        game_id(1),
    ]
    assert [row.id for row in games_page(store, WHOLE, GameFilters(state="annulled"), None, 10, public=False).items] == [game_id(2)]


def test_the_case_book_holds_every_ruling_newest_first(store: Store):
    history = a_disputed_game(1)
    log = Log(history.events)
    projected(store, log, RULINGS)
    page = rulings_page(store, WHOLE, RulingFilters(), None, 10, public=False)
    assert [(case.ruling, case.instance, case.decision) for case in page.rulings] == [
        (3, "arbiter", "rewind"),
        (2, "committee", "rewind"),
        (1, "arbiter", "stands"),
    ]
    sequence = log.events[4][0]
    at = history.events[4].stamp.at
    first = RulingCase(sequence, game_id(1), 1, 5, at, "casino", None, 1, 3, "t1", "arbiter", "stands", ("CNO-1", "CNO-22"), "t1", None)
    assert page.rulings[2] == first
    assert rulings_page(store, WHOLE, RulingFilters(rules=("CNO-3", "CNO-22"), ruleset="casino"), None, 10, public=False) == RulingsPage(
        (first,), None
    )
    assert rulings_page(store, WHOLE, RulingFilters(rules=("CNO-3",)), None, 10, public=False) == RulingsPage((), None)
    half = rulings_page(store, WHOLE, RulingFilters(), None, 2, public=False)
    assert half.next is not None
    assert rulings_page(store, WHOLE, RulingFilters(), half.next, 2, public=False) == RulingsPage((first,), None)
