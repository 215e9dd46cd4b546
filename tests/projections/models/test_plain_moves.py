"""Which projections are told of moves that write nothing on a sheet."""

from pathlib import Path
from random import Random

from msgspec.structs import replace

from deploy.compose import PROJECTIONS
from deploy.stores.opening import open_projections
from domain.events.game import MovePlayed
from projections.engine.projector import Projector
from projections.engine.store import News, is_plain_move
from projections.models.game_index import GAME_INDEX
from projections.models.rulings import RULINGS
from tests.projections.histories import Log
from tests.projections.random_play import random_games, shuffled_together

TOLD_ALL = {"game_index", "score_sheets"}


def test_only_what_shows_how_far_a_game_is_has_to_be_told_of_plain_moves():
    assert {projection.name for projection in PROJECTIONS if projection.plain_moves} == TOLD_ALL


def test_the_others_come_to_the_same_if_they_are_told_of_them(tmp_path: Path):
    chance = Random(7)
    log = Log(shuffled_together(random_games(chance, each=3), chance))
    found = []
    for number, projections in enumerate((PROJECTIONS, [replace(one, plain_moves=True) for one in PROJECTIONS])):
        store = open_projections(f"sqlite:///{tmp_path / str(number)}")
        made = Projector(projections, store, lambda after, _: log.read(after, 50), log.head, log.wait)
        made.prepare()
        made.catch_up()
        assert [status.error for status in made.status()] == [None] * len(PROJECTIONS)
        found.append(made.contents())
        store.close()
    assert found[0] == found[1]


def test_what_is_told_is_all_or_all_but_plain_moves_in_order():
    chance = Random(8)
    events = Log(shuffled_together(random_games(chance, each=1), chance)).events
    news = News(events)
    assert news.batch_for(GAME_INDEX) == events
    assert news.batch_for(RULINGS) == [one for one in events if not is_plain_move(one[1])]
    assert 0 < sum(type(one.event) is MovePlayed for _, one in news.batch_for(RULINGS)) < len(news.batch_for(RULINGS)) < len(events)
