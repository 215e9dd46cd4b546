"""Commands `kiebitz backup` and `kiebitz restore`: a copy of the embedded database, and its use in a new folder."""

import resource
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import httpx
import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import main
from deploy.cli.tokens import tokens_command
from deploy.stores.migrating import migrate
from deploy.stores.sqlite.connections import connect
from tests.deploy.serving import Served, done, open_game, play_on, served, until

TABLES = 2
BACKUPS = 2


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder in which a token was issued."""
    folder = tmp_path / "data"
    CliRunner().invoke(tokens_command, ["issue", "--role", "viewer", "--data", str(folder)])
    return folder


def restored(backup: Path, folder: Path) -> Path:
    result = kiebitz("restore", backup, "--data", folder)
    assert result.exit_code == 0, result.output
    return folder


def test_backups_taken_while_games_are_recorded_hold_everything_up_to_one_moment(tmp_path: Path):
    with served("--data", tmp_path / "data") as server:
        with server.client() as client:
            done(client.post("/v1/tournaments", json={"id": "cup", "ruleset": "casino", "seats": 2, "format": "swiss"}))
            done(client.post("/v1/tournaments/cup/entries", json={"entries": [{"players": ["p1"]}, {"players": ["p2"]}]}))
            done(client.post("/v1/series", json={"id": "season", "title": "Season"}))
            done(client.post("/v1/series/season/tournaments", json={"tournament": "cup"}))
        backups = back_up_while_playing(server, tmp_path)
        told = histories(server)
    folder = tmp_path
    for number, backup in enumerate(backups):
        folder = restored(backup, tmp_path / f"restored-{number}")
        audited = kiebitz("audit", "--all", "--data", folder, "--lang", "en")
        assert (audited.exit_code, audited.output.splitlines()[-1]) == (
            1,  # a backup of the database holds nothing that was signed
            f"{TABLES} of {TABLES} games, 1 of 1 tournaments, 0 of 0 players, 1 of 1 series sound.",
        )
    with served("--data", folder) as again:
        assert again.token is None
        with again.client(server.token) as client:
            drawn = done(client.post("/v1/tournaments/cup/rounds", json={}))
            assert [event["name"] for event in drawn["events"]] == ["lots.drawn/1", "round.paired/1"]
            season = client.get("/v1/series/season/standings").json()
            assert (season["title"], [one["tournament"] for one in season["tournaments"]]) == ("Season", ["cup"])
        for game, events in histories(again, server.token).items():
            assert events == told[game][: len(events)]
            with again.client(server.token) as client:
                assert play_on(client, game)["position"] == len(events) + 1


def back_up_while_playing(server: Served, folder: Path) -> list[Path]:
    """Each of them with moves between it and the one before."""
    enough = Event()

    def play(game: str) -> None:
        with server.client() as client:
            while not enough.is_set():
                play_on(client, game)

    with server.client() as client:
        games = [open_game(client) for _ in range(TABLES)]
        with ThreadPoolExecutor(TABLES) as tables:
            playing = [tables.submit(play, game) for game in games]
            try:
                backups = [backed_up(client, games[0], folder / f"backup-{number}.db") for number in range(BACKUPS)]
            finally:
                enough.set()
            for played in playing:
                played.result()
    return backups


def backed_up(client: httpx.Client, game: str, file: Path) -> Path:
    before = position(client, game)
    until(lambda: position(client, game) > before + 2)
    result = kiebitz("backup", file, "--data", file.parent / "data")
    assert result.exit_code == 0, result.output
    return file


def position(client: httpx.Client, game: str) -> int:
    return int(done(client.get(f"/v1/games/{game}"))["position"])


def histories(server: Served, token: str | None = None) -> dict[str, list[dict]]:
    with server.client(token) as client:
        games = [str(game["id"]) for game in done(client.get("/v1/games"))["items"]]
        return {game: done(client.get(f"/v1/games/{game}/history", params={"limit": 1000}))["events"] for game in games}


def test_a_backup_says_how_far_it_goes_and_is_one_file_for_its_owner_only(data: Path, tmp_path: Path):
    folder = tmp_path / "backups"
    folder.mkdir()
    result = kiebitz("backup", folder / "one.db", "--data", data)
    assert (result.exit_code, result.output) == (0, f"{folder / 'one.db'}: everything up to sequence 0, 0.2 MB\n")
    assert [file.name for file in folder.iterdir()] == ["one.db"]
    assert stat.S_IMODE((folder / "one.db").stat().st_mode) == 0o600


def test_tokens_are_valid_in_a_restored_store(data: Path, tmp_path: Path):
    kiebitz("backup", tmp_path / "one.db", "--data", data)
    folder = restored(tmp_path / "one.db", tmp_path / "restored")
    assert kiebitz("tokens", "list", "--data", folder).output == kiebitz("tokens", "list", "--data", data).output


def test_a_backup_never_takes_the_place_of_another_file(data: Path, tmp_path: Path):
    file = tmp_path / "one.db"
    file.write_text("the last good one")
    result = kiebitz("backup", file, "--data", data)
    assert (result.exit_code, file.read_text()) == (1, "the last good one")
    assert f"{file} is there already." in result.output


def test_a_damaged_store_gives_no_backup(data: Path, tmp_path: Path):
    with closing(connect(data / "journal.db")) as database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute(
            "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'texts') WHERE name = 'tokens'"
        )
    result = kiebitz("backup", tmp_path / "one.db", "--data", data)
    assert result.exit_code == 1
    assert "is damaged, so no backup was written" in result.output
    assert sorted(file.name for file in tmp_path.iterdir()) == ["data"]


def test_a_backup_for_which_there_is_no_room_names_its_target_and_leaves_nothing(data: Path, tmp_path: Path):
    folder = tmp_path / "full"
    folder.mkdir()
    with small_files(16_384):
        result = kiebitz("backup", folder / "one.db", "--data", data)
    assert (result.exit_code, list(folder.iterdir())) == (1, [])
    assert f"{data / 'journal.db'} could not be copied to {folder / 'one.db'}: " in result.output
    assert f"Is {folder} full? Make room, or name a file on another disk." in result.output


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """This process cannot write beyond so many bytes of a file, as on a disk that is nearly full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_an_older_database_is_backed_up_as_it_is(tmp_path: Path):
    """Such a backup allows going back after an upgrade."""
    file = tmp_path / "data" / "journal.db"
    migrate(f"sqlite:///{file}")
    with closing(connect(file)) as database:
        database.execute("DROP TABLE people")
        database.execute("DELETE FROM _yoyo_migration WHERE migration_id LIKE '%people'")
    assert kiebitz("backup", tmp_path / "one.db", "--data", file.parent).exit_code == 0
    with closing(connect(tmp_path / "one.db")) as database:
        assert database.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'people'").fetchone() == (0,)


