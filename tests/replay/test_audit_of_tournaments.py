"""The audit of tournaments: every event decided again, drawn rounds from the seed."""

import random
from collections.abc import Callable, Iterator
from typing import Any, get_args

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import codec
from domain.events import Recorded
from domain.events.base import TextRef
from domain.events.tournament import (
    EntryReturned,
    Labels,
    LotsBound,
    LotsDrawn,
    NamedCheckpoint,
    Naming,
    ResultEntered,
    RoundPaired,
    Seating,
    StandingsOrdered,
    TableAdjourned,
    TournamentAnnounced,
    TournamentEvent,
)
from domain.games import EDITIONS, RULESETS
from domain.shuffling import commitment_to_lots
from domain.standings.plan import PairingRules, Scoring
from domain.standings.prize_pools import PrizePool
from domain.tournament import entries, results, rounds
from domain.tournament.announcement import AnnouncementInput, announce_tournament, correct_announcement, rate_entry
from domain.tournament.entries import correct_entry, label_entry, set_prize_pools
from domain.tournament.games import keep_id
from domain.tournament.notices import notify_table
from domain.tournament.publication import choose_hall_names, choose_time_zone, publish, set_schedule
from domain.tournament.ranking import list_equals, order_tied
from domain.tournament.round_changes import ChangeInput, change_round
from domain.tournament.rounds import GivenTable
from domain.tournament.tally import Drawing, draw_lots
from domain.tournament.tournament import Tournament, after_clubs, after_lots, project, tournament_stream
from domain.tournament.wish_rules import WishInput, check_presence, group_clubs, record_wish, withdraw_wish
from replay.audit_result import AuditMismatch, SkippedRange, StoredContext, StreamAudit
from replay.tournaments import audit_tournament
from tests.domain.tournament.test_evenings import PLANS
from tests.each import each
from tests.replay.evenings import STREAM, StoredEvening, corrected
from tests.replay.places import changed_at, places_of

WHY = TextRef("t1", "digest of t1")


SECRET = b"\7" * 32
DICE = "6 3 1 1 5 2 4 6"
BOUND = LotsBound(commitment_to_lots(SECRET), 8)


def announced(lots: LotsBound | str = "seed", **changed: Any) -> TournamentAnnounced:
    """As the ruleset announces it: with all options."""
    given: dict[str, Any] = {
        "options": {},
        "seats": 2,
        "format": "swiss",
        "entrants": "parties",
        "scoring": Scoring("match_points"),
        "tie_breaks": ("buchholz",),
        "rounds": 4,
        "games": 1,
        "openness": "game_over",
        "pairing": PairingRules(apart="club"),
        **changed,
    }
    return announce_tournament(RULESETS["casino"], "spring", WHY, AnnouncementInput(**given), lots)


def proposed(name: str) -> TournamentAnnounced:
    """One of the plans of the random evenings, bound by its rules."""
    planned = PLANS[name]
    known: dict[str, Any] = {field: getattr(planned, field) for field in AnnouncementInput.__struct_fields__}
    seats = {2: {}, 4: {"partners": True}, 1: {}}[planned.seats]
    known["options"] = seats
    ruleset = RULESETS["cascades" if planned.seats == 1 else "casino"]
    return announce_tournament(ruleset, "spring", None, AnnouncementInput(**known), "seed")


def kinds(found: StreamAudit) -> list[tuple[int, str, str]]:
    return [(one.position, one.kind, one.recomputed) for one in found.divergences]


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("seed", range(2))
def test_a_random_evening_by_the_book_is_sound(name: str, seed: int):
    evening = StoredEvening(proposed(name), random.Random(seed), bound=bool(seed % 2))
    for _ in evening.steps():
        pass
    count = len(evening.events)
    assert evening.audit(EDITIONS) == StreamAudit("tournament", "spring", STREAM, "sound", count, count, (), (), ())


