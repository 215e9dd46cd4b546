"""Language of the command line: English or German."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.config.failures import language_of
from tests.deploy.serving import done, served

REFUSED = Path(__file__).parents[2] / "cases" / "casino" / "owner-must-not-trail.json"
GERMAN = "darf nicht abgelegt werden, solange dir das Build mit dem Wert 8 gehört"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "den_CA.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "de_DE", "LANG": "en_GB"}, "de"),
    ],
)
def test_the_language_is_that_of_the_environment(environment: dict[str, str], language: str):
    assert language_of(environment) == language


def kiebitz(*arguments: object, **environment: str) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], env=environment)


def test_check_and_import_speak_german_where_german_is_spoken(tmp_path: Path):
    checked = kiebitz("check", REFUSED, LC_ALL="de_DE.UTF-8").stdout
    imported = kiebitz("import", REFUSED, "--data", tmp_path, LC_ALL="de_DE.UTF-8").stdout
    assert checked.startswith("✓ owner-must-not-trail: wie erwartet, Spiel 1, Zug 3 abgelehnt: must_not_trail (CNO-41). ")
    assert imported.splitlines()[-1] == "0 von 1 aufgezeichnet."
    assert GERMAN in checked
    assert GERMAN in imported


def test_a_server_is_asked_in_the_same_language(tmp_path: Path):
    with served("--data", tmp_path) as server, server.client() as client:
        assert done(client.get("/v1/games"))["items"] == []
        result = kiebitz("import", REFUSED, "--lang", "de", "--url", server.url, "--token", server.token)
    assert (result.exit_code, GERMAN in result.stdout) == (1, True)


def test_an_unknown_ruleset_is_told_in_the_language_too(tmp_path: Path):
    (tmp_path / "whist.json").write_text('{"ruleset": "whist", "seats": 4, "hands": []}')
    assert "Ein Regelwerk „whist“ gibt es nicht." in kiebitz("check", tmp_path / "whist.json", "--lang", "de").stdout
    assert "Ein Regelwerk „whist“ gibt es nicht." in kiebitz("import", "--dry-run", tmp_path / "whist.json", "--lang", "de").stdout
