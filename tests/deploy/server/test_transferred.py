"""Service on a transferred store: clients of the old one continue without noticing."""

from pathlib import Path
from typing import NamedTuple

import httpx

from deploy.config.settings import Settings
from tests.api.webhooks.receiving import receiving
from tests.deploy.cli.test_import_export import GAMES
from tests.deploy.server.test_two_roles import Roles, kiebitz, migrated, record, roles
from tests.deploy.server.test_webhooks import OPEN, register
from tests.deploy.serving import PATIENCE, Served, done, open_game, play_on, served
from tests.tampering import LENGTH

__all__ = ["roles"]  # a fixture

CUP = "/v1/tournaments/cup"
ONCE = {"Idempotency-Key": "once", "Request-Id": "sent-twice"}


class Known(NamedTuple):
    """Data of earlier clients: secrets of a director, a browser session and a code; a game, and a request about it; what binds the lots of
    a tournament.
    """

    director: str
    session: str
    code: str
    game: str
    move: dict
    lots: str


def begun(server: Served) -> Known:
    with server.client() as client:
        done(client.post("/v1/tournaments", json={"id": "cup", "ruleset": "casino", "seats": 2, "format": "swiss"}))
        done(client.post(f"{CUP}/entries", json={"entries": [{"players": ["p1"]}, {"players": ["p2"]}]}))
        lots = done(client.get(CUP))["lots"]["commitment"]
        game = open_game(client)
        play_on(client, game)
        done(client.post(f"/v1/games/{game}/disputes", json={"claim": "He saw a card."}))
        table = done(client.get(f"/v1/games/{game}/table"))
        move = {"seat": table["turn"], "move": {"type": "trail", "card": table["hands"][table["turn"]][0]}}
        code = done(client.post("/v1/codes", json={"role": "viewer", "scope": "everything", "good_for": "many"}))["code"]
    assert server.token
    return Known(server.token, come_in(server, server.token), code, game, move, lots)


def come_in(server: Served, secret: str) -> str:
    """Return the session of a browser."""
    with httpx.Client(base_url=server.url, headers={"Origin": server.url}, timeout=PATIENCE, verify=False) as browser:
        done(browser.post("/in", json={"secret": secret}))
        [session] = browser.cookies.values()
        return session


def asked(server: Served, known: Known) -> tuple[str, ...]:
    """Return the responses of a service to earlier requests. Cookie names contain the port, which differs between these services."""
    cookies = {f"kiebitz-{httpx.URL(server.url).port}": known.session}
    with server.client(known.director) as client, httpx.Client(base_url=server.url, cookies=cookies, verify=False) as browser:
        move = client.post(f"/v1/games/{known.game}/moves", json=known.move, headers=ONCE)
        epoch = done(client.get("/v1/feed?limit=1"))["epoch"]
        feed = client.get("/v1/feed", params={"after": 1, "limit": 3, "epoch": epoch})
        history = browser.get(f"/v1/games/{known.game}/history?limit=4")
        words = browser.get(f"/v1/games/{known.game}/disputes")
        return (epoch, *(answer.raise_for_status().text for answer in (move, feed, history, words)))


def drawn(client: httpx.Client, known: Known) -> None:
    """Draw the lots that were bound in another place."""
    assert [event["name"] for event in done(client.post(f"{CUP}/rounds", json={}))["events"]] == ["lots.drawn/1", "round.paired/1"]
    told = done(client.get(CUP))["lots"]
    assert (told["how"], told["commitment"]) == ("drawn", known.lots)
    assert done(client.get(f"{CUP}/audit"))["verdict"] == "sound"


def test_tokens_sessions_keys_cursors_words_lots_and_webhooks_go_on(tmp_path: Path, migrated: str):
    embedded, server_too, back = ("--data", tmp_path / "data"), ("--database-url", migrated), tmp_path / "back"
    with receiving() as receiver:
        with served(*embedded, **OPEN) as server:
            register(server, receiver)
            known = begun(server)
            before = asked(server, known)
            with server.client() as client:
                head = done(client.get("/v1/feed?limit=1"))["head"]
            receiver.until(lambda got: bool(got) and got[-1].sequence == head)
            assert server.end() == 0
        receipt = before[1]
        assert "He saw a card." in before[-1]
        for number, (source, target, on) in enumerate(((embedded, migrated, server_too), (server_too, back, ("--data", back)))):
            transferred = kiebitz("transfer", *source, "--to", target, "--jobs", 1)
            assert (transferred.exit_code, transferred.stderr) == (0, ""), transferred.output
            with served(*on, **OPEN) as server, server.client(known.director) as client:
                assert (server.token, asked(server, known)) == (None, before)
                assert come_in(server, known.code)
                if number == 0:
                    drawn(client, known)
                position = play_on(client, known.game)["sequence"]
                [listed] = done(client.get(f"/v1/games?min_sequence={position}"))["items"]
                assert (listed["id"], listed["position"]) == (known.game, 5 + number)
                told = receiver.until(lambda got: got[-1].sequence == position)  # noqa: B023 # it is asked at once
                assert list(dict.fromkeys(one.sequence for one in told)) == list(range(1, position + 1))
                before = asked(server, known)
                assert before[1] == receipt
                assert server.end() == 0


def test_with_two_roles_the_owner_transfers_and_the_other_goes_on(tmp_path: Path, roles: Roles):
    data = tmp_path / "data"
    assert kiebitz("import", GAMES[0], "--data", data).exit_code == 0
    migrated(roles)
    refused = kiebitz("transfer", "--data", data, "--to", roles.serving_url)
    assert refused.stderr.splitlines() == [
        f"Error: {roles.serving} may not fill these tables: they belong to {roles.owner}.",
        "Run the transfer as the role that owns them; the other role can serve afterwards.",
    ]
    assert kiebitz("transfer", "--data", data, "--to", roles.owner_url, "--no-audit").exit_code == 0
    assert record(Settings(tmp_path, roles.serving_url)) == 2
    back = kiebitz("transfer", "--database-url", roles.serving_url, "--to", tmp_path / "back", "--no-audit")
    assert (back.exit_code, f"{148 + LENGTH} events in 2 streams" in back.stdout) == (0, True), back.output
    gone = kiebitz("serve", "--database-url", roles.serving_url, "--port", "0")
    assert (gone.exit_code, "was transferred to" in gone.stderr) == (1, True)


def test_with_two_roles_rights_may_be_given_afterwards_too(tmp_path: Path, roles: Roles):
    assert kiebitz("import", GAMES[0], "--data", tmp_path).exit_code == 0
    assert kiebitz("transfer", "--data", tmp_path, "--to", roles.owner_url, "--no-audit").exit_code == 0
    migrated(roles)
    for command in (("import", GAMES[1]), ("projections", "rebuild", "game_index")):
        assert kiebitz(*command, "--database-url", roles.serving_url).exit_code == 0
