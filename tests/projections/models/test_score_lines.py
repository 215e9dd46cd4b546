"""Score lines: what is true as of a sequence, and what has changed since one."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any, get_args
from uuid import UUID

import msgspec

from domain import codec
from domain.access import WHOLE
from domain.dispute import score_after
from domain.effects import Scored
from domain.events import Event, Recorded, digest
from domain.events.game import Act, GameAnnulled, GameOpened, OrderLifted, PlayersCorrected, PlayerSeated, PointsAdjusted, RewindRecorded
from domain.events.player import PlayerClubChanged, PlayerMerged, PlayerRegistered, PlayerSeparated
from domain.games import RULESETS
from domain.score import Adjustment, Score, adjust_score, fold_score, sheet
from domain.setup import Setup
from domain.tournament.seat_history import open_seats
from projections.engine.store import Store
from projections.models.score_lines.boards import ScoreBoard, advance_board
from projections.models.score_lines.projection import SCORE_LINES
from projections.models.score_lines.score_list import START, ScoreEntry, ScoreFilters, entries, latest
from projections.values import microseconds
from replay.record import events_of, parse
from tests.databases import in_a_file
from tests.each import each
from tests.projections.helpers import projected, projector, rows
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
)  # fmt: skip
from tests.projections.histories import START as EVENING

ALL = ScoreFilters()


def found(store: Store, filters: ScoreFilters = ALL, as_of: int | None = None, blocks: int = 1000) -> list[tuple[int, ScoreEntry]]:
    """Numbers of games with their entries."""
    steps = entries(store, WHOLE, filters, latest(store, WHOLE) if as_of is None else as_of, START, blocks)
    return [(int(UUID(one.game.id)) & 0xFFFF, entry) for step in steps for one in step for entry in one.entries]


def brief(store: Store, filters: ScoreFilters = ALL, as_of: int | None = None) -> list[tuple[int, int | None, int, str | None, int, str]]:
    """Game, hand, seat, player, sum of the rows, status."""
    return [(game, one.hand, one.seat, one.player, sum(one.rows.values()), one.status) for game, one in found(store, filters, as_of)]


def rewound(history: History, to: int, ruling: int | None) -> History:
    restored = table_at(history.events, to)
    assert restored is not None
    return history.add(RewindRecorded(to, None, ruling, restored))


def lifted(history: History, order: int, ruling: int) -> History:
    """What the ruling ordered at this position is lifted by ruling 9."""
    points = isinstance(history.events[order - 1].event, PointsAdjusted)
    restored = None if points else table_at(history.events, order - 1)
    places = None if restored is None else restored.score.places
    return history.add(OrderLifted(order, ruling, 9, None, restored, places))


class Directory:
    """Players of a directory, each a stream of its own."""

    def __init__(self) -> None:
        self._streams: dict[str, list[Recorded]] = {}

    def tell(self, player: str, *events: Event) -> list[Recorded]:
        stream = self._streams.setdefault(player, [])
        id = UUID(int=0xD000 + list(self._streams).index(player), version=4)
        for event in events:
            link = digest(stream[-1].state) if stream else None
            stream.append(codec.encode_event(id, len(stream) + 1, link, History(1, opened()).events[0].stamp, event))
        return stream[-len(events) :]

    def register(self, player: str, club: str | None = None) -> list[Recorded]:
        return self.tell(player, PlayerRegistered(player, club))


@in_a_file
def test_a_finished_hand_has_an_entry_for_every_seat_with_all_its_rows(store: Store):
    history = History(7, opened(tournament="t1", round=2, table="4b"), dealt(), trailed(0, "AS"), counted(0, (7, 3)))
    log = Log(history.events)
    projected(store, log, SCORE_LINES)
    at = microseconds(EVENING + timedelta(seconds=4))
    anna = ScoreEntry(4, 0, log.head(), 1, at, at, 0, "anna", "anna", None, "recorded", {"cards": 7, "sweeps": 1}, "counted", None)
    bert = ScoreEntry(4, 1, log.head(), 1, at, at, 1, "bert", "bert", None, "recorded", {"cards": 3, "sweeps": 0}, "counted", None)
    ((step,),) = entries(store, WHOLE, ALL, latest(store, WHOLE))
    assert (step.game.id, step.game.ruleset, step.game.tournament, step.game.round, step.game.table) == (
        str(game_id(7)),
        "casino",
        "t1",
        2,
        "4b",
    )
    assert step.game.opened_at == microseconds(EVENING + timedelta(seconds=1))
    # What the parties started with is written when the game is opened.
    at = microseconds(EVENING + timedelta(seconds=1))
    start = ScoreEntry(1, 1, 3, None, at, at, 1, "bert", "bert", None, "recorded", {"start": 5}, "counted", None)
    assert step.entries == (start, anna, bert)


@in_a_file
def test_partners_have_the_points_of_their_party_each(store: Store):
    setup = Setup("canasta", {}, 4, ((0, 2), (1, 3)), ("cards", "sweeps"), (0, 0), {})
    history = History(1, GameOpened(setup, 1, ("a", "b", "c", None), "game_over"), dealt(), counted(0, (7, 3)))
    projected(store, Log(history.events), SCORE_LINES)
    assert brief(store) == [
        (1, 1, 0, "a", 8, "counted"),
        (1, 1, 1, "b", 3, "counted"),
        (1, 1, 2, "c", 8, "counted"),
        (1, 1, 3, None, 3, "counted"),
    ]


@in_a_file
def test_a_hand_in_progress_has_no_lines(store: Store):
    lines = trailed(1, "TS")
    played = type(lines)(1, lines.move, (*lines.effects, Scored("cards", (4, 0))))
    projected(store, Log(History(1, opened(), dealt(), trailed(0, "AS"), played).events), SCORE_LINES)
    assert [one.rows for _, one in found(store)] == [{"start": 5}]


def histories_of_officials() -> list[History]:
    taken_back = a_whole_game(1, hands=3)
    ruled = rewound(a_whole_game(2, hands=3), 8, ruling=1)
    again = rewound(a_whole_game(3, hands=2), 7, ruling=1).add(dealt(2)).add(finished(0, (9, 9), (1, 1)))
    adjusted = a_whole_game(4, hands=2).add(PointsAdjusted(2, 1, -3, None, 1, (2, 1))).add(PointsAdjusted(None, 0, 4, None))
    adjusted = rewound(adjusted, 7, ruling=2)
    annulled = a_whole_game(5, hands=2).add(PointsAdjusted(1, 1, 2, None)).add(GameAnnulled(None, 3))
    undone = History(6, opened(), dealt(), counted(0, (7, 3))).rewind(2).add(counted(0, (6, 4)))
    return [taken_back, ruled, again, adjusted, annulled, undone, *histories_of_a_committee()]


def histories_of_a_committee() -> list[History]:
    points = a_whole_game(7, hands=2).add(PointsAdjusted(1, 0, -5, None, 1)).add(PointsAdjusted(None, 1, 2, None))
    points = lifted(points, 14, 1)
    back = rewound(a_whole_game(8, hands=3).add(PointsAdjusted(3, 0, 4, None)), 8, ruling=1)
    back = lifted(back.add(PointsAdjusted(None, 1, -1, None)), 21, 1)
    annulled = a_whole_game(9, hands=2).add(PointsAdjusted(1, 1, 2, None)).add(GameAnnulled(None, 3))
    annulled = lifted(annulled, 15, 3)
    twice = rewound(a_whole_game(10, hands=2), 8, ruling=1)
    twice = rewound(lifted(twice, 14, 1), 8, ruling=2)
    return [points, back, annulled, twice]


def by_sheet(history: History, upto: int) -> tuple[dict[tuple[int, int], int], list[int]]:
    """What counts of each hand and party, and the sums of adjustments and starts, by the domain's own fold."""
    table = table_at(history.events, upto)
    assert table is not None
    folded = sheet(table.setup, table.score)
    hands = {(hand.hand, party): hand.points[party] for hand in folded.hands for party in range(2)}
    return hands, list(folded.totals)


