"""All laws that a random game of a ruleset is held against, those too that have to know something of the game."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import jsonschema_rs
import msgspec

from domain.games import RULESETS
from tests import laws
from tests.domain.games.setups import TRIED
from tests.laws import AT_A_GLANCE, LAWS, Breaches, Playout


def hidden_columns(playout: Playout) -> Breaches:
    return laws.a_view_hides_what_the_specification_says(playout, TRIED[playout.ruleset.key]().hidden)


def moves_follow_their_schema(playout: Playout) -> Breaches:
    return laws.moves_follow_their_schema(playout, _accepts(playout.ruleset.key))


@cache
def _accepts(key: str) -> Callable[[object], bool]:
    validator = jsonschema_rs.Draft202012Validator(RULESETS[key].about().moves)
    return lambda move: validator.is_valid(as_json(move))


def options_follow_their_schema(playout: Playout) -> Breaches:
    schema = jsonschema_rs.Draft202012Validator(playout.ruleset.about().options)
    return (error.message for error in schema.iter_errors(as_json(playout.rulebook.setup.options)))


def as_json(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


EVERY_LAW = (*LAWS, hidden_columns, moves_follow_their_schema, options_follow_their_schema)
QUICK_LAWS = (*AT_A_GLANCE, moves_follow_their_schema, options_follow_their_schema)


def breaches(playout: Playout, held: Sequence[Callable[[Playout], Breaches]] = EVERY_LAW) -> Iterator[str]:
    """Each with the law that it breaks."""
    return (f"{law.__name__}: {breach}" for law in held for breach in law(playout))