NAMED = NamedCheckpoint("club.example/log/1", 3, "ChHGsgODFcfbcmeFRe2eiE4OnNWo0EINrNyZjuMVRIM=")


def swapped(now: Tournament) -> ChangeInput:
    """The first two tables with the second seats of one another."""
    (a, b), (c, d) = (one.seats for one in now.rounds[0].tables[:2])
    return ChangeInput([GivenTable("1", ((a,), (d,))), GivenTable("2", ((c,), (b,)))])


def a_full_tournament(*, games: bool = True, named: Naming = UNSET) -> StoredEvening:
    """Every event that a tournament can have, with all that it can say. Without ``games`` no event depends on what else was recorded.
    ``named``: by the closing of its first round.
    """
    evening = StoredEvening(announced(BOUND), random.Random(1))
    record = evening.record
    for number in range(1, 7):
        record(entries.accept_entry(evening.now, [f"p{number}"], 1500 + number, None))
    record(entries.accept_entry(evening.now, ["p7"], 1507, 3))
    record(rate_entry(evening.now, 7, None))
    wanted: dict[str, Any] = {name: getattr(evening.now.plan, name) for name in AnnouncementInput.__struct_fields__}
    wanted["options"] = {"sweeps": True}
    record(correct_announcement(evening.now, RULESETS["casino"], WHY, AnnouncementInput(**wanted)))
    evening.merge("s6", "p9")
    record(entries.change_entry(evening.now, 6, ["s6"], None))
    record(correct_entry(evening.now, 4, ["y4"], None, None, WHY))
    record(correct_entry(evening.now, 1, ["p2"], None, None, WHY, exchange=True))
    record(entries.change_entry(evening.now, 4, ["s4"], None, back_from=2))
    record(entries.withdraw_entry(evening.now, 5, 1, WHY))
    record(*entries.return_entry(evening.now, 5, 1, None))
    lots = draw_lots(evening.now, Drawing(SECRET, DICE))
    tables = [rounds.GivenTable("a", ((1,), (2,))), rounds.GivenTable("b", ((3,), (4,)))]
    record(lots, rounds.pair_by_hand(after_lots(evening.now, lots), tables, [5, 6], []))
    record(*entries.return_entry(evening.now, 7, None, None))
    record(rounds.withdraw_pairing(evening.now, [], WHY))
    record(rounds.draw_round(evening.now, []))
    record(change_round(evening.now, 1, swapped(evening.now), [], WHY))
    first, second, third = evening.now.rounds[0].tables
    one, other = first.seats
    record(results.enter_result(evening.now, 1, first.name, (21, 14), one))
    record(results.confirm_result(evening.now, 1, first.name, other))
    record(results.forfeit_table(evening.now, 1, second.name, [second.seats[0]], WHY))
    record(results.withdraw_result(evening.now, 1, second.name, WHY))
    if games:
        evening.play_game(evening.now.players(1, second.seats), (30, 12), table=second.name)
    else:
        record(results.decide_result(evening.now, 1, second.name, (30, 12)))
    if not games:
        turned = [rounds.GivenTable(second.name, ((second.seats[1],), (second.seats[0],)))]
        record(change_round(evening.now, 1, ChangeInput(turned), [], WHY, as_played=True))
    record(results.record_adjourned_table(evening.now, 1, third.name, WHY))
    record(notify_table(evening.now, 1, third.name, 5, True, True))
    record(results.decide_result(evening.now, 1, third.name, (7, 9)))
    record(rounds.close_round(evening.now, evening.games, 1, checkpoint=named))
    record(record_wish(evening.now, WishInput("half_bye", (2,))))
    record(record_wish(evening.now, WishInput("table", (3,), table="9")))
    record(withdraw_wish(evening.now, 2))
    record(check_presence(evening.now, [1, 4], None))
    record(check_presence(evening.now, [1], None))
    (clubs,) = group_clubs(evening.now, {"p2": "peine", "p3": "celle", "p5": "celle"})
    record(clubs, rounds.draw_round(after_clubs(evening.now, [clubs]), evening.games))
    for table in evening.now.rounds[1].tables:
        record(results.decide_result(evening.now, 2, table.name, (3, 2)))
    record(rounds.close_round(evening.now, evening.games, 2))
    record(rounds.finish_tournament(evening.now, evening.games, WHY))
    record(rounds.reopen_tournament(evening.now, WHY))
    record(publish(evening.now, "names"))
    record(choose_hall_names(evening.now, "initials"))
    record(choose_time_zone(evening.now, "Europe/Berlin"))
    record(set_schedule(evening.now, ["2026-11-28T19:30:00Z"]))
    record(rounds.finish_tournament(evening.now, evening.games, WHY))
    equal = max((list_equals(evening.now, evening.games, keep_id, one.number) for one in evening.now.entrants), key=len)
    record(order_tied(evening.now, equal[::-1], WHY, evening.games))
    record(label_entry(evening.now, 2, Labels("celle", None, "junior")))
    record(set_prize_pools(evening.now, [PrizePool(None, (100, 60))]))
    return evening


