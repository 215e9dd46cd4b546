"""Every language says everything: the catalogues of texts, wherever they lie."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.texts import COMMON, LANGUAGES, catalogue

ROOT = Path(__file__).parent.parent
FOLDERS = sorted(
    {file.parent for top in ("domain", "replay", "projections", "api", "deploy") for file in (ROOT / top).rglob("texts.*.toml")}
)
DETAIL = re.compile(r"\{(\w+)(?::[^}]*)?\}")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_all_languages_say_the_same_things_with_the_same_details(folder: Path):
    assert {file.name for file in folder.glob("texts.*.toml")} == {f"texts.{language}.toml" for language in LANGUAGES}
    first, *others = (tomllib.loads((folder / f"texts.{language}.toml").read_text(encoding="utf-8")) for language in LANGUAGES)
    for other in others:
        assert list(first) == list(other)
        assert [key for key in first if set(DETAIL.findall(str(first[key]))) != set(DETAIL.findall(str(other[key])))] == []


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    for top in ("domain", "replay", "projections", "api"):
        for source in sorted((ROOT / top).rglob("*.py")):
            for call in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
                called = call.func if isinstance(call, ast.Call) else None
                if isinstance(call, ast.Call) and name in (getattr(called, "id", None), getattr(called, "attr", None)):
                    yield f"{source.relative_to(ROOT)}:{call.lineno}", call


@pytest.mark.parametrize(
    ("error", "says"), [("Malformed", 1), ("BadRequest", 1), ("BadCursor", 0), ("Forbidden", 0), ("Unauthenticated", 0)]
)
def test_what_is_wrong_is_said_by_a_phrase_and_not_in_one_language(error: str, says: int):
    told = [(where, call.args[says]) for where, call in calls(error) if len(call.args) > says]
    assert [where for where, said in told if isinstance(said, ast.JoinedStr | ast.Constant)] == []


def test_every_phrase_is_in_a_catalogue():
    known = COMMON["en"].keys() | catalogue("api.http")["en"].keys()
    keys = {(where, key.value) for where, call in calls("say") if call.args and isinstance(key := call.args[0], ast.Constant)}
    assert {(where, key) for where, key in keys if key not in known} == set()
