"""Where a record comes from: what it is called there (``ref``), and what was written beside it (``meta``), which nobody here reads."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from domain.texts import say
from replay.elsewhere.context import Amiss

KEYS = frozenset({"ref", "meta"})
LONGEST_REF = 200
"""Signs of each half of a ref."""
LARGEST_META = 4096
"""Bytes, without the blanks between its parts."""


def ref_in(record: object) -> dict[str, str] | None:
    """The ref that a record names, also one that is no record in any other respect; ``None`` where there is none that could be kept."""
    said = record.get("ref") if isinstance(record, dict) else None
    return said if isinstance(said, dict) and said.keys() == {"system", "id"} and all(map(_is_half, said.values())) else None


def _is_half(said: object) -> bool:
    return isinstance(said, str) and 1 <= len(said) <= LONGEST_REF and said.isprintable()


def meta_in(record: Mapping[str, Any]) -> str | None:
    """As it is kept: the object as JSON, in the order in which it came. Raises ValueError for what no JSON can say."""
    if "meta" not in record:
        return None
    written = json.dumps(record["meta"], ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if "\\u0000" in written:
        raise ValueError("no store keeps the character 0")
    written.encode()
    return written


def amiss_in_origin(record: Mapping[str, Any]) -> Iterator[Amiss]:
    """What of it is not of the form that it should have."""
    if "ref" in record and ref_in(record) is None:
        yield say("record.ref", longest=LONGEST_REF), "record.ref"
    if not isinstance(record.get("meta", {}), dict):
        yield say("form.object"), "record.meta"
        return
    try:
        written = meta_in(record) or ""
    except ValueError:
        yield say("record.meta"), "record.meta"
    else:
        if len(written.encode()) > LARGEST_META:
            yield say("record.meta_large", largest=LARGEST_META), "record.meta"
