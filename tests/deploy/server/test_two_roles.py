"""Two roles on one PostgreSQL database: one owns the tables, the other serves and cannot change recorded events."""

import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import psycopg
import pytest
from click.testing import CliRunner, Result

from deploy.cli.diagnostics import run_checks
from deploy.cli.main import main
from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.stores.opening import open_events, open_projections
from deploy.stores.postgres.append import close_lost_connection
from deploy.stores.postgres.roles import serving_roles, set_serving_role
from domain.journal.commits import Call, StoreUnavailableError, to_stored
from domain.journal.registers import Person
from tests.deploy.serving import open_game, play_on, run, served
from tests.deploy.stores.stores import commit
from tests.postgres import Server, drop_database, fresh_database, hashed_once
from tests.tampering import a_game

LACKS = "with --serving-role NAME it gives another one the right to serve"


class Roles(NamedTuple):
    """Names, and the URLs by which they reach a database that the owner owns; ``admin`` is that of a superuser."""

    owner: str
    serving: str
    owner_url: str
    serving_url: str
    admin: str


@pytest.fixture
def roles(postgres_server: Server) -> Iterator[Roles]:
    """Roles of their own, and a database without tables."""
    with made(postgres_server) as found:
        yield found


@pytest.fixture(scope="module")
def first(postgres_server: Server) -> Iterator[Roles]:
    """A migrated database that is copied, for tests that leave the roles as they are."""
    with made(postgres_server) as found:
        migrated(found)
        yield found


@pytest.fixture
def ready(first: Roles, postgres_server: Server) -> Iterator[Roles]:
    """A database in which one role owns the tables and the other may serve."""
    admin = fresh_database(postgres_server, first.admin.rsplit("/", 1)[1])
    database = admin.rsplit("/", 1)[1]
    with psycopg.connect(admin) as connection:  # a copy has other rights as a whole
        connection.execute(
            f"ALTER DATABASE {database} OWNER TO {first.owner}; GRANT CREATE ON DATABASE {database} TO {first.serving}".encode()
        )
    yield replace_database(first, database)
    drop_database(postgres_server, admin)


def replace_database(roles: Roles, name: str) -> Roles:
    """Return the same roles for another database."""
    return Roles(roles.owner, roles.serving, *(f"{url.rsplit('/', 1)[0]}/{name}" for url in roles[2:]))


@contextmanager
def made(server: Server) -> Iterator[Roles]:
    admin, mark = fresh_database(server), secrets.token_hex(4)
    owner, serving, database = f"owner_{mark}", f"serving_{mark}", admin.rsplit("/", 1)[1]
    owner_url, serving_url = (f"postgresql://{role}:secret@127.0.0.1:{server.port}/{database}" for role in (owner, serving))
    with psycopg.connect(admin, autocommit=True) as connection:
        for role in (owner, serving):
            connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{hashed_once('secret')}'".encode())
        connection.execute(f"ALTER DATABASE {database} OWNER TO {owner}".encode())
        connection.execute(f"GRANT {serving} TO {owner}".encode())
    yield Roles(owner, serving, owner_url, serving_url, admin)
    drop_database(server, admin)
    with psycopg.connect(server.url(), autocommit=True) as connection:
        for role in (owner, serving):
            connection.execute(f"DROP ROLE {role}".encode())


