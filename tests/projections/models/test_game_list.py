"""The index of games and its lists."""

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from domain.access import WHOLE
from domain.effects import plain
from domain.errors import InvalidFormatError
from domain.events.game import PlayersCorrected
from domain.game import project
from domain.score import totals
from projections.engine.store import Store
from projections.models.game_index import GAME_INDEX, GameFilters, GameRow, GamesPage, game_row, games_page
from tests.databases import in_a_file
from tests.projections.helpers import projected, projector, rows
from tests.projections.histories import (
    DECK,
    SETUP,
    START,
    History,
    Log,
    a_whole_game,
    counted,
    dealt,
    finished,
    game_id,
    interleaved,
    opened,
    played,
    trailed,
)  # fmt: skip

NONE = GameFilters()


def numbers(page: GamesPage) -> list[int]:
    """The numbers of the games on a page."""
    return [found.id.int & 0xFFFF for found in page.items]


def all_numbers(store: Store, filters: GameFilters, limit: int = 3) -> list[int]:
    found, cursor = [], None
    while True:
        page = games_page(store, WHOLE, filters, cursor, limit, public=False)
        found += numbers(page)
        if page.next is None:
            return found
        cursor = page.next


@in_a_file
def test_the_row_of_a_finished_game(store: Store):
    history = History(7, opened(("anna", None), tournament="t1", round=2, table="4b"), dealt(), finished(0, (7, 3), (1, 2)))
    log = Log(history.events)
    projected(store, log, GAME_INDEX)
    expected = GameRow(
        id=game_id(7),
        opened=3,
        opened_at=START + timedelta(seconds=1),
        played_at=START + timedelta(seconds=1),
        opened_by="p_recorder",
        ruleset="casino",
        options=SETUP.options,
        seats=2,
        players=("anna", None),
        tournament="t1",
        round=2,
        table="4b",
        openness="game_over",
        position=3,
        sequence=5,
        updated_at=START + timedelta(seconds=3),
        phase="game_over",
        turn=None,
        to_act=(),
        hand=1,
        totals=(8, 8),
        finished=True,
        winners=(0,),
        state="open",
        live=True,
        disclosed=False,
    )
    assert game_row(store, game_id(7)) == expected
    assert games_page(store, WHOLE, NONE, None, 10, public=False) == GamesPage((expected,), None)
    assert game_row(store, game_id(8)) is None


def test_after_every_event_the_row_says_what_the_folded_game_says(store: Store):
    histories = {game_id(number): a_whole_game(number, hands=3) for number in (1, 2)}
    log = Log(interleaved(list(histories.values())))
    made = projector(store, log, [GAME_INDEX], batch=1)
    for sequence, recorded in log.events:
        made.step()
        row = game_row(store, recorded.stream)
        folded = project(None, histories[recorded.stream].events[: recorded.position])
        assert row is not None
        assert folded is not None
        table = folded.table
        assert (row.position, row.sequence, row.updated_at) == (recorded.position, sequence, recorded.stamp.at)
        assert (row.phase, row.turn, row.to_act) == (table.phase, table.turn, table.to_act)
        assert (row.hand, row.totals) == (table.hand, totals(table.setup, table.score))
        assert row.finished is (table.score.places is not None)


@in_a_file
def test_who_never_sat_there_after_all_has_not_played_the_game(store: Store):
    history = History(1, opened(("anna", "bert")), dealt(), counted(0, (1, 1)), PlayersCorrected(("carl", "anna"), 1, None))
    log = Log(history.events)
    made = projected(store, log, GAME_INDEX)
    row = game_row(store, game_id(1))
    assert row is not None
    assert row.players == ("carl", "anna")
    assert [all_numbers(store, GameFilters(player=player)) for player in ("anna", "bert", "carl")] == [[1], [], [1]]
    log.append(*history.add(dealt(2)).add(PlayersCorrected(("carl", "dora"), 2, None)).events[-2:])
    made.catch_up()
    assert [all_numbers(store, GameFilters(player=player)) for player in ("anna", "dora")] == [[1], [1]]


def some_games() -> Log:
    """Twelve games: 1 to 6 casino and in progress, 7 to 12 of another ruleset; every third finished."""
    histories = []
    for number in range(1, 13):
        player = "anna" if number % 2 else "bert"
        ruleset = "casino" if number <= 6 else "canasta"
        history = History(
            number, opened((player, "carl"), ruleset=ruleset, tournament=f"t{number % 3}", round=number % 2, table=str(number % 4))
        )
        history.add(dealt())
        history.add(finished(0, (1, 2), (1, 2)) if number % 3 == 0 else trailed(0, "AS"))
        if number % 3 == 1:
            history.add(counted(1, (2, 2)))
        histories.append(history)
    return Log(interleaved(histories))


