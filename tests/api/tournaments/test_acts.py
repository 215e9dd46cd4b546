"""Every act on a tournament has a row in the access matrix, and a form on a page; or a reason why not."""

import re
from pathlib import Path
from typing import Any

import pytest

from api.http.description.openapi import operations
from tests.access.matrix import rows
from tests.api.conftest import Service

TEMPLATES = Path(__file__).parents[3] / "api" / "templates"
WITHIN = {
    "path": "/v1/tournaments/{}",
    "path_of": "/v1/tournaments/{}/entries/{}",
    "at": "/v1/tournaments/{}/rounds/{}/tables/{}",
}
"""The beginnings of addresses that templates have a name for."""

NO_FORM = {
    "POST /v1/tournaments/{}/boards": "programs prepare decks",
    "DELETE /v1/tournaments/{}/notes/{}": "whoever answers for the data asks the API",
    "POST /v1/tournaments/{}/rounds/{}/tables/{}/confirmation": "the other side confirms on their own page (me.js)",
    "POST /v1/tournaments/{}/standings/trial": "previews ask for it (director/preview.js)",
}


@pytest.fixture(scope="module")
def acts(service: Service) -> dict[str, tuple[str, Any]]:
    """The route of each act, with its name in the matrix and what it says about itself."""
    found = ((f"{method.upper()} {path}", one) for path, method, one in operations(service.client.app) if method != "get")
    return {re.sub(r"\{\w+\}", "{}", route): (route, one) for route, one in found if route.partition(" ")[2].startswith("/v1/tournaments")}


def test_every_act_has_a_row_in_the_matrix(acts: dict[str, tuple[str, Any]]):
    assert [route for route, _ in acts.values() if route not in rows()] == []


def test_every_act_has_a_form_on_a_page(acts: dict[str, tuple[str, Any]]):
    assert sorted(set(acts) - set(list_forms())) == sorted(NO_FORM)


def list_forms() -> list[str]:
    text = "".join(file.read_text(encoding="utf-8") for file in TEMPLATES.glob("*.j2"))
    forms = re.findall(r'<form [^>]*data-(?:to|entering)="((?:\{\{.*?\}\}|[^"{])+)"(?:[^>]*data-method="(\w+)")?', text)
    return [f"{method or 'POST'} {re.sub(r'{{(.*?)}}', _address, address)}" for address, method in forms]


def _address(found: re.Match[str]) -> str:
    return WITHIN.get(found[1].strip(), "{}")
