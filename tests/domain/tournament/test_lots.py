"""Lots that nobody can try out: bound from the announcement on, drawn with the first pairing, and the same from then on."""

from typing import Any

import msgspec
import pytest

from domain.errors import Refused
from domain.events import Event
from domain.events.tournament import EntryChanged, EntryWithdrawn, LotsBound, LotsDrawn, PairingWithdrawn, TournamentEnded
from domain.shuffling import commitment_to_lots, seed_of_lots
from domain.standings.standings import standings
from domain.tournament import rounds
from domain.tournament.tally import Drawing, are_required, draw_if_required, draw_lots, tally_rounds, with_lots
from domain.tournament.tournament import Tournament, after_lots, tournament_stream
from tests.domain.tournament.recorded import entries, paired, plan, recorded, refusal
from tests.each import each

SECRET = b"\7" * 32
DICE = "6 3 1 1 5 2 4 6"


def bound(*events: Event, dice: int = 0, **changed: Any) -> Tournament:
    return recorded(plan(seed="", lots=LotsBound(commitment_to_lots(SECRET), dice), **changed), *events)


def seed(*entries: tuple[int, tuple[str, ...]], dice: str = "") -> str:
    return seed_of_lots(SECRET, tournament_stream("spring"), entries, dice)


def test_the_first_pairing_draws_them_from_the_secret_the_entries_and_the_dice():
    now = bound(*entries(2), EntryChanged(2, ("s2",), 1), EntryWithdrawn(1, 1, None), dice=8)
    drawn = draw_lots(now, Drawing(SECRET, DICE))
    assert drawn == LotsDrawn(seed((1, ("p1",)), (2, ("s2",)), dice=DICE), SECRET.hex(), DICE)
    assert draw_if_required(now, Drawing(SECRET, DICE)) == (drawn,)
    assert (after_lots(now, drawn).plan.seed, after_lots(now, drawn).lots) == (drawn.seed, drawn)


def test_nothing_can_be_paired_before():
    now = bound(*entries(2), format="swiss")
    with refusal("lots_not_drawn"):
        rounds.draw_round(now, ())
    with refusal("lots_not_drawn"):
        rounds.pair_by_hand(now, [rounds.GivenTable("1", ((1,), (2,)))], (), ())
    assert rounds.draw_round(with_lots(now, draw_if_required(now, Drawing(SECRET))), ()).drawn


def test_before_they_are_drawn_everybody_is_equal_by_lot():
    tied = ("lots",)
    before = bound(*entries(3), tie_breaks=tied)
    lines = standings(before.plan, [1, 2, 3], tally_rounds(before, ()), ())
    assert [(line.place, line.entrant, line.figures[0].value) for line in lines] == [(1, 1, None), (1, 2, None), (1, 3, None)]
    after = after_lots(before, draw_lots(before, Drawing(SECRET)))
    assert sorted(line.place for line in standings(after.plan, [1, 2, 3], tally_rounds(after, ()), ())) == [1, 2, 3]


def test_they_stay_as_they_are_when_the_pairing_is_taken_back():
    now = bound(*entries(2))
    drawn = draw_lots(now, Drawing(SECRET))
    again = bound(*entries(2), drawn, paired(1, (1, 2)), PairingWithdrawn(1, None), *entries(3)[2:])
    assert (again.plan.seed, again.unpaired, are_required(again)) == (drawn.seed, 1, False)
    assert draw_if_required(again, Drawing()) == ()
    with refusal("lots_drawn"):
        draw_if_required(again, Drawing(dice=DICE))
    with refusal("lots_drawn"):
        draw_lots(again, Drawing(SECRET))


@each(
    ("promised", "drawing", "code"),
    [
        (8, Drawing(SECRET), "lots_need_dice"),
        (0, Drawing(SECRET, DICE), "lots_without_dice"),
        (9, Drawing(SECRET, DICE), "dice_number"),
        (8, Drawing(SECRET, "6 3 1"), "dice_number"),
        (8, Drawing(SECRET, "heads"), "dice_form"),
        (0, Drawing(b"\6" * 32), "lots_secret_does_not_fit"),
        (0, Drawing(SECRET, seed="mine"), "lots_are_bound"),
        (8, Drawing(SECRET, DICE, "mine"), "lots_are_bound"),
        (0, Drawing(), "lots_secret_lost"),
        (8, Drawing(None, DICE), "lots_secret_lost"),
        (8, Drawing(None, DICE, "mine"), "dice_with_seed"),
    ],
)
def test_what_does_not_fit_is_refused(promised: int, drawing: Drawing, code: str):
    with pytest.raises(Refused, match=f"^{code}$"):
        draw_if_required(bound(*entries(2), dice=promised), drawing)


def test_where_the_secret_is_lost_a_seed_is_given_in_the_open():
    now = bound(*entries(2), dice=8)
    assert draw_lots(now, Drawing(seed="mine")) == LotsDrawn("mine", None, None)


def test_a_seed_in_the_open_leaves_nothing_to_draw():
    now = recorded(plan(), *entries(2))
    assert draw_if_required(now, Drawing()) == ()
    for drawing in (Drawing(dice=DICE), Drawing(seed="mine")):
        with refusal("lots_drawn"):
            draw_if_required(now, drawing)


def test_a_tournament_that_has_ended_draws_none():
    with refusal("tournament_ended"):
        draw_if_required(bound(*entries(2), TournamentEnded("cancelled", None)), Drawing(SECRET))


def test_what_was_bound_is_stored_without_a_seed_and_a_seed_as_ever():
    told = msgspec.json.decode(msgspec.json.encode(bound().plan))
    assert (told.get("seed"), told["lots"]) == (None, {"commitment": commitment_to_lots(SECRET), "dice": 0})
    assert [*msgspec.json.decode(msgspec.json.encode(plan()))][-1] == "seed"
