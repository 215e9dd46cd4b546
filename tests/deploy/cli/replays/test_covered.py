"""A hand from a prepared board, told from the store with the eyes of the public while another table still plays it."""

import re
from pathlib import Path

from click.testing import CliRunner

from deploy.cli.main import main
from tests.api.conftest import running, settings_of, without_limits
from tests.api.tournament import announced, entered, opened, paired

DECK = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]
CARD = re.compile("[♠♥♦♣]")


def told(folder: Path, game: str, *view: str) -> str:
    result = CliRunner().invoke(main, ["replay", game, "--data", str(settings_of(folder).data), *view])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_of_a_game_that_is_not_live_the_public_is_told_no_move(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        director = service.caller("director")
        game = director.open(live=False)
        director.deal(game, *DECK)
        assert director.trail(game, 0, "2S").status_code == 201
    public, arbiter = (told(tmp_path, game, "--view", view) for view in ("public", "arbiter"))
    assert [bool(CARD.search(text)) for text in (public, arbiter)] == [False, True]
    assert public.count("Not told before the game is over.") == 3


def test_the_public_is_told_no_card_until_the_other_table_is_done(tmp_path: Path):
    with running(settings_of(tmp_path), without_limits) as service:
        director = service.caller("director")
        path = announced(director, format="manual", openness="hand_over")
        entered(director, path, 4)
        paired(director, path, [[1], [2]], [[3], [4]])
        game = opened(director, path)["1"]
        director.post(f"{path}/boards", {"round": 1, "board": 7, "deck": DECK})
        assert director.post(f"/v1/games/{game}/hands", {"dealer": 1, "board": 7}).status_code == 201
        assert director.trail(game, 0, "2S").status_code == 201
    before = [told(tmp_path, game, "--view", view) for view in ("public", "arbiter")]
    with running(settings_of(tmp_path), without_limits) as service:
        service.caller("director").post(f"{path}/rounds/1/tables/2/forfeit", {"absent": [3]})
    assert [bool(CARD.search(text)) for text in (*before, told(tmp_path, game, "--view", "public"))] == [False, True, True]
    assert "Hand 1: seat 1 deals board 7.\n" in before[0]