def test_a_folder_without_games_has_nothing_to_back_up(tmp_path: Path):
    result = kiebitz("backup", tmp_path / "one.db", "--data", tmp_path)
    assert (result.exit_code, list(tmp_path.iterdir())) == (1, [])
    assert f"There are no games in {tmp_path}: it holds no journal.db." in result.output


def test_for_postgresql_it_names_the_program_that_does_it(tmp_path: Path):
    result = kiebitz("backup", tmp_path / "one.db", "--database-url", "postgresql://kiebitz:secret@localhost/kiebitz")
    assert result.exit_code == 1
    assert "pg_dump --format=custom" in result.output
    assert "secret" not in result.output


def test_a_backup_takes_the_place_of_a_store_that_ended_badly_and_what_lay_there_is_kept(tmp_path: Path):
    folder = tmp_path / "data"
    with served("--data", folder) as server:
        with server.client() as client:
            game = open_game(client)
            play_on(client, game)
            kiebitz("backup", tmp_path / "one.db", "--data", folder)
            play_on(client, game)
        refused = kiebitz("restore", tmp_path / "one.db", "--data", folder, "--lang", "en")
        assert (refused.exit_code, "is in use" in refused.output) == (1, True), refused.output
        server.kill()
    lay = {path.name: path.read_bytes() for path in folder.glob("*.db*") if not path.name.startswith("log.")}
    assert {"journal.db-wal", "projections.db"} <= lay.keys()
    result = kiebitz("restore", tmp_path / "one.db", "--data", folder, "--lang", "en")
    [aside] = folder.glob("before-restore-*")
    assert result.output.splitlines()[:2] == [
        f"{folder / 'journal.db'} is {tmp_path / 'one.db'} now: everything up to sequence 2.",
        f"The earlier files were moved to {aside}; nothing was deleted.",
    ]
    assert {path.name for path in aside.iterdir()} <= lay.keys()
    assert (aside / "journal.db-wal").read_bytes() == lay["journal.db-wal"]
    with served("--data", folder) as again, again.client(server.token) as client:
        assert position(client, game) == 2


def test_a_file_that_is_no_sound_backup_changes_nothing(data: Path, tmp_path: Path):
    kiebitz("backup", tmp_path / "one.db", "--data", data)
    broken = bytearray((tmp_path / "one.db").read_bytes())
    broken[3 * 4096 : 4 * 4096] = bytes(4096)
    (tmp_path / "one.db").write_bytes(broken)
    before = (data / "journal.db").read_bytes()
    result = kiebitz("restore", tmp_path / "one.db", "--data", data, "--lang", "en")
    assert (result.exit_code, "is not a sound backup, so nothing was changed" in result.output) == (1, True)
    assert list(data.glob("before-restore-*")) == []
    assert (data / "journal.db").read_bytes() == before
