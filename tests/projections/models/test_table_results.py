"""Results of tables in the score lines: what was entered counts once, and instead of the games."""

from collections import defaultdict
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from deploy.stores.opening import open_projections
from domain.access import WHOLE
from domain.events import Recorded
from domain.events.game import GameAnnulled, PointsAdjusted
from domain.events.player import PlayerMerged, PlayerSeparated
from domain.events.tournament import EntryChanged, ResultEntered
from domain.tournament import entries, results, rounds
from domain.tournament.seat_history import list_seated_players
from domain.tournament.tally import tally_rounds
from domain.tournament.tournament import Tournament
from projections.engine.store import Store
from projections.models.results import RESULTS
from projections.models.results import results as stored_results
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_history import HistoryFilters, months, player_games_page, player_totals
from projections.models.score_lines.score_list import START as FIRST
from projections.models.score_lines.score_list import ScoredGame, ScoreEntry, ScoreFilters, latest
from projections.models.score_lines.score_list import entries as found_entries
from projections.values import as_json, microseconds
from tests.databases import in_a_file
from tests.projections.helpers import projected, rows
from tests.projections.histories import START, History, Log, counted, dealt, finished, opened
from tests.projections.models.evenings import STREAM, Evening, Stream, games_by_table, persons_at, tournament_at

ALL = ScoreFilters()


def found(store: Store, filters: ScoreFilters = ALL, as_of: int | None = None) -> list[tuple[ScoredGame, ScoreEntry]]:
    steps = found_entries(store, WHOLE, filters, latest(store, WHOLE) if as_of is None else as_of, FIRST)
    return [(one.game, entry) for step in steps for one in step for entry in one.entries]


def brief(store: Store, filters: ScoreFilters = ALL, as_of: int | None = None) -> list[tuple[Any, ...]]:
    """Round, table, whether it is a game's, player, points, how, status."""
    return [
        (game.round, game.table, game.id is not None, one.player, sum(one.rows.values()), one.how, one.status)
        for game, one in found(store, filters, as_of)
    ]


def an_evening() -> Evening:
    """Tables 1 and 2 of the first round, with nobody's luck in what follows."""
    return Evening(Random(1))


def at_table(evening: Evening, table: str = "1") -> tuple[int, int]:
    one, other = evening.now.rounds[0].tables[int(table) - 1].seats
    return one, other


def a_game(evening: Evening, number: int = 1, table: str = "1") -> History:
    """The only hand brings the first seat 8 and the second 2 and the 5 that it started with."""
    players = evening.now.players(1, at_table(evening, table))
    history = History(number, opened(players, tournament="spring", round=1, table=table), dealt(), finished(0, (7, 2), (1, 2)))
    evening.log.append(*history.events)
    return history


@in_a_file
def test_a_result_counts_once_all_sides_have_confirmed_it(store: Store):
    evening = an_evening()
    one, other = at_table(evening)
    evening.direct(results.enter_result(evening.now, 1, "1", (21, 17), one))
    made = projected(store, evening.log, SCORE_LINES)
    assert brief(store) == []
    evening.direct(results.confirm_result(evening.now, 1, "1", other))
    made.catch_up()
    assert brief(store) == [
        (1, "1", False, f"p{one}", 21, "entered", "counted"),
        (1, "1", False, f"p{other}", 17, "entered", "counted"),
    ]
    ((game, first), _) = found(store)
    written = microseconds(evening.stream.events[-1].stamp.at)
    assert (game.id, game.opened_at, game.ruleset, first.position, first.hand, first.rows) == (
        None,
        None,
        "casino",
        0,
        None,
        {"result": 21},
    )
    assert (first.at, first.sequence, first.recorded, first.club) == (written, evening.log.head(), f"p{one}", "c1")


