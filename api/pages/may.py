"""Permissions on pages: for whom a link to act is shown. They are decided by the roles and scopes with which the API authorizes requests;
whoever follows such a link is authorized there again.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from api.common.grants import read_scope
from api.http.tokens import ROLES_FOR, Need
from domain.access.scopes import Place, covers

_GOES_ON = ("open", "suspended")


def may(me: Mapping[str, Any] | None, need: Need, place: Place) -> bool:
    """``me``: what the API tells somebody of himself (``GET /v1/me``); None for nobody in particular."""
    return me is not None and me["role"] in ROLES_FOR[need] and covers(read_scope(me["scope"]), place)


def may_record(me: Mapping[str, Any] | None, game: Mapping[str, Any]) -> bool:
    """Whether somebody may record this game, which has to go on. ``game``: as the API tells it, in short or in a list."""
    return not game["finished"] and game["standing"] in _GOES_ON and may(me, "recorder", place_of(game))


def place_of(game: Mapping[str, Any]) -> Place:
    return Place(game["tournament"], game["round"], game["table"], UUID(game["id"]))
