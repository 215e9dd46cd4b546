"""Results of the games of tournaments: at every moment what the folded game says, and a row only where something changed."""

import hashlib
from datetime import timedelta

from msgspec.structs import replace

from domain.events import Recorded
from domain.events.game import (
    Act,
    DisputeRaised,
    DisputeRuled,
    GameAbandoned,
    GameAnnulled,
    GameResumed,
    GameSuspended,
    NoteAdded,
    PlayersCorrected,
    PlayerSeated,
    PointsAdjusted,
)
from domain.tournament.games import SeatedHands, TableGame
from projections.engine.store import Store
from projections.models.results import RESULTS, latest_changes, results
from replay.table_games import RecordedContext, table_games
from tests.databases import in_a_file
from tests.projections.helpers import projected, projector, rows
from tests.projections.histories import History, Log, counted, dealt, finished, interleaved, opened, trailed


def a_game(number: int, table: str = "1", round: int = 1) -> History:
    """With a hand, a move that is taken back, disputes, another player, and points given after the end."""
    history = History(number, opened(tournament="spring", round=round, table=table), dealt(), trailed(0, "AS"))
    history.rewind(2)
    history.add(trailed(0, "KS")).add(counted(1, (5, 1))).add(NoteAdded(None)).add(GameSuspended(None)).add(GameResumed(None))
    history.add(PlayerSeated(1, "cora")).add(DisputeRaised(1, 3, 1, None, True)).add(DisputeRuled(1, 1, "arbiter", "stands", None))
    history.add(dealt(2, 0)).add(trailed(1, "TS")).add(finished(0, (2, 9), (2, 1)))
    history.add(PlayersCorrected(("cora", "anna"), 2, None))
    return history.add(PointsAdjusted(None, 1, -30, None, None, (1, 2))).add(GameAnnulled(None))


def folded(log: Log, upto: int, round: int | None = None) -> list[TableGame]:
    """What an audit reads from the events of the games, after the event of a sequence; ``since`` is not looked at."""
    histories: dict[object, list[tuple[int, Recorded]]] = {}
    for sequence, recorded in log.events:
        histories.setdefault(recorded.stream, []).append((sequence, recorded))
    spring = [events for events in histories.values() if getattr(events[0][1].event, "tournament", None) == "spring"]
    games = RecordedContext([change for events in spring for change in table_games(events)]).games_at(upto)
    return [replace(one, since=0) for one in games if round in (None, one.round)]


def told(found: tuple[TableGame, ...]) -> list[TableGame]:
    return [replace(one, since=0) for one in found]


def evening() -> Log:
    others = History(8, opened(), dealt(), trailed(0, "AS"), counted(1, (1, 2))), History(9, opened(tournament="spring", round=1))
    abandoned = History(7, opened(tournament="spring", round=2, table="1"), dealt(), GameAbandoned(None))
    elsewhere = History(6, opened(tournament="autumn", round=1, table="1"))
    return Log(interleaved([a_game(1), a_game(2, "2"), a_game(3, round=2), abandoned, elsewhere, *others]))


def test_at_every_sequence_the_results_are_those_that_an_audit_reads_from_the_games(store: Store):
    log = evening()
    projected(store, log, RESULTS, batch=5)
    for sequence, _ in log.events:
        assert told(results(store, "spring", sequence=sequence)) == folded(log, sequence)
    assert told(results(store, "spring")) == folded(log, log.head())
    assert told(results(store, "spring", round=2)) == folded(log, log.head(), 2)


def test_the_newest_change_of_each_tournament_is_found(store: Store):
    log = evening()
    projected(store, log, RESULTS)
    newest = {name: max(one.since for one in results(store, name)) for name in ("spring", "autumn")}
    assert latest_changes(store, ["spring", "winter", "autumn"]) == {**newest, "winter": 0}
    assert latest_changes(store, []) == {}


def seated_in(store: Store, *acts: Act) -> list[SeatedHands]:
    """Who had which points of a game of three hands: 2 and 2, 4 and 4, 6 and 6, after 0 and 5; the acts are after the second one."""
    history = History(1, opened(tournament="spring", round=1, table="1"), dealt(), counted(0, (1, 2)), dealt(2), counted(0, (3, 4)), *acts)
    projected(store, Log(history.add(dealt(3)).add(finished(0, (5, 6), (2, 1))).events), RESULTS)
    (game,) = results(store, "spring")
    return list(game.all_seated)


@in_a_file
def test_points_are_those_of_the_players_who_sat_there_in_each_hand(store: Store):
    assert seated_in(store, PlayerSeated(1, "cora")) == [
        SeatedHands(1, ("anna", "bert"), (6, 11)),
        SeatedHands(3, ("anna", "cora"), (6, 6)),
    ]


@in_a_file
def test_who_really_sat_there_from_a_hand_on_has_its_points(store: Store):
    assert seated_in(store, PlayersCorrected(("bert", "anna"), 2, None)) == [
        SeatedHands(1, ("anna", "bert"), (2, 7)),
        SeatedHands(2, ("bert", "anna"), (10, 10)),
    ]


@in_a_file
def test_adjustments_go_with_their_hand_or_their_time(store: Store):
    acts = (PointsAdjusted(None, 0, 10, None, None, None), PlayerSeated(0, "cora"), PointsAdjusted(1, 0, 100, None, None, None))
    after = PointsAdjusted(None, 0, 1000, None, None, None)
    assert seated_in(store, *acts, after) == [SeatedHands(1, ("anna", "bert"), (116, 11)), SeatedHands(3, ("cora", "bert"), (1006, 6))]


@in_a_file
def test_where_nobody_changed_nothing_is_told_of_it(store: Store):
    assert seated_in(store) == [SeatedHands(1, ("anna", "bert"), (12, 17))]


def test_at_every_moment_they_are_those_after_the_events_recorded_by_then(store: Store):
    log = Log(a_game(1).events)
    projected(store, log, RESULTS)
    for sequence, recorded in log.events:
        assert results(store, "spring", at=recorded.stamp.at) == results(store, "spring", sequence=sequence)
    assert results(store, "spring", at=log.events[0][1].stamp.at - timedelta(microseconds=1)) == ()


@in_a_file
def test_a_row_is_written_only_where_something_changed(store: Store):
    log = Log(a_game(1).events)
    projected(store, log, RESULTS)
    since = {row[1] for row in rows(store, RESULTS)["results"]}
    assert [recorded.position for sequence, recorded in log.events if sequence in since] == [1, 6, 8, 9, 10, 11, 12, 15, 16, 17, 18]


def test_rows_filled_anew_are_the_same_to_the_byte(store: Store):
    log = evening()
    made = projected(store, log, RESULTS, batch=7)
    before = digest(store)
    made.rebuild(RESULTS.name)
    assert digest(store) == before


def digest(store: Store) -> str:
    return hashlib.sha256(repr(rows(store, RESULTS)).encode()).hexdigest()


def test_however_events_are_cut_into_batches_the_rows_are_the_same(store: Store):
    log = evening()
    small = projector(store, log, [RESULTS], batch=3)
    small.catch_up()
    before = digest(store)
    for table in RESULTS.tables:
        with store.transaction() as tx:
            tx.run(f"DELETE FROM {table}")
    with store.transaction() as tx:
        RESULTS.apply(tx, log.events)
    assert digest(store) == before
