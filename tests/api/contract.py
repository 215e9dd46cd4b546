"""Holds every answer of the tests against the OpenAPI document: its status has to be documented, its body has to fit the schema."""

import re
from collections.abc import Iterable
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

PROBLEM = "application/problem+json"


class Contract:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._paths = [(re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)), methods) for path, methods in document["paths"].items()]
        self._known: dict[tuple[str, int, str], Draft202012Validator] = {}

    def violations(self, method: str, path: str, answer: Any) -> Iterable[str]:
        operation = self._operation(method, path)
        if operation is None:
            return
        if str(answer.status_code) not in operation["responses"]:
            yield f"{operation['operationId']} answers {answer.status_code}, which is not documented: {answer.text[:300]}"
            return
        content = self._resolved(operation["responses"][str(answer.status_code)]).get("content", {})
        media = answer.headers.get("content-type", "").partition(";")[0]
        if content and media not in content and answer.content:
            yield f"{operation['operationId']} answers {media}, which is not documented"
        if media in ("application/json", PROBLEM) and answer.content:
            validator = self._validator(operation["operationId"], answer.status_code, content[media]["schema"])
            yield from (
                f"{operation['operationId']}: {error.json_path} {error.message[:300]}" for error in validator.iter_errors(answer.json())
            )

    def _operation(self, method: str, path: str) -> dict[str, Any] | None:
        path = path.partition("?")[0]
        for pattern, methods in self._paths:
            if pattern.fullmatch(path):
                found: dict[str, Any] | None = methods.get({"HEAD": "get"}.get(method, method.lower()))
                return found
        return None

    def _resolved(self, described: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in described:
            return described
        found: Any = self.document
        for part in described["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return dict(found)

    def _validator(self, id: str, status: int, schema: dict[str, Any]) -> Draft202012Validator:
        key = (id, status, str(schema.get("$ref")))
        if key not in self._known:
            self._known[key] = Draft202012Validator({**schema, "components": self.document["components"]})
        return self._known[key]