@in_a_file
def test_while_a_result_counts_the_lines_of_the_games_are_superseded(store: Store):
    evening = an_evening()
    one, other = at_table(evening)
    a_game(evening)
    before = evening.log.head()
    evening.direct(results.decide_result(evening.now, 1, "1", (3, 9)))
    made = projected(store, evening.log, SCORE_LINES)
    superseded = [
        (1, "1", True, f"p{other}", 5, "recorded", "superseded"),
        (1, "1", True, f"p{one}", 8, "recorded", "superseded"),
        (1, "1", True, f"p{other}", 2, "recorded", "superseded"),
    ]
    entered = [(1, "1", False, f"p{one}", 3, "entered", "counted"), (1, "1", False, f"p{other}", 9, "entered", "counted")]
    assert brief(store) == superseded + entered
    assert brief(store, ScoreFilters(changed_since=before)) == superseded + entered
    entry = evening.log.head()
    evening.direct(results.withdraw_result(evening.now, 1, "1", None))
    made.catch_up()
    assert brief(store) == [(*line[:-1], "counted") for line in superseded]
    assert brief(store, as_of=before) == brief(store)
    withdrawn = [(*line[:-1], "withdrawn") for line in entered]
    assert brief(store, ScoreFilters(changed_since=entry)) == [*brief(store), *withdrawn]


@in_a_file
def test_what_is_played_on_beside_a_result_is_superseded_too_and_a_ruling_strikes_it_out(store: Store):
    evening = an_evening()
    evening.direct(results.decide_result(evening.now, 1, "1", (3, 9)))
    game = a_game(evening)
    made = projected(store, evening.log, SCORE_LINES)
    assert {line[-1] for line in brief(store) if line[2]} == {"superseded"}
    game.add(PointsAdjusted(1, 0, -4, None)).add(GameAnnulled(None, 3))
    evening.log.append(*game.events[-2:])
    made.catch_up()
    assert {line[-1] for line in brief(store) if line[2]} == {"struck"}
    evening.direct(results.withdraw_result(evening.now, 1, "1", None))
    made.catch_up()
    assert {line[-1] for line in brief(store)} == {"struck"}


@in_a_file
def test_games_go_before_what_sides_say_and_come_back_when_they_lack_nothing_any_more(store: Store):
    evening = an_evening()
    one, other = at_table(evening)
    game = a_game(evening)
    evening.direct(results.enter_result(evening.now, 1, "1", (21, 17), one))
    evening.direct(results.confirm_result(evening.now, 1, "1", other))
    made = projected(store, evening.log, SCORE_LINES)
    assert {(line[-2], line[-1]) for line in brief(store)} == {("recorded", "counted")}
    game.add(GameAnnulled(None))
    evening.log.append(game.events[-1])
    made.catch_up()
    assert [line for line in brief(store) if line[-1] == "counted"] == [
        (1, "1", False, f"p{one}", 21, "entered", "counted"),
        (1, "1", False, f"p{other}", 17, "entered", "counted"),
    ]
    a_game(evening, 2)
    made.catch_up()
    assert {line[-2] for line in brief(store) if line[-1] == "counted"} == {"recorded"}


@in_a_file
def test_a_forfeit_has_the_points_that_the_standings_take(store: Store):
    evening = an_evening()
    one, other = at_table(evening)
    evening.direct(results.forfeit_table(evening.now, 1, "1", [other], None))
    projected(store, evening.log, SCORE_LINES)
    assert brief(store) == [
        (1, "1", False, f"p{one}", 7, "forfeited", "counted"),
        (1, "1", False, f"p{other}", -2, "forfeited", "counted"),
    ]
    assert player_games_page(store, WHOLE, f"p{one}", HistoryFilters(), None, 10).games == ()


@in_a_file
def test_a_corrected_result_replaces_the_lines_and_keeps_when_it_was_played(store: Store):
    evening = an_evening()
    evening.log.append(evening.stream.add(results.decide_result(evening.now, 1, "1", (3, 9)), 40, 20))
    made = projected(store, evening.log, SCORE_LINES)
    before = evening.log.head()
    evening.log.append(evening.stream.add(results.decide_result(evening.now, 1, "1", (4, 9)), 80))
    made.catch_up()
    assert [line[4] for line in brief(store)] == [4, 9]
    assert [line[4] for line in brief(store, as_of=before)] == [3, 9]
    assert [(line[4], line[-1]) for line in brief(store, ScoreFilters(changed_since=before))] == [(4, "counted"), (9, "counted")]
    assert {one.played_at for _, one in found(store)} == {microseconds(START + timedelta(days=20))}
    assert brief(store, ScoreFilters(played_from=START + timedelta(days=21))) == []