def test_a_tournament_in_which_everything_happened_is_sound():
    evening = a_full_tournament(named=NAMED)
    count = len(evening.events)
    assert {type(one.event) for one in evening.events} == set(get_args(TournamentEvent))
    assert evening.audit(EDITIONS) == StreamAudit("tournament", "spring", STREAM, "sound", count, count, (), (), ())


# Single places

OF_PEOPLE = {
    "tournament.announced/1": {"title", "options", "lots", "games", "rounds", "scoring"},
    "entry.accepted/1": {"players", "rating", "from_round"},
    "tournament.corrected/1": {"title", "options", "games", "rounds", "scoring", "half_required", "own_results"},
    "standings.ordered/1": {"reason"},
    "entry.labelled/1": {"entrant", "labels"},
    "prizes.set/1": {"funds"},
    "schedule.set/1": {"starts"},
    "entry.rated/1": {"rating"},
    "entry.changed/1": {"entrant", "players", "from_round", "back_from"},
    "entry.rectified/1": {"entrant", "players", "reason"},
    "entry.withdrawn/1": {"entrant", "from_round", "reason"},
    "entry.returned/1": {"from_round"},
    "wish.recorded/1": {"entrants", "round", "table"},
    "clubs.grouped/1": {"groups"},
    "presence.checked/1": {"round", "absent"},
    "round.paired/1": {"drawn", "tables"},
    "round.unpaired/1": {"reason"},
    "round.changed/1": {"reason"},
    "round.closed/1": {"checkpoint"},
    "result.entered/1": {"table", "points", "side"},
    "result.withdrawn/1": {"reason"},
    "table.forfeited/1": {"reason"},
    "table.adjourned/1": {"table", "reason"},
    "table.notified/1": {"table", "extra_minutes", "called", "calls"},
    "tournament.ended/1": {"reason"},
    "tournament.reopened/1": {"reason"},
}
"""What nobody can tell but who recorded it: as long as no event came after, it might as well have been so. What was drawn might have been
given by hand; of what was given by hand nobody knows the names of the tables."""


def single_changes(evening: StoredEvening) -> Iterator[tuple[Recorded, tuple[str | int, ...], Recorded]]:
    """Every single place of every event changed in turn."""
    for recorded in evening.events:
        stored = msgspec.json.decode(recorded.state)
        for path in places_of(stored["body"]):
            state = msgspec.json.encode({**stored, "body": changed_at(stored["body"], path)})
            yield recorded, path, codec.decode_event(STREAM, recorded.position, recorded.name, state)


def test_a_change_of_the_last_event_is_found_but_for_what_only_people_know():
    evening = a_full_tournament(named=NAMED)
    unseen: dict[str, set[str]] = {}
    for recorded, path, changed in single_changes(evening):
        if evening.audit(EDITIONS, [*evening.events[: recorded.position - 1], changed]).verdict == "sound":
            unseen.setdefault(recorded.name, set()).add(str(path[0]))
    assert unseen == OF_PEOPLE


