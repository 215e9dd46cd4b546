"""Who may direct: for whom a way to the desk is shown. Whether he may is asked again where he goes."""

from collections.abc import Mapping
from typing import Any


def directs(me: Mapping[str, Any] | None, tournament: str) -> bool:
    """``me``: what the API tells somebody of himself; null for nobody in particular."""
    if me is None or me["role"] != "director":
        return False
    scope = me["scope"]
    return scope == "everything" or (scope.get("tournament") == tournament and not {"table", "game"} & set(scope))
