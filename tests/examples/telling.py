"""Sends the story, and writes down what is answered."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from api.http.description.examples import FILE, Step, collect_values, fill_step
from api.http.response import encode
from api.log.checkpoints import BYTES
from tests.evening.asgi import Driver
from tests.evening.book import secret_of
from tests.evening.chance import Chance
from tests.evening.service import opened

_BEGINNING = ("openapi", "info", "servers")
"""What is told of the document in itself."""
_TEXT = 300  # characters of a text; a page is longer
_LONGEST = 40_000


class Named(Chance):
    """Ids and chance follow from the step alone, so that a new step leaves those of the others as they are."""

    def begin(self, number: int, step: Step) -> None:
        self.turn(number)
        self._random = Random(f"{step.operation} {step.name}")


def told(steps: Sequence[Step], folder: Path) -> Iterator[Step]:
    """The steps as a fresh service answers them, one after the other. Raises ``AssertionError`` where it does not answer well."""
    chance, values = Named(), dict[str, str | int]()
    with opened(folder, None, chance, limited=False, players=("ben",)) as service, Driver(service.app, service.settle) as driver:
        addresses = addresses_of(json.loads(driver.ask("GET", "/openapi.json", [], b"")[2]))
        for number, step in enumerate(steps, 1):
            chance.begin(number, step)
            answered = _answered(driver, step, fill_step(step, values), addresses)
            yield answered
            values |= collect_values([answered])


def addresses_of(document: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Method and path by operation."""
    paths = document["paths"].items()
    return {one["operationId"]: (method.upper(), path) for path, methods in paths for method, one in methods.items()}


def target_of(path: str, step: Step) -> str:
    where = path.format(**{name: quote(str(value), safe="/" if name == "place" else "") for name, value in step.asked.path.items()})
    return f"{where}?{urlencode(step.asked.query)}" if step.asked.query else where


def body_of(step: Step) -> bytes:
    body = step.asked.body
    return b"" if body is None else body.encode() if isinstance(body, str) else json.dumps(body, ensure_ascii=False).encode()


def _answered(driver: Driver, step: Step, asked: Step, addresses: dict[str, tuple[str, str]]) -> Step:
    assert step.operation in addresses, f"there is no operation {step.operation} any more: take its steps out of {FILE.name}"
    method, path = addresses[step.operation]
    own = [("host", "localhost"), ("origin", "http://localhost")]  # as from a page of the service
    headers = [*own, ("authorization", f"Bearer {secret_of(step.by)}"), ("content-type", asked.asked.media)]
    status, answered, body = driver.ask(method, target_of(path, asked), headers, body_of(asked))
    assert status < 300, f"{step.operation}, {step.name}: {status} {body.decode()[:1000]}"
    media = next(value for name, value in answered if name == "content-type").partition(";")[0]
    read = json.loads(body) if media.endswith("json") else body.hex() if media == BYTES else body.decode()
    answer = _shortened(step.operation, read)
    assert len(encode(answer)) < _LONGEST, f"{step.operation}, {step.name}: {len(body)} bytes are too long for an example"
    return msgspec.structs.replace(step, status=status, media=media, answer=answer)


def _shortened(operation: str, answer: Any) -> Any:
    """A text to its first lines, and this document to its first members."""
    if operation == "openapi":
        return {name: answer[name] for name in _BEGINNING}
    return answer[:_TEXT].rpartition("\n")[0] + "\n…" if isinstance(answer, str) and len(answer) > _TEXT else answer


def written(steps: Sequence[Step]) -> str:
    """A line for the request of each step, and one for its answer."""
    return "[\n" + ",\n".join(_lines(step) for step in steps) + "\n]\n"


def _lines(step: Step) -> str:
    told = msgspec.to_builtins(step)
    head = json.dumps({key: told[key] for key in ("operation", "name", "by", "asked", "makes") if key in told}, ensure_ascii=False)
    tail = json.dumps({key: value for key, value in told.items() if key in ("status", "media", "answer")}, ensure_ascii=False)
    return f"{head[:-1]},\n {tail[1:]}"


def renew(folder: Path) -> bool:
    """Whether anything was answered otherwise than it stood there."""
    before = FILE.read_text(encoding="utf-8")
    after = written(list(told(msgspec.json.decode(before, type=list[Step]), folder)))
    FILE.write_text(after, encoding="utf-8")
    return after != before