def test_as_of_every_sequence_the_lines_are_those_of_the_sheet_at_that_time(store: Store):
    histories = histories_of_officials()
    log = Log(interleaved(histories))
    projected(store, log, SCORE_LINES, batch=7)
    upto = {history.id: 0 for history in histories}
    for sequence, recorded in log.events:
        upto[recorded.stream] = recorded.position
        lines = [(game, one) for game, one in found(store, as_of=sequence) if one.status == "counted"]
        for number, history in enumerate(histories, 1):
            own = [one for game, one in lines if game == number]
            if not upto[history.id]:
                assert own == []
                continue
            hands, totals = by_sheet(history, upto[history.id])
            if isinstance(history.events[upto[history.id] - 1].event, GameAnnulled):
                assert own == []  # what an annulled game started with does not count either
                continue
            assert {(one.hand, one.party): sum(one.rows.values()) for one in own if "cards" in one.rows} == hands
            assert [sum(sum(one.rows.values()) for one in own if one.party == party) for party in range(2)] == totals


def test_how_events_are_cut_into_batches_changes_nothing(store: Store):
    directory = Directory()
    histories = [event for history in histories_of_officials() for event in history.events]
    people = [*directory.register("anna", "c1"), *directory.register("bert"), *directory.tell("bert", PlayerMerged("anna"))]
    log = Log([*histories[:20], *people, *histories[20:], *directory.tell("bert", PlayerSeparated(), PlayerClubChanged("c2"))])
    projected(store, log, SCORE_LINES, batch=500)
    whole = rows(store, SCORE_LINES)
    with store.transaction() as tx:
        for table in SCORE_LINES.tables:
            tx.run(f"DELETE FROM {table}")
        for one in log.events:
            SCORE_LINES.apply(tx, [one])
        SCORE_LINES.finish(tx)
    assert rows(store, SCORE_LINES) == whole
    assert whole["score_blocks"]


