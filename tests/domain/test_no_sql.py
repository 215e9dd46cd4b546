"""The domain says what it wants of a store, and no store how to get it."""

import ast
import re
from pathlib import Path

import domain

SQL = re.compile(r"\b(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE|PRAGMA)\b")


def test_no_statement_stands_in_the_domain():
    found = [
        f"{path.name}:{node.lineno}"
        for path in Path(domain.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value)
    ]
    assert found == []
