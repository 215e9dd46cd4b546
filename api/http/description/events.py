"""Event bodies and webhook messages of the OpenAPI document, by the names of the events."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from api.http.description.shapes import REF, simplify_schema
from api.http.media_types import JSON
from api.http.operations import ABOUT_EVENT
from domain.events import NAMES
from domain.events.base import TextRef

LOOKUP = "EventBodies"
"""The component that holds the schema of each body under the name of its event: a lookup table for clients."""
_TEXT = {"$ref": REF.format(name=TextRef.__name__)}
TAG = "Messages"
TAG_SAYS = (
    "messages to the addresses of webhooks, one about each event. Headers: `webhook-id` is the same in every attempt, `webhook-timestamp` "
    "are the seconds since 1970, `webhook-signature` is verified as in the Standard Webhooks specification"
)
"""The headers stand here and not as parameters, of which openapi-generator makes a client that does not compile."""
_TAKEN = "received and stored; any other status is a failure, and the message comes again"
_GONE = "no more messages are wanted: the webhook is disabled"


def schemas_of_events() -> dict[str, Any]:
    """Return the schemas of all event bodies, of what they consist of, and of ``LOOKUP``."""
    _, found = msgspec.json.schema_components(list(NAMES), ref_template=REF)
    schemas = {name: _allow_more(simplify_schema(schema)) for name, schema in found.items()}
    fields = {name: {"$ref": REF.format(name=kind.__name__)} for kind, name in NAMES.items()}
    described = "the body of each event, by the `name` of the event; no answer has this shape"
    return {**schemas, LOOKUP: {"title": LOOKUP, "description": described, "type": "object", "properties": fields}}


def _allow_more(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema as readers get it: fields may be added, and a text may be hidden from them."""
    fields = {name: {"anyOf": [one, {"type": "null"}]} if one == _TEXT else one for name, one in schema.get("properties", {}).items()}
    rest = {key: value for key, value in schema.items() if key != "additionalProperties"}
    return {**rest, "properties": fields} if fields else rest


def webhooks(messages: Mapping[str, type[Struct]]) -> Iterator[tuple[str, Any]]:
    """Yield what the service sends, by the type of the message. One about an event has ``type`` and ``data.event.body``."""
    for name, message in messages.items():
        schema = {"$ref": REF.format(name=message.__name__)}
        if name != ABOUT_EVENT:
            yield name, _describe_message(name, schema)
            continue
        for type_, body in sorted(_body_by_type().items()):
            narrowed = _narrow({"type": {"const": type_}, "data": _narrow({"event": _narrow({"body": body})})})
            yield type_, _describe_message(type_, {"allOf": [schema, narrowed]})


def _body_by_type() -> dict[str, Any]:
    """Return the schema of the body by the name of the event without its version."""
    found: dict[str, list[Any]] = {}
    for kind, name in NAMES.items():
        found.setdefault(name.partition("/")[0], []).append({"$ref": REF.format(name=kind.__name__)})
    return {name: kinds[0] if len(kinds) == 1 else {"anyOf": kinds} for name, kinds in found.items()}


def _describe_message(type_: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "post": {
            "operationId": "on_" + type_.replace(".", "_"),
            "tags": [TAG],
            "summary": f"Receive `{type_}`",
            "description": "A signed message, as the webhook may see it.",
            "requestBody": {"required": True, "content": {JSON: {"schema": schema}}},
            "responses": {"204": {"description": _TAKEN}, "410": {"description": _GONE}},
            "security": [],
            "x-internal": True,  # openapi-generator would make calls of them, which do not even compile
        }
    }


def _narrow(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields}
