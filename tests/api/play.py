"""Games to read: worked ones, played over HTTP, and random ones."""

import json
import random
from typing import Any
from uuid import UUID

from api.common.rulebooks import latest_rulebook_of
from api.http.request import part_of
from api.services import Services
from domain.table import fold
from replay.sample_games import first_moves
from tests.api.conftest import CASES, Caller
from tests.api.games.test_cases import played


def worked(caller: Caller, name: str) -> str:
    """Plays a worked case and answers the game."""
    (file,) = [file for file in CASES if file.stem == name]
    game, _ = played(caller, json.loads(file.read_text(encoding="utf-8")))
    assert game is not None
    return game


def finish_hand(caller: Caller, game: str, chance: random.Random) -> None:
    """Play the hand to its end, by chance; all moves go in one request."""
    answer = caller.post(f"/v1/games/{game}/moves", {"moves": moves_to_the_end(caller, game, chance)})
    assert answer.status_code == 201, answer.text


def moves_to_the_end(caller: Caller, game: str, chance: random.Random) -> list[dict[str, Any]]:
    """Choose legal moves from here to the end of the hand, captures first. The service is asked for none of them: that takes a tenth of a
    hand that is played request by request.
    """
    services = part_of(caller.client.app, Services)
    setup, table, moves = (now := services.journal.game(UUID(game))).setup, now.table, []
    rulebook = latest_rulebook_of(services.rulesets, setup)
    while table.in_hand:
        seat = table.to_act[0]
        offered = first_moves(rulebook, table, seat)
        move = chance.choice([one for one in offered if one["type"] != "trail"] or offered)
        table = fold(table, rulebook.resolve(table, seat, move))
        moves.append({"seat": seat, "move": move})
    return moves


def a_legal_move(caller: Caller, game: str, chance: random.Random) -> dict[str, Any]:
    page = caller.get(f"/v1/games/{game}/legal-moves?limit=20").json()
    captures = [move for move in page["moves"] if move["type"] != "trail"]
    return {"seat": page["seat"], "move": chance.choice(captures or page["moves"])}
