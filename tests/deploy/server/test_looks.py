"""Register of looks across the end and the kill of a server process, each with one of the databases.

What the register stores is tested with both in `tests/deploy/stores/test_looks.py`.
"""

import signal
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest

from deploy.stores.opening import open_events
from tests.api.conftest import journal_url_of
from tests.deploy.serving import done, open_game, play_on, served, until


def arguments(folder: Path, database_url: str) -> list[object]:
    if database_url.startswith("sqlite"):
        return ["--data", folder / "data"]
    return ["--database-url", database_url, "--migrate"]


def views(url: str, game: str) -> list[str]:
    with closing(open_events(url)) as events:
        return [look.view for look in events.list_looks(game=UUID(game))]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_what_waits_is_written_when_a_server_ends(tmp_path: Path, database_url: str):
    with served(*arguments(tmp_path, database_url)) as server, server.client() as client:
        game = open_game(client)
        play_on(client, game)
        for seat in range(2):
            done(client.get(f"/v1/games/{game}/table?view=seat:{seat}"))
        assert server.end(signal.SIGTERM) == 0
    assert views(journal_url_of(tmp_path, database_url), game) == ["seat:1", "seat:0"]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_what_was_written_is_there_when_a_server_was_killed(tmp_path: Path, database_url: str):
    """It is written without anybody asking for it, seconds after the answer."""
    url = journal_url_of(tmp_path, database_url)
    with served(*arguments(tmp_path, database_url)) as server, server.client() as client:
        game = open_game(client)
        play_on(client, game)
        done(client.get(f"/v1/games/{game}/table"))
        until(lambda: views(url, game))
        server.kill()
    assert views(url, game) == ["arbiter"]
