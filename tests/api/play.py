"""Games to read: worked ones, played over HTTP, and random ones."""

import json
import random
from typing import Any

from tests.api.conftest import CASES, Caller
from tests.api.games.test_cases import played


def worked(caller: Caller, name: str) -> str:
    """Plays a worked case and answers the game."""
    (file,) = [file for file in CASES if file.stem == name]
    game, _ = played(caller, json.loads(file.read_text(encoding="utf-8")))
    assert game is not None
    return game


def a_legal_move(caller: Caller, game: str, chance: random.Random) -> dict[str, Any]:
    page = caller.get(f"/v1/games/{game}/legal-moves?limit=20").json()
    captures = [move for move in page["moves"] if move["type"] != "trail"]
    return {"seat": page["seat"], "move": chance.choice(captures or page["moves"])}
