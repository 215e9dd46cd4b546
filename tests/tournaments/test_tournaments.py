"""A few random tournaments; ``./run law`` plays others, of every kind."""

import pytest

from api.app import ROUTES
from tests.api.conftest import Service
from tests.tournaments.acts import ACTS, COURSE, LEFT_OUT
from tests.tournaments.course import play_tournament


@pytest.mark.parametrize("kind", ["swiss", "tables of four", "knock-out"])
def test_a_random_tournament_keeps_every_law(kind: str, service: Service):
    play_tournament(service, kind, f"{kind} 1")


def test_every_act_of_a_tournament_and_its_games_occurs_or_is_left_out_for_a_reason():
    operations = {
        handler.opt["operation"].id
        for handler in ROUTES
        for path in handler.paths
        if handler.http_methods - {"GET", "HEAD"} and path.startswith(("/v1/tournaments/", "/v1/games/"))
    }
    assert {*ACTS, *COURSE}.union(*LEFT_OUT.values()) == operations