def test_a_change_of_any_event_is_found_by_the_one_after_it():
    evening = a_full_tournament(named=NAMED)
    for recorded, path, changed in single_changes(evening):
        if recorded is not evening.events[-1]:
            history = [*evening.events[: recorded.position - 1], changed, evening.events[recorded.position]]
            found = evening.audit(EDITIONS, history)
            assert any(one.position == recorded.position + 1 and one.kind == "link" for one in found.divergences), (recorded, path)


def test_a_stamp_that_was_changed_is_found_by_the_event_after_it():
    evening = a_full_tournament()
    for name, value in (("by", "p_somebody"), ("at", "2026-01-01T00:00:00Z"), ("happened_at", "2026-01-01T00:00:00Z"), ("link", "0" * 64)):
        for recorded in evening.events[:-1]:
            state = msgspec.json.encode({**msgspec.json.decode(recorded.state), name: value})
            changed = codec.decode_event(STREAM, recorded.position, recorded.name, state)
            history = [*evening.events[: recorded.position - 1], changed, *evening.events[recorded.position :]]
            assert (recorded.position + 1, "link") in {(one.position, one.kind) for one in evening.audit(EDITIONS, history).divergences}


# Ways to tamper

Way = Callable[[StoredEvening], list[Recorded]]


def with_body(evening: StoredEvening, position: int, **changed: Any) -> list[Recorded]:
    stored = msgspec.json.decode(evening.events[position - 1].state)
    stored["body"].update(changed)
    name = evening.events[position - 1].name
    event = codec.decode_event(STREAM, position, name, msgspec.json.encode(stored))
    return [event if one.position == position else one for one in evening.events]


def relinked(evening: StoredEvening, history: list[Recorded]) -> list[Recorded]:
    """Numbered and linked anew, as one would do who covers it up."""
    whole: list[Recorded] = []
    for one in history:
        last = whole[-1] if whole else None
        whole += codec.link_events(STREAM, len(whole), last.state if last else None, one.stamp, [one.event], bound=evening.bound)
    return whole


def place(evening: StoredEvening, kind: type, number: int = 0) -> int:
    """The position of an event of this kind."""
    return [one.position for one in evening.events if isinstance(one.event, kind)][number]


def test_swapped_points_of_a_result_are_found():
    """Nobody but the sides knows the points. The next event holds the digest of this one."""
    evening = a_full_tournament()
    position = place(evening, ResultEntered)
    found = evening.audit(EDITIONS, with_body(evening, position, points=[14, 21]))
    assert next((one.position, one.kind) for one in found.divergences) == (position + 1, "link")


def test_swapped_points_are_found_without_their_links_where_a_draw_or_an_order_rests_on_them():
    evening = a_full_tournament()
    position = place(evening, ResultEntered)
    history = relinked(evening, with_body(evening, position, points=[14, 21]))
    drawn, ordered = place(evening, RoundPaired, 2), place(evening, StandingsOrdered)
    assert [one[:2] for one in kinds(evening.audit(EDITIONS, history))] == [(drawn, "pairing"), (ordered, "refused")]


def test_a_pairing_that_the_seed_does_not_give_is_found_with_what_it_gives():
    evening = a_full_tournament()
    position = place(evening, RoundPaired, 1)
    event = evening.events[position - 1].event
    assert isinstance(event, RoundPaired)
    tables = (Seating("1", event.tables[0].seats[::-1]), *event.tables[1:])
    history = [*evening.events[: position - 1], replace(evening.events[position - 1], event=replace(event, tables=tables))]
    found = evening.audit(EDITIONS, relinked(evening, history))
    seats = [list(event.tables[0].seats[::-1]), list(event.tables[0].seats)]
    assert found.divergences == (
        AuditMismatch(position, "pairing", *(f"tables[0].seats: {msgspec.json.encode(one).decode()}" for one in seats)),
    )