@each("kind", [kind for kind in get_args(Act) if kind is not PlayersCorrected])
def test_an_act_that_writes_on_the_sheet_changes_its_lines(kind: type[Act]):
    told: dict[str, Any] = {"effects": (), "counts": True, "hand": 1, "party": 0, "points": 3, "position": 2, "ruling": 9}
    make: Any = kind
    act = History(1, opened(), dealt(), make(*map(told.get, kind.__struct_fields__))).events[-1]
    closing = counted(0, (4, 2)).effects
    score = adjust_score(fold_score(SETUP, Score(hand=1, dealer=0), closing), Adjustment(2, 1, 0, -3, None, 1), None)
    board = ScoreBoard(1, SETUP, open_seats(("anna", "bert")), Score(hand=1, dealer=0), last=1)
    assert bool(advance_board(board, act)[1]) is (score_after(score, act) != score)


@in_a_file
def test_hands_that_a_ruling_took_back_stay_as_struck(store: Store):
    history = rewound(a_whole_game(2, hands=2, players=("a", "b")), 7, ruling=4)
    projected(store, Log(history.events), SCORE_LINES)
    told = [(one.hand, one.seat, one.status, one.ruling) for _, one in found(store) if one.hand]
    assert told == [(1, 0, "counted", None), (1, 1, "counted", None), (2, 0, "struck", 4), (2, 1, "struck", 4)]


@in_a_file
def test_whoever_sits_down_later_has_the_hands_that_end_from_then_on(store: Store):
    history = History(1, opened(), dealt(), counted(0, (1, 1)), PlayerSeated(1, "carl"), dealt(2), counted(0, (2, 2)))
    projected(store, Log(history.events), SCORE_LINES)
    assert [(one.hand, one.player) for _, one in found(store) if one.hand and one.seat == 1] == [(1, "bert"), (2, "carl")]


