"""Nobody gives more than he has: not beyond his scope, not for longer, and of hidden cards no more than he sees."""

from uuid import UUID

import pytest

from api.common.grant import CheckedGrant, ScopeView, check_can_grant, scope_view
from api.http.request import ROLES, Principal
from domain.access import EVERYTHING, Grant, OfGame, OfTable, OfTournament, Scope
from domain.errors import Forbidden

GAME = UUID(int=1)
SPRING = OfTournament("spring")


def refused(giver: Principal, given: CheckedGrant) -> str:
    """The key of the sentence; empty where it may be given."""
    try:
        check_can_grant(giver, given)
    except Forbidden as error:
        return getattr(error.says, "key", "")
    return ""


def director(scope: Scope, expires_at: str | None = None, **more: str) -> Principal:
    return Principal("p", "director", Grant(scope, **more), expires_at)  # pyrefly: ignore[bad-argument-type]


@pytest.mark.parametrize(
    ("own", "given", "may"),
    [
        (EVERYTHING, EVERYTHING, True),
        (SPRING, EVERYTHING, False),
        (SPRING, SPRING, True),
        (SPRING, OfTournament("autumn"), False),
        (SPRING, OfTable("spring", "1", 1), True),
        (SPRING, OfGame(GAME, "spring", 1, "1"), True),
        (SPRING, OfGame(GAME), False),
        (OfTable("spring", "1", 3), OfTable("spring", "1", 2), False),
        (OfTable("spring", "1", 3), OfTable("spring", "1", 4), True),
        (OfTable("spring", "1", 3), OfGame(GAME, "spring", 2, "1"), False),
        (OfGame(GAME, "spring", 1, "1"), OfTable("spring", "1", 1), False),
    ],
)
def test_a_director_gives_what_lies_in_his_scope(own: Scope, given: Scope, *, may: bool):
    assert refused(director(own), CheckedGrant("recorder", Grant(given), None)) == ("" if may else "gives_more.scope")


@pytest.mark.parametrize("role", [role for role in ROLES if role != "director"])
def test_nobody_but_a_director_gives_anything(role: str):
    assert refused(Principal("p", role), CheckedGrant("viewer", Grant(), None)) == "gives_more.role"


def test_who_sees_what_is_public_gives_no_eyes_that_see_more():
    public = director(SPRING, sees="public")
    given = [CheckedGrant(role, Grant(SPRING, sees), None) for role in ROLES for sees in ("all", "public")]
    assert [(one.role, one.grant.sees) for one in given if refused(public, one)] == [(role, "all") for role in ROLES if role != "viewer"]


@pytest.mark.parametrize(("until", "may"), [(None, False), ("2026-11-22T10:00:01Z", False), ("2026-11-22T10:00:00Z", True)])
def test_nothing_is_good_for_longer_than_what_the_giver_shows(until: str | None, *, may: bool):
    giver = director(SPRING, "2026-11-22T10:00:00Z")
    assert refused(giver, CheckedGrant("viewer", Grant(SPRING), until)) == ("" if may else "gives_more.expiry")


def test_a_scope_is_told_as_it_is_asked_for_and_of_a_game_where_it_is_played():
    assert [scope_view(one) for one in (EVERYTHING, SPRING, OfTable("spring", "1", 2), OfGame(GAME, "spring", 1, "1"), OfGame(GAME))] == [
        "everything",
        ScopeView(tournament="spring"),
        ScopeView(tournament="spring", table="1", since=2),
        ScopeView(tournament="spring", round=1, table="1", game=GAME),
        ScopeView(game=GAME),
    ]