def test_another_seed_is_found_by_the_draws():
    evening = a_round_with_a_game()
    history = relinked(evening, with_body(evening, 1, seed="another"))
    assert {one.kind for one in evening.audit(EDITIONS, history).divergences} == {"pairing"}


def dropped(position: int) -> Way:
    return lambda evening: [one for one in evening.events if one.position != position]


WAYS: dict[str, tuple[Way, tuple[int, str]]] = {
    "an entry dropped": (dropped(3), (4, "gap")),
    "an entry dropped and all linked anew": (lambda evening: relinked(evening, dropped(3)(evening)), (3, "act")),
    "two entries swapped": (lambda evening: _swapped(evening, 4, 5), (4, "link")),
    "no bytes": (lambda evening: _instead(evening, 4, "entry.accepted/1", b""), (4, "unreadable")),
    "no JSON": (lambda evening: _instead(evening, 4, "entry.accepted/1", b"nonsense"), (4, "unreadable")),
    "a field too many": (lambda evening: with_body(evening, 4, odd=1), (4, "unreadable")),
    "an unknown name": (lambda evening: _instead(evening, 4, "entry.dreamt/1"), (4, "unknown_name")),
    "the name of another event": (lambda evening: _instead(evening, 4, "round.closed/1"), (4, "unreadable")),
    "the name of an event of a game": (lambda evening: _instead(evening, 12, "game.suspended/1"), (12, "unreadable")),
    "a second announcement": (lambda evening: _instead(evening, 4, "tournament.announced/1", evening.events[0].state), (4, "link")),
    "no announcement": (dropped(1), (2, "gap")),
    "an announcement that is no JSON": (lambda evening: _instead(evening, 1, "tournament.announced/1", b"x"), (1, "unreadable")),
    "an announcement that the rules refuse": (lambda evening: with_body(evening, 1, seats=9), (1, "refused")),
    "another party at the table": (lambda evening: with_body(evening, 1, parties=[[1], [0]]), (1, "act")),
    "an entrant of another number": (lambda evening: with_body(evening, 3, entrant=7), (3, "act")),
    "a player entered twice": (lambda evening: with_body(evening, 3, players=["p1"]), (3, "refused")),
    "a result of a table that is not there": (lambda evening: with_body(evening, 23, table="z"), (23, "refused")),
}


def _instead(evening: StoredEvening, position: int, name: str, state: bytes | None = None) -> list[Recorded]:
    bytes_ = evening.events[position - 1].state if state is None else state
    event = codec.decode_event(STREAM, position, name, bytes_)
    return [event if one.position == position else one for one in evening.events]


def _swapped(evening: StoredEvening, one: int, other: int) -> list[Recorded]:
    rows = {recorded.position: recorded for recorded in evening.events}
    rows[one], rows[other] = rows[other], rows[one]
    return [codec.decode_event(STREAM, position, row.name, row.state) for position, row in rows.items()]


@pytest.mark.parametrize(("way", "found"), WAYS.values(), ids=WAYS)
def test_tampering_is_found_where_it_was_done(way: Way, found: tuple[int, str]):
    evening = a_full_tournament()
    audit = evening.audit(EDITIONS, way(evening))
    assert audit.verdict == "divergent"
    assert (audit.divergences[0].position, audit.divergences[0].kind) == found


def test_an_event_renamed_to_one_of_the_same_form_is_found():
    """Taken back, or adjourned: the bytes of the two look alike."""
    evening = a_full_tournament()
    position = place(evening, TableAdjourned)
    history = _instead(evening, position, "result.withdrawn/1")
    assert (position, "link") in [one[:2] for one in kinds(evening.audit(EDITIONS, history))]


