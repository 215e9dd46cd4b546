"""Schemathesis finds what the service does and its description does not say; ``./run contract`` asks all of it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.contract.house import House, Key
from tests.deploy.serving import done, served

pytest.importorskip("schemathesis", reason="of the group contract: ./run contract brings it")
from tests.contract.asking import Effort, asked

SHORT = Effort(director=1)


PATHS = ("/v1/me", "/health/live", "/v1/rulesets")


@contextmanager
def small_house(folder: Path) -> Iterator[House]:
    """A service with nothing in it, of which the director alone asks three operations. ``./run contract`` asks a whole house."""
    with served("--data", folder / "data") as server, server.client() as director:
        document = done(director.get("/openapi.json"))
        token = done(director.get("/v1/me"))["token"]
        paths = {path: document["paths"][path] for path in PATHS}
        yield House(server.url, {**document, "paths": paths}, (Key("director", server.token, token),), {})


def test_a_status_that_is_not_documented_and_an_answer_of_another_form_are_found_and_what_is_described_is_not(tmp_path: Path):
    with small_house(tmp_path / "house") as whole:
        document = json.loads(json.dumps(whole.document))
        del document["paths"]["/v1/me"]["get"]["responses"]["200"]
        live = document["paths"]["/health/live"]["get"]["responses"]["200"]
        live["content"]["application/json"]["schema"] = {"type": "array"}
        [found] = asked(replace(whole, document=document), tmp_path, SHORT)
        assert ("Undocumented status code" in found, "GET /v1/me" in found) == (True, True)
        assert ("Response violates schema" in found, "GET /health/live" in found) == (True, True)
        assert "/v1/rulesets" not in found
