"""Stores of older versions: migrated they are sound, tell what they told, know their tokens and keys, and are played on."""

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from click.testing import CliRunner

from deploy.cli.main import main
from deploy.config.settings import Settings
from domain.games import RULESETS
from tests.api.conftest import Caller, Service, running, without_limits
from tests.api.web import browser
from tests.deploy.serving import PATIENCE
from tests.postgres import Server, drop_database, fresh_database
from tests.upgrades.evening import items_of

STORES = Path(__file__).parent / "stores"
VERSIONS = sorted(folder.name for folder in STORES.iterdir())
KINDS = ("sqlite", "postgresql")
OLDEST = "781d881"
"""It passes through all migrations. On PostgreSQL it alone is played on and audited: an event is the same in every database."""


class Upgraded(NamedTuple):
    """A store that this version has opened; ``golden``: what its own version recorded beside it."""

    version: str
    settings: Settings
    service: Service
    golden: dict[str, Any]

    def caller(self, whose: str = "director") -> Caller:
        return Caller(self.service.client, self.service.contract, self.golden[whose])

    def kiebitz(self, *arguments: str, code: int = 0) -> str:
        """What a command says that succeeds."""
        url = self.settings.database_url
        where = ("--data", str(self.settings.data), *(("--database-url", url) if url else ()))
        result = CliRunner().invoke(main, [*arguments, *where])
        assert result.exit_code == code, result.output
        return result.output

    def audit(self) -> list[dict[str, Any]]:
        """What was recorded. What a log signed lies in its tree: in the dump of PostgreSQL, and not beside the copy of a file, which the
        command says.
        """
        has_log = bool(self.service.services.journal.store.log_epochs())
        lacks = has_log and self.settings.embedded
        told = self.kiebitz("audit", "--all", "--json", "--jobs", "1", code=int(lacks))
        found = [json.loads(line) for line in told.splitlines()]
        whys = [one["why"] for one in found if one.get("kind") == "log" and "named" not in one]
        assert whys == ["no_checkpoint" if lacks else "as_signed"] * has_log
        return [one for one in found if one.get("kind") != "log"]


def unpacked(file: Path) -> bytes:
    return gzip.decompress(file.read_bytes())


@pytest.fixture(scope="module", params=[(version, kind) for version in VERSIONS for kind in KINDS], ids="-".join)
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    """One for all tests of a store. The first of them reads it before the others add to it."""
    version, kind = request.param
    with store_of(version, kind, request, tmp_path_factory.mktemp("upgraded")) as settings, running(settings, without_limits) as service:
        yield Upgraded(version, settings, service, json.loads(unpacked(STORES / version / f"{kind}.json.gz")))