@in_a_file
def test_lines_and_places_go_to_those_who_really_sat_there_from_that_sequence_on(store: Store):
    history = History(
        1, opened(), dealt(), counted(0, (1, 4)), dealt(2), finished(0, (2, 2), (1, 2)), PointsAdjusted(2, 1, -3, None, None, (2, 1))
    )
    history.add(PlayersCorrected(("carl", "bert"), 2, None)).add(PlayersCorrected(("bert", "anna"), 1, None))
    log = Log(history.events)
    projected(store, log, SCORE_LINES)
    last = log.head()
    whose = {last - 2: ("anna", "anna", "bert", "bert"), last - 1: ("anna", "carl", "bert", "bert"), last: ("bert", "bert", "anna", "anna")}
    for sequence, (first, later, other, last_hand) in whose.items():
        told = [(one.hand, one.seat, one.recorded) for _, one in found(store, as_of=sequence)]
        assert told == [(None, 1, other), (1, 0, first), (1, 1, other), (2, 0, later), (2, 1, last_hand), (2, 1, last_hand)]
    assert store.query("SELECT recorded, place FROM score_places ORDER BY place") == [("anna", 1), ("bert", 2)]
    assert {one.status for _, one in found(store, ScoreFilters(player="carl", changed_since=last - 1))} == {"withdrawn"}


def a_merger() -> tuple[Log, Directory, int]:
    """Bert and Robert play a game each against Anna; then Bert is merged into Robert. Answers the sequence before."""
    directory = Directory()
    log = Log([*directory.register("bert", "c1"), *directory.register("robert", "c2")])
    log.append(*a_whole_game(1, hands=1).events, *a_whole_game(2, hands=1, players=("anna", "robert")).events)
    return log, directory, log.head()


@in_a_file
def test_after_a_merger_lines_count_for_the_other_and_before_it_they_did_not(store: Store):
    log, directory, before = a_merger()
    log.append(*directory.tell("bert", PlayerMerged("robert")))
    projected(store, log, SCORE_LINES)
    both = [(1, None, 1, "robert", 5, "counted"), (1, 1, 1, "robert", 2, "counted"), (2, None, 1, "robert", 5, "counted")]
    assert brief(store, ScoreFilters(player="robert")) == [*both, (2, 1, 1, "robert", 2, "counted")]
    assert brief(store, ScoreFilters(player="bert")) == []
    assert [line[0] for line in brief(store, ScoreFilters(player="bert"), before)] == [1, 1]
    assert [line[0] for line in brief(store, ScoreFilters(player="robert"), before)] == [2, 2]
    assert [line[0] for line in brief(store, ScoreFilters(club="c2"))] == [1, 1, 2, 2]
    assert {one.recorded for _, one in found(store, ScoreFilters(player="robert"))} == {"bert", "robert"}


@in_a_file
def test_after_a_separation_lines_count_for_each_again(store: Store):
    log, directory, _ = a_merger()
    log.append(*directory.tell("bert", PlayerMerged("robert"), PlayerSeparated()))
    log.append(*a_whole_game(3, hands=1).events)
    projected(store, log, SCORE_LINES)
    assert [line[0] for line in brief(store, ScoreFilters(player="bert"))] == [1, 1, 3, 3]
    assert [line[0] for line in brief(store, ScoreFilters(player="robert"))] == [2, 2]
    assert [line[0] for line in brief(store, ScoreFilters(club="c1"))] == [1, 1, 3, 3]


def test_a_chain_of_mergers_ends_with_the_last_one_and_a_circle_stops_nothing(store: Store):
    log, directory, _ = a_merger()
    log.append(*directory.register("rob"), *directory.tell("bert", PlayerMerged("robert")), *directory.tell("robert", PlayerMerged("rob")))
    made = projected(store, log, SCORE_LINES)
    assert [line[0] for line in brief(store, ScoreFilters(player="rob"))] == [1, 1, 2, 2]
    log.append(*directory.tell("rob", PlayerMerged("bert")))
    made.catch_up()
    assert [status.error for status in made.status()] == [None]
    assert len(found(store)) == 6


@in_a_file
def test_a_club_has_the_lines_of_its_present_members(store: Store):
    log, directory, before = a_merger()
    log.append(*directory.tell("bert", PlayerClubChanged("c2")))
    projected(store, log, SCORE_LINES)
    assert brief(store, ScoreFilters(club="c1")) == []
    assert [line[0] for line in brief(store, ScoreFilters(club="c2"))] == [1, 1, 2, 2]
    assert [line[0] for line in brief(store, ScoreFilters(club="c1"), before)] == [1, 1]


