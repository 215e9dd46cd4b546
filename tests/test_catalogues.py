"""Every language says everything: the catalogues of texts, wherever they lie."""

import re
import tomllib
from pathlib import Path

import pytest

from domain.texts import LANGUAGES

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
