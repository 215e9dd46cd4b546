"""Processes of a cluster are found by the mark of its folder, whoever started them, and end."""

import signal
import subprocess
import sys
from pathlib import Path

from deploy.ha import processes
from tests.deploy.serving import until

PARENT = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], env={}).wait()"
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"


def started(folder: Path, program: str) -> subprocess.Popen[bytes]:
    return processes.start([sys.executable, "-c", program], folder / "log", processes.marked(folder))


def test_children_that_have_lost_the_mark_are_found_by_their_parent_and_all_of_a_folder_end(tmp_path: Path):
    (other := tmp_path / "other").mkdir()
    mine, theirs = started(tmp_path, PARENT), started(other, PARENT)
    until(lambda: len(processes.of(tmp_path)) == 2)
    try:
        assert processes.of(tmp_path)[0] == mine.pid
        assert processes.end_all(tmp_path) == 2
        assert (processes.of(tmp_path), mine.wait(), theirs.poll()) == ([], -signal.SIGKILL, None)
    finally:
        processes.end_all(other)
        theirs.wait()


def test_who_does_not_end_when_asked_is_ended(tmp_path: Path):
    deaf = started(tmp_path, DEAF)
    until(lambda: "deaf" in (tmp_path / "log").read_text())
    processes.end([deaf.pid], patience=0.2)
    assert deaf.wait() == -signal.SIGKILL


def test_one_that_stands_still_ends_too(tmp_path: Path):
    still = started(tmp_path, PARENT)
    until(lambda: len(processes.of(tmp_path)) == 2)
    for pid in processes.family(still.pid):
        processes.send(pid, signal.SIGSTOP)
    assert processes.end_all(tmp_path) == 2
    assert still.wait() == -signal.SIGKILL
