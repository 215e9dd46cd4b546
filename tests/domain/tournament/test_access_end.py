"""Until when codes and sessions of a tournament let somebody in."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.errors import Refused
from domain.events.tournament import RoundClosed, RoundPaired, Seating, TournamentEnded
from domain.tournament.over import access_end, check_access
from domain.tournament.tournament import Tournament
from tests.domain.tournament.recorded import entries, plan, recorded
from tests.each import each

PAIRED = RoundPaired(1, True, (Seating("1", (1, 2)),), ())
ENDED = TournamentEnded("finished", None)


def so_far(*events: object) -> Tournament:
    return recorded(plan(), *entries(2), *events)


def test_before_the_first_round_no_end_is_known():
    assert access_end(so_far(), lasting=True) is None


def test_a_lasting_code_ends_fourteen_days_after_its_last_round_and_others_do_not():
    for tournament in (so_far(PAIRED), so_far(PAIRED, RoundClosed(1))):
        assert tournament.round_changed_at is not None
        assert access_end(tournament, lasting=True) == tournament.round_changed_at + timedelta(days=14)
        assert access_end(tournament, lasting=False) is None


def test_every_code_ends_a_day_after_the_end():
    tournament = so_far(PAIRED, RoundClosed(1), ENDED)
    assert tournament.ended_at is not None
    assert [access_end(tournament, lasting=lasting) for lasting in (True, False)] == [tournament.ended_at + timedelta(days=1)] * 2


@each(("events", "code"), [((PAIRED,), "last_round_long_ago"), ((PAIRED, RoundClosed(1), ENDED), "tournament_ended")])
def test_then_it_is_refused(events: tuple[object, ...], code: str):
    tournament = so_far(*events)
    check_access(tournament, tournament.round_changed_at or datetime.now(UTC), lasting=True)
    with pytest.raises(Refused) as refused:
        check_access(tournament, datetime(2999, 1, 1, tzinfo=UTC), lasting=True)
    assert refused.value.code == code
