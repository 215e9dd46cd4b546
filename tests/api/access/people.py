"""Directors and others who hold tokens of some scope, issued over HTTP."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

from domain.access import UNBOUND, Grant
from tests.api.conftest import Caller, Service, add_token


def holding(service: Service, role: str = "director", grant: Grant = UNBOUND, expires_at: str | None = None) -> Caller:
    token = add_token(service.services, role, f"{role} {uuid4().hex}", grant, expires_at)
    return replace(service.caller("viewer"), token=token)


def issued(director: Caller, **wanted: Any) -> dict[str, Any]:
    answer = director.post("/v1/tokens", {"role": "recorder", "scope": "everything", **wanted})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def with_secret(caller: Caller, token: dict[str, Any]) -> Caller:
    return replace(caller, token=token["secret"])