def test_a_tournament_under_the_id_of_another_is_found_also_where_the_links_do_not_know_the_id():
    for bound in (True, False):
        evening = StoredEvening(announced(), random.Random(1), bound=bound)
        evening.record(entries.accept_entry(evening.now, ["p1"], None, None))
        elsewhere = tournament_stream("autumn")
        history = [codec.decode_event(elsewhere, one.position, one.name, one.state) for one in evening.events]
        found = audit_tournament(history, EDITIONS, StoredContext(evening.sequences), evening.around)
        told = AuditMismatch(1, "stream", "tournament 'spring'", f"stream {STREAM}, not {elsewhere}")
        assert found.divergences[-1] == told
        assert [one.kind for one in found.divergences] == ["stream"] * (2 if bound else 1)


def test_what_follows_a_gap_is_not_judged():
    evening = a_full_tournament()
    found = evening.audit(EDITIONS, dropped(3)(evening))
    count = len(evening.events)
    assert found.unjudged == (SkippedRange(4, count, "what was recorded before it is not known"),)


def test_a_tournament_of_rules_that_are_not_kept_is_not_judged_where_they_have_a_say():
    evening = a_full_tournament()
    found = evening.audit({})
    assert (found.verdict, found.unjudged) == ("not_judged", (not_kept(1), not_kept(10)))
    assert found.judged == len(evening.events) - 2


def not_kept(position: int) -> SkippedRange:
    return SkippedRange(position, position, "no edition of casino is kept here")


# Lots that nobody can try out


def a_draw() -> StoredEvening:
    """Four entries, the lots and the first round in one commit: positions 2 to 5, 6 and 7."""
    evening = StoredEvening(announced(BOUND), random.Random(1))
    for number in range(1, 5):
        evening.record(entries.accept_entry(evening.now, [f"p{number}"], None, None))
    lots = draw_lots(evening.now, Drawing(SECRET, DICE))
    evening.record(lots, rounds.draw_round(after_lots(evening.now, lots), []))
    return evening


def _without(position: int) -> Way:
    return lambda evening: relinked(evening, dropped(position)(evening))


def _with(position: int, **changed: Any) -> Way:
    return lambda evening: relinked(evening, with_body(evening, position, **changed))


TRIED: dict[str, tuple[Way, list[tuple[int, str]]]] = {
    "nothing": (lambda evening: evening.events, []),
    "another commitment": (_with(1, lots={"commitment": "0" * 64, "dice": 8}), [(6, "lots")]),
    "another promise": (_with(1, lots={"commitment": BOUND.commitment, "dice": 9}), [(6, "refused")]),
    "another secret": (_with(6, secret="06" * 32), [(6, "lots")]),
    "another seed": (_with(6, seed="1" * 64), [(6, "lots"), (7, "pairing")]),
    "other dice": (_with(6, dice="1 1 1 1 1 1 1 1"), [(6, "lots")]),
    "dice that were not typed": (_with(6, dice=None), [(6, "refused")]),
    "another player": (_with(3, players=["p9"]), [(6, "lots")]),
    "an entry fewer": (_without(5), [(5, "lots"), (6, "pairing")]),
    "no lots": (_without(6), [(6, "refused")]),
    "lots without the pairing": (lambda evening: evening.events[:6], [(6, "lots")]),
}
"""All of it linked anew, as one would do who covers it up."""


@each(("way", "found"), TRIED.values(), ids=TRIED)
def test_lots_that_do_not_follow_are_found(way: Way, found: list[tuple[int, str]]):
    evening = a_draw()
    assert [one[:2] for one in kinds(evening.audit(EDITIONS, way(evening)))] == found


def test_it_says_to_what_the_service_was_bound_and_which_seed_follows():
    evening = a_draw()
    first = {"commitment": "0" * 64, "dice": 8}
    (other,) = evening.audit(EDITIONS, relinked(evening, with_body(evening, 1, lots=first))).divergences
    assert (other.recorded, other.recomputed) == (f"commitment: {'0' * 64}", f"commitment: {BOUND.commitment}")
    found = evening.audit(EDITIONS, relinked(evening, with_body(evening, 6, seed="0" * 64))).divergences[0]
    assert (found.recorded, found.recomputed) == (f'seed: "{"0" * 64}"', f'seed: "{evening.now.plan.seed}"')


