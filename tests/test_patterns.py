"""Misleading `match` patterns: `{}` matches every dictionary, not only an empty one. And comments that switch the check of types off."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def every_mapping(source: str) -> list[int]:
    """Return the lines with the pattern ``{}``, which looks like an empty dictionary and matches every one."""
    if "{}" not in source or "case " not in source:
        return []
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.MatchMapping))
    return [node.lineno for node in found if not node.keys and node.rest is None]


def sources() -> list[tuple[str, str]]:
    folders = ("domain", "replay", "projections", "api", "deploy", "tests")
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]
    assert len(files) > 400
    return [(str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")) for file in files]


def test_no_pattern_takes_every_dictionary_for_an_empty_one():
    assert [f"{name}:{line}" for name, source in sources() for line in every_mapping(source)] == []


def test_who_ignores_a_finding_of_the_types_names_its_kind():
    assert [name for name, source in sources() if re.search(r"# pyrefly:\s*ignore(?!\[)", source)] == []


def test_such_a_pattern_is_found():
    source = (
        "match value:\n    case None | []:\n        pass\n    case '' | {}:\n        pass\n    case {'a': 1} | {**rest}:\n        pass\n"
    )
    assert every_mapping(source) == [4]
