"""The two ways to the games have one face: what is asked and recorded through a server is asked and recorded in a store of one's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from deploy.cli.recording.door import Act, Door, door_to
from deploy.cli.recording.following import Following
from deploy.config.failures import Failure
from deploy.config.settings import Settings
from tests.deploy.serving import served

BOARD = ["9C", "7C", "8H", "2D"]
DEAL = Act("hands", {"dealer": 0, "deck": "unknown", "known": {"board": BOARD}})
TRAIL = Act("moves", {"seat": 1, "move": {"type": "trail", "card": "5D"}})


@contextmanager
def opened(way: str, data: Path) -> Iterator[Door]:
    if way == "here":
        with door_to(Settings(data), "en", create=True) as door:
            yield door
    else:
        with served("--data", data) as server, door_to(Settings(data, url=server.url, token=server.token), "en", create=True) as door:
            yield door


@pytest.mark.parametrize("way", ["here", "through a server"])
def test_a_hand_is_recorded_and_read_again_either_way(tmp_path: Path, way: str):
    with opened(way, tmp_path) as door:
        game = Following(door.open({"ruleset": "casino", "seats": 2}), "en")
        assert [frame.caption for frame in game.follow(door.history(game.id, 0))] == ["Casino and Royal Casino. Seats: 2."]
        assert door.record(game.id, 1, DEAL) is None
        assert door.record(game.id, 2, TRAIL) is None
        frames = game.follow(door.history(game.id, 1))
        assert [frame.caption for frame in frames] == ["Hand 1: seat 0 deals. Open: 9♣ 7♣ 8♥ 2♦. Deal 1.", "Seat 1 trails 5♦."]
        assert [one["id"] for one in door.unfinished()] == [str(game.id)]
        assert game.table.cards("board") == (*BOARD, "5D")


@pytest.mark.parametrize("way", ["here", "through a server"])
def test_what_is_refused_is_said_with_its_rules_and_what_is_asked_for(tmp_path: Path, way: str):
    with opened(way, tmp_path) as door:
        game = door.open({"ruleset": "casino", "seats": 2})
        asked = door.record(game, 1, Act("hands", {"dealer": 0, "deck": "unknown"}))
        assert asked
        assert (asked.code, asked.asks) == ("card_unknown", ({"zone": "board", "places": [0, 1, 2, 3]},))
        door.record(game, 1, DEAL)
        refused = door.record(game, 2, Act("moves", {"seat": 0, "move": {"type": "trail", "card": "5D"}}))
        assert refused
        assert (refused.code, refused.in_words()) == ("not_your_turn", "Seat 0 cannot move now. To act: seat 1. (COM-25, CNO-15)")


@pytest.mark.parametrize("way", ["here", "through a server"])
def test_an_act_on_a_position_that_is_past_is_not_recorded(tmp_path: Path, way: str):
    with opened(way, tmp_path) as door:
        game = door.open({"ruleset": "casino", "seats": 2})
        door.record(game, 1, DEAL)
        overtaken = door.record(game, 1, DEAL)
        assert overtaken
        assert overtaken.is_overtaken
        assert len(door.history(game, 0)) == 2


def test_an_act_whose_answer_is_lost_is_sent_again_and_recorded_once(tmp_path: Path):
    with served("--data", tmp_path) as server, server.client() as http:
        losing = _Losing(http)
        door = Door(httpx.Client(transport=losing, base_url=server.url), pauses=(0.0,) * 3)
        game = door.open({"ruleset": "casino", "seats": 2})
        assert door.record(game, 1, DEAL) is None
        assert [event.name for event in door.history(game, 0)] == ["game.opened/1", "hand.dealt/1"]
        assert losing.lost == 3


def test_where_nobody_answers_in_the_end_that_is_what_is_raised():
    door = Door(httpx.Client(transport=httpx.MockTransport(_gone), base_url="http://nobody"), pauses=(0.0,))
    with pytest.raises(httpx.ConnectError):
        door.unfinished()


def test_a_store_that_is_not_there_is_made_only_for_a_game_that_is_opened(tmp_path: Path):
    with pytest.raises(Failure, match="There are no games"), door_to(Settings(tmp_path / "mistyped"), "en", create=False):
        pass
    assert not (tmp_path / "mistyped").exists()


class _Losing(httpx.BaseTransport):
    """A line on which the first answer to everything is lost after the server has done its work."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self._answered: set[tuple[str, str, bytes]] = set()
        self.lost = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        asked = (request.method, str(request.url), request.read())
        headers = {**request.headers, "authorization": self._http.headers["authorization"]}
        answer = self._http.request(request.method, request.url, headers=headers, content=asked[2])
        if asked not in self._answered:
            self._answered.add(asked)
            self.lost += 1
            raise httpx.ReadError("the line broke")
        return httpx.Response(answer.status_code, headers={"content-type": answer.headers["content-type"]}, content=answer.content)


def _gone(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("gone")
