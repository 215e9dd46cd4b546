"""Options and moves of the games as schemas of the document, by the names of the rulesets. Decoding them stays with the rulebooks.

A game describes its own (``GET /v1/rulesets/{key}``). Here each of its types gets the name of the game before its own, as
``CasinoTrail``; ``CasinoMove`` is any move of Casino, ``Move`` any move at all, ``Options`` the options of any game.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from api.http.description.shapes import REF, told
from domain.rules import Rulesets

Schemas = Mapping[str, Any]
_DEFS = "#/$defs/"


def schemas_of_games(rulesets: Rulesets) -> dict[str, Any]:
    described = {_called(key): ruleset.about() for key, ruleset in rulesets.items()}
    types = {
        name: one for game, about in described.items() for name, one in (_types(game, about.moves) | _types(game, about.options)).items()
    }
    moves = {game: _alternatives(game, about.moves) for game, about in described.items()}
    options = [name for game in described if (name := f"{game}Options") in types]
    return {
        **types,
        **{f"{game}Move": _move_of(game, names, types) for game, names in moves.items() if names},
        "Move": _any_of("Move", "a move, by the ruleset and its `type`", _longest_first(moves, types)),
        "Options": _any_of("Options", "options, by the ruleset; what is left out has its default", options),
    }


def _called(key: str) -> str:
    """``quartett-trumpf`` as ``QuartettTrumpf``."""
    return "".join(part.capitalize() for part in key.split("-"))


def _types(game: str, schema: Schemas) -> dict[str, Any]:
    defs = schema.get("$defs", {}).items()
    return {f"{game}{name}": {**told(_renamed(one, game)), "title": f"{game}{name}"} for name, one in defs}


def _renamed(value: Any, game: str) -> Any:
    """With references to the types under their new names, and a type of one value as that value."""
    match value:
        case {"$ref": str(ref)} if ref.startswith(_DEFS):
            return {**value, "$ref": REF.format(name=game + ref.removeprefix(_DEFS))}
        case {"enum": [str(alone)], **rest}:
            return {**rest, "const": alone}
        case dict():
            return {key: _renamed(one, game) for key, one in value.items()}
        case list():
            return [_renamed(one, game) for one in value]
        case _:
            return value


def _alternatives(game: str, moves: Schemas) -> list[str]:
    """The types of the moves, by their new names; none where a game does not describe them."""
    found = moves.get("anyOf") or [moves]
    return [game + one["$ref"].removeprefix(_DEFS) for one in found if "$ref" in one]


def _move_of(game: str, names: Iterable[str], types: Schemas) -> dict[str, Any]:
    refs = {types[name]["properties"]["type"]["const"]: REF.format(name=name) for name in names}
    found = [{"$ref": ref} for ref in refs.values()]
    return {
        "title": f"{game}Move",
        "description": f"a move of {game}",
        "oneOf": found,
        "discriminator": {"propertyName": "type", "mapping": refs},
    }


def _longest_first(moves: Mapping[str, list[str]], types: Schemas) -> list[str]:
    """Moves of two games may have the same type. A reader that takes the first that fits must not take one for a shorter one."""
    return sorted((name for names in moves.values() for name in names), key=lambda name: -len(types[name]["required"]))


def _any_of(title: str, says: str, names: Iterable[str]) -> dict[str, Any]:
    return {"title": title, "description": says, "anyOf": [{"$ref": REF.format(name=name)} for name in names]}
