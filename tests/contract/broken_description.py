"""The linters find what is wrong with a description. ``./run contract`` runs these tests before it holds the real one against them: they
need 280 MB of packages, which the suite does not.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.conftest import running, settings_of
from tests.contract.exceptions import Finding, exceptions
from tests.contract.linters import findings

ME = "paths./v1/me.get"
PATHS = ("/v1/me", "/v1/rulesets")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Finding]:
    """In a description of two paths, after somebody broke it in three places. The whole one is read by ``./run contract``."""
    with running(settings_of(tmp_path_factory.mktemp("house"))) as service:
        document = narrowed(service.client.get("/openapi.json").json())
    operation = document["paths"]["/v1/me"]["get"]
    operation["responses"] = {status: answer for status, answer in operation["responses"].items() if status < "400"}
    del document["paths"]["/v1/rulesets"]["get"]["description"], document["paths"]["/v1/rulesets"]["get"]["summary"]
    operation["responses"]["200"]["content"]["application/json"]["schema"] = {"$ref": "#/components/schemas/Nobody"}
    file = tmp_path_factory.mktemp("broken") / "openapi.json"
    file.write_text(json.dumps(document))
    return list(findings(file, exceptions()))


def narrowed(document: dict[str, Any]) -> dict[str, Any]:
    """Return the description of some paths, with the components that they need."""
    paths = {path: document["paths"][path] for path in PATHS}
    needed, due = set[str](), list(references(paths))
    while due:
        if (reference := due.pop()) not in needed:
            needed.add(reference)
            _, _, kind, name = reference.split("/")
            due += references(document["components"][kind][name])
    components = {
        kind: {name: one for name, one in parts.items() if kind == "securitySchemes" or f"#/components/{kind}/{name}" in needed}
        for kind, parts in document["components"].items()
    }
    return {**document, "paths": paths, "webhooks": {}, "components": components}


def references(value: Any) -> Iterator[str]:
    """Yield what a part of the description refers to."""
    match value:
        case {"$ref": str(reference)}:
            yield reference
        case dict():
            yield from (reference for one in value.values() for reference in references(one))
        case list():
            yield from (reference for one in value for reference in references(one))


def rules(found: list[Finding], linter: str, place: str) -> set[str]:
    return {one.rule for one in found if one.linter == linter and one.where.startswith(place)}


def test_both_find_refusals_that_are_not_documented(found: list[Finding]):
    assert "owasp:api8:2023-define-error-responses-401" in rules(found, "spectral", f"{ME}.responses")
    assert "operation-4xx-response" in rules(found, "redocly", f"{ME}.responses")


def test_both_find_an_operation_that_says_nothing_of_itself(found: list[Finding]):
    assert "operation-description" in rules(found, "spectral", "paths./v1/rulesets.get")
    assert "operation-summary" in rules(found, "redocly", "paths./v1/rulesets.get")


def test_both_find_a_reference_that_leads_nowhere(found: list[Finding]):
    assert "invalid-ref" in rules(found, "spectral", f"{ME}.responses.200")
    assert "no-unresolved-refs" in rules(found, "redocly", f"{ME}.responses.200")
