"""The documentation site: every page, every operation and every schema is in it."""

import re
from pathlib import Path

from tests.api.conftest import running, settings_of
from tests.docs_site import ROOT, copy_pages, kind, write_reference


def test_every_page_but_decisions_is_in_the_navigation():
    named = set(re.findall(r"docs/[\w/.-]+\.md", (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8")))
    pages = {page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "decisions"}
    assert pages - named == set()


def test_pages_come_with_what_they_show_and_a_link_to_a_folder_leads_to_its_page(tmp_path: Path):
    copy_pages(tmp_path)
    assert (tmp_path / "docs" / "pictures" / "record.png").stat().st_size > 0
    assert "(decisions/README.md)" in (tmp_path / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert "- [0001 Set-up: " in (tmp_path / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")


def test_every_operation_and_every_schema_has_one_place_and_links_find_it(tmp_path: Path):
    with running(settings_of(tmp_path)) as service:
        document = service.client.get("/openapi.json").json()
    pages = dict(write_reference(document))
    sections = [(name, page) for page, text in pages.items() for name in re.findall(r"^##.* \{#([\w-]+)", text, re.MULTILINE)]
    operations = [one["operationId"] for methods in document["paths"].values() for one in methods.values()]
    assert sorted(name for name, _ in sections) == sorted([*operations, *document["components"]["schemas"]])
    links = {(name, page) for text in pages.values() for page, name in re.findall(r"\]\((reference-[\w-]+\.md)#(\w+)\)", text)}
    assert links - set(sections) == set()
    problems = [line for line in pages["reference-log.md"].splitlines() if line.startswith("[Problems](reference-moves.md): ")]
    assert len(problems) == pages["reference-log.md"].count("\n## ")


def test_a_type_is_told_in_words_with_its_limits():
    seat = {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 3}, {"type": "null"}]}
    assert kind({"type": "array", "items": seat}) == "list of integer, 0 to 3 or null"
    assert kind({"enum": ["win", "draw"]}) == "`win`, `draw`"
    assert kind({"$ref": "#/components/schemas/GameRow"}) == "[GameRow](schema:GameRow)"