@in_a_file
def test_who_stands_for_an_entrant_in_the_round_has_the_line(store: Store):
    evening = an_evening()
    one, _ = at_table(evening)
    evening.direct(results.decide_result(evening.now, 1, "1", (3, 9)))
    evening.direct(entries.change_entry(evening.now, one, ["zoe"], None))
    projected(store, evening.log, SCORE_LINES)
    assert [line[3] for line in brief(store)] == ["zoe", f"p{at_table(evening)[1]}"]


def test_lines_of_results_follow_mergers_and_separations(store: Store):
    evening = an_evening()
    one, other = at_table(evening)
    evening.direct(results.decide_result(evening.now, 1, "1", (3, 9)))
    evening.tell(f"p{one}", PlayerMerged("g1"))
    made = projected(store, evening.log, SCORE_LINES)
    assert [(game.id, entry.player, entry.recorded) for game, entry in found(store, ScoreFilters(player="g1"))] == [(None, "g1", f"p{one}")]
    evening.tell(f"p{one}", PlayerSeparated())
    made.catch_up()
    assert [line[3] for line in brief(store)] == [f"p{one}", f"p{other}"]


@in_a_file
def test_a_table_with_an_entered_result_is_a_game_of_the_players_history(store: Store):
    evening = an_evening()
    _, other = at_table(evening)
    a_game(evening)
    evening.log.append(evening.stream.add(results.decide_result(evening.now, 1, "1", (3, 9)), 1, 60))
    projected(store, evening.log, SCORE_LINES)
    (played,) = player_games_page(store, WHOLE, f"p{other}", HistoryFilters(), None, 10).games
    assert (played.game, played.opened_at, played.played_at) == (None, None, START + timedelta(days=60))
    assert (played.round, played.table, played.hands, played.points, played.place, played.finished) == (1, "1", 0, 9, 1, True)
    (sums,) = player_totals(store, WHOLE, f"p{other}", HistoryFilters(), months(store, WHOLE, f"p{other}", HistoryFilters()), 10)
    assert (sums.games, sums.finished, sums.wins, sums.hands, sums.points) == (1, 1, 1, 0, 9)
    assert [month.month for month in months(store, WHOLE, f"p{other}", HistoryFilters())] == ["2027-01"]


@in_a_file
def test_a_pairing_that_is_taken_back_leaves_no_result_behind(store: Store):
    evening = an_evening()
    evening.direct(results.decide_result(evening.now, 1, "1", (3, 9)))
    first = evening.log.head()
    evening.direct(results.withdraw_result(evening.now, 1, "1", None))
    evening.direct(rounds.withdraw_pairing(evening.now, (), None))
    evening.pair(1)
    made = projected(store, evening.log, SCORE_LINES)
    assert brief(store) == []
    evening.log.append(evening.stream.add(results.decide_result(evening.now, 1, "1", (1, 2)), 70))
    made.catch_up()
    assert [line[3:5] for line in brief(store)] == [(f"p{seat}", points) for seat, points in zip(at_table(evening), (1, 2), strict=True)]
    assert {one.played_at for _, one in found(store)} == {microseconds(START + timedelta(days=70))}
    assert [line[4] for line in brief(store, as_of=first)] == [3, 9]


@pytest.mark.parametrize("wrong", [(3,), (3, 9, 5)])
def test_damaged_results_stop_nothing(store: Store, wrong: tuple[int, ...]):
    evening = an_evening()
    evening.direct(ResultEntered(1, "1", wrong, None), ResultEntered(9, "x", (1, 2), None))
    evening.direct(ResultEntered(1, "2", (10**30, -(10**30)), None), EntryChanged(77, ("a\0b",), 1))
    lost = Stream(STREAM.__class__(int=5, version=4))
    evening.log.append(lost.add(ResultEntered(1, "1", (1, 2), None), 1))
    made = projected(store, evening.log, SCORE_LINES)
    assert [status.error for status in made.status()] == [None]
    assert [line[:3] for line in brief(store)] == [(1, "2", False), (1, "2", False)]


def test_a_tournament_is_kept_as_it_is():
    evening = played(Random(5), 40)
    for sequence, one in evening.log.events:
        if one.stream == STREAM:
            now = tournament_at(evening.log, sequence)
            assert msgspec.json.decode(as_json(now), type=Tournament) == now


# When something was played


