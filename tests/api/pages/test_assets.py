"""What pages are made of: nothing that the policy would refuse, nothing from elsewhere, and no more than a phone should fetch."""

import gzip
import re
from pathlib import Path
from typing import get_args

import pytest

from api.common.pages.assets import TYPES, digest, files, modules_of
from api.common.pages.shell import POLICY
from domain.layout import DeckKind
from domain.texts import LANGUAGES
from tests.api.conftest import Service

_API = Path(__file__).parents[3] / "api"
_FORBIDDEN = (
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|"
    r"\beval\b|new Function|\.on[a-z]+\s*=|setAttribute\(\"style\"|javascript:"
)
_IMPORTED = r"""^import\b[^"';]*["']([^"']+)["']|^export\b[^"';]*\bfrom\s*["']([^"']+)["']|\bimport\(["'`]([^"'`]+)["'`]"""
_SCRIPTS = [name for name in files() if name.endswith(".js")]
_ENTRIES = sorted({*re.findall(r'script="(\w+\.js)"', "".join(path.read_text() for path in _API.rglob("*.py"))), "boot.js"})
MOST_SCRIPT, MOST = 30_000, 40_000
"""Bytes of the scripts of a page, and of all that its first visit fetches besides the page itself; packed."""


def packed(*names: str) -> int:
    return sum(len(gzip.compress(files()[name])) for name in names)


def brought(entry: str) -> list[str]:
    """What a page brings at most: its scripts, and those of one deck where it draws cards."""
    scripts = set(modules_of(entry))
    decks = [set(modules_of(entry, f"cards/{deck}.js")) for deck in get_args(DeckKind)] if "cards.js" in scripts else [scripts]
    return sorted(max(decks, key=lambda names: packed(*names)))


def styles(entry: str) -> set[str]:
    """Those of all pages, and those that stand beside the script where a page is put together."""
    pages = [text for path in (_API / "pages").rglob("*.py") if f'script="{entry}"' in (text := path.read_text())]
    return {"ground.css", *(name for text in pages for name in re.findall(r'"(\w+\.css)"', text))}


def keys(language: str) -> list[str]:
    """Of the words of all pages, and of those that rooms have of their own."""
    own = [text.decode() for name, text in files().items() if re.fullmatch(rf"words/(\w+\.)?{language}\.js", name)]
    return re.findall(r'^\s*"([^"]+)":', "".join(own), re.MULTILINE)


def test_no_script_makes_markup_of_text_or_code_of_words():
    for name in _SCRIPTS:
        assert re.findall(_FORBIDDEN, files()[name].decode()) == [], name


def test_a_script_imports_what_lies_beside_it():
    for name in _SCRIPTS:
        addresses = re.findall(_IMPORTED, files()[name].decode(), re.MULTILINE)
        assert [address for address in map("".join, addresses) if not address.startswith(("./", "../"))] == [], name
        assert set(modules_of(name)) <= set(files()), name


def test_no_script_but_one_holds_a_connection_for_news():
    """Browsers open six to a service: a page that held one of its own would take it from all others. A proof waits for a signature once,
    where somebody asks for it."""
    sought = r"EventSource|event-stream|WebSocket|getReader|[?&]wait=|\bwait: WAIT\b"
    assert {name for name in _SCRIPTS if re.search(sought, files()[name].decode())} <= {"streams/connection.js", "replay/proof.js"}


def test_no_file_names_another_host():
    """Names of namespaces are no addresses."""
    texts = {name: content.decode().replace("http://www.w3.org/", "") for name, content in files().items()}
    assert [name for name, text in texts.items() if re.search(r"https?://", text)] == []


def test_templates_have_nothing_that_the_policy_refuses():
    extending = [path for path in (_API / "templates").glob("*.j2") if "shell.html.j2" in path.name or "shell.html.j2" in path.read_text()]
    assert len(extending) > 3
    for path in extending:
        inline = re.findall(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\bsrc=)[^>]*>", path.read_text())
        assert inline == [], path.name


def test_all_languages_say_the_same():
    assert len({tuple(sorted(keys(language))) for language in LANGUAGES}) == 1
    for language in LANGUAGES:
        assert len(set(keys(language))) == len(keys(language))


@pytest.mark.parametrize("entry", _ENTRIES)
def test_the_scripts_of_a_page_are_small(entry: str):
    for language in LANGUAGES:
        assert packed(*brought(entry), f"words/{language}.js") <= MOST_SCRIPT


@pytest.mark.parametrize("entry", _ENTRIES)
def test_a_first_visit_is_small(entry: str):
    assert packed(*brought(entry), "words/de.js", "icon.svg", "manifest.webmanifest", *styles(entry)) <= MOST


def test_a_file_is_kept_for_ever_under_its_own_digest_only(service: Service):
    for shown, kept in ((digest(), "public, max-age=31536000, immutable"), ("before", "no-cache")):
        answer = service.caller(None).get(f"/assets/{shown}/words/en.js")
        assert (answer.status_code, answer.headers["cache-control"]) == (200, kept)
        assert answer.headers["content-type"] == "text/javascript; charset=utf-8"


def test_the_script_that_painting_waits_for_is_fetched_before_all_others(service: Service):
    page = service.caller(None).get("/", headers={"accept": "text/html"}).text
    assert re.search(r'(?:src|href)="/assets/\w+/([^"]+)"', page)[1] == "early.js"  # type: ignore[index]


@pytest.mark.parametrize("name", ["none.js", "words/none.js", "..%2Fapp.py", "words/..%2F..%2Fapp.py"])
def test_what_is_no_asset_is_not_there(service: Service, name: str):
    assert service.client.get(f"/assets/{digest()}/{name}").status_code == 404


def test_every_kind_of_file_that_lies_there_is_served():
    lying = {path.suffix for path in (_API / "assets").rglob("*") if path.is_file() and path.name != "README.md"}
    assert lying <= set(TYPES)


def test_the_policy_lets_in_nothing_inline_and_nothing_from_elsewhere():
    assert "unsafe" not in POLICY
    assert set(re.findall(r"'[^']+'|[a-z]+:", POLICY)) == {"'none'", "'self'", "'script'", "data:"}
