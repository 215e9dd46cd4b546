"""A service in a process of its own, with an evening recorded in it, and a key of each role."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
from msgspec import Struct

from api.http.description.examples import Step, Values, collect_values, fill_step, load_steps
from tests.deploy.serving import done, served
from tests.examples.telling import addresses_of, body_of, target_of

HALL: Mapping[str, Any] = {"id": "hall", "title": "In the hall", "ruleset": "casino", "seats": 2, "format": "swiss", "rounds": 3}
"""A tournament that is still on, unlike those of the story."""
_PLAYERS = ("anna", "ben", "cora", "dan")
_KEYS: Mapping[str, dict[str, Any]] = {
    "recorder": {"role": "recorder"},
    "arbiter": {"role": "arbiter"},
    "committee": {"role": "committee"},
    "viewer": {"role": "viewer"},
    "player": {"role": "player", "scope": {"tournament": "hall"}, "player": "cora"},
    "tablet": {"role": "recorder", "scope": {"tournament": "hall", "table": "1", "since": 1}},
}


class Key(NamedTuple):
    """``secret``: what is shown; ``None`` for somebody who has none. ``id``: by which directors call it."""

    role: str
    secret: str | None
    id: str | None


class House(Struct, frozen=True):
    """``keys``: one of each role, of a table, and of nobody. ``document``: the description, with examples that stand in this house.
    ``names``: of what each house calls otherwise, ids and secrets, what the examples call it.
    """

    url: str
    document: dict[str, Any]
    keys: tuple[Key, ...]
    names: Mapping[str, str]


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """The service, until the context ends."""
    with served("--data", folder / "data") as server, server.client() as director:
        document = done(director.get("/openapi.json"))
        values = _story(director, document)
        _hall(director)
        assert server.token is not None
        first = Key("director", server.token, done(director.get("/v1/me"))["token"])
        keys = [first, *(_key(director, name, asked) for name, asked in _KEYS.items()), Key("nobody", None, None)]
        here = {there: str(values[name]) for name, there in collect_values(load_steps()).items() if isinstance(there, str)}
        yield House(server.url, _here(document, here), tuple(keys), {ours: there for there, ours in here.items()})


def _story(director: httpx.Client, document: dict[str, Any]) -> Values:
    """The evening that the examples tell, from top to bottom; and what this service calls what the examples call otherwise."""
    addresses, values, players = addresses_of(document), dict[str, str | int](), dict[str, str]()
    for step in load_steps():
        asked = fill_step(step, values)
        if step.by != "director" and step.by not in players:
            token = {"role": "player", "scope": {"game": asked.asked.path["game"]}, "seat": 0, "label": step.by}
            players[step.by] = done(director.post("/v1/tokens", json=token))["secret"]
        answer = _asked(director, asked, *addresses[step.operation], players.get(step.by))
        media = answer.headers["content-type"].partition(";")[0]
        told = answer.json() if media.endswith("json") else None
        values |= collect_values([msgspec.structs.replace(step, answer=told)]) if step.makes else {}
    return values


def _asked(director: httpx.Client, step: Step, method: str, path: str, secret: str | None) -> httpx.Response:
    """``secret``: of whoever asks, if that is not the director."""
    headers = {"Content-Type": step.asked.media, "Origin": str(director.base_url).rstrip("/")}
    headers |= {"Authorization": f"Bearer {secret}"} if secret else {}
    answer = director.request(method, target_of(path, step), content=body_of(step), headers=headers)
    director.cookies.clear()
    assert answer.is_success or answer.is_redirect, f"{step.operation}, {step.name}: {answer.status_code} {answer.text}"
    return answer


def _hall(director: httpx.Client) -> None:
    place = "/v1/tournaments/hall"
    done(director.post("/v1/tournaments", json=HALL))
    done(director.post(f"{place}/entries", json={"entries": [{"players": [player]} for player in _PLAYERS]}))
    done(director.post(f"{place}/rounds", json={}))
    done(director.post(f"{place}/publication", json={"publication": "aliases"}))
    for table in done(director.post(f"{place}/rounds/1/games", json={}))["tables"]:
        done(director.post(f"/v1/games/{table['game']}/hands", json={"dealer": 0}))


def _key(director: httpx.Client, name: str, asked: dict[str, Any]) -> Key:
    told = done(director.post("/v1/tokens", json={"scope": "everything", "label": name, **asked}))
    return Key(name, told["secret"], told["id"])


def _here(document: dict[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    """The description with the ids of this service in its examples, so that what they name is there."""
    text = json.dumps(document)
    for there, ours in values.items():
        text = text.replace(json.dumps(there)[1:-1], json.dumps(ours)[1:-1])
    here: dict[str, Any] = json.loads(text)
    return here
