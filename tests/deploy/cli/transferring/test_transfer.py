"""Command `kiebitz transfer`: its messages, its results, and its refusals."""

import re
import stat
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner, Result

from deploy.cli.console import command
from deploy.cli.diagnostics import run_checks
from deploy.cli.main import main
from deploy.config.settings import Settings
from deploy.stores.migrating import migrate
from deploy.stores.opening import open_end, open_events
from deploy.stores.store_transfer import begin, copy
from deploy.system.private import private_folder
from domain.journal.commits import to_stored
from domain.journal.epochs import place_left_for
from domain.version import VERSION
from tests.deploy.cli.test_import_export import GAMES
from tests.deploy.serving import run, served
from tests.deploy.stores.store_transfer.stores import ends, filled_file, rows
from tests.deploy.stores.stores import stored
from tests.domain.test_rating_lists import rating_lists
from tests.replay.test_audit_of_series import a_series

WHICH = "--data or --database-url names the store that is copied, --to the one that is filled."
EMPTY = "A transfer fills an empty database, or a new folder, and nothing else."
ANEW = "Keep everything until the cause is clear, and begin again with an empty database or a new folder."
LEFT = "Use that store, with --data or --database-url (KIEBITZ_DATA, KIEBITZ_DATABASE_URL)."
SOUND = "1 of 1 games, 0 of 0 tournaments, 0 of 0 players, 1 of 1 series, 1 of 1 sets of rating lists sound."


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a game, a series, rating lists, a token and lists."""
    folder = tmp_path_factory.mktemp("recorded") / "data"
    for arguments in (("import", GAMES[0]), ("tokens", "issue", "--role", "viewer"), ("projections", "rebuild")):
        assert kiebitz(*arguments, "--data", folder).exit_code == 0
    with closing(open_events(url_of(folder))) as events:
        events.insert_events([to_stored(one) for one in (*a_series(), *rating_lists())])
    with closing(open_end(url_of(folder))) as end:
        end.run("UPDATE epochs SET place = NULL")  # so that a copy has not moved
    return folder


@pytest.fixture
def data(recorded: Path, tmp_path: Path) -> Path:
    """A copy of it, which knows where it is."""
    folder = copytree(recorded, tmp_path / "data")
    with closing(open_events(url_of(folder))) as events:
        events.check_epoch()
    return folder


def url_of(folder: Path) -> str:
    return f"sqlite:///{folder / 'journal.db'}"


def told(result: Result) -> list[str]:
    return result.output.splitlines()


def refused(result: Result) -> list[str]:
    assert (result.exit_code, result.stdout) == (1, ""), result.output
    return result.stderr.splitlines()


def test_a_store_goes_to_postgresql_and_back_and_is_the_same(data: Path, tmp_path: Path, postgres_url: str):
    back = tmp_path / "back"
    first, second = (
        kiebitz("transfer", *source, "--to", target, "--jobs", 1)
        for source, target in ((("--data", data), postgres_url), (("--data", data, "--database-url", postgres_url), back))
    )
    assert (first.exit_code, second.exit_code) == (0, 0), (first.output, second.output)
    safe = re.sub(":[0-9a-f]+@", ":…@", postgres_url)
    assert [re.sub("[0-9a-f]{64}", "(digest)", line) for line in told(first)] == [
        f"From {data} to {safe}: 156 events in 3 streams, and 3 rows of registers. Both hold the same, SHA-256 (digest).",
        SOUND,
        f"Continue there: {command('serve', {'database_url': safe})}",
        f"In {data} it is kept, and not served any more.",
    ]
    assert re.findall("[0-9a-f]{64}", first.output) == re.findall("[0-9a-f]{64}", second.output)
    assert rows(url_of(back)) == rows(url_of(data))
    assert (back / "snapshots.key").read_bytes() == (data / "snapshots.key").read_bytes()
    assert {(file.name, stat.S_IMODE(file.stat().st_mode)) for file in back.iterdir()} >= {("journal.db", 0o600), ("snapshots.key", 0o600)}
    assert kiebitz("projections", "rebuild", "--data", back).exit_code == 0


def test_without_an_audit_nothing_is_judged(data: Path, tmp_path: Path):
    result = kiebitz("transfer", "--data", data, "--to", tmp_path / "other", "--no-audit")
    assert (result.exit_code, "sound" in result.output, len(told(result))) == (0, False, 3)


def test_what_was_not_sound_is_told_and_is_there_all_the_same(tmp_path: Path):
    private_folder(tmp_path / "data")
    filled_file(tmp_path / "data" / "journal.db")
    result = kiebitz("transfer", "--data", tmp_path / "data", "--to", tmp_path / "other", "--jobs", 1)
    assert result.exit_code == 1
    assert "0 of 3 games, 0 of 0 tournaments, 0 of 0 players, 0 of 0 series sound." in told(result)
    assert f"{command('audit --all', {'data': tmp_path / 'other'})} describes it." in result.output
    assert rows(url_of(tmp_path / "other")) == rows(url_of(tmp_path / "data"))


# What is left behind


def test_the_store_that_was_left_is_not_served_any_more(data: Path, tmp_path: Path):
    assert kiebitz("transfer", "--data", data, "--to", tmp_path / "other", "--no-audit").exit_code == 0
    before = (data / "journal.db").read_bytes()
    said = [f"Error: The store in {data} was transferred to {tmp_path / 'other'}.", LEFT]
    for arguments in (
        ("serve", "--port", "0"),
        ("import", GAMES[0]),
        ("tokens", "issue", "--role", "viewer"),
        ("tokens", "revoke", "x"),
        ("transfer", "--to", tmp_path / "third"),
        ("transfer", "--to", tmp_path / "other"),
    ):
        assert refused(kiebitz(*arguments, "--data", data))[:2] == said, arguments
    assert (data / "journal.db").read_bytes() == before
    assert kiebitz("audit", "--all", "--data", data).exit_code == 0
    found = dict(run_checks(Settings(data, port=0)))["Database"]
    assert (found.state, found.text, found.advice) == ("look", said[0].removeprefix("Error: "), LEFT)


def test_who_goes_on_there_all_the_same_does_so_in_another_epoch(data: Path, tmp_path: Path):
    assert kiebitz("transfer", "--data", data, "--to", tmp_path / "other", "--no-audit").exit_code == 0
    with served("--data", data, "--accept-older-copy") as server:
        assert server.end() == 0
    with closing(open_events(url_of(data))) as here, closing(open_events(url_of(tmp_path / "other"))) as there:
        assert [(epoch.number, epoch.common) for epoch in here.epochs()] == [(1, None), (2, 156)]
        assert [epoch.id for epoch in there.epochs()] == [here.epochs()[0].id]
    assert kiebitz("tokens", "issue", "--role", "viewer", "--data", data).exit_code == 0


def test_a_rehearsal_with_a_backup_leaves_the_store_where_it_is(data: Path, tmp_path: Path):
    private_folder(tmp_path / "copy")
    assert kiebitz("backup", tmp_path / "copy" / "journal.db", "--data", data).exit_code == 0
    assert kiebitz("transfer", "--data", tmp_path / "copy", "--to", tmp_path / "rehearsed").exit_code == 0
    with closing(open_events(url_of(data))) as here, closing(open_events(url_of(tmp_path / "rehearsed"))) as there:
        here.check_epoch()
        assert (len(here.epochs()), len(there.epochs())) == (1, 2)
        assert stored(here) == stored(there)


# What breaks off


def begun(data: Path, target: str, *, left: bool = False) -> None:
    """As a transfer leaves both that is killed once all events are there, or between leaving one and arriving at the other."""
    with ends(url_of(data), target) as (there, here):
        begin(here, there.epoch()[0])
        copy(there, here, lambda rows: None)
        if left:
            there.put(place_left_for("the target"))


@pytest.mark.parametrize("left", [False, True], ids=["copied", "left and not arrived"])
def test_what_broke_off_is_served_nowhere_and_goes_on(data: Path, tmp_path: Path, left: bool):
    other = tmp_path / "other"
    migrate(url_of(other))
    begun(data, url_of(other), left=left)
    for arguments in (("serve", "--port", "0"), ("tokens", "list"), ("export", "--all")):
        assert refused(kiebitz(*arguments, "--data", other)) == [
            f"Error: A transfer into {other} is not finished.",
            "Run `kiebitz transfer` again, with the same store and the same target: it continues.",
        ]
    assert dict(run_checks(Settings(other, port=0)))["Database"].state == "wrong"
    result = kiebitz("transfer", "--data", data, "--to", other, "--jobs", 1)
    assert (result.exit_code, SOUND in told(result)) == (0, True), result.output
    assert rows(url_of(other)) == rows(url_of(data))
    assert kiebitz("tokens", "list", "--data", other).exit_code == 0


def test_it_goes_on_with_no_other_store(data: Path, tmp_path: Path):
    other, another = tmp_path / "other", tmp_path / "another"
    assert kiebitz("import", GAMES[0], "--data", another).exit_code == 0
    migrate(url_of(other))
    begun(data, url_of(other))
    assert refused(kiebitz("transfer", "--data", another, "--to", other)) == [
        f"Error: This transfer began from another store than {another}.",
        ANEW,
    ]


def test_what_is_not_the_same_is_named_and_the_store_goes_on_where_it_was(data: Path, tmp_path: Path):
    other, game = tmp_path / "other", "00000000-0000-4000-8000-000000000000"
    migrate(url_of(other))
    with ends(url_of(data), url_of(other)) as (there, here):
        begin(here, there.epoch()[0])
        here.append(here.table("events"), [(bytes.fromhex(game.replace("-", "")), 1, 1, b"{}", "move.played/1")])
    result = kiebitz("transfer", "--data", data, "--to", other)
    assert refused(result)[0].startswith("Error: The two stores differ: ")
    assert game in result.stderr
    assert kiebitz("tokens", "issue", "--role", "viewer", "--data", data).exit_code == 0


# What is refused


def test_what_holds_something_is_not_filled(data: Path, tmp_path: Path):
    other = tmp_path / "other"
    assert kiebitz("tokens", "issue", "--role", "viewer", "--data", other).exit_code == 0
    before = (other / "journal.db").read_bytes()
    assert refused(kiebitz("transfer", "--data", data, "--to", other)) == [
        f"Error: {other} is not empty: tokens.",
        EMPTY,
        WHICH,
    ]
    assert (other / "journal.db").read_bytes() == before


def test_neither_is_a_folder_with_lists_alone(data: Path, tmp_path: Path):
    other = tmp_path / "other"
    private_folder(other)
    (other / "projections.db").write_bytes((data / "projections.db").read_bytes())
    assert refused(kiebitz("transfer", "--data", data, "--to", other))[0] == f"Error: {other} is not empty: projections.db."


def test_nor_a_database_of_others(data: Path, postgres_url: str):
    with closing(open_end(postgres_url)) as end:
        end.run("CREATE TABLE invoices (id integer)")
    assert refused(kiebitz("transfer", "--data", data, "--to", postgres_url))[0].endswith(" is not empty: invoices.")
    with closing(open_end(postgres_url)) as end:
        assert end.names() == {"invoices"}


def test_the_wrong_way_round_is_told_what_is_which(data: Path, tmp_path: Path, postgres_url: str):
    assert refused(kiebitz("transfer", "--data", tmp_path / "new", "--to", data)) == [
        f"Error: There are no games in {tmp_path / 'new'}: it holds no journal.db.",
        WHICH,
    ]
    assert not (tmp_path / "new").exists()
    said = refused(kiebitz("transfer", "--database-url", postgres_url, "--to", data))
    assert (said[0].endswith(": it has no tables of Kiebitz."), said[1:]) == (True, [WHICH])
    migrate(postgres_url)
    said = refused(kiebitz("transfer", "--database-url", postgres_url, "--to", data))
    assert said == [f"Error: {data} is not empty: events, tokens, refs.", EMPTY, WHICH]


def test_a_store_is_not_transferred_to_itself(data: Path):
    assert refused(kiebitz("transfer", "--data", data, "--to", data)) == [f"Error: {data} cannot be transferred to itself.", WHICH]


def test_only_postgresql_and_folders_are_targets(data: Path):
    assert refused(kiebitz("transfer", "--data", data, "--to", "mysql://root:secret@host/name")) == [
        "Error: --to takes postgresql://… or a folder, not mysql://."
    ]


def test_nothing_is_copied_while_a_service_is_at_work(tmp_path: Path, migrated: str):
    with served("--data", tmp_path / "data") as server:
        said = refused(kiebitz("transfer", "--data", tmp_path / "data", "--to", migrated))
        assert (
            said[0] == f"Error: The folder {tmp_path / 'data'} is in use by kiebitz serve at {server.url} (process {server.process.pid})."
        )
    with served("--database-url", migrated):
        said = refused(kiebitz("transfer", "--database-url", migrated, "--to", tmp_path / "other"))
        assert said[0].startswith("Error: Another process is working on postgresql://")
    assert not (tmp_path / "other" / "journal.db").exists()


def test_a_store_of_a_newer_version_is_left_alone(data: Path, tmp_path: Path):
    with closing(open_end(url_of(data))) as end:
        end.run("INSERT INTO _yoyo_migration (migration_hash, migration_id) VALUES ('x', 'journal-9999-more')")
    [said] = refused(kiebitz("transfer", "--data", data, "--to", tmp_path / "other"))
    assert said.startswith(f"Error: This store has journal-9999-more, which Kiebitz {VERSION} does not know")


def test_an_older_postgresql_is_migrated_by_its_owner_first(data: Path, tmp_path: Path, migrated: str):
    with closing(open_end(migrated)) as end:
        end.run("DROP TABLE walls")
        end.run("DELETE FROM _yoyo_migration WHERE migration_id = 'journal-0015-wall'")
    for arguments in (("--data", data, "--to", migrated), ("--database-url", migrated, "--to", tmp_path / "other")):
        said = refused(kiebitz("transfer", *arguments))
        assert said[0].endswith(" is not up to date: it lacks journal-0015-wall.")


def test_an_older_embedded_store_is_brought_up_to_date_as_whenever_it_is_opened(data: Path, tmp_path: Path):
    with closing(open_end(url_of(data))) as end:
        end.run("DROP TABLE walls")
        end.run("DELETE FROM _yoyo_migration WHERE migration_id = 'journal-0015-wall'")
    assert kiebitz("transfer", "--data", data, "--to", tmp_path / "other", "--no-audit").exit_code == 0


def test_a_journal_that_lacks_what_its_lists_know_is_not_transferred(data: Path, tmp_path: Path):
    with closing(open_end(url_of(data))) as end:
        end.run("DROP TRIGGER events_are_not_removed")
        end.run("DELETE FROM events WHERE sequence > 100")
    said = refused(kiebitz("transfer", "--data", data, "--to", tmp_path / "other"))
    assert "they know events up to sequence 148 that it does not hold; it ends at 100." in said[0]


def test_it_speaks_german(data: Path, tmp_path: Path):
    result = kiebitz("transfer", "--data", data, "--to", tmp_path / "other", "--jobs", 1, "--lang", "de")
    assert told(result)[0].startswith(f"Von {data} nach {tmp_path / 'other'}: 156 Ereignisse in 3 Strömen, und 3 Zeilen der Register.")
    assert told(result)[-1] == f"In {data} bleibt alles liegen, und wird nicht mehr benutzt."
    again = run("transfer", "--data", data, "--to", tmp_path / "other", "--lang", "de")
    assert again.stderr.splitlines()[0] == f"Fehler: Von {data} ist alles umgezogen nach {tmp_path / 'other'}."
