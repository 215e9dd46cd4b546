"""Schemathesis finds what the service does and its description does not say; ``./run contract`` asks all of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.contract.house import House, house

pytest.importorskip("schemathesis", reason="of the group contract: ./run contract brings it")
from tests.contract.asking import Effort, asked

SHORT = Effort(director=1)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """With the director alone, and two operations."""
    with house(tmp_path_factory.mktemp("house")) as found:
        document = {**found.document, "paths": {path: found.document["paths"][path] for path in ("/v1/me", "/health/live")}}
        yield replace(found, document=document, keys=found.keys[:1])


def changed(here: House) -> tuple[House, Any]:
    document = json.loads(json.dumps(here.document))
    return replace(here, document=document), document["paths"]["/v1/me"]["get"]["responses"]


def test_a_status_that_is_not_documented_is_found(here: House, tmp_path: Path):
    broken, responses = changed(here)
    del responses["200"]
    [found] = asked(broken, tmp_path, SHORT)
    assert "Undocumented status code" in found
    assert "GET /v1/me" in found


def test_an_answer_of_another_form_is_found(here: House, tmp_path: Path):
    broken, responses = changed(here)
    responses["200"]["content"]["application/json"]["schema"] = {"type": "array"}
    [found] = asked(broken, tmp_path, SHORT)
    assert "Response violates schema" in found
    assert "GET /v1/me" in found


def test_what_is_as_it_is_described_is_no_finding_in_any_house_and_asked_alike(
    here: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with house(tmp_path / "another") as other:
        for one in (here, replace(other, document={**other.document, "paths": here.document["paths"]}, keys=other.keys[:1])):
            assert list(asked(one, tmp_path, SHORT)) == []
    first, second = (line.rpartition("requests ")[2] for line in capsys.readouterr().out.splitlines())
    assert first == second
