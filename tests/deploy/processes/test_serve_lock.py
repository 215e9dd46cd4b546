"""File lock that admits one writer for each data folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from deploy.config.failures import Failure
from deploy.processes.journal_file import acquire_writer_lock, holder


@pytest.fixture
def other(tmp_path: Path):
    """Another process that holds the lock."""
    command = [sys.executable, "-P", "-m", "tests.deploy.stores.programs", "lock", str(tmp_path / "serve.lock")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_the_second_writer_is_told_who_the_first_is_and_how_to_go_through_it(tmp_path: Path, other: subprocess.Popen):
    with pytest.raises(Failure) as failure, acquire_writer_lock(tmp_path / "serve.lock", "import"):
        pass
    assert f"kiebitz serve at http://127.0.0.1:8000 (process {other.pid})" in str(failure.value)
    assert "--url http://127.0.0.1:8000" in str(failure.value)


def test_a_killed_process_leaves_no_lock_behind(tmp_path: Path, other: subprocess.Popen):
    other.kill()
    other.wait()
    with acquire_writer_lock(tmp_path / "serve.lock", "import"):
        assert (tmp_path / "serve.lock").exists()


def test_looking_tells_the_holder_and_disturbs_nobody(tmp_path: Path, other: subprocess.Popen):
    seen = holder(tmp_path / "serve.lock")
    assert seen is not None
    assert (seen.pid, seen.what) == (other.pid, "serve")
    assert holder(tmp_path / "elsewhere.lock") is None


def test_nobody_holds_a_lock_that_was_given_back(tmp_path: Path):
    with acquire_writer_lock(tmp_path / "serve.lock", "import"):
        pass
    assert holder(tmp_path / "serve.lock") is None
