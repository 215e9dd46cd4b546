"""Examples of the OpenAPI document: one story that contains a request and a response of every operation and can be sent in order.

``examples.json`` holds it. Its requests were written by a person, its responses by a running service (``python -m tests.examples``). Values
that the service makes, like the id of a game or a position, are named by the step that returns them (``makes``); later steps write them as
``{name}``.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from api.http.media_types import JSON

FILE = Path(__file__).with_suffix(".json")

Values = Mapping[str, str | int]
_NAME = re.compile(r"\{([a-z]+)\}")


class Asked(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A request. ``media`` is the media type of the body."""

    path: dict[str, str | int] = {}
    query: dict[str, str | int] = {}
    media: str = JSON
    body: Any = None


class Step(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One request with its response.

    ``makes``: names for values in the response, by JSON pointer. ``media`` is the media type of the response. ``by``: the caller, a
    director or the player ``ben``.
    """

    operation: str
    name: str
    asked: Asked
    makes: dict[str, str] = {}
    by: str = "director"
    status: int = 0
    media: str = JSON
    answer: Any = None


@cache
def load_steps() -> tuple[Step, ...]:
    return msgspec.json.decode(FILE.read_bytes(), type=tuple[Step, ...])


def order(operation: str) -> int:
    """Return the place of an operation in the story; the end of the story where it does not occur."""
    steps = load_steps()
    return next((place for place, step in enumerate(steps) if step.operation == operation), len(steps))


@cache
def steps_of(operation: str) -> Sequence[Step]:
    """Return the steps of an operation, with the values that were made up to then."""
    values = collect_values(load_steps())
    return [fill_step(step, values) for step in load_steps() if step.operation == operation]


def collect_values(steps: Sequence[Step]) -> dict[str, str | int]:
    return {name: found_at(step.answer, pointer) for step in steps for name, pointer in step.makes.items()}


def found_at(value: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer (RFC 6901, without escapes)."""
    for part in pointer.split("/")[1:]:
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def fill_step(step: Step, values: Values) -> Step:
    """Return the step with values for the names in its request."""
    asked = step.asked
    return msgspec.structs.replace(
        step, asked=Asked(_fill(asked.path, values), _fill(asked.query, values), asked.media, _fill(asked.body, values))
    )


def _fill(value: Any, values: Values) -> Any:
    match value:
        case str() if value[1:-1] in values and value == f"{{{value[1:-1]}}}":
            return values[value[1:-1]]
        case str():
            return _NAME.sub(lambda name: str(values.get(name[1], name[0])), value)
        case dict():
            return {key: _fill(one, values) for key, one in value.items()}
        case list():
            return [_fill(one, values) for one in value]
        case _:
            return value


def of_parameter(steps: Sequence[Step], where: str, name: str) -> dict[str, Any]:
    """Return the examples of a parameter of path or query, by the steps that give it."""
    given = [(step.name, getattr(step.asked, where, {})) for step in steps]
    return {example: {"value": values[name]} for example, values in given if name in values}


def of_body(steps: Sequence[Step], media: str) -> dict[str, Any]:
    return {step.name: {"value": step.asked.body} for step in steps if step.asked.body is not None and step.asked.media == media}


def examples_of_response(steps: Sequence[Step], status: int, media: str) -> dict[str, Any]:
    return {step.name: {"value": _shorten_schemas(step.answer)} for step in steps if step.status == status and step.media == media}


def _shorten_schemas(value: Any) -> Any:
    """Return the value with each JSON Schema in it as one of any object: tools resolve every ``$ref`` against the document."""
    match value:
        case {"$defs": _}:
            return {"type": "object"}
        case dict():
            return {key: _shorten_schemas(one) for key, one in value.items()}
        case list():
            return [_shorten_schemas(one) for one in value]
        case _:
            return value
