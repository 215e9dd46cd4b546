"""What a move passes between its handler and the store: few files of ours, and the domain is asked once for each question."""

from uuid import UUID

import httpx
import pytest

from api.games.moves import play
from domain.access import Grant, OfGame
from tests.api.conftest import BODY, Service, add_token
from tests.api.tracing import Way, traced

CALLS = ["application.py:commit_to", "moves.py:decide_moves", "moves.py:viewpoint_of"]


async def way_of(service: Service, game: str, token: str, body: object) -> Way:
    transport = httpx.ASGITransport(app=service.client.app)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver.local") as client:
        with traced(play.fn.__code__) as way:
            answer = await client.post(f"/v1/games/{game}/moves", json=body, headers={**BODY, "Authorization": f"Bearer {token}"})
    assert answer.status_code == 201, answer.text
    return way


@pytest.mark.parametrize("ruleset", ["casino", "canasta"])
def test_a_move_enters_few_files_and_asks_the_domain_once(service: Service, ruleset: str):
    recorder = service.caller("recorder")
    game = recorder.open(ruleset=ruleset, seats=2 if ruleset == "casino" else 4)
    recorder.deal(game)
    token = add_token(service.services, "recorder", f"scoped_{ruleset}", Grant(OfGame(UUID(game))))
    legal = recorder.get(f"/v1/games/{game}/legal-moves").json()
    with service.client.portal() as portal:
        way = portal.call(way_of, service, game, token, {"seat": legal["seat"], "move": legal["moves"][0]})
    assert len(way.outside_games) <= 22, way.outside_games
    assert [call for call in way.calls if call.rpartition("/")[2] in CALLS] == way.calls[:3]
    assert len(way.calls) <= 5, way.calls
