"""Every error that is documented is a problem (RFC 9457) of one named type, so that clients read it as such."""

from pathlib import Path
from typing import Any

from tests.api.conftest import running, settings_of

HEALTH = {("ready", "503")}
"""Not a problem: the report of a service that cannot record."""


def test_every_error_of_every_operation_is_of_the_type_problem(tmp_path: Path):
    with running(settings_of(tmp_path)) as service:
        document: dict[str, Any] = service.contract.document
    others = []
    for methods in document["paths"].values():
        for operation in methods.values():
            for status, answer in operation["responses"].items():
                told = answer if "$ref" not in answer else document["components"]["responses"][answer["$ref"].rpartition("/")[2]]
                if status >= "400" and (operation["operationId"], status) not in HEALTH:
                    schemas = {media: content["schema"] for media, content in told["content"].items()}
                    if schemas != {"application/problem+json": {"$ref": "#/components/schemas/Problem"}}:
                        others.append(f"{operation['operationId']} {status}: {schemas}")
    assert others == []
