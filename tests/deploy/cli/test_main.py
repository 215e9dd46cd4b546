"""Command line as a whole: help, tokens, and error handling."""

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from deploy.cli import main as cli
from deploy.cli.main import COMMANDS, main
from domain.version import VERSION
from tests.deploy.serving import done, run, served


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_the_help_names_every_command_and_every_command_has_examples():
    overview = kiebitz("--help").output
    for name in COMMANDS:
        assert f"\n  {name} " in overview
        assert "Example" in kiebitz(name, "--help").output


def leaves(group: click.Group) -> Iterator[click.Command]:
    for name in group.list_commands(context := click.Context(group)):
        command = group.get_command(context, name)
        assert command
        yield from leaves(command) if isinstance(command, click.Group) else (command,)


def test_every_command_that_is_written_is_one_that_can_be_called():
    modules = [import_module(f"deploy.cli.{source.stem}") for source in Path(str(cli.__file__)).parent.glob("*.py")]
    written = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, click.Command)}
    lost = written.keys() - set(map(id, leaves(main)))
    assert [one.name for at in lost if not isinstance(one := written[at], click.Group)] == []


def test_a_check_loads_neither_other_games_nor_what_only_a_terminal_a_server_or_a_store_needs(tmp_path: Path):
    record = tmp_path / "game.json"
    kiebitz("simulate", "casino", "--out", record)
    loaded = loaded_by("check", str(record))
    assert "domain.games.casino" in loaded
    unwanted = ("domain.games.canasta", "rich", "litestar", "uvicorn", "psycopg", "eventsourcing", "deploy.compose")
    assert [name for name in unwanted if name in loaded] == []


def test_an_audit_of_an_embedded_store_loads_neither_a_web_framework_nor_what_speaks_with_servers(tmp_path: Path):
    record = tmp_path / "game.json"
    kiebitz("simulate", "casino", "--out", record)
    kiebitz("import", record, "--data", tmp_path)
    loaded = loaded_by("audit", "--all", "--data", str(tmp_path))
    assert "domain.games.casino" in loaded
    assert [name for name in ("litestar", "uvicorn", "psycopg") if name in loaded] == []


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a command has loaded when it ends well."""
    program = f"from deploy.cli.main import main\nmain({arguments!r}, standalone_mode=True)"
    watched = f"import atexit, sys\natexit.register(lambda: print(*sys.modules))\n{program}"
    done = subprocess.run([sys.executable, "-c", watched], capture_output=True, text=True, check=True)
    return {*done.stdout.split()}


def test_the_version_is_that_of_the_package():
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert kiebitz("--version").output == f"kiebitz {project['version']}\n" == f"kiebitz {VERSION}\n"


def test_a_misspelt_command_is_an_error_of_usage():
    result = kiebitz("srve")
    assert (result.exit_code, "srve" in result.output) == (2, True)


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["simulate", "--help"]])
def test_what_needs_no_store_loads_no_web_framework_and_no_database_driver(arguments: list[str]):
    program = f"""
import sys
import tomllib
from deploy.cli.main import main
assert main({arguments}, standalone_mode=False) == 0
sys.exit(any(name in sys.modules for name in ("litestar", "psycopg", "httpx")))
"""
    assert subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=False).returncode == 0


def test_an_error_that_nobody_foresaw_is_one_line_unless_it_shall_be_debugged(monkeypatch: pytest.MonkeyPatch):
    @click.command()
    def broken() -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(cli.Commands, "get_command", lambda *_: broken)
    monkeypatch.delenv("KIEBITZ_DEBUG", raising=False)
    result = kiebitz("broken")
    assert (result.exit_code, result.stderr.splitlines()[0]) == (1, "Error: ZeroDivisionError: by nothing")
    monkeypatch.setenv("KIEBITZ_DEBUG", "1")
    assert isinstance(kiebitz("broken").exception, ZeroDivisionError)


def test_who_wants_to_record_is_sent_to_the_page_of_the_game():
    for arguments in ((), ("--help",), ("--ruleset", "casino", "--seats", 2), ("nonsense", "--url", "http://127.0.0.1:1")):
        told = kiebitz("record", *arguments, "--lang", "de")
        assert (told.exit_code, told.output) == (
            2,
            "Fehler: Partien werden auf ihrer Seite aufgezeichnet: `kiebitz serve` starten und im Browser /g/PARTIE/record öffnen.\n",
        )


def test_a_wrong_setting_is_one_line_and_what_to_do():
    result = run("tokens", "list", "--database-url", "mysql://host/name")
    assert result.returncode == 1
    assert result.stderr.startswith("Error: KIEBITZ_DATABASE_URL (--database-url) begins with postgresql://")
    assert "Traceback" not in result.stderr


def test_the_secret_of_a_new_token_stands_alone_on_standard_output_and_is_not_listed(tmp_path: Path):
    issued = kiebitz("tokens", "issue", "--role", "viewer", "--label", "Board [3]", "--data", tmp_path)
    secret = issued.stdout.strip()
    assert (issued.exit_code, secret.startswith("kb_"), len(secret) >= 35) == (0, True, True)
    listed = kiebitz("tokens", "list", "--data", tmp_path).output
    assert "Board [3]" in listed
    assert secret not in listed


def test_a_token_of_an_unknown_role_is_not_issued(tmp_path: Path):
    assert kiebitz("tokens", "issue", "--role", "king", "--data", tmp_path).exit_code == 2
    assert kiebitz("tokens", "issue", "--role", "viewer", "--principal", "Anna\u202e", "--data", tmp_path).exit_code == 2


def test_a_token_can_be_issued_and_revoked_while_a_server_runs(tmp_path: Path):
    with served("--data", tmp_path) as server:
        secret = kiebitz("tokens", "issue", "--role", "viewer", "--data", tmp_path).stdout.strip()
        with server.client(secret) as viewer:
            assert done(viewer.get("/v1/games"))["items"] == []
        listed = kiebitz("tokens", "list", "--data", tmp_path).output
        id = next(line.split()[0] for line in listed.splitlines() if " viewer " in line)
        assert kiebitz("tokens", "revoke", id, "--data", tmp_path).exit_code == 0
        assert "revoked" in kiebitz("tokens", "list", "--data", tmp_path).output


def test_revoking_a_token_that_is_none_is_an_error(tmp_path: Path):
    kiebitz("tokens", "issue", "--role", "viewer", "--data", tmp_path)
    result = kiebitz("tokens", "revoke", "nonsense", "--data", tmp_path)
    assert (result.exit_code, "nonsense" in result.stderr) == (1, True)


def test_the_embedded_database_needs_no_migration_by_hand_but_takes_it(tmp_path: Path):
    before = kiebitz("migrate", "--dry-run", "--data", tmp_path)
    assert (before.exit_code, kiebitz("migrate", "--data", tmp_path).exit_code) == (1, 0)
    assert kiebitz("migrate", "--dry-run", "--data", tmp_path).exit_code == 0
