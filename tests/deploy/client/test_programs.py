"""The programs for integrators, in Python and TypeScript, run as processes against a real service."""

import json
import re
import sqlite3
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from examples.play_seat import play_seat
from examples.record_and_follow import record_and_follow
from kiebitz_client import Kiebitz
from standardwebhooks import Webhook

from tests.deploy.client.test_client import SHORT, deal_until_over, finish, token_of_seat
from tests.deploy.serving import Served, started
from tests.npm import NODE
from tests.npm import started as run

EXAMPLES = Path(__file__).parents[3] / "deploy" / "client" / "examples"
TYPESCRIPT = (str(NODE), "--disable-warning=ExperimentalWarning")
SECRET = "whsec_" + "c2VjcmV0" * 5


def node(program: str, *arguments: object) -> str:
    done = run(*TYPESCRIPT, EXAMPLES / program, *arguments)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_what_integrators_want_takes_at_most_forty_lines(server: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert server.token is not None
    record_and_follow(server.url, server.token, str(tmp_path / "scores.db"))
    assert capsys.readouterr().out.splitlines() == [
        "refused: wrong_sum CNO-23",
        "missed: 9C",
        "followed: 50 events to position 50",
        "copied: True and nothing twice: True",
        "listed: True",
    ]
    assert len((EXAMPLES / "record_and_follow.py").read_text(encoding="utf-8").splitlines()) <= 40


def test_a_bot_in_typescript_plays_with_one_in_python(server: Served, kiebitz: Kiebitz):
    with ThreadPoolExecutor(2) as pool:
        game = kiebitz.open_game("casino", seats=2, options=SHORT, own_moves=True)
        bots: list[Future[Any]] = [
            pool.submit(play_seat, server.url, token_of_seat(kiebitz, game.id, 0), game.id, 0),
            pool.submit(node, "play_seat.ts", server.url, token_of_seat(kiebitz, game.id, 1), game.id, "1"),
        ]
        deal_until_over(game)
        assert [bot.result() for bot in bots] == [None, "the game is over\n"]


def test_scores_are_copied_by_typescript(server: Served, kiebitz: Kiebitz, tmp_path: Path):
    file = tmp_path / "scores.db"
    with closing(sqlite3.connect(file)) as database:
        game = finish(kiebitz.open_game("casino", seats=2, options=SHORT))
        kiebitz.read("/v1/scores", min_sequence=game.answer["sequence"])
        node("sync_scores.ts", server.url, server.token, file)
        lines = [json.loads(line) for (line,) in database.execute("SELECT line FROM scores")]
        mine = [line for line in lines if line["game"] == game.id]
        totals = [sum(line["points"] for line in mine if line["seat"] == seat) for seat in (0, 1)]
        assert totals == kiebitz.read(f"/v1/games/{game.id}")["totals"]
        kiebitz.read("/v1/scores", min_sequence=game.rewind(2)["sequence"])
        assert node("sync_scores.ts", server.url, server.token, file) == f"{len(mine)} lines changed\n"
        assert database.execute("SELECT count(*) FROM scores").fetchone() == (len(lines) - len(mine),)


@pytest.mark.parametrize(
    "program", [(sys.executable, "receive_webhooks.py"), (*TYPESCRIPT, "receive_webhooks.ts")], ids=["python", "typescript"]
)
def test_a_repeated_message_is_counted_once_and_a_test_or_a_wrong_signature_never(program: Sequence[str], tmp_path: Path):
    command = [*program[:-1], str(EXAMPLES / program[-1]), SECRET, str(tmp_path / "received.db"), "0"]
    with started(command, PYTHONPATH=str(EXAMPLES.parent)) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"listens on (\d+)", said)
        assert found, said
        statuses = [
            send(int(found[1]), id, secret, test=test)
            for id, secret, test in (
                ("a", SECRET, False),
                ("a", SECRET, False),
                ("b", SECRET, True),
                ("c", "whsec_AAAA", False),
                ("d", SECRET, False),
            )
        ]
    assert statuses == [204, 204, 204, 400, 204]
    with closing(sqlite3.connect(tmp_path / "received.db")) as database:
        assert database.execute("SELECT game, moves FROM moves").fetchall() == [("g", 2)]


def send(port: int, id: str, secret: str, *, test: bool) -> int:
    now = datetime.now(UTC)
    body = json.dumps({"type": "move.played", "data": {"id": "g"}, **({"test": True} if test else {})})
    headers = {"webhook-id": id, "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": Webhook(secret).sign(id, now, body)}
    return httpx.post(f"http://127.0.0.1:{port}", content=body, headers=headers, verify=False).status_code
