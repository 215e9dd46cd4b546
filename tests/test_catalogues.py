"""Completeness of the text catalogues: all languages contain the same keys and details."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from domain.texts import COMMON, LANGUAGES, load_catalog
from tests.each import each

ROOT = Path(__file__).parent.parent
FOLDERS = sorted(
    {file.parent for top in ("domain", "replay", "projections", "api", "deploy") for file in (ROOT / top).rglob("texts.*.toml")}
)
DETAIL = re.compile(r"\{(\w+)(?::[^}]*)?\}")


@each("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_all_languages_say_the_same_things_with_the_same_details(folder: Path):
    assert {file.name for file in folder.glob("texts.*.toml")} == {f"texts.{language}.toml" for language in LANGUAGES}
    first, *others = (tomllib.loads((folder / f"texts.{language}.toml").read_text(encoding="utf-8")) for language in LANGUAGES)
    for other in others:
        assert list(first) == list(other)
        assert [key for key in first if set(DETAIL.findall(str(first[key]))) != set(DETAIL.findall(str(other[key])))] == []


def calls(*names: str) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield the name, the place and the call. Only files that contain such a name are parsed."""
    for top in ("domain", "replay", "projections", "api"):
        for source in sorted((ROOT / top).rglob("*.py")):
            text = source.read_text(encoding="utf-8")
            for call in ast.walk(ast.parse(text)) if any(f"{name}(" in text for name in names) else ():
                called = call.func if isinstance(call, ast.Call) else None
                name = getattr(called, "id", None) or getattr(called, "attr", None)
                if isinstance(call, ast.Call) and name in names:
                    yield name, f"{source.relative_to(ROOT)}:{call.lineno}", call


WORDED = {"InvalidFormatError": 1, "BadRequest": 1, "BadCursor": 0, "Forbidden": 0, "AuthenticationError": 0}
"""Errors that carry a text, and the index of that argument."""


def test_what_is_wrong_is_said_by_a_phrase_and_not_in_one_language():
    told = [(where, call.args[WORDED[name]]) for name, where, call in calls(*WORDED) if len(call.args) > WORDED[name]]
    assert len(told) > 50
    assert [where for where, said in told if isinstance(said, ast.JoinedStr | ast.Constant)] == []


def test_every_phrase_is_in_a_catalogue():
    known = COMMON["en"].keys() | load_catalog("api.http")["en"].keys()
    keys = {(where, key.value) for _, where, call in calls("say") if call.args and isinstance(key := call.args[0], ast.Constant)}
    assert {(where, key) for where, key in keys if key not in known} == set()