def test_a_seed_that_was_given_because_the_secret_was_lost_is_told_openly_and_sound():
    evening = StoredEvening(announced(BOUND), random.Random(1))
    for number in (1, 2):
        evening.record(entries.accept_entry(evening.now, [f"p{number}"], None, None))
    lots = draw_lots(evening.now, Drawing(seed="mine"))
    evening.record(lots, rounds.draw_round(after_lots(evening.now, lots), []))
    assert evening.audit(EDITIONS).verdict == "sound"
    assert [one.event for one in evening.events if isinstance(one.event, LotsDrawn)] == [LotsDrawn("mine", None, None)]


# What else was recorded


def a_round_with_a_game() -> StoredEvening:
    evening = StoredEvening(announced(), random.Random(1))
    for number in range(1, 5):
        evening.record(entries.accept_entry(evening.now, [f"p{number}"], None, None))
    evening.record(rounds.draw_round(evening.now, []))
    for table in evening.now.rounds[0].tables:
        evening.play_game(evening.now.players(1, table.seats), (20, 10), table=table.name)
    return evening


def test_a_late_ruling_does_not_put_the_draw_in_the_wrong():
    """What a game came to later is not what the draw was made from."""
    evening = a_round_with_a_game()
    evening.record(rounds.close_round(evening.now, evening.games, 1))
    evening.record(rounds.draw_round(evening.now, evening.games))
    corrected(evening, 0, 0, 50)
    assert evening.audit(EDITIONS).verdict == "sound"


def test_a_ruling_of_the_same_moment_may_have_come_too_late_for_the_draw():
    evening = a_round_with_a_game()
    evening.record(rounds.close_round(evening.now, evening.games, 1))
    known = list(evening.games)
    corrected(evening, 0, 0, 50)
    evening.record(rounds.draw_round(evening.now, known))
    late = evening.audit(EDITIONS)
    assert [one.kind for one in late.divergences] == ["pairing"]
    at = evening.events[-1].stamp.at
    around = replace(
        evening.around, games=[replace(one, at=at) if one.game.since == evening.sequence - 1 else one for one in evening.around.games]
    )
    assert audit_tournament(evening.events, EDITIONS, StoredContext(evening.sequences), around).verdict == "sound"


def test_a_round_that_was_closed_without_its_results_is_found():
    evening = a_round_with_a_game()
    evening.record(rounds.close_round(evening.now, evening.games, 1))
    evening.games.pop()
    assert kinds(evening.audit(EDITIONS)) == [(len(evening.events), "refused", "round_open")]


def test_merged_ids_are_one_person_from_then_on():
    evening = StoredEvening(announced(), random.Random(1))
    evening.record(entries.accept_entry(evening.now, ["p1"], None, None))
    evening.record(entries.accept_entry(evening.now, ["p2"], None, None))
    evening.merge("p2", "p1")
    assert evening.audit(EDITIONS).verdict == "sound"
    evening.merge("p3", "p1")
    evening.record(entries.accept_entry(evening.now, ["p3"], None, None))
    assert kinds(evening.audit(EDITIONS)) == [(4, "refused", "entered_already")]


def test_who_returns_with_another_partner_is_judged_with_him():
    evening = StoredEvening(announced(), random.Random(1))
    for number in range(1, 4):
        evening.record(entries.accept_entry(evening.now, [f"p{number}"], None, None))
    evening.record(entries.withdraw_entry(evening.now, 3, None, None))
    evening.record(entries.change_entry(evening.now, 2, ["p3"], None))
    evening.record(*entries.return_entry(evening.now, 3, None, ["p2"]))
    assert isinstance(evening.events[-2].event, EntryReturned)
    assert evening.audit(EDITIONS).verdict == "sound"
    assert project(None, evening.events) == evening.now
