"""A game is played by browsers alone: each came in by a code of the director, and each sees it with its own eyes."""

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from domain.sight import PUBLIC, Viewer, masked
from tests.api.conftest import Service, running, settings_of, without_limits
from tests.api.web import Browser, browser
from tests.domain.games.conftest import random_game
from tests.domain.games.setups import TRIED
from tests.laws import Playout

_STEPS = 12


@dataclass
class Evening:
    """Who sits at table 1, and who is there besides."""

    director: Browser
    recorder: Browser
    next_table: Browser
    players: list[Browser]
    public: Browser
    game: str


def let_in(service: Service, director: Browser, role: str, scope: object, **wanted: Any) -> Browser:
    answer = director.post("/v1/codes", {"role": role, "scope": scope, **wanted})
    assert answer.status_code == 201, answer.text
    found = browser(service)
    found.enter(answer.json()["code"])
    return found


def begun(service: Service, playout: Playout) -> Evening:
    """The director signs in by his token, announces and publishes a tournament, and lets the others in by codes."""
    director, setup = browser(service), playout.rulebook.setup
    director.enter(service.caller("director").token or "")
    plan = {"id": "spring", "ruleset": setup.ruleset, "options": setup.options, "seats": setup.seats, "format": "manual"}
    did(director, "/v1/tournaments", {**plan, "scoring": {"by": "points"}})
    did(director, "/v1/tournaments/spring/publication", {"publication": "aliases"})
    place = {"tournament": "spring", "table": "1", "round": 1}
    recorder = let_in(service, director, "recorder", at_table("1"))
    players = [f"p{seat}" for seat in range(setup.seats)]
    game = {"ruleset": setup.ruleset, "options": setup.options, "seats": setup.seats, "players": players, "own_moves": True, **place}
    id = did(recorder, "/v1/games", game)["game"]
    seated = [let_in(service, director, "player", {"game": id}, seat=seat) for seat in range(setup.seats)]
    next_table = let_in(service, director, "recorder", at_table("2"))
    return Evening(director, recorder, next_table, seated, browser(service), id)


def at_table(table: str) -> dict[str, object]:
    return {"tournament": "spring", "table": table, "since": 1}


def did(web: Browser, path: str, body: object) -> Any:
    answer = web.post(path, body)
    assert answer.status_code == 201, (path, answer.text)
    return answer.json()


def one_hand(key: str) -> Playout:
    playout = random_game(key, TRIED[key]().set_ups[0], "by sessions")
    closed = next((number for number, step in enumerate(playout.steps, 1) if not step.after.in_hand), len(playout.steps))
    return playout._replace(steps=playout.steps[: min(_STEPS, closed - 1)])


@pytest.mark.parametrize("key", ["casino", "cascades"])  # several seats, and one
def test_a_game_is_played_by_sessions_alone_each_with_its_own_eyes(tmp_path: Any, key: str):
    playout = one_hand(key)
    with running(settings_of(tmp_path), without_limits) as service:
        evening = begun(service, playout)
        for step in playout.steps:
            if step.move is None:
                did(evening.recorder, f"/v1/games/{evening.game}/hands", {"dealer": step.seat, "deck": list(step.deck)})
            else:
                did(evening.players[step.seat], f"/v1/games/{evening.game}/moves", {"seat": step.seat, "move": step.move})
        assert_own_eyes(service, evening, playout)
        assert_nobody_else_writes(service, evening, playout)
        signed_out(evening)


def assert_own_eyes(service: Service, evening: Evening, playout: Playout) -> None:
    """Each reads the table as the rulebook shows it to him, the recorder of the next table as everybody, byte for byte."""
    view, table, path = playout.rulebook.view, playout.steps[-1].after, f"/v1/games/{evening.game}/table"
    for web in (evening.director, evening.recorder):
        assert web.get(path).json() == plain(view(table))
    for seat, web in enumerate(evening.players):
        assert web.get(path).json() == plain(view(masked(table, Viewer(seat))))
        assert web.get(f"{path}?view=seat:{(seat + 1) % len(evening.players)}").status_code == (403 if len(evening.players) > 1 else 200)
    for web in (evening.public, evening.next_table):
        assert web.get(path).json() == plain(view(masked(table, PUBLIC)))
    for what in ("table", "history", "replay", "score-sheet", "disputes"):
        answers = [web.get(f"/v1/games/{evening.game}/{what}") for web in (evening.public, evening.next_table)]
        assert {answer.content for answer in answers} == {service.caller("viewer").get(f"/v1/games/{evening.game}/{what}").content}


def assert_nobody_else_writes(service: Service, evening: Evening, playout: Playout) -> None:
    last = service.services.journal.head()
    game, made = f"/v1/games/{evening.game}", {"seat": playout.steps[-1].seat, "move": playout.steps[-1].move}
    for path, body in ((f"{game}/moves", made), (f"{game}/notes", {"text": "x"}), (f"{game}/rewinds", {"to": 2})):
        assert evening.next_table.post(path, body).status_code == 403
        assert evening.public.post(path, body).status_code == 401
        elsewhere = {"Origin": "https://elsewhere.example"}
        assert evening.recorder.post(path, body, **elsewhere).status_code == 403
    for web in evening.players:
        assert web.post(f"{game}/rewinds", {"to": 2}).status_code == 403
    assert service.services.journal.head() == last


def signed_out(evening: Evening) -> None:
    web = evening.players[0]
    cookies = dict(web.cookies)
    assert web.post("/out").status_code in (200, 303)
    web.cookies = cookies
    assert web.post(f"/v1/games/{evening.game}/disputes", {"claim": "x"}).status_code == 401


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
