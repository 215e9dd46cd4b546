"""Compares the transcripts of two evenings: every byte, but for the names and descriptions of schemas in what describes the API."""

import json
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias

from tests.evening.described import Described

Line = dict[str, Any]
Rows: TypeAlias = dict[str, list[Line]]

_WIDEST = 1000  # characters of a line that are shown


def lines_of(file: Path) -> Iterator[Line]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def differences(before: Iterable[Line], after: Iterable[Line], described: Described) -> Iterator[tuple[str, list[str]]]:
    """Each line that differs: what it is, and how, as a unified diff. What describes the API is put aside in ``described``."""
    rows: tuple[Rows, Rows] = {}, {}
    nothing: Line = {}
    for old, new in zip_longest(asked(before, rows[0]), asked(after, rows[1]), fillvalue=nothing):
        if old == new:
            continue
        if is_described(old) and old["target"] == new.get("target"):
            old, new = described.put_aside(old, new)
        if old != new:
            yield named(old or new), _diff(_pretty(old), _pretty(new))
    for table in sorted({*rows[0], *rows[1]}):
        left, right = ([json.dumps(row, ensure_ascii=False) for row in of.get(table, ())] for of in rows)
        if left != right:
            yield f"stored in {table}", _diff(left, right)


def asked(lines: Iterable[Line], rows: Rows) -> Iterator[Line]:
    """The exchanges; what is stored comes into ``rows``, by table."""
    for line in lines:
        if "table" in line:
            rows.setdefault(line["table"], []).append(line["row"])
        else:
            yield line


def is_described(line: Line) -> bool:
    target = str(line.get("target", ""))
    return target == "/openapi.json" or (target.startswith("/docs") and target != "/docs/verifier")


def named(line: Line) -> str:
    return f"{line['n']}: {line['role']} {line['method']} {line['target']}"


def _diff(left: list[str], right: list[str]) -> list[str]:
    return [line[:_WIDEST] for line in unified_diff(left, right, "before", "after", lineterm="", n=2)]


def _pretty(line: Line) -> list[str]:
    """One value a line, JSON inside of JSON as well."""
    return json.dumps({key: _opened(value) for key, value in line.items()}, ensure_ascii=False, indent=1).splitlines()


def _opened(value: Any) -> Any:
    if not isinstance(value, str):
        return {key: _opened(one) for key, one in value.items()} if isinstance(value, dict) else value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value.splitlines() if "\n" in value else value
