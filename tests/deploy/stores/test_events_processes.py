"""Several processes on one store, and killed processes, the same for both databases."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from deploy.stores.migrating import migrate, pending
from deploy.stores.opening import OpenedEvents, open_events
from tests.deploy.stores.stores import commit, event, stored, told

ROOT = Path(__file__).parents[3]
EACH = 20  # events of each of three processes

MIGRATOR = "import sys; from deploy.stores.migrating import migrate; print(len(migrate(sys.argv[1])))"


def started(program: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a program of ``programs.py``."""
    command = [sys.executable, "-P", "-m", "tests.deploy.stores.programs", program, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def answers(process: subprocess.Popen[str]) -> list[int]:
    output, _ = process.communicate()
    return [int(line) for line in output.split()]


def test_who_reads_while_several_processes_append_never_misses_an_event(events: OpenedEvents, journal_url: str):
    games = [uuid4() for _ in range(3)]
    processes = [started("append", journal_url, game, EACH) for game in games]
    read: list[tuple[int, UUID, int]] = []
    while len(read) < 3 * EACH and events.wait_for(read[-1][0] if read else 0, timeout=60):
        rows = events.events_after(read[-1][0] if read else 0, 7)
        read += [(sequence, event.stream, event.position) for sequence, event in rows]
    acknowledged = {game: answers(process) for game, process in zip(games, processes, strict=True)}
    assert read == stored(events)
    assert acknowledged == {game: [sequence for sequence, other, _ in read if other == game] for game in games}
    assert [version for _, game, version in read if game == games[0]] == list(range(1, EACH + 1))


def test_a_killed_process_loses_nothing_that_it_acknowledged(events: OpenedEvents, journal_url: str):
    for _ in range(2):
        game = uuid4()
        process = started("append", journal_url, game, 1_000_000)
        assert process.stdout is not None
        seen = [int(process.stdout.readline()) for _ in range(40)]
        process.kill()
        seen += answers(process)
        kept = [sequence for sequence, other, _ in stored(events) if other == game]
        assert kept[: len(seen)] == seen
        assert len(kept) - len(seen) in (0, 1)  # one may have been stored, and the process killed before it could say so
        assert len(events.insert_events([event(game, len(kept) + 1)])) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files")
def test_a_full_disk_refuses_appends_and_the_store_goes_on_when_there_is_room(tmp_path: Path):
    url, game = f"sqlite:///{tmp_path}/full.db", uuid4()
    migrate(url)
    with started("fill", url, game) as process:
        acknowledged = answers(process)
    assert process.returncode == 0
    with closing(open_events(url)) as events:
        assert [sequence for sequence, _, _ in stored(events)] == acknowledged
        assert [version for _, _, version in stored(events)] == list(range(1, len(acknowledged) + 1))
    assert len(acknowledged) > 10


def test_a_process_that_stands_still_while_it_appends_does_not_keep_the_others_from_it(migrated: str):
    postgres_url = migrated
    with started("freeze", postgres_url) as process, closing(open_events(postgres_url)) as events:
        try:
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status)
            assert told(events.commit_group([commit(uuid4(), 1)], patience=300.0)) == [(1,)]
        finally:
            process.kill()


def test_two_processes_may_migrate_at_once(database_url: str):
    missing = len(pending(database_url))
    forked = [] if database_url.startswith("sqlite") else ["-P"]  # a new file would be a copy, see ``tests/migrated.py``
    command = [sys.executable, *forked, "-c", MIGRATOR, database_url]
    processes = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    numbers = sorted(number for process in processes for number in answers(process))
    assert (numbers, migrate(database_url), pending(database_url)) == ([0, missing], [], [])
