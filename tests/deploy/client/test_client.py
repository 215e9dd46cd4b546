"""The client and its example programs with a real service."""

import asyncio
import sqlite3
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from examples.follow_live import follow_live
from examples.record_hand import DECK, record_hand
from examples.sync_scores import sync_scores
from kiebitz_client import AsyncKiebitz, ConflictError, Game, Kiebitz, Refused
from kiebitz_client.moves import CasinoTrail

from tests.deploy.client.moves import FILE, write_moves
from tests.deploy.serving import Served

PROJECT = Path(__file__).parents[3]
SHORT = {"target": 1}


def finish(game: Game, **deal: Any) -> Game:
    """Play the last legal move, which takes cards where any can be taken, until the game is over; shuffled if no ``deal`` is given."""
    dealer = 0
    while not game.over:
        game.deal(dealer=dealer, **deal)
        while game.turn is not None:
            game.play(game.legal_moves[-1])
        dealer = 1 - dealer
    return game


def deal_until_over(game: Game) -> None:
    """Deal for others who play; another hand after a tie."""
    for event in game.follow():
        game.refresh()
        if game.over:
            return
        if game.turn is None and event.id == str(game.position):
            game.deal(dealer=(game.hand + 1) % 2)


def token_of_seat(kiebitz: Kiebitz, game: str, seat: int) -> str:
    return str(kiebitz.act("/v1/tokens", {"role": "player", "scope": {"game": game}, "seat": seat, "label": f"bot {seat}"})["secret"])


def test_the_types_of_moves_are_those_of_the_document(kiebitz: Kiebitz):
    assert FILE.read_text(encoding="utf-8") == write_moves(kiebitz.read("/openapi.json")), "python -m tests.deploy.client.moves"


def test_the_client_has_the_version_of_the_house():
    files = (PROJECT / "pyproject.toml", PROJECT / "deploy" / "client" / "pyproject.toml")
    versions = {tomllib.loads(file.read_text(encoding="utf-8"))["project"]["version"] for file in files}
    assert len(versions) == 1


def test_twelve_moves_take_fourteen_requests(server: Served):
    sent: list[httpx.Request] = []
    with Kiebitz(server.url, server.token, http=httpx.Client(event_hooks={"request": [sent.append]})) as kiebitz:
        game = kiebitz.open_game("casino", seats=2)
        game.deal(dealer=1)
        for _ in range(12):
            game.play(game.legal_moves[0])
        assert (game.position, len(sent)) == (14, 14)


def test_a_refusal_has_its_code_its_rules_and_what_a_line_may_mean(kiebitz: Kiebitz):
    game = kiebitz.open_game("casino", seats=2)
    game.deal(dealer=1, deck=["3H", "9C", "6S", "5D", "4C"], fill="sorted")
    with pytest.raises(Refused) as refused:
        game.play({"type": "capture", "card": "9C", "groups": [["5D"]]})
    assert (refused.value.status, refused.value.code, refused.value.rules) == (422, "wrong_sum", ("CNO-23",))
    assert game.play(CasinoTrail(card="9C"))["events"][0]["body"]["move"] == {"type": "trail", "card": "9C"}


def test_who_missed_something_reads_it_and_goes_on(kiebitz: Kiebitz):
    mine = kiebitz.open_game("casino", seats=2)
    theirs = kiebitz.game(mine.id)
    theirs.deal(dealer=1)
    with pytest.raises(ConflictError) as conflict:
        mine.deal(dealer=1)
    assert (conflict.value.position, [event["name"].partition("/")[0] for event in conflict.value.missed]) == (2, ["hand.dealt"])
    mine.refresh()
    assert (mine.position, mine.turn, mine.legal_moves) == (2, 0, theirs.legal_moves)


def test_an_act_under_a_key_is_recorded_once_and_answered_the_same_after_others_played(kiebitz: Kiebitz):
    game = kiebitz.open_game("casino", seats=2, key="evening 1")
    assert kiebitz.open_game("casino", seats=2, key="evening 1").id == game.id
    game.deal(dealer=1)
    other = kiebitz.game(game.id)
    other.refresh()
    first = game.play(game.legal_moves[0], key="move 1")
    game.play(game.legal_moves[0])
    assert other.play(other.legal_moves[0], key="move 1") == first


def test_lists_are_read_to_their_end(kiebitz: Kiebitz):
    opened = {kiebitz.open_game("cascades", seats=1).id for _ in range(3)}
    assert {game["id"] for game in kiebitz.items("/v1/games", ruleset="cascades", limit=2)} == opened
    assert {game["id"] for game in kiebitz.games(ruleset="cascades")} == opened


def test_a_game_is_played_and_followed_with_asyncio(server: Served):
    async def play() -> list[Any]:
        async with AsyncKiebitz(server.url, server.token) as kiebitz:
            game = await kiebitz.open_game("casino", seats=2)
            names = []
            async for event in game.follow():
                names.append(event.data["name"].partition("/")[0])
                if len(names) == 1:
                    await game.deal(dealer=1)
                elif len(names) < 4:
                    await game.play(game.legal_moves[0])
                else:
                    return names
            return []

    assert asyncio.run(play()) == ["game.opened", "hand.dealt", "move.played", "move.played"]


# The example programs


def test_a_hand_is_recorded(server: Served, capsys: pytest.CaptureFixture[str]):
    assert server.token is not None
    record_hand(server.url, server.token)
    first, last = capsys.readouterr().out.splitlines()
    assert first == "wrong_sum CNO-23 5♦ makes 5 and cannot be taken with 9♣. Name groups that make 9 each."
    assert last.startswith("position 50: hand_over, points [")


def test_a_game_is_followed_to_its_end(server: Served, kiebitz: Kiebitz, capsys: pytest.CaptureFixture[str]):
    assert server.token is not None
    game = kiebitz.open_game("casino", seats=2, options=SHORT)
    with ThreadPoolExecutor(1) as pool:
        following = pool.submit(follow_live, server.url, server.token, game.id)
        finish(game)
        following.result()
    assert [line.partition(" ")[0] for line in capsys.readouterr().out.splitlines()] == [str(one + 1) for one in range(game.position)]


def test_scores_are_copied_and_what_a_rewind_took_back_is_dropped(
    server: Served, kiebitz: Kiebitz, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert server.token is not None
    game, file = kiebitz.open_game("casino", seats=2, options=SHORT), str(tmp_path / "scores.db")
    sequence = finish(game, deck=DECK, fill="sorted").answer["sequence"]  # no tie: a hand before the last is out of reach
    kiebitz.read("/v1/scores", min_sequence=sequence)
    sync_scores(server.url, server.token, file)
    assert "casino, seat 0: " in capsys.readouterr().out
    with closing(sqlite3.connect(file)) as database:
        totals = [points for (points,) in database.execute("SELECT sum(points) FROM scores WHERE game = ? GROUP BY seat", (game.id,))]
        assert totals == kiebitz.read(f"/v1/games/{game.id}")["totals"]
        kiebitz.read("/v1/scores", min_sequence=game.rewind(2)["sequence"])
        sync_scores(server.url, server.token, file)
        assert database.execute("SELECT count(*) FROM scores WHERE game = ?", (game.id,)).fetchone() == (0,)
    assert " withdrawn" in capsys.readouterr().out
