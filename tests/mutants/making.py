"""Makes mutants: one change of one expression each, drawn by a seed and spread over all folders of the product."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import NamedTuple

FOLDERS = ("domain", "projections", "replay", "api", "deploy")
LEFT_OUT = ("deploy/demo/", "deploy/system/log_lines.py", "domain/texts/", "api/http/description/")
"""Left out: texts, logs, the demo, and the description, which ``./run contract`` holds against the service."""
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
UNSEEN = {"Annotated", "Meta", "Literal", "TypeVar", "overload", "cast", "wraps", "print", "say", "sentence"}
"""Calls and types of which no test can, or should, see a change."""
LOGGING = {"debug", "info", "warning", "error", "exception"}


class Mutant(NamedTuple):
    """``before`` is the text at the place (offsets in bytes, as ``ast`` counts), ``after`` what stands there instead."""

    file: str
    line: int
    start: int
    end: int
    before: str
    after: str
    source: str
    """The whole line."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before} -> {self.after}"

    @property
    def key(self) -> str:
        """The same for the same fault, wherever its line moves to."""
        return f"{self.file}: {self.source}: {self.before} -> {self.after}"

    def apply_to(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]


def draw_mutants(root: Path, count: int, seed: int) -> list[Mutant]:
    """Return the same mutants for the same tree and seed. Folders take turns, so that small ones are covered, too."""
    chance, by_folder = Random(seed), defaultdict[str, list[Mutant]](list)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            file = str(path.relative_to(root))
            if not file.startswith(LEFT_OUT):
                by_folder["/".join(Path(file).parts[:-1][:3])] += list_mutants(file, path.read_bytes())
    for found in by_folder.values():
        chance.shuffle(found)
    rounds = zip_longest(*chance.sample(list(by_folder.values()), len(by_folder)))
    return [mutant for one in rounds for mutant in one if mutant][:count]


def list_mutants(file: str, source: bytes) -> Iterator[Mutant]:
    lines, starts = source.splitlines(keepends=True), [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for node in _walk_nodes(ast.parse(source)):
        if (after := _mutate(node)) is not None:
            start, end = starts[node.lineno - 1] + node.col_offset, starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            before = source[start:end].decode()
            if "\n" not in before:
                yield Mutant(file, node.lineno, start, end, before, after, lines[node.lineno - 1].decode().strip())


def _walk_nodes(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Yield all that runs, without annotations, decorators and texts."""
    for name, field in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in field if isinstance(field, list) else [field]:
            if isinstance(child, ast.AST) and not _is_unseen(child):
                if isinstance(child, ast.expr | ast.stmt):
                    yield child
                yield from _walk_nodes(child)


def _is_unseen(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr() | ast.Assert():
            return True
        case ast.Subscript(value=ast.Name(id=name)) | ast.Call(func=ast.Name(id=name)):
            return name in UNSEEN
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)):
            return name in LOGGING and "LOG" in owner.upper()
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
    return False


def _mutate(node: ast.expr | ast.stmt) -> str | None:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=others):
            return ast.unparse(ast.Compare(left, [SWAPPED[type(op)]()], others))  # pyrefly: ignore[bad-argument-type]
        case ast.BoolOp(op=op, values=values):
            return f"({ast.unparse(ast.BoolOp(SWAPPED[type(op)](), values))})"  # pyrefly: ignore[bad-argument-type]
        case ast.BinOp(op=ast.Add() | ast.Sub() as op, left=left, right=right) if not isinstance(right, ast.Constant):
            return f"({ast.unparse(ast.BinOp(left, SWAPPED[type(op)](), right))})"  # pyrefly: ignore[bad-argument-type]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"({ast.unparse(operand)})"
        case ast.Constant(value=bool() as value):
            return str(not value)
        case ast.Constant(value=int() as value):
            return str(value + 1)
        case ast.Expr(value=ast.Call() as call) if not _is_unseen(call):
            return "pass"
    return None
