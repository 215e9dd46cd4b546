"""What schemathesis asks of us while it runs: which of its findings are none, and what it had better not draw."""

import atexit
import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.generation.meta import TestPhase

from tests.contract.exceptions import Unheld, exceptions

OURS = "KIEBITZ_CONTRACT_KEYS"
"""The ids of the keys by which it asks, in the environment."""
NAMES = "KIEBITZ_CONTRACT_NAMES"
"""What this house calls otherwise than others, and how the examples call it: an object of JSON, in the environment."""
TOLD = "KIEBITZ_CONTRACT_TOLD"
"""The file for the digest of all requests, in the environment: the same where the same was asked, in any house."""
SHARE = "KIEBITZ_CONTRACT_SHARE"
"""Of the edges of all forms one in so many is asked, and the seed by which it is drawn; in the environment, with a blank between."""
LONGEST_WAIT = 0
"""Seconds: who waits for news while nobody else does anything, waits in vain."""
NOWHERE = "https://nobody.invalid/"
"""Where nobody is (RFC 2606)."""
_UNHELD = exceptions().asked
_KEYS = tuple(filter(None, os.environ.get(OURS, "").split(",")))
_NAMES: dict[str, str] = json.loads(os.environ.get(NAMES, "{}"))
_OF_THE_CALLER = ("authorization", "origin", "user-agent", "x-schemathesis-testcaseid")
_SHARE, _, _SEED = os.environ.get(SHARE, "1 1").partition(" ")
_REQUESTS = sha256()


@atexit.register
def tell_requests() -> None:
    if TOLD in os.environ:
        Path(os.environ[TOLD]).write_text(_REQUESTS.hexdigest()[:16])


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
    if case.path == "/v1/streams" and isinstance(case.body, dict) and isinstance(case.body.get("topics"), list):
        case.body["topics"] = [_ended(one) for one in case.body["topics"]]
    _REQUESTS.update(_written(case))


def _ended(topic: Any) -> Any:
    """The topic with a stream that ends by itself."""
    if not isinstance(topic, dict) or not isinstance(topic.get("stream"), str):
        return topic
    path = topic["stream"].partition("?")[0]
    return {**topic, "stream": f"{path}?{'follow=false' if path.endswith('/stream') else 'as_of=1'}"}


@schemathesis.hook
def filter_case(context: schemathesis.HookContext, case: schemathesis.Case) -> bool:
    """Its edges are so many that they take minutes."""
    phase = case.meta.phase.name if case.meta else None
    return phase != TestPhase.COVERAGE or _drawn(case)


def _drawn(case: schemathesis.Case) -> bool:
    return int.from_bytes(sha256(_SEED.encode() + _written(case)).digest()[:4]) % int(_SHARE) == 0


@schemathesis.hook
def filter_query(context: schemathesis.HookContext, query: dict[str, Any] | None) -> bool:
    wait = (query or {}).get("wait")
    return not str(wait).isdecimal() or int(str(wait)) <= LONGEST_WAIT


def _written(case: schemathesis.Case) -> bytes:
    """The request, the same in every house."""
    headers = sorted((name, value) for name, value in (case.headers or {}).items() if name.lower() not in _OF_THE_CALLER)
    body = case.body if isinstance(case.body, (dict, list, str, bytes, int, float, bool)) else None
    written = repr((case.method, case.path, case.path_parameters, case.query, headers, case.cookies, body, case.media_type))
    for ours, there in _NAMES.items():
        written = written.replace(ours, there)
    return written.encode(errors="backslashreplace")


def _speaks_of(one: Unheld, failure: Failure, case: schemathesis.Case, response: schemathesis.Response) -> bool:
    id = (case.operation.definition.raw or {}).get("operationId")
    return one.check in failure.checks and (not one.operations or id in one.operations) and _answered(one, response)


def _answered(one: Unheld, response: schemathesis.Response) -> bool:
    media = (response.headers.get("content-type") or [""])[0].partition(";")[0]
    return bool({str(response.status_code), media, *_said(response)} & set(one.answered))


def _said(response: schemathesis.Response) -> set[str]:
    """The code of a problem, and ``illegal`` of a verdict that a move, or the last of some, is not legal."""
    try:
        told = json.loads(response.content)
    except ValueError:
        return set()
    if not isinstance(told, dict):
        return set()
    verdict = (told.get("moves") or [told])[-1]
    return {str(told.get("code", "")), *(["illegal"] if isinstance(verdict, dict) and verdict.get("legal") is False else [])}


@schemathesis.serializer("application/x-ndjson")
def as_lines(context: schemathesis.SerializationContext, value: Any) -> Any:
    """A list of lines, or a file as it stands."""
    return value if isinstance(value, (bytes, str)) else b"\n".join(json.dumps(line).encode() for line in value)