@contextmanager
def store_of(version: str, kind: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[Settings]:
    """A copy of the store of that version."""
    if kind == "sqlite":
        settings = Settings(folder / "data", None)
        settings.data.mkdir()
        settings.journal_file.write_bytes(unpacked(STORES / version / "sqlite.db.gz"))
        yield settings
    else:
        server: Server = request.getfixturevalue("postgres_server")
        url = fresh_database(server)
        with psycopg.connect(url) as database:
            database.execute(unpacked(STORES / version / "postgresql.sql.gz"))
        yield Settings(folder / "data", url)
        drop_database(server, url)


def as_then(path: str, answer: Any) -> Any:
    """Without what is told otherwise on purpose by now."""
    match path.rpartition("/")[2]:
        case "record":  # which holds everything since, so it need not say what it lacks
            return {name: value for name, value in answer.items() if name != "note"}
        case "scores?limit=200":  # among which the results that were entered by hand stand since
            return {"items": [line for line in items_of(answer) if line["game"]]}
        case "players" | "rulings":
            return {"items": items_of(answer)}
        case _:
            return answer


RENAMED = {"standing": "state", "stage": "state", "status": "state"}
"""Fields of answers that are called otherwise since."""


def differences(before: Any, now: Any, where: str) -> Iterator[str]:
    """What is not as it was; what is told besides is no difference."""
    match before, now:
        case dict(), dict():
            for name in before:
                yield from differences(before[name], now.get(name, now.get(RENAMED.get(name, ""), "nothing")), f"{where}.{name}")
        case list(), list() if len(before) == len(now):
            for number, pair in enumerate(zip(before, now, strict=True)):
                yield from differences(*pair, f"{where}[{number}]")
        case _ if before != now:
            yield f"{where}: {before!r} is now {now!r}"


def test_it_tells_what_it_told(upgraded: Upgraded):
    """On PostgreSQL two games as well as all: an event is the same in every database."""
    director, told = upgraded.caller(), upgraded.golden["told"]
    assert {answer["ruleset"] for path, answer in told.items() if path.endswith("/record")} == RULESETS.keys()
    if not upgraded.settings.embedded:
        games = [path for path in told if path.startswith("/v1/games/")]
        told = {path: told[path] for path in told if path not in games[10:]}
    upgraded.service.services.projector.wait_for(upgraded.service.services.journal.head(), PATIENCE)
    now = {path: director.get(path).json() for path in told}
    found = [one for path in told for one in differences(as_then(path, told[path]), as_then(path, now[path]), path)]
    assert found == []


def test_its_tokens_and_keys_are_good(upgraded: Upgraded):
    director, again = upgraded.caller(), upgraded.golden["again"]
    assert [upgraded.caller(whose).get("/v1/games").status_code for whose in ("viewer", "revoked")] == [200, 401]
    answer = director.post(again["path"], again["body"], headers={"Idempotency-Key": again["key"]})
    assert (answer.status_code, answer.json()["position"]) == (201, again["answer"]["position"])


def test_played_on_it_is_sound(upgraded: Upgraded):
    """On PostgreSQL three games of the oldest."""
    if not upgraded.settings.embedded and upgraded.version != OLDEST:
        return
    director = upgraded.caller()
    games = [path.split("/")[3] for path in upgraded.golden["told"] if path.endswith("/record")]
    for game in games if upgraded.settings.embedded else games[:3]:
        play_on(director, game)
    night = "/v1/tournaments/club-night"
    assert director.put(f"{night}/rounds/2/tables/1/result", {"points": [14, 21]}).status_code == 201
    assert director.post(f"{night}/rounds/2/closing", {}).status_code == 201
    assert [one["played"] for one in director.get(f"{night}/standings").json()["lines"]] == [2, 2, 2, 2]
    assert director.post("/v1/series", {"id": "season"}).status_code == 201
    assert director.post("/v1/series/season/tournaments", {"tournament": "club-night"}).status_code == 201
    assert director.get("/v1/series/season/standings").json()["tournaments"][0]["played"] == 4
    audited = upgraded.audit()
    assert {one["verdict"] for one in audited} == {"sound"}
    assert len(audited) == 18 + 1 + 4 + 1  # games, the tournament, players, the series
    upgraded.kiebitz("projections", "verify")


def test_its_codes_are_good(upgraded: Upgraded):
    code = upgraded.golden.get("code")
    web = browser(upgraded.service)
    if code is not None:
        assert web.enter(code).json()["role"] == "viewer"
        assert web.get("/v1/tournaments/club-night").status_code == 200


def play_on(director: Caller, game: str) -> None:
    """A hand where there is none, and a move, where the game is not over or given up."""
    state = director.get(f"/v1/games/{game}").json()
    if state["phase"] == "game_over" or state["state"] == "abandoned":
        return
    if state["phase"] in ("no_hand", "hand_over"):
        state = director.deal(game)
    found = director.get(f"/v1/games/{game}/legal-moves").json()
    played = director.post(f"/v1/games/{game}/moves", {"seat": found["seat"], "move": found["moves"][0]})
    assert (played.status_code, played.json()["position"]) == (201, state["position"] + 1)
