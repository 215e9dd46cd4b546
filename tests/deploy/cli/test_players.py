"""Command `kiebitz players import`, on the local store and through a server."""

from pathlib import Path

from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.processes.journal_file import acquire_writer_lock
from tests.deploy.serving import served

LIST = "name;id;club\nAnna Müller;L1;lehrte\nBert;;\n"


def kiebitz(*arguments: object, input: str | None = None) -> Result:
    return CliRunner().invoke(main, ["players", *map(str, arguments)], input=input)


def written(folder: Path, text: str) -> Path:
    file = folder / "members.csv"
    file.write_text(text, encoding="utf-8-sig")
    return file


def test_a_list_is_tried_and_registered_and_every_line_reported(tmp_path: Path):
    file, data = written(tmp_path, LIST), ("--data", tmp_path / "data")
    tried = kiebitz("import", "--dry-run", file, *data)
    assert (tried.exit_code, tried.stdout.splitlines()) == (0, ["✓ line 2: L1", "✓ line 3: a new id", "2 of 2 could be registered."])
    done = kiebitz("import", file, *data)
    assert (done.exit_code, done.stdout.splitlines()[0], done.stdout.splitlines()[-1]) == (0, "✓ line 2: L1", "2 of 2 registered.")
    first, second, last = kiebitz("import", "--dry-run", "--lang", "de", file, *data).stdout.splitlines()
    assert first.startswith("✗ Zeile 2: player_exists: ")
    assert second.startswith("✓ Zeile 3: eine neue Kennung (gleicher Name und Verein: ")
    assert last == "1 von 2 könnten aufgenommen werden."


def test_the_same_list_again_names_namesakes_and_leaves_them_out_if_wanted(tmp_path: Path):
    file, data = written(tmp_path, "name;id;club\nAnna Müller;L1;lehrte\nBert;L2;\n"), ("--data", tmp_path / "data")
    assert kiebitz("import", file, *data).exit_code == 0
    file = written(tmp_path, "name;club\nAnna Müller;lehrte\nBert;peine\nBert;peine\n")
    tried = kiebitz("import", "--dry-run", file, *data)
    assert tried.stdout.splitlines() == [
        "✓ line 2: a new id (the same name and club: L1)",
        "✓ line 3: a new id",
        "✓ line 4: a new id (the same name and club as line 3)",
        "3 of 3 could be registered.",
    ]
    skipped = kiebitz("import", "--skip-namesakes", "--lang", "de", file, *data).stdout.splitlines()
    assert (skipped[0], skipped[2]) == ("– Zeile 2: gleicher Name und Verein: L1", "– Zeile 4: gleicher Name und Verein wie Zeile 3")
    assert (skipped[1].startswith("✓ Zeile 3: "), skipped[3]) == (True, "1 von 3 aufgenommen.")


def test_a_list_of_a_german_spreadsheet_is_read_as_it_was_saved(tmp_path: Path):
    file = tmp_path / "members.csv"
    file.write_bytes("sep=;\r\nName;Verein;Geburtstag\r\nJürgen Groß;Wölfe;1.2.1970\r\n".encode("cp1252"))
    done = kiebitz("import", "--lang", "de", file, "--data", tmp_path / "data")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "1 von 1 aufgenommen.")
    assert "Geburtstag" in done.stdout
    assert "Windows-1252" in done.stdout


def test_ndjson_comes_from_standard_input(tmp_path: Path):
    done = kiebitz("import", "-", "--data", tmp_path / "data", input='{"id": "L1", "name": "Anna"}\n{"id": "L2"}\n')
    assert (done.exit_code, done.stdout.splitlines()[0], done.stdout.splitlines()[-1]) == (1, "✓ line 1: L1", "1 of 2 registered.")
    assert "✗ line 2: malformed_body" in done.stdout


def test_what_is_no_list_is_told_in_a_line(tmp_path: Path):
    for text, told in (("Anna\n", "This is not a list of members: line 1: "), ('name\n"Anna', "This is not a list of members: line 2: ")):
        failed = kiebitz("import", written(tmp_path, text), "--data", tmp_path / "data")
        assert failed.exit_code == 1
        assert told in failed.stderr


def test_beside_a_server_the_list_goes_through_it(tmp_path: Path):
    file, data = written(tmp_path, LIST), tmp_path / "data"
    with served("--data", data) as server:
        refused = kiebitz("import", file, "--data", data)
        assert refused.exit_code == 1
        assert server.url in refused.stderr
        reports = [kiebitz("import", file, "--url", server.url, "--token", server.token) for _ in range(2)]
        assert [report.exit_code for report in reports] == [0, 0]
        assert reports[0].stdout == reports[1].stdout
        with server.client() as client:
            assert client.get("/v1/players?search=muller").json()["items"][0]["id"] == "L1"
            assert len(client.get("/v1/players").json()["items"]) == 2
        wrong = kiebitz("import", written(tmp_path, "Anna\n"), "--url", server.url, "--token", server.token)
        assert (wrong.exit_code, "bad_heading" in wrong.stderr) == (1, True)


def test_nobody_is_registered_while_another_command_writes(tmp_path: Path):
    file, data = written(tmp_path, LIST), tmp_path / "data"
    kiebitz("import", "--dry-run", file, "--data", data)
    with acquire_writer_lock(data / "serve.lock", "import"):
        assert kiebitz("import", file, "--data", data).exit_code == 1
