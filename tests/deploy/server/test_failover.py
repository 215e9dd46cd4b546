"""Failover: a database that returns without the last events, and a frozen server. Real servers, real processes."""

import signal
from collections.abc import Sequence

import httpx
import psycopg
from psycopg import sql

from tests.deploy.serving import done, open_game, play_on, served, until
from tests.postgres import Server, fresh_database
from tests.projections.helpers import end_lease


def as_owner(server: Server, *statements: sql.Composed) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def closed_to_all(name: str) -> Sequence[sql.Composed]:
    """Return the statements that refuse new connections to a database and end the present ones."""
    ended = sql.SQL("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = {}").format(sql.Literal(name))
    return (sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(name)), ended)


def open_to_all(name: str) -> sql.Composed:
    return sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(sql.Identifier(name))


def standby_of(server: Server, url: str) -> str:
    """A copy of the database as it is now, which gets nothing of what is recorded later. Its name."""
    name = url.rsplit("/", 1)[1]
    as_owner(server, *closed_to_all(name))
    copy = fresh_database(server, name).rsplit("/", 1)[1]
    as_owner(server, open_to_all(name))
    return copy


def promote(server: Server, url: str, standby: str) -> None:
    """The copy takes the place of the database."""
    name = url.rsplit("/", 1)[1]
    names = ((name, f"{name}_lost"), (standby, name))
    renamed = [sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new)) for old, new in names]
    as_owner(server, *closed_to_all(name), *renamed)


def answered(client: httpx.Client, path: str) -> httpx.Response:
    """As soon as the server has found its database again."""

    def ask() -> httpx.Response | None:
        answer = client.get(path)
        return answer if answer.status_code != 503 or answer.json()["code"] != "unavailable" else None

    return until(ask)


def test_a_failover_that_lost_the_tail_is_told_to_all_who_know_it(postgres_server: Server, migrated: str):
    with (
        served("--database-url", migrated) as server,
        served("--database-url", migrated) as other,
        server.client() as client,
        other.client(server.token) as beside,
    ):
        game = open_game(client)
        kept = [play_on(client, game) for _ in range(5)][-1]["sequence"]
        standby = standby_of(postgres_server, migrated)
        assert len(answered(client, f"/v1/games/{game}/history").json()["events"]) == 6
        lost = [play_on(client, game) for _ in range(3)][-1]["sequence"]
        known = done(client.get("/v1/feed"))
        page = until(lambda: found.json() if (found := client.get(f"/v1/games?min_sequence={lost}&limit=1")).is_success else None)
        assert (known["after"], page["items"][0]["position"]) == (lost, 9)
        promote(postgres_server, migrated, standby)

        follower = f"/v1/feed?after={known['after']}&epoch={known['epoch']}"
        for one in (client, beside):
            refused = answered(one, follower)
            assert (refused.status_code, refused.json()["code"], refused.json()["common"]) == (409, "epoch_changed", kept)
            ahead = one.get(f"/v1/games?min_sequence={lost}")
            assert (ahead.status_code, ahead.json()["code"], ahead.json()["head"]) == (400, "ahead", kept)
            assert one.get(f"/v1/games?min_sequence={lost}", headers={"Kiebitz-Epoch": known["epoch"]}).status_code == 409
            assert one.get(f"/v1/games/{game}/table").headers["content-location"].endswith("position=6&view=arbiter")
            assert len(done(one.get(f"/v1/games/{game}/history"))["events"]) == 6
        epoch = refused.json()["epoch"]
        again = play_on(beside, game)
        assert (again["position"], beside.get("/v1/feed").headers["kiebitz-epoch"]) == (7, epoch)
        [entry] = done(client.get(f"/v1/feed?after={kept}&epoch={epoch}&wait=30"))["entries"]
        assert (entry["sequence"], entry["position"]) == (again["sequence"], 7)
        [listed] = until(lambda: client.get(f"/v1/games?min_sequence={again['sequence']}").json().get("items"))
        assert listed["position"] == 7


def test_it_is_found_by_a_server_that_was_not_running_meanwhile(postgres_server: Server, migrated: str):
    with served("--database-url", migrated) as server, server.client() as client:
        game = open_game(client)
        kept = play_on(client, game)["sequence"]
        standby = standby_of(postgres_server, migrated)
        assert answered(client, "/v1/games").is_success
        play_on(client, game)
        known = done(client.get("/v1/feed"))
        server.kill()
    promote(postgres_server, migrated, standby)
    with served("--database-url", migrated) as again, again.client(server.token) as client:
        refused = client.get(f"/v1/feed?after={known['after']}&epoch={known['epoch']}")
        assert (refused.status_code, refused.json()["common"]) == (409, kept)
        assert play_on(client, game)["position"] == 3


def test_a_server_that_stands_still_is_replaced_as_the_one_who_projects(migrated: str):
    with served("--database-url", migrated) as leader, leader.client() as client:
        game = open_game(client)
        done(client.get("/v1/games?min_sequence=1"))  # it leads before there is another one
        with served("--database-url", migrated) as standby, standby.client(leader.token) as beside:
            leader.process.send_signal(signal.SIGSTOP)
            end_lease(migrated)
            try:
                told = play_on(beside, game)
                [listed] = until(lambda: beside.get(f"/v1/games?min_sequence={told['sequence']}").json().get("items"))
                assert listed["position"] == 2
            finally:
                leader.process.send_signal(signal.SIGCONT)
            told = play_on(client, game)
            [listed] = until(lambda: client.get(f"/v1/games?min_sequence={told['sequence']}").json().get("items"))
            assert (told["position"], listed["position"]) == (3, 3)
