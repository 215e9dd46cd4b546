"""The list of disputes: after every event what the dockets of the games say, and where it is."""

from domain.access import WHOLE
from domain.events.game import DisputeRaised, GameAnnulled
from domain.game import project
from projections.engine.store import Store
from projections.models.disputes import DISPUTES, DisputeFilters, disputes_page, list_disputed_tables
from projections.models.game_index import GAME_INDEX
from tests.databases import in_a_file
from tests.projections.helpers import projected, rows
from tests.projections.histories import START, History, Log, dealt, game_id, interleaved, opened
from tests.projections.models.test_rulings import WHY, a_disputed_game

ALL = DisputeFilters()
ANNULLED = GameAnnulled(WHY)


def listed(store: Store, filters: DisputeFilters = ALL) -> list[tuple[int, int, str, bool]]:
    """Game, number, stage, whether it suspends; the oldest first."""
    found = disputes_page(store, WHOLE, filters, None, 100, public=False).rows
    return [(int(one.game) & 0xFFFF, one.number, one.state, one.suspends) for one in reversed(found)]


def by_dockets(log: Log, upto: int) -> set[tuple[int, int, str, bool]]:
    told: set[tuple[int, int, str, bool]] = set()
    for number in (1, 2):
        game = project(None, [one for sequence, one in log.events if sequence <= upto and one.stream == game_id(number)])
        told |= {(number, one.number, one.stage, one.suspends) for one in game.docket.disputes} if game else set()
    return told


def test_after_every_event_the_list_says_what_the_dockets_say(store: Store):
    whole = Log(interleaved([a_disputed_game(1), a_disputed_game(2)]))
    log = Log()
    made = projected(store, log, DISPUTES)
    for sequence, recorded in whole.events:
        log.append(recorded)
        made.catch_up()
        assert set(listed(store)) == by_dockets(whole, sequence)


def a_night() -> Log:
    """Three games with a dispute each that waits, of which one belongs to no tournament."""
    raised = DisputeRaised(1, 2, 1, WHY, True)
    games = [
        History(number, opened(tournament="spring" if number < 3 else None, round=number, table="4b"), dealt(), raised)
        for number in (1, 2, 3)
    ]
    return Log([event for history in [*games, a_disputed_game(4)] for event in history.events])


FILTERED = [
    (DisputeFilters(), [1, 2, 3, 4, 4]),
    (DisputeFilters(undecided=True), [1, 2, 3]),
    (DisputeFilters(undecided=False), [4, 4]),
    (DisputeFilters(state="withdrawn"), [4]),
    (DisputeFilters(tournament="spring"), [1, 2]),
    (DisputeFilters(tournament="spring", round=2), [2]),
    (DisputeFilters(table="4b"), [1, 2, 3]),
    (DisputeFilters(raised_to=START), []),
    (DisputeFilters(raised_from=START), [1, 2, 3, 4, 4]),
    (DisputeFilters(ruleset="canasta"), []),
    (DisputeFilters(game=str(game_id(3))), [3]),
]


def test_all_filters_have_to_hold(store: Store):
    projected(store, a_night(), DISPUTES)
    assert [(filters, [one[0] for one in listed(store, filters)]) for filters, _ in FILTERED] == FILTERED


@in_a_file
def test_a_row_says_where_it_is_and_pages_go_on(store: Store):
    log = a_night()
    projected(store, log, DISPUTES)
    page = disputes_page(store, WHOLE, DisputeFilters(undecided=True), None, 2, public=False)
    rest = disputes_page(store, WHOLE, DisputeFilters(undecided=True), page.next, 2, public=False)
    first = (*page.rows, *rest.rows)[-1]
    assert rest.next is None
    assert (first.game, first.tournament, first.round, first.table, first.ruleset) == (game_id(1), "spring", 1, "4b", "casino")
    assert (first.raised_at, first.position, first.seat, first.claim, first.by) == (3, 2, 1, WHY.id, "p_recorder")


@in_a_file
def test_how_events_are_cut_into_batches_changes_nothing(store: Store):
    log = a_night()
    projected(store, log, DISPUTES, batch=3)
    whole = rows(store, DISPUTES)
    with store.transaction() as tx:
        for table in DISPUTES.tables:
            tx.run(f"DELETE FROM {table}")
        DISPUTES.apply(tx, log.events)
    assert rows(store, DISPUTES) == whole


def test_nothing_that_somebody_may_write_stops_the_projection(store: Store):
    wild = History(1, opened(tournament="\0", round=10**30), DisputeRaised(10**30, 10**30, 10**30, None, False))
    made = projected(store, Log(wild.events), DISPUTES)
    assert [status.error for status in made.status()] == [None]


def test_the_tables_of_undecided_disputes_are_known_but_for_annulled_games(store: Store):
    log = a_night()
    log.append(*History(5, opened(tournament="spring", round=1, table="5"), dealt(), DisputeRaised(1, 2, 1, WHY, True), ANNULLED).events)
    for projection in (DISPUTES, GAME_INDEX):
        projected(store, log, projection)
    assert [list_disputed_tables(store, "spring", public=public) for public in (False, True)] == [((1, "4b"), (2, "4b"))] * 2
    assert list_disputed_tables(store, "autumn", public=False) == ()
