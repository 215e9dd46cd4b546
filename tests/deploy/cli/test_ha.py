"""`kiebitz ha`, as far as nothing is started; `./run faults ha` starts it all."""

import os
from pathlib import Path

import pytest

from tests.deploy.serving import run

ADDRESSES = ("10.0.0.1", "10.0.0.2", "10.0.0.3")


@pytest.mark.skipif(os.geteuid() == 0, reason="root installs what is missing")
def test_who_may_not_install_is_told_what_to_install(tmp_path: Path):
    told = run("ha", "start", tmp_path / "cluster", PATH=str(tmp_path))
    assert told.returncode == 1
    assert "apt-get install" in told.stderr


def test_three_machines_have_three_addresses(tmp_path: Path):
    folder = tmp_path / "files"
    assert run("ha", "files", folder, *ADDRESSES[:2]).returncode == 2
    written = run("ha", "files", folder, *ADDRESSES, "--postgres", "16")
    assert str(folder / "machine-3" / "patroni.yml") in written.stdout.splitlines()
    assert "bin_dir: /usr/lib/postgresql/16/bin\n" in (folder / "machine-3" / "patroni.yml").read_text()
    before = (folder / "kiebitz.env").read_text()
    assert run("ha", "files", folder, *ADDRESSES).returncode == 1
    assert (folder / "kiebitz.env").read_text() == before


def test_of_a_cluster_that_does_not_run_nothing_is_ended(tmp_path: Path):
    assert run("ha", "stop", tmp_path).stdout == "Ended: 0.\n"
