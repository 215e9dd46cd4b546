"""Pages for people: each stands by itself, also as a file that was saved, and nothing that was written there can run."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from tests.api.conftest import Caller, Service
from tests.api.tournament import announced, entered, opened, paired
from tests.browser import needs_browser, taken_widths


@pytest.fixture(scope="module")
def pages(service: Service) -> dict[str, str]:
    """The address of each page."""
    director = service.caller("director")
    path = announced(director, title="Club night")
    entered(director, path, 4)
    paired(director, path)
    game = opened(director, path)["1"]
    return {
        "docs": "/docs",
        "docs of a tag": "/docs/games?code=typescript",
        "seating": f"{path}/rounds/1/seating?format=html",
        "sheet": f"/v1/games/{game}/score-sheet?format=html",
        "standings": f"{path}/standings?format=html",
    }


PAGES = ["docs", "docs of a tag", "seating", "sheet", "standings"]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_brings_its_style_along_and_the_policy_lets_no_other_in(viewer: Caller, pages: dict[str, str], name: str):
    answer = viewer.get(pages[name])
    forms = "'self'" if name.startswith("docs") else "'none'"  # it has a search
    (style,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    allowed = b64encode(sha256(style.encode()).digest()).decode()
    assert answer.headers["content-security-policy"] == (
        f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action {forms}; frame-ancestors 'none'"
    )
    assert "color-scheme: light dark" in style
    assert re.findall(r"<(?:link|script|img|iframe)\b| style=| on\w+=", answer.text) == []


@needs_browser
@pytest.mark.parametrize("name", PAGES)
def test_nothing_stands_over_the_edge_on_a_phone_a_tablet_a_desk_or_a_wall(
    viewer: Caller, pages: dict[str, str], name: str, tmp_path: Path
):
    widths = (390, 768, 1200, 1920)
    assert taken_widths(viewer.get(pages[name]).text, widths, tmp_path) == {width: width for width in widths}


def test_nothing_else_has_to_be_fetched_for_a_page(viewer: Caller):
    assert viewer.client.get("/assets/page.css").status_code == 404
