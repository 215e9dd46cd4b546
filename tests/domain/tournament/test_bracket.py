"""Who goes on in a knock-out after corrections, by hand, and to its end whatever happens."""

import random
from itertools import count
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.errors import Refused
from domain.events.tournament import EntryWithdrawn, ResultEntered, RoundClosed, TableForfeited, TournamentAnnounced
from domain.standings.plan import Scoring
from domain.standings.standings import standings
from domain.tournament.bracket import bracket_changes, bracket_conflicts
from domain.tournament.entries import withdraw_entry
from domain.tournament.pairing.knockout import list_left
from domain.tournament.results import decide_result, forfeit_table, withdraw_result
from domain.tournament.rounds import GivenTable, close_round, draw_round, pair_by_hand
from domain.tournament.tally import tally_rounds
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_forfeit
from tests.domain.tournament.recorded import entries, entry, paired, plan, recorded, refusal
from tests.each import each

KNOCKOUT = plan(format="knockout", scoring=Scoring("match_points"))


def won(round: int, *pairs: tuple[int, int], first: bool = True) -> tuple[Any, ...]:
    """Every table is won by its first entrant, and the round closed."""
    results = (ResultEntered(round, str(number), (2, 1), None) for number, _ in enumerate(pairs, 1))
    return (paired(round, *pairs), *results, RoundClosed(round))


FOUR = (KNOCKOUT, *entries(4), *won(1, (1, 4), (2, 3)))
CORRECTED = ResultEntered(1, "1", (1, 2), None)


def test_a_correction_that_lets_somebody_else_go_on_says_so_and_what_to_do():
    final = recorded(*FOUR, paired(2, (1, 2)))
    assert bracket_conflicts(final, (), 1) == ()
    said = (
        Remark("out_by_result", {"entrants": (1,), "round": 1, "next": 2}),
        Remark("in_by_result", {"entrants": (4,), "round": 1, "next": 2}),
    )
    after = recorded(*FOUR, paired(2, (1, 2)), CORRECTED)
    assert bracket_conflicts(after, (), 1) == (*said, Remark("bracket_open", {"round": 2}))
    played = recorded(*FOUR, *won(2, (1, 2)), CORRECTED)
    assert bracket_conflicts(played, (), 1) == (*said, Remark("bracket_closed", {"round": 2}))
    assert bracket_conflicts(played, (), 2) == bracket_conflicts(recorded(*FOUR, CORRECTED), (), 1) == ()


def test_where_neither_came_after_all_only_the_one_who_is_out_is_named():
    after = recorded(*FOUR, paired(2, (1, 2)), TableForfeited(1, "1", (1, 4), None))
    assert bracket_conflicts(after, (), 1) == (
        Remark("out_by_result", {"entrants": (1,), "round": 1, "next": 2}),
        Remark("bracket_open", {"round": 2}),
    )


def test_a_missing_result_and_other_formats_contradict_nothing():
    assert bracket_conflicts(recorded(*FOUR, paired(2, (1, 2)), ResultEntered(1, "1", (5, 5), None)), (), 1) == ()
    swiss = (replace(KNOCKOUT, format="swiss"), *FOUR[1:], paired(2, (1, 2)), CORRECTED)
    assert bracket_conflicts(recorded(*swiss), (), 1) == ()


def test_by_hand_the_director_says_who_goes_on_instead():
    eight = (KNOCKOUT, *entries(8), *won(1, (1, 8), (4, 5), (2, 7), (3, 6)), *won(2, (1, 4), (2, 3)), CORRECTED)
    now = recorded(*eight)
    found = pair_by_hand(now, [GivenTable("1", ((8,), (2,)))], (), ())
    assert bracket_changes(now, found, ()) == (
        Remark("goes_on_instead", {"entrants": (8,), "round": 3}),
        Remark("out_by_hand", {"entrants": (1,), "round": 3}),
    )
    assert bracket_changes(now, draw_round(now, ()), ()) == ()
    with refusal("not_paired", entrants=(1, 2)):
        pair_by_hand(now, [], (8,), ())
    after = recorded(*eight, found, ResultEntered(3, "1", (2, 1), None), RoundClosed(3))
    assert list_left(tally_rounds(after, ()), after.byes, 4) == {8}


def test_a_loser_who_is_paired_by_hand_in_the_place_of_a_winner_who_left_plays_on():
    semis = (KNOCKOUT, *entries(4), *won(1, (1, 4), (2, 3)), EntryWithdrawn(1, 2, None))
    found = pair_by_hand(recorded(*semis), [GivenTable("1", ((4,), (2,)))], (), ())
    assert bracket_changes(recorded(*semis), found, ()) == (Remark("goes_on_instead", {"entrants": (4,), "round": 2}),)
    after = recorded(*semis, found, ResultEntered(2, "1", (2, 1), None), RoundClosed(2))
    rows = standings(after.plan, range(1, 5), tally_rounds(after, ()), after.byes)
    assert rows[0].entrant == 4


def test_who_did_not_come_is_drawn_again_unless_it_was_the_last_round():
    swiss = (plan(format="swiss", rounds=2), *entries(4), paired(1, (1, 2), (3, 4)))
    forfeit = TableForfeited(1, "1", (2,), None)
    assert warn_about_forfeit(recorded(*swiss), forfeit) == (Remark("absent_drawn_again", {"entrants": (2,), "round": 2}),)
    last = (*swiss, *(TableForfeited(1, table, (2, 4), None) for table in "12"), RoundClosed(1), paired(2, (1, 2), (3, 4)))
    assert warn_about_forfeit(recorded(*last), replace(forfeit, round=2)) == ()
    assert warn_about_forfeit(recorded(*FOUR, paired(2, (1, 2))), replace(forfeit, round=2)) == ()


