"""Standings and figures of random tournaments agree with the FIDE tie-break server, which is written independently."""

from hypothesis import given

from domain.standings.plan import Format
from domain.standings.standings import standings
from domain.standings.tie_breaks import TieBreak
from tests.domain.standings.fide import checked
from tests.domain.tournament.fields import a_plan, histories, round_robins

FIDE: dict[TieBreak, str] = {
    "direct_encounter": "DE",
    "buchholz": "BH",
    "buchholz_cut_1": "BH/C1",
    "sonneborn_berger": "SB",
    "wins": "WON",
}


def places(format: Format, history, *names: TieBreak):
    size, outcomes, byes = history
    lines = standings(a_plan(format, *names), range(1, size + 1), outcomes, byes)
    return {line.entrant: line.place for line in lines}


def figures(format: Format, history, *names: TieBreak):
    size, outcomes, byes = history
    lines = standings(a_plan(format, *names), range(1, size + 1), outcomes, byes)
    return {line.entrant: [line.score, *(figure.value for figure in line.figures)] for line in lines}


def by_checker(history, *names: TieBreak, round_robin: bool = False):
    size, outcomes, byes = history
    return checked(size, outcomes, byes, [FIDE[name] for name in names], round_robin=round_robin)


@given(histories())
def test_scores_buchholz_sonneborn_berger_and_wins_of_swiss_tournaments_agree(history):
    names: tuple[TieBreak, ...] = ("buchholz", "buchholz_cut_1", "sonneborn_berger", "wins")
    assert figures("swiss", history, *names) == {entrant: found for entrant, (_, found) in by_checker(history, *names).items()}


@given(histories())
def test_places_of_swiss_tournaments_agree(history):
    names: tuple[TieBreak, ...] = ("direct_encounter", "buchholz_cut_1", "sonneborn_berger")
    assert places("swiss", history, *names) == {entrant: place for entrant, (place, _) in by_checker(history, *names).items()}


@given(histories())
def test_places_by_direct_encounter_among_those_who_are_still_tied_agree(history):
    names: tuple[TieBreak, ...] = ("buchholz_cut_1", "direct_encounter")
    assert places("swiss", history, *names) == {entrant: place for entrant, (place, _) in by_checker(history, *names).items()}


@given(round_robins())
def test_figures_where_all_meet_all_agree_and_forfeits_count_as_played(history):
    names: tuple[TieBreak, ...] = ("sonneborn_berger",)
    found = by_checker(history, *names, round_robin=True)
    assert figures("round_robin", history, *names) == {entrant: scores for entrant, (_, scores) in found.items()}


@given(round_robins())
def test_places_where_all_meet_all_agree(history):
    names: tuple[TieBreak, ...] = ("direct_encounter", "sonneborn_berger")
    found = by_checker(history, *names, round_robin=True)
    assert places("round_robin", history, *names) == {entrant: place for entrant, (place, _) in found.items()}
