"""Links from an answer that tells of something new to what can be read of it, found by the names in the paths."""

from collections.abc import Iterable, Iterator
from typing import Any

from api.http.operations import Content, Operation

Route = tuple[str, str, Operation]
"""Path, method, what it says."""


def links(path: str, content: Content, routes: Iterable[Route]) -> dict[str, Any]:
    """To every read whose path is made of what the answer creates, and of names in the path of the request."""
    if not content.creates:
        return {}
    own = {name: f"$request.path.{name}" for name in names_in(path)}
    known = {**own, **{name: f"$response.body#{pointer}" for name, pointer in content.creates.items()}}
    return {id: {"operationId": id, "parameters": given, "description": says} for id, says, given in _reads(content, known, routes)}


def _reads(content: Content, known: dict[str, str], routes: Iterable[Route]) -> Iterator[tuple[str, str, dict[str, str]]]:
    for path, method, operation in routes:
        names = set(names_in(path))
        if method == "get" and names & content.creates.keys() and names <= known.keys() and not _has_to_be_asked_more(operation):
            yield operation.id, operation.summary, {name: known[name] for name in names_in(path)}


def _has_to_be_asked_more(operation: Operation) -> bool:
    return "" in operation.query.__struct_defaults__


def names_in(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]