THIRD = replace(KNOCKOUT, third_place=True)


def test_the_losers_of_the_semi_finals_play_for_the_third_place_for_half_the_points():
    semis = (THIRD, *entries(4), *won(1, (1, 4), (2, 3)))
    drawn = draw_round(recorded(*semis), ())
    assert {frozenset(one.seats) for one in drawn.tables} == {frozenset((1, 2)), frozenset((3, 4))}
    assert (drawn.tables[0].table, drawn.third_place, set(drawn.tables[1].seats)) == ("1", "2", {3, 4})
    now = recorded(*semis, drawn, *(ResultEntered(2, table, (2, 1), None) for table in "12"), RoundClosed(2))
    with refusal("knockout_over", needed=2):
        draw_round(now, ())
    rows = standings(now.plan, range(1, 5), tally_rounds(now, ()), now.byes)
    winner, third = drawn.tables[0].seats[0], drawn.tables[1].seats[0]
    assert [(one.place, int(one.score)) for one in rows] == [(1, 4), (2, 2), (3, 1), (4, 0)]
    assert (rows[0].entrant, rows[2].entrant) == (winner, third)


def test_the_one_who_won_the_final_is_first_whatever_is_corrected_before():
    now = recorded(*FOUR, *won(2, (1, 2)), CORRECTED)
    rows = standings(now.plan, range(1, 5), tally_rounds(now, ()), now.byes)
    assert [(one.place, one.entrant) for one in rows] == [(1, 1), (2, 2), (3, 4), (4, 3)]


def test_by_hand_the_match_for_the_third_place_is_the_one_of_those_who_are_out():
    semis = recorded(THIRD, *entries(4), *won(1, (1, 4), (2, 3)))
    by_hand = [GivenTable("a", ((4,), (3,))), GivenTable("b", ((2,), (1,)))]
    assert pair_by_hand(semis, by_hand, (), ()).third_place == "a"
    assert bracket_changes(semis, pair_by_hand(semis, by_hand, (), ()), ()) == ()
    assert pair_by_hand(semis, [GivenTable("b", ((2,), (1,)))], (), ()).third_place is UNSET


def test_without_two_losers_who_are_there_only_the_final_is_played():
    semis = (THIRD, *entries(4), *won(1, (1, 4), (2, 3)))
    for change in (TableForfeited(1, "1", (4,), None), EntryWithdrawn(4, 2, None)):
        assert len(draw_round(recorded(*semis, change), ()).tables) == 1


class Evening:
    """A knock-out that goes its way with corrections of any earlier result, withdrawals and forfeits, also of both."""

    def __init__(self, chance: random.Random, announced: TournamentAnnounced = KNOCKOUT) -> None:
        self.chance, self.size = chance, chance.randint(2, 17)
        self.events: list[Any] = [announced, *(entry(number, rating=chance.randint(1, 9)) for number in range(1, self.size + 1))]

    @property
    def now(self) -> Tournament:
        return recorded(*self.events)

    def disturb(self) -> None:
        """Changes a result of any round, or somebody leaves."""
        now, chance = self.now, self.chance
        tables = [(round.number, table.name) for round in now.rounds for table in round.tables]
        playing = [one.number for one in now.entrants if one.until is None]
        match chance.randrange(5):
            case 0 if tables:
                self.events.append(decide_result(now, *chance.choice(tables), chance.choice([(1, 0), (0, 1), (1, 1)])))
            case 1 if tables:
                at = chance.choice(tables)
                seats = now.table(*at).seats
                self.events.append(forfeit_table(now, *at, chance.choice([seats, seats[:1], seats[1:]]), None))
            case 2 if len(playing) > 1:
                self.events.append(withdraw_entry(now, chance.choice(playing), None, None))
            case 3 if [at for at in tables if now.table(*at).entered or now.table(*at).absent]:
                decided = [at for at in tables if now.table(*at).entered or now.table(*at).absent]
                self.events.append(withdraw_result(now, *chance.choice(decided), None))

    def play(self, round: int) -> None:
        for table in self.now.rounds[-1].tables:
            self.events.append(decide_result(self.now, round, table.name, self.chance.choice([(1, 0), (0, 1)])))
        if self.chance.random() < 0.4:
            self.disturb()
        self.decide(round)
        self.events.append(close_round(self.now, (), round))

    def decide(self, round: int) -> None:
        """What any director can do about tables of a round that have no winner."""
        for one in tally_rounds(self.now, ()):
            if one.round == round and one.how != "forfeited" and len(set(one.rank_key)) < 2:
                self.events.append(decide_result(self.now, round, one.table, (1, 0)))

    def run(self) -> list[int]:
        """Plays to the end; answers how many were in each round."""
        fields: list[int] = []
        for number in count(1):
            self.decide(number - 1)
            try:
                self.events.append(draw_round(self.now, ()))
            except Refused as refused:
                if refused.code in ("knockout_over", "too_few_entrants", "nobody_entered"):
                    return fields
                raise
            fields.append(len(self.now.rounds[-1].bracket_entrants))
            if self.chance.random() < 0.3:
                self.disturb()
            self.play(number)
            if self.chance.random() < 0.4:
                self.disturb()
        raise AssertionError


@each("announced", [KNOCKOUT, THIRD])
@each("seed", range(40))
def test_every_knock_out_comes_to_its_end_whatever_is_corrected(seed: int, announced: TournamentAnnounced):
    fields = Evening(random.Random(seed), announced).run()
    assert fields == sorted(set(fields), reverse=True)
