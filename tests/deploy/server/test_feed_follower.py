"""Example follower of docs/feed.md, run as it is printed: it misses no event and gets none twice, also across epochs."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.deploy.serving import Served, done, environment, open_game, play_on, served

DOCS = Path(__file__).parents[3] / "docs" / "feed.md"


def shown() -> str:
    found = re.search(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert found
    return found[1]


@contextmanager
def following(server: Served, token: str | None, folder: Path) -> Iterator[Iterator[int]]:
    """The sequences that it prints."""
    told = environment(KIEBITZ_URL=server.url, KIEBITZ_TOKEN=token or "")
    process = subprocess.Popen([sys.executable, "-c", shown()], cwd=folder, env=told, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield (int(line.split()[0]) for line in process.stdout if line[0].isdigit())
    finally:
        process.kill()
        process.communicate()


def test_it_goes_on_in_another_epoch_also_where_it_had_not_come_as_far_as_both_are_alike(tmp_path: Path):
    (old := tmp_path / "old").mkdir()
    with served("--data", old) as server, server.client() as client:
        game = open_game(client)
        play_on(client, game)
        with following(server, server.token, tmp_path) as told:
            assert [next(told), next(told)] == [1, 2]
        epoch = done(client.get("/v1/feed"))["epoch"]
        (tmp_path / "feed.place").write_text(f"2 &epoch={epoch}")
        play_on(client, game)
        play_on(client, game)
        server.end()
    shutil.copytree(old, new := tmp_path / "new")  # it lies elsewhere, so an epoch begins
    with served("--data", new) as again, again.client(server.token) as client:
        assert done(client.get("/v1/feed"))["epoch"] != epoch
        play_on(client, game)
        with following(again, server.token, tmp_path) as told:
            assert [next(told), next(told), next(told)] == [3, 4, 5]