def kiebitz(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def migrated(roles: Roles) -> None:
    result = kiebitz("migrate", "--database-url", roles.owner_url, "--serving-role", roles.serving)
    assert result.exit_code == 0, result.output
    assert result.output.endswith(
        f"{roles.serving} may serve: it appends events and reads them, and cannot change or remove what was recorded.\n"
    )


def fill(url: str) -> None:
    """Record a game, and let its projections be made."""
    with closing(open_events(url)) as events:
        events.insert_events([to_stored(recorded) for recorded in a_game()])
    assert kiebitz("projections", "rebuild", "game_index", "players", "--database-url", url).exit_code == 0


READS = ("projections status", "audit --all", "doctor --port 0")
WRITES = ("projections rebuild", "migrate")


def test_a_service_of_the_serving_role_goes_on_while_either_role_looks_and_rebuilds(ready: Roles):
    with served("--database-url", ready.serving_url) as server, server.client() as client:
        game = open_game(client)
        for url, commands in ((ready.serving_url, (*READS, *WRITES)), (ready.owner_url, WRITES)):
            play_on(client, game)
            for command in commands:
                result = kiebitz(*command.split(), "--database-url", url)
                assert (result.exit_code, "wrong" in result.stdout, result.stderr) == (0, False, ""), f"{command}: {result.output}"
            position = play_on(client, game)["position"]
            listed = client.get("/v1/games", params={"min_sequence": position}).raise_for_status().json()["items"]
            assert [(found["id"], found["position"]) for found in listed] == [(game, position)]


def test_what_the_owner_records_and_projects_the_other_can_go_on_with(ready: Roles, tmp_path: Path):
    assert [record(Settings(tmp_path, url)) for url in (ready.owner_url, ready.serving_url)] == [1, 2]


def record(settings: Settings) -> int:
    """Record a game as a service does, and project it. Return how many are listed."""
    with open_services(settings) as services:
        services.journal.open_now(Call("anna"), uuid4(), [recorded.event for recorded in a_game()])
        services.projector.prepare()
        services.projector.catch_up()
        return len(services.store.query("SELECT game FROM game_index"))


@pytest.mark.skipif(shutil.which("pg_dump") is None, reason="PostgreSQL's own programs are not installed")
def test_a_dump_of_either_role_is_restored_by_the_owner_and_used_by_the_other(ready: Roles, postgres_server: Server, tmp_path: Path):
    """Both dumps say the same: one of them is restored."""
    fill(ready.serving_url)
    said = []
    dump = tmp_path / "dump"
    for url in (ready.serving_url, ready.owner_url):
        done("pg_dump", "--format=custom", f"--file={dump}", url)
        said.append(done("pg_restore", "--no-owner", "--no-privileges", "--file=-", str(dump)))
    assert without_mark(said[0]) == without_mark(said[1])
    restored = replace_database(ready, f"restored_{ready.owner}")
    database = restored.admin.rsplit("/", 1)[1]
    with psycopg.connect(ready.admin, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {database} OWNER {ready.owner}".encode())
    done("pg_restore", "--exit-on-error", "--no-owner", "--no-privileges", "--dbname", restored.owner_url, str(dump))
    migrated(restored)
    assert record(Settings(tmp_path, restored.serving_url)) == 2
    drop_database(postgres_server, restored.admin)


def without_mark(dump: str) -> list[str]:
    """Return its lines without those of newer programs that guard against commands, whose key is another one each time."""
    return [line for line in dump.splitlines() if not line.startswith((r"\restrict", r"\unrestrict"))]


def done(*command: str) -> str:
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


TAMPERINGS = (
    "UPDATE events SET topic = topic",
    "DELETE FROM events",
    "TRUNCATE events",
    "DROP TABLE events",
    "ALTER TABLE events DISABLE TRIGGER ALL",
    "DROP TRIGGER events_are_append_only ON events",
    "DROP FUNCTION refuse_to_change_events CASCADE",
    "CREATE OR REPLACE FUNCTION refuse_to_change_events() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
    "SET session_replication_role = replica",
    "UPDATE _yoyo_migration SET migration_id = ''",
)


def test_the_serving_role_cannot_change_what_was_recorded(ready: Roles):
    with psycopg.connect(ready.serving_url, autocommit=True) as connection:
        for tampering in TAMPERINGS:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(tampering.encode())


def test_the_serving_role_may_do_what_registers_and_lost_connections_need(ready: Roles):
    game = uuid4()
    with closing(open_events(ready.serving_url)) as events:
        events.commit_group([commit(game, 1, key="k", text="t")])
        events.enter_players([Person("anna", "Anna", None, "2026-03-01T10:00:00Z", "berta")])
        assert events.erase_text("t", game, 1)
        events.erase_person("anna", game, "2026-03-01T10:00:00Z", "berta")
        assert events.forget_commands("2999-01-01T00:00:00Z") == 1
    with psycopg.connect(ready.serving_url, autocommit=True) as connection:
        close_lost_connection(connection, "kiebitz-nobody")


def test_a_role_without_rights_is_told_what_it_lacks(roles: Roles):
    assert kiebitz("migrate", "--database-url", roles.owner_url).exit_code == 0
    for command in (
        "migrate",
        "migrate --dry-run",
        "serve --port 0",
        "audit --all",
        "tokens list",
        "projections status",
        "projections rebuild",
    ):
        result = kiebitz(*command.split(), "--database-url", roles.serving_url)
        assert (result.exit_code, type(result.exception)) == (1, SystemExit)
        assert "permission denied for table _yoyo_migration" in result.output
        assert LACKS in result.output
    found = {name: finding for name, finding in run_checks(Settings(Path(), roles.serving_url, port=0)) if name == "Database"}
    assert found["Database"].state == "wrong"
    assert "permission denied for table _yoyo_migration" in found["Database"].text


def test_a_serving_role_does_not_migrate_and_is_told_who_does(ready: Roles):
    with psycopg.connect(ready.owner_url, autocommit=True) as connection:
        connection.execute("DROP TABLE people")
        connection.execute("DELETE FROM _yoyo_migration WHERE migration_id LIKE '%people' OR migration_id LIKE '%objections'")
    result = run("serve", "--migrate", "--port", "0", "--database-url", ready.serving_url)
    assert (result.returncode, "Traceback" in result.stderr, LACKS in result.stderr) == (1, False, True)
    assert kiebitz("migrate", "--database-url", ready.owner_url).exit_code == 0
    with closing(open_events(ready.serving_url)) as events:  # the rights on the new table came with it
        events.enter_players([Person("anna", "Anna", None, "2026-03-01T10:00:00Z", "berta")])


def test_a_right_that_was_taken_away_is_told_in_words(ready: Roles):
    with closing(open_events(ready.serving_url)) as events:
        with psycopg.connect(ready.owner_url, autocommit=True) as connection:
            connection.execute(f"REVOKE INSERT ON events FROM {ready.serving}".encode())
            connection.execute(f"REVOKE SELECT ON tokens FROM {ready.serving}".encode())
        with pytest.raises(StoreUnavailableError, match=f"permission denied for table events.*{LACKS}"):
            events.commit_group([commit(uuid4(), 1)])
        with pytest.raises(StoreUnavailableError, match=f"permission denied for table tokens.*{LACKS}"):
            events.list_tokens()


def test_projections_of_before_are_handed_over_as_they_are(roles: Roles):
    assert kiebitz("migrate", "--database-url", roles.owner_url).exit_code == 0
    fill(roles.owner_url)
    migrated(roles)
    with closing(open_projections(roles.serving_url)) as store:
        assert len(store.query("SELECT game FROM game_index")) == 1
    owners = (
        "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public' AND tablename IN ('projections', 'game_index', 'players')"
    )
    with psycopg.connect(roles.admin) as connection:
        assert connection.execute(owners).fetchall() == [(roles.serving,)]
    assert kiebitz("projections", "rebuild", "game_index", "--database-url", roles.serving_url).exit_code == 0


REFUSED = (
    ("", "nobody_there", ("There is no role nobody_there.", "CREATE ROLE nobody_there")),
    ("", "{owner}", ("{owner} is the role that owns the tables.", "Name another role")),
    ("ALTER ROLE {serving} SUPERUSER", "{serving}", ("{serving} may act as {owner}", "REVOKE {owner} FROM {serving}")),
    ("REVOKE {serving} FROM {owner}", "{serving}", ("{owner} may not give tables", "GRANT {serving} TO {owner}")),
)


def test_a_role_that_cannot_serve_is_told_why(roles: Roles):
    names = {"owner": roles.owner, "serving": roles.serving}
    with psycopg.connect(roles.admin, autocommit=True) as connection:
        for before, named, said in REFUSED:
            connection.execute(before.format(**names).encode())
            result = kiebitz("migrate", "--database-url", roles.owner_url, "--serving-role", named.format(**names))
            assert result.exit_code == 1
            for words in said:
                assert words.format(**names) in result.output


def test_one_role_serves_at_a_time(ready: Roles):
    other = f"{ready.serving}_2"
    with psycopg.connect(ready.admin, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {other}; GRANT {other} TO {ready.owner}".encode())
        result = kiebitz("migrate", "--database-url", ready.owner_url, "--serving-role", other)
        assert (result.exit_code, f"{ready.serving} serves already." in result.output) == (1, True)
        connection.execute(f"REASSIGN OWNED BY {ready.serving} TO {other}; DROP OWNED BY {ready.serving}".encode())
        assert kiebitz("migrate", "--database-url", ready.owner_url, "--serving-role", other).exit_code == 0
        connection.execute(f"DROP OWNED BY {other}; DROP ROLE {other}".encode())


def test_an_embedded_database_has_no_roles(tmp_path: Path):
    result = kiebitz("migrate", "--data", tmp_path, "--serving-role", "kiebitz")
    assert (result.exit_code, "An embedded database has no roles" in result.output) == (1, True)


def test_a_role_that_somebody_let_write_events_by_hand_is_not_taken_for_the_one_that_serves(first: Roles, migrated: str):
    """A superuser may act as every role: he must not begin to."""
    with psycopg.connect(migrated, autocommit=True) as connection:
        connection.execute(f"GRANT SELECT, INSERT ON events TO {first.serving}".encode())
        assert serving_roles(connection) == []
        connection.execute("CREATE TABLE projections (name text)")
        connection.execute(f"GRANT CREATE ON DATABASE {connection.info.dbname} TO {first.serving}".encode())
        set_serving_role(connection)
        assert connection.execute("SELECT current_user").fetchone() == ("kiebitz",)
