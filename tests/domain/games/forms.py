"""What the schemas of a game allow, beside what the game itself takes."""

from collections.abc import Callable, Mapping
from typing import Any

import jsonschema_rs

from domain.errors import Refused
from domain.rules import Ruleset


def fits(schema: Mapping[str, Any], value: object) -> bool:
    return jsonschema_rs.Draft202012Validator(dict(schema)).is_valid(value)


def binds(ruleset: Ruleset, options: object, seats: int) -> bool:
    """Whether the game can be set up like this."""
    try:
        ruleset.bind(options, seats)
    except Refused:
        return False
    return True


def readable(judge: Callable[[Any], object], move: object) -> bool:
    """Whether the move is of the right form; the rules may still refuse it."""
    try:
        judge(move)
    except Refused as refused:
        return refused.code not in ("malformed_move", "unknown_move")
    return True
