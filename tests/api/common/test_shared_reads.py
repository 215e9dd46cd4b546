"""What many readers share is renewed by events, and not by each move of a hand."""

from pathlib import Path
from uuid import UUID

from api.common.shared_reads import LatestChange
from deploy.compose import open_services
from deploy.config.settings import Settings
from domain.journal.commits import Call
from tests.benchmarks.games import played


def test_a_move_that_scores_nothing_renews_nothing_that_readers_share(tmp_path: Path):
    events = tuple(played(1))
    with open_services(Settings(data=tmp_path), alone=True) as services:
        journal = services.journal
        latest = LatestChange(journal)
        found = []
        for game, shown in enumerate((events[:2], events[:5], events), 1):
            journal.open_now(Call("bench"), UUID(int=game, version=4), shown)
            found.append((journal.head(), latest.read()[1]))
    assert found == [(2, 2), (7, 4), (7 + len(events), 7 + len(events))]
