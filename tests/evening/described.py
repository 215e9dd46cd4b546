"""Two descriptions of one API: schemas may be called and described otherwise, and nothing else may differ."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Line = dict[str, Any]

_SCHEMAS = "#/components/schemas/"
_FREE = ("description", "title")
"""What a schema may say otherwise."""
_NAMED = ("properties", "$defs", "patternProperties", "mapping")
"""Keys below these are names that somebody gave, not words of JSON Schema."""
_FOLLOWS = ("etag", "content-length")


@dataclass
class Described:
    """The OpenAPI documents that were put aside, of the version before and after. Pages are made of the document alone."""

    documents: dict[tuple[str, str], None] = field(default_factory=dict)

    def put_aside(self, old: Line, new: Line) -> tuple[Line, Line]:
        """The two lines without what is put aside here, and without headers that follow from it."""
        if old["target"] == "/openapi.json" and old["status"] == new["status"] == 200 and old["answer"] and new["answer"]:
            self.documents[old["answer"], new["answer"]] = None
        return _bare(old), _bare(new)


def _bare(line: Line) -> Line:
    asked = {name: value for name, value in line["headers"].items() if name != "if-none-match"}
    answered = [pair for pair in line["answered"] if pair[0] not in _FOLLOWS]
    return {**line, "headers": asked, "answered": answered, "answer": bool(line["answer"])}


@dataclass
class Comparison:
    """``pairs``: which schema became which; ``told``: what is described otherwise; ``forbidden``: what must not differ and does."""

    pairs: dict[tuple[str, str], None] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)

    @property
    def renamed(self) -> Iterator[tuple[str, str]]:
        return ((old, new) for old, new in self.pairs if old != new)


def compared(described: Described) -> Comparison:
    found = Comparison()
    for old, new in described.documents:
        _Walk(found, json.loads(old), json.loads(new)).documents()
    return found


class _Walk:
    """Both documents at once, from the paths to the schemas that they refer to."""

    def __init__(self, found: Comparison, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        self._found = found
        self._old, self._new = old, new

    def documents(self) -> None:
        old, new = ({**one, "components": {**one["components"], "schemas": {}}} for one in (self._old, self._new))
        self._node(old, new, "", False)
        self._left_over()

    def _node(self, old: Any, new: Any, where: str, in_schema: bool) -> None:
        if isinstance(old, str) and isinstance(new, str) and old.startswith(_SCHEMAS) and new.startswith(_SCHEMAS):
            self._schema(old.removeprefix(_SCHEMAS), new.removeprefix(_SCHEMAS))
        elif isinstance(old, dict) and isinstance(new, dict):
            self._object(old, new, where, in_schema)
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            for index, (left, right) in enumerate(zip(old, new, strict=True)):
                self._node(left, right, f"{where}[{index}]", in_schema)
        elif old != new or type(old) is not type(new):
            self._found.forbidden.append(f"{where}: {_short(old)} became {_short(new)}")

    def _object(self, old: dict[str, Any], new: dict[str, Any], where: str, in_schema: bool) -> None:
        names = where.rpartition(".")[2] in _NAMED
        free = _FREE if in_schema and not names else ()
        for key in free:
            if old.get(key) != new.get(key):
                self._found.told.append(f"{where}.{key}: {_short(old.get(key))} became {_short(new.get(key))}")
        left, right = ([key for key in one if key not in free] for one in (old, new))
        if left != right:
            self._found.forbidden.append(f"{where}: the keys {_odd(left, right)} became {_odd(right, left)}")
        for key in left:
            if key in new:
                self._node(old[key], new[key], f"{where}.{key}", in_schema or (key == "schema" and not names))

    def _schema(self, old: str, new: str) -> None:
        if (old, new) in self._found.pairs:
            return
        self._found.pairs[old, new] = None
        schemas = self._old["components"]["schemas"], self._new["components"]["schemas"]
        self._node(schemas[0].get(old), schemas[1].get(new), f"schema {old}", True)

    def _left_over(self) -> None:
        """Schemas that nothing refers to have to be there under their names."""
        olds, news = {old for old, _ in self._found.pairs}, {new for _, new in self._found.pairs}
        for name in self._old["components"]["schemas"]:
            if name not in olds:
                self._schema(name, name)
        for name in self._new["components"]["schemas"]:
            if name not in news and (name, name) not in self._found.pairs:
                self._found.forbidden.append(f"schema {name} is new, and nothing refers to it")


def _odd(left: list[str], right: list[str]) -> str:
    """What only the first has; all of it where it is only in another order."""
    return ", ".join([key for key in left if key not in right] or left)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 200 else f"{text[:200]}…"
