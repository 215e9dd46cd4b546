"""Deployment examples, checked without running them; and the application for other servers."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.cli.main import COMMANDS
from deploy.config.settings import USUAL, Settings
from tests.deploy.serving import PATIENCE, environment

EXAMPLES = Path(__file__).parent.parent.parent / "deploy" / "examples"
SETTINGS = {f"KIEBITZ_{name.upper()}" for name in Settings.__struct_fields__}
START = "from deploy.server.asgi import create; print(type(create()).__name__)"


@pytest.mark.parametrize("example", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_an_example_names_settings_and_commands_that_there_are(example: Path):
    text = example.read_text(encoding="utf-8")
    assert set(re.findall(r"KIEBITZ_[A-Z_]+", text)) <= SETTINGS
    assert set(re.findall(r'(?:bin/kiebitz |"kiebitz", ")(\w+)', text)) <= set(COMMANDS)


def test_the_unit_may_have_more_files_open_than_callers_are_let_in():
    [files] = re.findall(r"^LimitNOFILE=(\d+)$", (EXAMPLES / "kiebitz.service").read_text(encoding="utf-8"), re.MULTILINE)
    assert int(files) >= 2 * USUAL.connections


def test_postgresql_is_migrated_before_the_service_starts():
    text = (EXAMPLES / "compose.yaml").read_text(encoding="utf-8")
    assert 'command: ["kiebitz", "migrate"]' in text
    assert re.search(r"migrate:\n +condition: service_completed_successfully", text)


def test_the_keys_of_the_log_outlive_the_container():
    text = (EXAMPLES / "compose.yaml").read_text(encoding="utf-8")
    assert "- data:/var/lib/kiebitz " in text
    assert re.search(r"^volumes:\n(  \w+:\n)*  data:$", text, re.MULTILINE)


def test_other_servers_get_an_app_that_keeps_the_folder_to_itself(tmp_path: Path):
    command = [sys.executable, "-P", "-c", f"{START}; create()"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=PATIENCE, env=environment(KIEBITZ_DATA=str(tmp_path))
    )
    assert done.stdout == "App\n"
    assert "in use by kiebitz serve" in done.stderr
