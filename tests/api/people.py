"""Players for the tests of the directory."""

from typing import Any
from urllib.parse import quote

from tests.api.conftest import Caller


def register(caller: Caller, id: str, name: str, **wanted: Any) -> dict[str, Any]:
    answer = caller.post("/v1/players", {"id": id, "name": name, **wanted})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def act(caller: Caller, id: str, act: str, body: object = None, **given: Any) -> Any:
    return caller.post(f"{path(id)}/{act}", {} if body is None else body, **given)


def merge(caller: Caller, id: str, into: str) -> None:
    assert act(caller, id, "merger", {"into": into}).status_code == 201


def erase(caller: Caller, id: str) -> list[str]:
    answer = act(caller, id, "erasure", {"confirm": id})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["erased"])


def read(caller: Caller, id: str) -> dict[str, Any]:
    return dict(caller.get(path(id)).json())


def path(id: str) -> str:
    return f"/v1/players/{quote(id, safe='')}"
