"""A search for the field's words finds the right file first: by file name, then first sentence of the module, then definitions."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGES = ("domain", "api", "projections", "replay", "deploy")
RIGHT = 22  # of 24
_DEFINITIONS = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    name: str
    sentence: str
    definitions: Sequence[str]


def spaced(name: str) -> str:
    """``RateLimiter`` and ``rate_limiter`` as "rate limiter"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").lower()


@cache
def modules() -> dict[str, Module]:
    return dict(_modules())


def _modules() -> Iterator[tuple[str, Module]]:
    for package in PACKAGES:
        for path in sorted(
            {*(ROOT / package).rglob("*.py")} - {*(ROOT / "deploy" / "client").rglob("*.py")}
        ):  # that is a product of its own
            tree = ast.parse(path.read_text(encoding="utf-8"))
            sentence, *_ = re.split(r"\.\s|\n\n", ast.get_docstring(tree) or "")
            names = [spaced(node.name) for node in ast.walk(tree) if isinstance(node, _DEFINITIONS)]
            yield path.relative_to(ROOT).as_posix(), Module(spaced(path.stem), " ".join(sentence.lower().split()), names)


def rank(word: str, searched: Mapping[str, Module]) -> list[str]:
    """The files that come first for a word: one, unless there is a tie, and none where no file has it."""
    word = word.lower()
    found = {
        path: (word in module.name, word in module.sentence, sum(word in name for name in module.definitions))
        for path, module in searched.items()
    }
    best = max(found.values())
    return [path for path, score in found.items() if score == best and any(score)]


def test_the_right_file_comes_first_for_the_words_of_the_field():
    right = tomllib.loads((ROOT / "tests" / "searches.toml").read_text(encoding="utf-8"))
    missed = {word: found for word, path in right.items() if (found := rank(word, modules())) != [path]}
    assert len(right) - len(missed) >= RIGHT, missed


def test_a_tie_is_no_hit_and_a_word_that_nobody_uses_has_none():
    alike = Module("limits", "rate limit of a client", [])
    assert rank("rate limit", {"a.py": alike, "b.py": alike}) == ["a.py", "b.py"]
    assert rank("pagination", {"a.py": alike}) == []
