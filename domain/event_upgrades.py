"""Upcasts of events of older versions: ``name -> (newer name, function of the decoded JSON object)``.

An upcast takes the event's body as plain JSON, before any Struct is built, and returns the body of the newer version. Stored bytes are
never rewritten. Chains run until a name has no upcast. There is no older version yet.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

PlainBody: TypeAlias = dict[str, Any]
Upcast: TypeAlias = tuple[str, Callable[[PlainBody], PlainBody]]

UPCASTS: Mapping[str, Upcast] = {}
"""For example ``{"move.played/1": ("move.played/2", lambda body: {**body, "clock": None})}``."""


def upgrade_event(name: str, body: PlainBody, upcasts: Mapping[str, Upcast]) -> tuple[str, PlainBody]:
    """Return the newest name and body of an event that was stored as ``name``."""
    while name in upcasts:
        name, newer = upcasts[name]
        body = newer(body)
    return name, body
