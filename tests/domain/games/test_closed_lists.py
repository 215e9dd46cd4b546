"""The lists that a game is in, and those that it keeps, lack nothing and hold nothing that is not there."""

import ast
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import domain
import domain.games
from domain.binding import GameRules
from domain.games import EDITIONS, RULESETS

SOURCE = Path(domain.__file__).parent
GAMES: list[GameRules[Any, Any, Any]] = [ruleset for ruleset in RULESETS.values() if isinstance(ruleset, GameRules)]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def test_every_folder_with_rules_is_among_the_games():
    folders = {f"domain.games.{page.parent.name}" for page in (SOURCE / "games").glob("*/RULES.md")}
    assert folders == {game.package for game in GAMES}


def test_every_ruleset_and_every_edition_is_what_it_is_called():
    assert {key: ruleset.key for key, ruleset in RULESETS.items()} == {key: key for key in RULESETS}
    assert {called: (ruleset.key, ruleset.edition) for called, ruleset in EDITIONS.items()} == {called: called for called in EDITIONS}
    assert len([*EDITIONS]) == len(EDITIONS)


def test_an_edition_that_is_not_kept_is_not_there():
    assert ("casino", 99) not in EDITIONS
    assert ("chess", 1) not in EDITIONS


@every_game
def test_every_refusal_of_a_game_is_in_its_table_of_codes_with_its_rules(game: GameRules[Any, Any, Any]):  # COM-27
    missing = [(code, rules) for code, rules in refusals(game) if not rules <= set(game.codes.get(code, ()))]
    assert missing == []


@every_game
def test_every_code_of_the_table_is_refused_with_somewhere(game: GameRules[Any, Any, Any]):
    shared = {code for code, _ in shared_refusals()}
    assert set(game.codes) - shared - {code for code, _ in refusals(game)} == set()


def shared_refusals() -> Iterator[tuple[str, set[str]]]:
    for source in (SOURCE / "checks.py", *sorted((SOURCE / "unknown_cards").glob("*.py")), SOURCE / "reporting.py"):
        yield from written(source, "refusal", 1)


def refusals(game: GameRules[Any, Any, Any]) -> Iterator[tuple[str, set[str]]]:
    """The codes and rules that stand in the game's own modules, where they are written out."""
    for source in sorted(Path(str(files(import_module(game.settle.__module__).__package__ or ""))).glob("*.py")):
        yield from written(source, "Refused", 0)


def written(source: Path, name: str, place: int) -> Iterator[tuple[str, set[str]]]:
    """The calls of a function whose code, at this place of the arguments, is a literal; with the rules that are literals, too."""
    for call in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == name:
            code, *rules = [argument.value if isinstance(argument, ast.Constant) else None for argument in call.args[place:]]
            if isinstance(code, str):
                yield code, {str(rule) for rule in rules if rule is not None}
