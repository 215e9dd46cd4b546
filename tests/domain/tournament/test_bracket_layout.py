"""The bracket as a picture: what was paired, and what is to come."""

from msgspec.structs import replace

from domain.events.tournament import ResultEntered, TableForfeited
from domain.tournament.bracket import OPEN, BracketMatch, BracketRound, BracketSide, draw_bracket
from domain.tournament.rounds import draw_round
from tests.domain.tournament.recorded import entry, recorded
from tests.domain.tournament.test_bracket import KNOCKOUT

RATED = tuple(entry(number, rating=2000 - number) for number in range(1, 9))


def match(*sides: BracketSide, table: str | None = None, third_place: bool = False) -> BracketMatch:
    return BracketMatch(sides, table, third_place)


def test_rounds_that_are_still_to_come_stand_there_open():
    five = (KNOCKOUT, *RATED[:5])
    drawn = (*five, draw_round(recorded(*five), ()))
    free = [match(BracketSide(one, None, True)) for one in (1, 2, 3)]
    first = (free[0], match(BracketSide(4), BracketSide(5), table="1"), free[1], free[2])
    second = (match(BracketSide(1), OPEN), match(BracketSide(2), BracketSide(3)))
    assert draw_bracket(recorded(*drawn), ()) == (BracketRound(1, first), BracketRound(2, second), BracketRound(3, (match(OPEN, OPEN),)))
    after = draw_bracket(recorded(*drawn, ResultEntered(1, "1", (3, 9), None)), ())
    assert after[0].matches[1] == match(BracketSide(4, 3), BracketSide(5, 9, True), table="1")
    assert after[1].matches[0] == match(BracketSide(1), BracketSide(5))


def test_the_next_pairing_says_who_goes_on_whatever_is_corrected():
    four = (KNOCKOUT, *RATED[:4])
    played = (*four, draw_round(recorded(*four), ()), *(ResultEntered(1, table, (2, 1), None) for table in "12"))
    semis, final = draw_bracket(recorded(*played), ())
    assert final.matches == (match(BracketSide(1), BracketSide(2)),)
    closed = recorded(*played)
    later = (*played, replace(draw_round(replace(closed, rounds=(replace(closed.rounds[0], closed=True),)), ()), round=2))
    corrected = recorded(*later, ResultEntered(1, "1", (1, 2), None), TableForfeited(2, "1", (2,), None))
    semis, final = draw_bracket(corrected, ())
    assert [side.goes_on for side in semis.matches[0].sides] == [True, False]
    assert final.matches == (match(BracketSide(1, None, True), BracketSide(2), table="1"),)
