"""Browsers, as the service sees them: they send a cookie by themselves, and say from which page a request comes."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from tests.api.conftest import BODY, Caller, Service

OURS = {"Origin": "http://testserver.local"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass
class Browser:
    """One that keeps the cookie it is given."""

    caller: Caller
    cookies: dict[str, str] = field(default_factory=dict)

    def call(self, method: str, path: str, headers: dict[str, str] | None = None, **given: Any) -> Any:
        kept = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        answer = self.caller.call(method, path, headers={**kept, **(headers or {})}, follow_redirects=False, **given)
        if line := answer.headers.get("set-cookie"):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies = {**self.cookies, name: value} if value else {key: one for key, one in self.cookies.items() if key != name}
        return answer

    def get(self, path: str, **headers: str) -> Any:
        return self.call("GET", path, headers)

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        """As a script of a page of ours does."""
        return self.call("POST", path, {**OURS, **BODY, **headers}, json=body) if body is not None else self.call("POST", path, OURS)

    def put(self, path: str, body: object) -> Any:
        return self.call("PUT", path, {**OURS, **BODY}, json=body)

    def delete(self, path: str) -> Any:
        return self.call("DELETE", path, OURS)

    def submit(self, path: str, **fields: str) -> Any:
        """As a form of a page of ours does."""
        return self.call("POST", path, {**OURS, **FORM}, content=urlencode(fields))

    def enter(self, secret: str) -> Any:
        answer = self.post("/in", {"secret": secret})
        assert answer.status_code == 200, answer.text
        return answer


def browser(service: Service) -> Browser:
    return Browser(service.caller(None))


def code(director: Caller, role: str = "viewer", scope: object = "everything", **wanted: Any) -> Any:
    """What the issue of a code answers."""
    answer = director.post("/v1/codes", {"role": role, "scope": scope, **wanted})
    assert answer.status_code == 201, answer.text
    return answer.json()
