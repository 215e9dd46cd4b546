"""Holds every answer of the tests against the OpenAPI document: its status has to be documented, its body has to fit the schema."""

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from jsonschema_rs import Draft202012, Draft202012Validator, Registry

PROBLEM = "application/problem+json"
_DOCUMENT = "urn:kiebitz:openapi"


class Contract:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._paths = [(path, re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)), methods) for path, methods in document["paths"].items()]
        self._registry = Registry([(_DOCUMENT, document)], draft=Draft202012)
        self._validators: dict[str, Draft202012Validator] = {}

    def violations(self, method: str, path: str, answer: Any) -> Iterable[str]:
        where, operation = self._operation(method, path)
        if operation is None:
            return
        if str(answer.status_code) not in operation["responses"]:
            yield f"{operation['operationId']} answers {answer.status_code}, which is not documented: {answer.text[:300]}"
            return
        where, described = self._resolved(f"{where}/responses/{answer.status_code}", operation["responses"][str(answer.status_code)])
        content = described.get("content", {})
        media = answer.headers.get("content-type", "").partition(";")[0]
        if content and media not in content and answer.content:
            yield f"{operation['operationId']} answers {media}, which is not documented"
        if media in ("application/json", PROBLEM) and answer.content:
            validator = self._validator(f"{where}/content/{_step(media)}/schema")
            yield from (
                f"{operation['operationId']}: {error.instance_path} {error.message[:300]}" for error in validator.iter_errors(answer.json())
            )

    def _operation(self, method: str, path: str) -> tuple[str, dict[str, Any] | None]:
        """With its place in the document, a JSON Pointer (RFC 6901)."""
        path, verb = path.partition("?")[0], {"HEAD": "get"}.get(method, method.lower())
        for template, pattern, methods in self._paths:
            if pattern.fullmatch(path):
                return f"/paths/{_step(template)}/{verb}", methods.get(verb)
        return "", None

    def _resolved(self, where: str, described: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        if "$ref" not in described:
            return where, described
        found: Any = self.document
        for part in described["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return described["$ref"].removeprefix("#"), dict(found)

    def _validator(self, where: str) -> Draft202012Validator:
        if where not in self._validators:
            self._validators[where] = Draft202012Validator({"$ref": f"{_DOCUMENT}#{quote(where)}"}, registry=self._registry)
        return self._validators[where]


def _step(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