def test_changes_are_what_began_since_and_what_stands_no_more(store: Store):
    history = History(1, opened(("a", "b")), dealt(), counted(0, (7, 3)))
    log = Log(history.events)
    made = projected(store, log, SCORE_LINES)
    first = log.head()
    log.append(*history.rewind(2).events[-1:])
    made.catch_up()
    assert brief(store, ScoreFilters(changed_since=first)) == [(1, 1, 0, "a", 8, "withdrawn"), (1, 1, 1, "b", 3, "withdrawn")]
    second = log.head()
    log.append(*history.add(counted(0, (6, 4))).events[-1:])
    made.catch_up()
    assert brief(store, ScoreFilters(changed_since=second)) == [(1, 1, 0, "a", 7, "counted"), (1, 1, 1, "b", 4, "counted")]
    assert [(one.position, one.sequence, one.status) for _, one in found(store, ScoreFilters(changed_since=first))] == [
        (3, second, "withdrawn"),
        (3, second, "withdrawn"),
        (5, log.head(), "counted"),
        (5, log.head(), "counted"),
    ]
    assert found(store, ScoreFilters(changed_since=log.head())) == []


@in_a_file
def test_to_a_filter_a_line_that_now_counts_for_somebody_else_is_withdrawn(store: Store):
    log, directory, before = a_merger()
    log.append(*directory.tell("bert", PlayerMerged("robert")))
    projected(store, log, SCORE_LINES)
    robert = [("robert", 5, "counted"), ("robert", 2, "counted")]
    bert = [("bert", 5, "withdrawn"), ("bert", 2, "withdrawn")]
    assert [line[3:] for line in brief(store, ScoreFilters(player="bert", changed_since=before))] == bert
    assert [line[3:] for line in brief(store, ScoreFilters(player="robert", changed_since=before))] == robert
    assert [line[3:] for line in brief(store, ScoreFilters(changed_since=before))] == robert


def some_games() -> tuple[Log, int]:
    """Twelve games; odd ones are Anna's, of tournaments t0 to t2, the first six casino. Answers the sequence after the first hands."""
    histories = [
        a_whole_game(
            number,
            hands=2,
            players=("anna" if number % 2 else "bert", "carl"),
            ruleset="casino" if number <= 6 else "canasta",
            tournament=f"t{number % 3}",
        )
        for number in range(1, 13)
    ]
    directory = Directory()
    log = Log([*directory.register("anna", "c1"), *directory.register("bert", "c1"), *directory.register("carl", "c2")])
    for history in histories:
        log.append(*history.events)
    return log, log.head()


FILTERED: list[tuple[ScoreFilters, Sequence[int]]] = [
    (ScoreFilters(), range(1, 13)),
    (ScoreFilters(ruleset="canasta"), range(7, 13)),
    (ScoreFilters(tournament="t1"), (1, 4, 7, 10)),
    (ScoreFilters(player="anna"), (1, 3, 5, 7, 9, 11)),
    (ScoreFilters(player="carl", ruleset="casino"), range(1, 7)),
    (ScoreFilters(club="c1", tournament="t2"), (2, 5, 8, 11)),
    (ScoreFilters(club="c2", player="anna"), ()),
    (ScoreFilters(club="c1", player="anna", ruleset="canasta", tournament="t1"), (7,)),
    (ScoreFilters(player="dora"), ()),
    (ScoreFilters(tournament="a\0b"), ()),
    (ScoreFilters(played_from=EVENING + timedelta(seconds=14)), ()),
    (ScoreFilters(played_from=EVENING + timedelta(seconds=8)), range(1, 13)),
    (ScoreFilters(played_from=EVENING, played_before=EVENING + timedelta(seconds=8), player="bert"), (2, 4, 6, 8, 10, 12)),
    (ScoreFilters(played_from=EVENING, played_before=EVENING + timedelta(seconds=7), player="bert"), ()),
]