FILTERED = [
    (GameFilters(), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
    (GameFilters(ruleset="canasta"), [12, 11, 10, 9, 8, 7]),
    (GameFilters(tournament="t1"), [10, 7, 4, 1]),
    (GameFilters(tournament="t1", round=1), [7, 1]),
    (GameFilters(tournament="t1", round=1, table="3"), [7]),
    (GameFilters(player="anna"), [11, 9, 7, 5, 3, 1]),
    (GameFilters(player="carl", ruleset="casino"), [6, 5, 4, 3, 2, 1]),
    (GameFilters(player="dora"), []),
    (GameFilters(phase="hand_over"), [10, 7, 4, 1]),
    (GameFilters(finished=True), [12, 9, 6, 3]),
    (GameFilters(finished=False, player="bert"), [10, 8, 4, 2]),
    (GameFilters(opened_from=START + timedelta(seconds=2)), []),
    (GameFilters(opened_from=START, opened_to=START + timedelta(seconds=2), table="2"), [10, 6, 2]),
    (GameFilters(tournament="a\0b", round=10**30), []),
]


def test_filters_and_pages(store: Store):
    projected(store, some_games(), GAME_INDEX)
    for filters, expected in FILTERED:
        assert all_numbers(store, filters) == expected, filters
        assert all_numbers(store, filters, limit=1) == expected, filters


def test_games_are_found_by_when_they_were_played_and_else_by_when_they_were_opened(store: Store):  # COM-66
    of_game = History(1, replace(opened(), played_at="1998-03-07"), replace(dealt(), played_at="1998-03-08"))
    of_hand = History(2, opened(), replace(dealt(), played_at="1998-03-07T23:00:00-02:00"), counted(0, (1, 2)))
    of_hand.add(replace(dealt(2), played_at="1998-04-01"))
    projected(store, Log(interleaved([of_game, of_hand, History(3, opened(), dealt())])), GAME_INDEX)
    told = [row.played_at for number in (1, 2, 3) if (row := game_row(store, game_id(number)))]
    assert told == [datetime(1998, 3, 7, tzinfo=UTC), datetime(1998, 3, 8, 1, tzinfo=UTC), START + timedelta(seconds=1)]
    [second] = [row for row in [game_row(store, game_id(2))] if row]
    assert second.opened_at == START + timedelta(seconds=1)
    eighth = datetime(1998, 3, 8, tzinfo=UTC)
    assert all_numbers(store, GameFilters(played_before=eighth)) == [1]
    assert all_numbers(store, GameFilters(played_from=eighth)) == [3, 2]


def test_pages_neither_skip_nor_repeat_while_games_are_opened(store: Store):
    log = some_games()
    made = projected(store, log, GAME_INDEX)
    first = games_page(store, WHOLE, NONE, None, 5, public=False)
    log.append(*History(13, opened()).events)
    made.catch_up()
    second = games_page(store, WHOLE, NONE, first.next, 5, public=False)
    assert numbers(first) + numbers(second) == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]


@in_a_file
def test_a_cursor_of_somebody_else_is_refused(store: Store):
    projected(store, some_games(), GAME_INDEX)
    for cursor in ("", "?", "abc", "ÄÖÜ", "MTI=MTI", "-", "LTE", "MTAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw"):
        with pytest.raises(InvalidFormatError) as refused:
            games_page(store, WHOLE, NONE, cursor, 5, public=False)
        assert (refused.value.code, refused.value.where) == ("bad_cursor", "cursor")


def test_nothing_that_somebody_may_write_stops_the_index(store: Store):
    event = opened(("a\0b", "anna"), tournament="ü'\"\0%?", round=10**30, table="\0")
    made = projected(store, Log(History(1, event).events))
    assert [status.error for status in made.status()] == [None, None]
    assert games_page(store, WHOLE, GameFilters(player="a\0b"), None, 5, public=False).items[0].tournament == "ü'\"%?"


@in_a_file
def test_the_index_keeps_totals_only_of_the_hands_that_were_played(store: Store):
    log = Log(a_whole_game(1, hands=3).events)
    projected(store, log, GAME_INDEX)
    ((_, _, score),) = rows(store, GAME_INDEX)["game_index_scores"]
    assert plain(score)
    assert '"rows":{}' in score
    assert "6S" not in score


@in_a_file
def test_an_event_that_passes_no_turn_leaves_the_phase(store: Store):
    log = Log(History(1, opened(), dealt(), played(0), played(0)).events)
    projected(store, log, GAME_INDEX, batch=1)
    row = game_row(store, game_id(1))
    assert row is not None
    assert (row.position, row.phase, row.turn, len(DECK)) == (4, "play", 0, 52)