def moved(history: History, days: dict[int, int]) -> list[Recorded]:
    """The history as recorded, with when some of its events are said to have happened: by their positions, days before that."""
    return [
        replace(one, stamp=replace(one.stamp, happened_at=START - timedelta(days=days[one.position]))) if one.position in days else one
        for one in history.events
    ]


DATED: list[tuple[dict[int, int], list[int | None]]] = [
    ({}, [None, None, None, None, None]),
    ({1: 9}, [9, 9, 9, 9, 9]),
    ({3: 8}, [None, 8, None, 8, None]),
    ({2: 7}, [None, 7, None, 7, None]),
    ({1: 9, 2: 7, 3: 8, 5: 6, 6: 1}, [9, 8, 6, 8, 9]),
]


@in_a_file
def test_a_line_says_when_the_hand_was_played_else_the_game_else_when_it_was_recorded(store: Store):
    histories = [History(number, opened(), dealt(), counted(0, (7, 3)), dealt(2), counted(0, (1, 1))) for number in range(len(DATED))]
    for history in histories:
        history.add(PointsAdjusted(1, 1, -3, None)).add(PointsAdjusted(None, 1, -2, None))
    projected(store, Log([one for history, (said, _) in zip(histories, DATED, strict=True) for one in moved(history, said)]), SCORE_LINES)
    for history, (said, expected) in zip(histories, DATED, strict=True):
        told = [one for game, one in found(store) if (game.id, one.seat) == (str(history.id), 1)]
        assert [one.position for one in told] == [1, 3, 5, 6, 7], said
        # An adjustment is of the day of its hand; one of no hand, if nobody said when the game was played, of that of the last hand.
        recorded = [history.events[position - 1].stamp.at for position in (1, 3, 5, 3, 5)]
        days = [at if day is None else START - timedelta(days=day) for day, at in zip(expected, recorded, strict=True)]
        assert [one.played_at for one in told] == [microseconds(day) for day in days], said


@in_a_file
def test_what_a_record_says_goes_before_when_it_was_recorded(store: Store):  # COM-66
    history = History(1, replace(opened(), played_at="1998-03-07"), dealt(), counted(0, (7, 3)))
    history.add(replace(dealt(2), played_at="1998-03-14T20:00:00+01:00")).add(counted(0, (1, 1))).add(PointsAdjusted(None, 1, -2, None))
    projected(store, Log(history.events), SCORE_LINES)
    told = {one.position: one.played_at for _, one in found(store)}
    first, second = datetime(1998, 3, 7, tzinfo=UTC), datetime(1998, 3, 14, 19, tzinfo=UTC)
    assert told == {1: microseconds(first), 3: microseconds(first), 5: microseconds(second), 6: microseconds(first)}
    assert [month.month for month in months(store, WHOLE, "anna", HistoryFilters())] == ["1998-03"]


def test_months_and_filters_go_by_when_it_was_played(store: Store):
    first = History(1, opened(), dealt(), finished(0, (7, 3), (1, 2)))
    second = History(2, opened(), dealt(), finished(0, (1, 3), (2, 1)))
    projected(store, Log([*moved(first, {3: 40}), *second.events]), SCORE_LINES)
    assert [month.month for month in months(store, WHOLE, "anna", HistoryFilters())] == ["2026-10", "2026-11"]
    october = HistoryFilters(played_before=START - timedelta(days=30))
    assert [one.played_at for one in player_games_page(store, WHOLE, "anna", october, None, 10).games] == [START - timedelta(days=40)]
    assert {game.id for game, _ in found(store, ScoreFilters(played_from=START - timedelta(days=1), player="anna"))} == {str(second.id)}
    # The trend compares the games that were played last.
    (sums,) = player_totals(store, WHOLE, "anna", HistoryFilters(), months(store, WHOLE, "anna", HistoryFilters()), 1)
    assert sums.latest_average == 2.0


# Laws