def test_filters(store: Store):
    log, _ = some_games()
    projected(store, log, SCORE_LINES)
    for blocks, (filters, expected) in product((1, 3, 1000), FILTERED):
        assert list(dict.fromkeys(game for game, _ in found(store, filters, blocks=blocks))) == list(expected), (blocks, filters)


def test_reading_goes_on_from_any_place_as_if_nothing_had_happened_meanwhile(store: Store):
    log, _ = some_games()
    made = projected(store, log, SCORE_LINES)
    as_of = latest(store, WHOLE)
    before = found(store)
    step = next(entries(store, WHOLE, ALL, as_of, START, 1))
    last = (step[-1].game.opened, step[-1].entries[1].position, step[-1].entries[1].seat)
    log.append(*a_whole_game(13).events)
    made.catch_up()
    steps = entries(store, WHOLE, ALL, as_of, last)
    rest = [(int(UUID(one.game.id)) & 0xFFFF, entry) for some in steps for one in some for entry in one.entries]
    assert before[:1] + rest == before
    assert len(found(store)) > len(before)


def test_nothing_that_somebody_may_write_stops_the_projection(store: Store):
    directory = Directory()
    event = opened(("a\0b", "ü'\"%?"), tournament="ü'\"\0%?", round=10**30, table="\0")
    huge = counted(0, (10**30, -(10**30)))
    history = History(1, event, dealt(), huge, PointsAdjusted(None, 7, 1, None), PointsAdjusted(10**25, 0, 10**30, None))
    log = Log([*history.events, *directory.register("a\0b", "\0"), *directory.tell("a\0b", PlayerMerged("\0"))])
    made = projected(store, log, SCORE_LINES)
    assert [status.error for status in made.status()] == [None]
    assert {one.recorded for _, one in found(store)} == {"ab", "ü'\"%?"}


@in_a_file
def test_a_game_whose_opening_cannot_be_read_has_no_lines_and_stops_nothing(store: Store):
    broken, sound = a_whole_game(1), a_whole_game(2)
    first = codec.decode_event(broken.id, 1, "game.opened/1", b"{}")
    made = projected(store, Log([first, *broken.events[1:], *sound.events]), SCORE_LINES)
    assert [status.error for status in made.status()] == [None]
    assert {game for game, _ in found(store)} == {2}


@in_a_file
def test_hands_dealt_anew_without_a_rewind_replace_those_that_were_there(store: Store):
    history = History(1, opened(("a", "b")), dealt(), counted(0, (7, 3)), dealt(1), counted(0, (1, 1)))
    made = projector(store, Log(history.events), [SCORE_LINES], batch=1)
    made.catch_up()
    assert [line for line in brief(store) if line[1]] == [(1, 1, 0, "a", 2, "counted"), (1, 1, 1, "b", 1, "counted")]
    assert SETUP.start_totals == (0, 5)


FILES = sorted((Path(__file__).parents[2] / "cases").glob("*/*.json"))
GAMES = [case for case in (msgspec.json.decode(path.read_bytes()) for path in FILES) if "error" not in case["expect"]]


def test_the_lines_of_all_worked_cases_are_those_of_their_sheets(store: Store):
    histories = [History(number, *events_of(parse(case), RULESETS)) for number, case in enumerate(GAMES, 1)]
    projected(store, Log(interleaved(histories)), SCORE_LINES)
    lines: dict[int, list[ScoreEntry]] = {}
    for game, entry in found(store):
        lines.setdefault(game, []).append(entry)
    for number, history in enumerate(histories, 1):
        table = table_at(history.events, len(history.events))
        assert table is not None
        written = [
            (hand.hand, seat, {row: points[party] for row, points in hand.rows.items()})
            for hand in sheet(table.setup, table.score).hands
            for party, seats in enumerate(table.setup.parties)
            for seat in seats
        ]
        told = [(entry.hand, entry.seat, entry.rows) for entry in lines.get(number, []) if entry.hand]
        assert sorted(told, key=str) == sorted(written, key=str)
