"""Register of looks across the end and the kill of a server process, each with one of the databases.

What the register stores is tested with both in `tests/deploy/stores/test_looks.py`.
"""

import signal
from contextlib import closing
from pathlib import Path
from uuid import UUID

from deploy.stores.opening import OpenedEvents, open_events
from tests.deploy.serving import done, open_game, play_on, served, until


def views(events: OpenedEvents, game: str) -> list[str]:
    return [look.view for look in events.list_looks(game=UUID(game))]


def test_what_waits_is_written_when_a_server_ends(tmp_path: Path):
    with served("--data", tmp_path) as server, server.client() as client:
        game = open_game(client)
        play_on(client, game)
        for seat in range(2):
            done(client.get(f"/v1/games/{game}/table?view=seat:{seat}"))
        assert server.end(signal.SIGTERM) == 0
    with closing(open_events(f"sqlite:///{tmp_path / 'journal.db'}")) as events:
        assert views(events, game) == ["seat:1", "seat:0"]


def test_what_was_written_is_there_when_a_server_was_killed(migrated: str):
    """It is written without anybody asking for it, seconds after the answer."""
    with closing(open_events(migrated)) as events:
        with served("--database-url", migrated) as server, server.client() as client:
            game = open_game(client)
            play_on(client, game)
            done(client.get(f"/v1/games/{game}/table"))
            until(lambda: views(events, game))
            server.kill()
        assert views(events, game) == ["arbiter"]
