"""What schemathesis asks of us while it runs: which of its findings are none, and what it had better not draw."""

import json
import os
from typing import Any

import schemathesis
from schemathesis.core.failures import Failure

from tests.contract.exceptions import Unheld, exceptions

OURS = "KIEBITZ_CONTRACT_KEYS"
"""The ids of the keys by which it asks, in the environment."""
LONGEST_WAIT = 0
"""Seconds: who waits for news while nobody else does anything, waits in vain."""
NOWHERE = "https://nobody.invalid/"
"""Where nobody is (RFC 2606)."""
_UNHELD = exceptions().asked
_KEYS = tuple(filter(None, os.environ.get(OURS, "").split(",")))


@schemathesis.hook
def filter_failure(context: schemathesis.HookContext, failure: Failure, case: schemathesis.Case, response: schemathesis.Response) -> bool:
    return not any(_speaks_of(one, failure, case, response) for one in _UNHELD)


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """The keys by which it asks are neither taken back nor exchanged: its links would lead it there. Nothing is sent to hosts that it makes
    up. A stream is read as far as it has come: it never ends."""
    if case.path_parameters and str(case.path_parameters.get("token")) in _KEYS:
        case.path_parameters["token"] = "a-key-of-ours"
    if isinstance(case.body, dict) and str(case.body.get("url")).startswith("https://"):
        case.body["url"] = NOWHERE
    if case.path.endswith("/stream") and str((case.query or {}).get("follow", True)).lower() == "true":
        case.query = {**(case.query or {}), "follow": "false"}


@schemathesis.hook
def filter_query(context: schemathesis.HookContext, query: dict[str, Any] | None) -> bool:
    wait = (query or {}).get("wait")
    return not str(wait).isdecimal() or int(str(wait)) <= LONGEST_WAIT


def _speaks_of(one: Unheld, failure: Failure, case: schemathesis.Case, response: schemathesis.Response) -> bool:
    id = (case.operation.definition.raw or {}).get("operationId")
    return one.check in failure.checks and (not one.operations or id in one.operations) and _answered(one, response)


def _answered(one: Unheld, response: schemathesis.Response) -> bool:
    media = (response.headers.get("content-type") or [""])[0].partition(";")[0]
    return bool({str(response.status_code), media, _code(response)} & set(one.answered))


def _code(response: schemathesis.Response) -> str:
    """Of a problem; of anything else none."""
    try:
        told = json.loads(response.content)
    except ValueError:
        return ""
    return str(told.get("code", "")) if isinstance(told, dict) else ""


@schemathesis.serializer("application/x-ndjson")
def as_lines(context: schemathesis.SerializationContext, value: Any) -> Any:
    """A list of lines, or a file as it stands."""
    return value if isinstance(value, (bytes, str)) else b"\n".join(json.dumps(line).encode() for line in value)
