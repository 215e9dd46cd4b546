"""Command `kiebitz seasons import`, on the local store and through a server."""

from pathlib import Path

from click.testing import CliRunner, Result

from deploy.cli.main import main
from tests.deploy.serving import served

LIST = "Spieler;Punkte\nAnna;21\nBert;17\n"
GIVEN = ("--tournament", "Herbst", "--date", "5.10.2019", "--ruleset", "casino")


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["seasons", "import", *map(str, arguments)])


def written(folder: Path, text: str) -> Path:
    file = folder / "season.csv"
    file.write_text(text, encoding="utf-8-sig")
    return file


def test_a_list_is_tried_and_imported_once(tmp_path: Path):
    file, data = written(tmp_path, LIST), ("--data", tmp_path / "data", "--lang", "de")
    tried, done, again = (kiebitz(*flags, file, *GIVEN, *data) for flags in (("--dry-run",), (), ()))
    told, lines = "Herbst, 2019-10-05: 2 Spieler an 1 Tisch.", ["✓ Zeile 2: eine neue Kennung (neu)", "✓ Zeile 3: eine neue Kennung (neu)"]
    assert (tried.exit_code, tried.stdout.splitlines()) == (0, [*lines, told, "Es wurde nichts aufgezeichnet."])
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, told)
    assert again.stdout.splitlines()[-1] == "Herbst, 2019-10-05: schon früher aus dieser Liste übernommen."


def test_a_wrong_line_names_the_column_and_what_is_no_list_is_told(tmp_path: Path):
    refused = kiebitz(written(tmp_path, "player;score\nAnna;many\n"), *GIVEN, "--data", tmp_path / "data")
    assert (refused.exit_code, refused.stdout.splitlines()) == (
        1,
        [
            '✗ line 2 (score): bad_score: "many" is no score. Write digits only, with at most 3 decimals and no separator of thousands.',
            "Nothing was recorded.",
        ],
    )
    failed = kiebitz(written(tmp_path, "Anna\n"), "--data", tmp_path / "data")
    assert (failed.exit_code, "This is not a list of results: line 1: " in failed.stderr) == (1, True)


def test_a_server_imports_the_list(tmp_path: Path):
    with served("--data", tmp_path / "data") as server:
        done = kiebitz(written(tmp_path, LIST), *GIVEN, "--url", server.url, "--token", server.token)
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "Herbst, 2019-10-05: 2 players at 1 table.")
