"""Misleading `match` patterns: `{}` matches every dictionary, not only an empty one."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent


def every_mapping(source: str) -> list[int]:
    """Return the lines with the pattern ``{}``, which looks like an empty dictionary and matches every one."""
    if "{}" not in source or "case " not in source:
        return []
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.MatchMapping))
    return [node.lineno for node in found if not node.keys and node.rest is None]


def test_no_pattern_takes_every_dictionary_for_an_empty_one():
    folders = ("domain", "replay", "projections", "api", "deploy", "tests")
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]
    assert len(files) > 400
    assert [f"{file.relative_to(ROOT)}:{line}" for file in files for line in every_mapping(file.read_text(encoding="utf-8"))] == []


def test_such_a_pattern_is_found():
    source = (
        "match value:\n    case None | []:\n        pass\n    case '' | {}:\n        pass\n    case {'a': 1} | {**rest}:\n        pass\n"
    )
    assert every_mapping(source) == [4]