def add_up_to_the_standings(store: Store, log: Log, sequence: int) -> None:
    """Table by table the counted lines of an entrant's players are what the standings take, and pages show those who have them."""
    now, person_of = tournament_at(log, sequence), persons_at(log, sequence)
    games = stored_results(store, "spring", sequence=sequence)
    at = games_by_table(games)
    lines: dict[tuple[int | None, str | None], list[tuple[ScoredGame, ScoreEntry]]] = defaultdict(list)
    for game, entry in found(store, ScoreFilters(tournament="spring"), sequence):
        lines[game.round, game.table].append((game, entry))
    for outcome in tally_rounds(now, games, person_of):
        own = [(game, one) for game, one in lines.pop((outcome.round, outcome.table), []) if one.status == "counted"]
        recorded = {one.how for _, one in own}
        if outcome.how in ("open", "adjourned"):
            assert recorded <= {"recorded"}
            continue
        assert recorded <= {"recorded" if outcome.how == "games" else outcome.how}
        table = now.table(outcome.round, outcome.table)
        played = at[outcome.round, outcome.table]
        assert sum(sum(one.rows.values()) for _, one in own) == sum(outcome.points or ())
        entered = {(person_of(player), number) for number in table.seats for player in now.entrant(number).all_players}
        owners, here = dict(entered), {person_of(player) for game in played if game.standing != "annulled" for player in game.all_players}
        if here <= owners.keys() and len(owners) == len(entered):  # no stranger sat there, and nobody stands for both sides
            points = dict.fromkeys(table.seats, 0)
            for _, one in own:
                points[owners[person_of(one.recorded or "")]] += sum(one.rows.values())
            assert tuple(points[entrant] for (entrant,) in outcome.parties) == outcome.points, outcome
        sat = list_seated_players(now, table, outcome, played, person_of)
        named = {person_of(player) for players in sat for player in players}
        assert {person_of(one.recorded or "") for _, one in own} <= named, (sat, outcome)


Key = tuple[Any, ...]


def keyed(some: list[tuple[ScoredGame, ScoreEntry]]) -> dict[Key, tuple[Any, ...]]:
    told: dict[Key, tuple[Any, ...]] = {}
    for game, one in some:
        for row, points in one.rows.items():
            key = (game.tournament, game.round, game.table, game.id, one.position, one.seat, row)
            assert key not in told
            told[key] = (one.party, one.player, one.recorded, one.how, points, one.status, one.played_at, one.sequence)
    return told


def changes_lead_from_one_sequence_to_another(store: Store, before: int, after: int) -> None:
    copy = keyed(found(store, as_of=before))
    for key, line in keyed(found(store, ScoreFilters(changed_since=before), after)).items():
        if line[5] == "withdrawn":
            copy.pop(key)
        else:
            copy[key] = line
    assert copy == keyed(found(store, as_of=after))


def hold_all_laws(store: Store, evening: Evening, batch: int) -> None:
    made = projected(store, evening.log, SCORE_LINES, RESULTS, batch=batch)
    assert [status.error for status in made.status()] == [None, None]
    sequences = [sequence for sequence, _ in evening.log.events]
    begun = next(number for number, (_, one) in enumerate(evening.log.events) if one.stream == STREAM)
    for sequence in sequences[begun:]:
        add_up_to_the_standings(store, evening.log, sequence)
    for _ in range(5):
        changes_lead_from_one_sequence_to_another(store, *sorted(evening.chance.choices(sequences, k=2)))


def played(chance: Random, steps: int) -> Evening:
    evening = Evening(chance, games=chance.choice([1, 1, 2]))
    for _ in range(steps):
        evening.step()
    return evening


@settings(max_examples=6)
@given(st.integers(0, 2**32), st.integers(1, 60), st.sampled_from([1, 3, 500]))
def test_the_counted_lines_of_a_table_are_what_the_standings_take(seed: int, steps: int, batch: int):
    with TemporaryDirectory() as folder, closing(open_projections(f"sqlite:///{Path(folder) / 'k.db'}")) as store:
        hold_all_laws(store, played(Random(seed), steps), batch)


def test_and_on_either_database(store: Store):
    hold_all_laws(store, played(Random(1), 40), 7)


def test_how_events_are_cut_into_batches_changes_nothing(store: Store):
    evening = played(Random(2), 60)
    projected(store, evening.log, SCORE_LINES, batch=500)
    whole = rows(store, SCORE_LINES)
    with store.transaction() as tx:
        for table in SCORE_LINES.tables:
            tx.run(f"DELETE FROM {table}")
        for one in evening.log.events:
            SCORE_LINES.apply(tx, [one])
        SCORE_LINES.finish(tx)
    assert rows(store, SCORE_LINES) == whole
    assert whole["score_tables"]
