"""Games that are not live: after every event the lists for the public leave out exactly what the game says is dark."""

from collections.abc import Callable

import pytest

from domain.access import WHOLE
from domain.events import Event
from domain.events.game import DisputeRaised, DisputeRuled, GameAbandoned, GameAnnulled, GameMadePublic, GameSuspended, OrderLifted
from domain.game import project
from projections.engine.store import Store
from projections.models.disputes import DISPUTES, DisputeFilters, disputes_page
from projections.models.game_index import GAME_INDEX, GameFilters, game_row, games_page
from projections.models.rulings import RULINGS, RulingFilters, rulings_page
from tests.databases import in_a_file
from tests.projections.helpers import projector
from tests.projections.histories import History, Log, counted, dealt, finished, game_id, opened, trailed

RAISED, RULED = DisputeRaised(1, 2, 0, None, False), DisputeRuled(1, 1, "arbiter", "stands", None)


def dark(*events: Event) -> History:
    return History(1, opened(live=False), dealt(), RAISED, RULED, *events)


STORIES: dict[str, Callable[[], History]] = {
    "played to its end": lambda: dark(trailed(0, "AS"), counted(1, (1, 2)), dealt(2), trailed(0, "KS"), finished(1, (1, 2), (1, 2))),
    "taken up again": lambda: dark(trailed(0, "AS"), finished(1, (1, 2), (1, 2))).rewind(5),
    "suspended and abandoned": lambda: dark(GameSuspended(None), GameAbandoned(None)),
    "annulled, and not": lambda: dark(GameAnnulled(None, 1), OrderLifted(5, 1, 2, None, None)),
    "disclosed": lambda: dark(GameMadePublic(None), trailed(0, "AS")),
    "live": lambda: History(1, opened(), dealt(), RAISED, RULED, trailed(0, "AS")),
}


@pytest.mark.parametrize("story", STORIES)
def test_after_every_event_the_lists_for_the_public_say_what_the_game_says(store: Store, story: str):
    whole, log = Log(STORIES[story]().events), Log()
    made = projector(store, log, [GAME_INDEX, DISPUTES, RULINGS], batch=1)
    for _, recorded in whole.events:
        log.append(recorded)
        made.catch_up()
        game, row = project(None, [one for _, one in log.events]), game_row(store, game_id(1))
        assert game
        assert row
        [shown] = games_page(store, WHOLE, GameFilters(), None, 10, public=True).items
        assert (row.is_hidden_until_over, row.live, row.disclosed) == (
            game.is_hidden_until_over,
            game.opened.live is not False,
            game.docket.disclosed,
        )
        assert (shown.phase == "covered", shown == row) == (game.is_hidden_until_over, not game.is_hidden_until_over)
        found = {
            phase for phase in ("covered", row.phase) if games_page(store, WHOLE, GameFilters(phase=phase), None, 10, public=True).items
        }
        assert found == {shown.phase}
        raised = disputes_page(store, WHOLE, DisputeFilters(), None, 10, public=True).rows
        ruled = rulings_page(store, WHOLE, RulingFilters(), None, 10, public=True).rulings
        assert (len(raised), len(ruled)) == ((0, 0) if game.is_hidden_until_over else (len(game.docket.disputes), len(game.docket.rulings)))


@in_a_file
def test_of_a_dark_game_the_list_tells_the_hand_that_was_closed_last(store: Store):
    log = Log(dark(counted(1, (1, 2)), dealt(2)).events)
    projector(store, log, [GAME_INDEX], batch=1).catch_up()
    row = game_row(store, game_id(1))
    assert row
    shown = row.for_the_public
    assert (row.hand, shown.hand, shown.turn, shown.to_act, shown.totals, shown.position) == (2, 1, None, (), row.totals, row.position)


@in_a_file
def test_of_a_game_that_the_index_does_not_know_yet_nothing_is_told(store: Store):
    log = Log(History(1, opened(), dealt(), RAISED, RULED).events)
    projector(store, log, [DISPUTES, RULINGS, GAME_INDEX], batch=1).catch_up()
    with store.transaction() as tx:
        tx.run("DELETE FROM game_index", ())
    assert disputes_page(store, WHOLE, DisputeFilters(), None, 10, public=True).rows == ()
    assert rulings_page(store, WHOLE, RulingFilters(), None, 10, public=True).rulings == ()
