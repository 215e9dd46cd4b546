"""Join codes that the desk offers: for whom, and for how long each may be good."""

from collections.abc import Iterator, Sequence
from typing import get_args

from msgspec import Struct

from api.http.tokens import Role
from api.pages.directing.evening import Evening
from api.sessions.devices import DEVICES
from api.sessions.requests import GoodFor
from domain.texts import Texts

_ROLES: Sequence[Role] = sorted((role for role in get_args(Role) if role != "player"), key="director".__eq__)
"""Directors stand last, so that no code is for one unless that was chosen. Players are named one by one."""


class CodeKind(Struct, frozen=True):
    """``value``: of the form; a table or a player is named after a colon. ``good_for``: what may be chosen, the usual one first."""

    value: str
    label: str
    good_for: tuple[GoodFor, ...]


def code_kinds(evening: Evening, said: Texts) -> list[CodeKind]:
    """Return what the form offers. Once the tournament is over, nobody records."""
    tables = [] if evening.is_over or not evening.round else [str(one["table"]) for one in evening.round["tables"]]
    kinds = [CodeKind("tables", said["code.tables"], _good_for("recorder"))] if tables else []
    kinds += [CodeKind(f"table:{table}", said["code.table"].format(table=table), _good_for("recorder")) for table in tables]
    kinds += [CodeKind(role, said[f"code.{role}"], _good_for(role)) for role in _ROLES if role != "recorder" or not evening.is_over]
    kinds.append(CodeKind("players", said["code.players"], _good_for("player")))
    return kinds + [CodeKind(f"player:{id}", name, _good_for("player")) for id, name in _players(evening)]


def _good_for(role: Role) -> tuple[GoodFor, ...]:
    """A code for viewers is for as many as come; one for ten minutes is for one."""
    if role not in DEVICES:
        return ("screen",)
    return ("tournament",) if DEVICES[role] is None else ("tournament", "screen")


def _players(evening: Evening) -> Iterator[tuple[str, str]]:
    for one in evening.entrants:
        yield from zip(one["players"], one["shown"], strict=True)
