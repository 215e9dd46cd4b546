"""What `kiebitz doctor` says of the data folder."""

from pathlib import Path

import pytest

from deploy.cli.checks.machine import Found, check_folder
from deploy.config.failures import say
from deploy.config.settings import Settings


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_a_folder_that_will_be_made_is_fine(data: Path):
    assert check_folder(Settings(data=data)) == Found("ok", say("folder_made", folder=data))


def test_a_folder_that_nobody_else_may_read_is_fine(data: Path):
    data.mkdir(mode=0o700)
    assert check_folder(Settings(data=data)) == Found("ok", str(data))


def test_a_folder_that_others_may_read_needs_a_look(data: Path):
    data.mkdir()
    data.chmod(0o755)
    assert check_folder(Settings(data=data)) == Found("look", say("folder_readable", folder=data), f"chmod 700 {data}")


def test_a_file_in_the_place_of_the_folder_is_wrong(data: Path):
    data.touch(mode=0o700)
    assert check_folder(Settings(data=data)) == Found("wrong", say("not_writable", folder=data), say("other_folder"))
